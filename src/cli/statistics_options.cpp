#include "cli/statistics_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>
#include <span>

#include "alnus/error.h"
#include "alnus/text.h"
#include "cli/values.h"
#include "cli/words.h"

namespace alnus::cli {
namespace {

using Method = StatisticsMethod;

constexpr const char* kGroup = "Statistics";

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

ShuffleOptions& shuffles_of(StatisticsOptions& options) {
  if (!options.shuffles) options.shuffles.emplace();
  return *options.shuffles;
}

}  // namespace

void add_statistics_options(CLI::App& command, StatisticsOptions& options, bool with_regression) {
  const auto add = [&](const char* name, const char* type, const char* description, const char* default_text,
                       const std::function<void(const std::string&)>& read) {
    command.add_option_function<std::string>(name, read, description)
        ->type_name(type)
        ->default_str(default_text)
        ->group(kGroup);
  };
  const auto choice = [&]<class Value>(const char* name, const char* type, const char* description,
                                       const char* default_text, std::optional<Value>& chosen) {
    add_word<Value>(command, name, type, description, [&chosen](Value value) { chosen = value; })
        ->default_str(default_text)
        ->group(kGroup);
  };
  static constexpr std::array<std::string_view, 4> kWithoutRegression = {"spouge", "karlin", "zvalue",
                                                                         "none"};
  CLI::Option* method = add_word<Method>(
      command, "--stats", "METHOD",
      with_regression
          ? "How E-values or Z-scores are computed: spouge (as in blastp) or karlin (as in blastn), by "
            "parameters of the scoring; regression (as in ssearch36), by all scores of the query; zvalue, by "
            "shuffled sequences; none"
          : "How E-values or Z-scores are computed: spouge (as in blastp) or karlin (as in blastn), by "
            "parameters of the scoring; zvalue, by shuffled sequences; none",
      [&options, with_regression](Method chosen) {
        if (chosen == Method::regression && !with_regression)
          fail(
              "--stats regression is for search alone: it needs the scores of a query with a whole "
              "database.");
        options.method = chosen;
      });
  method->default_str("spouge where it applies")->group(kGroup);
  if (!with_regression) set_words(*method, kWithoutRegression);
  choice(
      "--composition", "HOW",
      "For E-values of spouge and karlin: adjust (each pair is scored again by a matrix adjusted to the "
      "residues that both sequences consist of; DNA: its score is scaled by them), scale (scores of queries "
      "of unusual residues count less), none",
      "adjust; scale for a matrix that is not symmetric", options.composition);
  choice(
      "--low-complexity", "HOW",
      "For E-values of spouge and karlin: statistics (regions of low complexity do not count, those of the "
      "subjects, or of DNA queries; alignments stay whole), none (they count)",
      "statistics", options.low_complexity);
  add("--dbsize", "R[,S]",
      "Compute E-values as for a database of R residues in S sequences, such as the whole database when a "
      "part of it is searched",
      "the database", [&options](const std::string& text) {
        const std::vector<std::string> parts = split_at_commas(text);
        constexpr std::uint64_t kMost = 1'000'000'000'000'000;
        if (parts.empty() || parts.size() > 2)
          fail(fmt::format("--dbsize takes RESIDUES or RESIDUES,SEQUENCES, not {}.", in_quotes(text)));
        options.residues = static_cast<double>(parse_count("--dbsize", parts[0], 1, kMost));
        options.sequences.reset();
        if (parts.size() == 2)
          options.sequences = static_cast<double>(parse_count("--dbsize", parts[1], 1, kMost));
      });
  choice("--count-strands", "WORD",
         "DNA: the strands that E-values count: aligned (all that are aligned), or one (as blastn does)",
         "aligned", options.counted_strands);
  add("--shuffles", "N", "For zvalue: how often each sequence is shuffled; more is more exact", "1000",
      [&options](const std::string& text) {
        constexpr std::uint64_t kFewest = 10, kMost = 10'000'000;
        shuffles_of(options).shuffles =
            static_cast<std::uint32_t>(parse_count("--shuffles", text, kFewest, kMost));
      });
  add_word<ShuffleOptions::Sides>(
      command, "--shuffle", "SIDE",
      "For zvalue: the sequence of a pair that is shuffled: query, subject, or both (the lower Z-score "
      "counts)",
      [&options](ShuffleOptions::Sides sides) { shuffles_of(options).sides = sides; })
      ->default_str("both")
      ->group(kGroup);
  add("--searchsp", "X",
      "For spouge and karlin: the effective search space, as BLAST prints it, in place of that of the "
      "database; of all strands",
      "", [&options](const std::string& text) {
        options.cells = parse_evalue("--searchsp", text);
        if (!(*options.cells >= 1)) fail("--searchsp is in cells: 1 or more.");
      });
}

}  // namespace alnus::cli
