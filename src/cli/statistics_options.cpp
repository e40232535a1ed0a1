#include "cli/statistics_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>

#include "alnus/error.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

using Method = StatisticsMethod;

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
        ->take_last()
        ->group("Statistics");
  };
  add("--stats", "METHOD",
      with_regression
          ? "E-values and Z-scores: spouge or karlin (by parameters), regression (on the search's scores), "
            "zvalue (by shuffling), none"
          : "E-values and Z-scores: spouge or karlin (by parameters), zvalue (by shuffling), none",
      "spouge where it applies", [&options, with_regression](const std::string& text) {
        constexpr std::array<std::string_view, 5> kMethods = {"spouge", "karlin", "regression", "zvalue",
                                                              "none"};
        const auto method = static_cast<Method>(choose("--stats", text, kMethods));
        if (method == Method::regression && !with_regression)
          fail(
              "--stats regression is for search alone: it needs the scores of a query with a whole "
              "database.");
        options.method = method;
      });
  add("--composition", "HOW",
      "Of spouge and karlin: adjust (proteins: each pair is judged by a matrix adjusted to both sequences' "
      "letters; dna: by its score scaled by them), scale (scores of queries with unusual letters are worth "
      "less), none",
      "adjust; scale for a matrix that is not symmetric", [&options](const std::string& text) {
        constexpr std::array<std::string_view, 3> kHow = {"adjust", "scale", "none"};
        options.composition = static_cast<Composition>(choose("--composition", text, kHow));
      });
  add("--low-complexity", "HOW",
      "Of spouge and karlin: statistics (low-complexity regions of subjects, of dna those of queries, do not "
      "count when a pair is judged), none",
      "statistics", [&options](const std::string& text) {
        constexpr std::array<std::string_view, 2> kHow = {"statistics", "none"};
        options.low_complexity = static_cast<LowComplexity>(choose("--low-complexity", text, kHow));
      });
  add("--dbsize", "R[,S]",
      "E-values as in a database of R residues in S sequences: parts of one give what the whole gives",
      "the database", [&options](const std::string& text) {
        const std::vector<std::string> parts = split_at_commas(text);
        constexpr std::uint64_t kMost = 1'000'000'000'000'000;
        if (parts.empty() || parts.size() > 2)
          fail(fmt::format("--dbsize {} is not RESIDUES or RESIDUES,SEQUENCES.", text));
        options.residues = static_cast<double>(parse_count("--dbsize", parts[0], 1, kMost));
        options.sequences.reset();
        if (parts.size() == 2)
          options.sequences = static_cast<double>(parse_count("--dbsize", parts[1], 1, kMost));
      });
  add("--count-strands", "WORD",
      "DNA: E-values count the strands that are aligned, or one, as if each were a query of its own, as "
      "blastn "
      "does",
      "aligned", [&options](const std::string& text) {
        constexpr std::array<std::string_view, 2> kWords = {"aligned", "one"};
        options.counted_strands = static_cast<CountedStrands>(choose("--count-strands", text, kWords));
      });
  add("--shuffles", "N", "Of zvalue: shuffles of each sequence; more are more exact", "1000",
      [&options](const std::string& text) {
        constexpr std::uint64_t kFewest = 10, kMost = 10'000'000;
        shuffles_of(options).shuffles =
            static_cast<std::uint32_t>(parse_count("--shuffles", text, kFewest, kMost));
      });
  add("--shuffle", "SIDE", "Of zvalue: query, subject, or both, and the lower Z-score is told", "both",
      [&options](const std::string& text) {
        constexpr std::array<std::string_view, 3> kSides = {"query", "subject", "both"};
        shuffles_of(options).sides = static_cast<ShuffleOptions::Sides>(choose("--shuffle", text, kSides));
      });
  add("--searchsp", "X", "Search space of spouge and karlin in cells, lengths adjusted, of all strands", "",
      [&options](const std::string& text) {
        options.cells = parse_evalue("--searchsp", text);
        if (!(*options.cells >= 1)) fail("--searchsp is in cells: 1 or more.");
      });
}

}  // namespace alnus::cli
