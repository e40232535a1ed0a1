#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/text.h"
#include "cli/common_options.h"
#include "cli/option_table.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

constexpr const char* kGroup = "Statistics";

void read_database_size(const std::string& text, StatisticsOptions& options) {
  const std::vector<std::string> parts = split_at_commas(text);
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;
  if (parts.empty() || parts.size() > 2)
    throw Error(ErrorKind::input,
                fmt::format("--dbsize takes RESIDUES or RESIDUES,SEQUENCES, not {}.", in_quotes(text)));
  options.residues = static_cast<double>(parse_count("--dbsize", parts[0], 1, kMost));
  options.sequences.reset();
  if (parts.size() == 2) options.sequences = static_cast<double>(parse_count("--dbsize", parts[1], 1, kMost));
}

}  // namespace

void add_statistics_options(CLI::App& command, StatisticsOptions& options, bool with_regression) {
  add_options<StatisticsOptions>(command, kGroup, [&options]() -> StatisticsOptions& { return options; });
  if (!with_regression) {
    static constexpr std::array<std::string_view, 4> kWords = {"spouge", "karlin", "zvalue", "none"};
    CLI::Option& method = *command.get_option("--stats");
    set_words(method, kWords);
    method.description(
        "How E-values or Z-scores are computed: spouge (as in blastp) or karlin (as in blastn), by "
        "parameters of the scoring; zvalue, by shuffled sequences; none");
  }
  command
      .add_option_function<std::string>(
          "--dbsize", [&options](const std::string& text) { read_database_size(text, options); },
          "Compute E-values as for a database of R residues in S sequences, such as the whole database when "
          "a part of it is searched")
      ->type_name("R[,S]")
      ->default_str("the database")
      ->group(kGroup);
  add_options<ShuffleOptions>(command, kGroup, [&options]() -> ShuffleOptions& {
    if (!options.shuffles) options.shuffles.emplace();
    return *options.shuffles;
  });
}

}  // namespace alnus::cli
