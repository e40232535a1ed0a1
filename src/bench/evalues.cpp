// alnus bench evalues: checks E-values in a null database, where every hit is chance.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "alnus/error.h"
#include "bench/commands.h"
#include "bench/data.h"
#include "bench/evalue_report.h"
#include "bench/measure.h"
#include "bench/nulls.h"
#include "bench/speed_report.h"
#include "bench/team.h"
#include "cli/closing_lines.h"
#include "cli/common_options.h"
#include "cli/values.h"
#include "cli/word_options.h"
#include "core/strands.h"

namespace alnus::bench {
namespace {

struct EvalueArguments {
  cli::CommonOptions common;
  std::string queries, database;
  StatisticsOptions statistics;
  std::optional<Null> null;
  std::uint32_t permutations = 1;
  std::optional<std::uint64_t> seed;
  bool json = false;
};

bool is_random(Null null) { return null == Null::permuted || null == Null::dinucleotides; }

void check(const EvalueArguments& arguments) {
  if (!arguments.null || is_random(*arguments.null)) return;
  for (const auto& [given, name] :
       {std::pair{arguments.permutations > 1, "--permutations"}, {arguments.seed.has_value(), "--seed"}})
    if (given)
      throw Error(ErrorKind::input, fmt::format("{} is for --null permuted and dinucleotides: --null {} has "
                                                "nothing random.",
                                                name, word_of(*arguments.null)));
}

Null null_of(const EvalueArguments& arguments, AlphabetKind alphabet) {
  const bool dna = alphabet == AlphabetKind::dna;
  const Null null = arguments.null.value_or(dna ? Null::dinucleotides : Null::permuted);
  if (null == Null::dinucleotides && !dna)
    throw Error(ErrorKind::input,
                "--null dinucleotides is for DNA; choose permuted or reversed for proteins.");
  return null;
}

// With these options a search returns all hits up to the largest threshold: no limit cuts them.
SearchOptions search_options(const EvalueArguments& arguments, const Database& database) {
  SearchOptions options;
  options.detail = Detail::score;
  options.max_target_seqs = std::max(database.size(), 1U);
  options.strands = arguments.common.strands;
  options.statistics = arguments.statistics;
  options.statistics.preset = arguments.common.scoring.preset;
  static_assert(kThresholds.front() == kDefaultEvalue);
  return options;
}

void count(const SearchBatch& hits, HitCounts& counts) {
  if (hits.statistics.empty())
    throw Error(ErrorKind::input, "There are no E-values to count hits by: see --stats and --mode.");
  for (const double evalue : hits.rows.evalue)
    for (std::size_t i = 0; i < kThresholds.size(); ++i) counts[i] += evalue <= kThresholds[i] ? 1 : 0;
}

void run_evalue(const EvalueArguments& arguments, const cli::Context& context) {
  check(arguments);
  const cli::CommonOptions& common = arguments.common;
  Session session = cli::make_session(common.machine, context.log);
  const auto [queries, database] =
      session.open_search(arguments.queries, arguments.database, common.open, cli::follow(context.log));
  const SequenceSet& subjects = database.sequences();
  const Scoring scoring = common.make_scoring(database.alphabet());
  const SearchOptions options = search_options(arguments, database);
  const Null null = null_of(arguments, database.alphabet());
  if (null != Null::none)
    check_memory(subjects.size(), subjects.total_residues(), common.machine.memory_bytes);

  EvalueReport report;
  report.queries = queries;
  report.database = database;
  report.null = word_of(null);
  if (is_random(null)) report.seed = arguments.seed.value_or(1);
  report.all_chance = null != Null::none;
  report.scoring = fmt::format("{}, {}", to_string(scoring.mode), describe_costs(scoring));
  report.strands_of_each =
      strands_of_each(options.strands.value_or(default_search_strands(database.alphabet())));
  ThreadPool threads(threads_of(common.machine));
  for (std::uint32_t number = 1; number <= arguments.permutations; ++number) {
    HitCounts& counts = report.found.emplace_back();
    const SearchSummary summary = session.search(
        queries, null_database(subjects, null, report.seed.value_or(0), number, threads), scoring, options,
        [&](const SearchBatch& hits) { count(hits, counts); }, cli::follow(context.log));
    report.statistics = summary.statistics;
    for (const Message& message : messages_of(summary))
      if (message.severity == Severity::warning) context.log.say(message);
    context.log.info(
        cli::summarize(queries.size(), database.size(), summary.pairs, summary.cells, summary.seconds));
  }
  print(arguments.json ? as_json(report, context.command_line) : as_text(report));
}

void add_evalue_options(CLI::App& command, EvalueArguments& arguments) {
  cli::add_word<Null>(
      command, "--null", "WORD",
      "What DB's sequences become: permuted (their residues in random order), reversed, dinucleotides (of "
      "DNA, in a random order that keeps the number of each pair of neighbours), none (DB as it is)",
      [&](Null null) { arguments.null = null; })
      ->default_str("permuted; dna: dinucleotides")
      ->group("Measurement");
  add_measurement_option(
      command, "--permutations", "N", "Random orders, each searched alone", "1",
      [&](const std::string& text) { arguments.permutations = parse_number("--permutations", text, 1); });
  add_measurement_option(command, "--seed", "N", "Of the random orders", "1", [&](const std::string& text) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    arguments.seed = cli::parse_count("--seed", text, 0, kMost);
  });
  add_json(command, arguments.json);
}

}  // namespace

cli::Command add_evalues(CLI::App& bench) {
  CLI::App* command = bench.add_subcommand("evalues", "Whether E-values hold where every hit is chance");
  const auto arguments = std::make_shared<EvalueArguments>();
  cli::add_search_inputs(*command, arguments->queries, arguments->database);
  add_evalue_options(*command, *arguments);
  cli::add_statistics_options(*command, arguments->statistics, true);
  cli::add_scoring_options(*command, arguments->common);
  cli::add_strand(*command, arguments->common, "dna: both");
  cli::add_mask(*command, arguments->common.open.masking)->group("Scoring");
  cli::add_machine_options(*command, arguments->common);
  cli::add_log_options(*command);
  command->footer("Example:\n  alnus bench evalues queries.fasta proteins.fasta --permutations 3");
  return {command, [arguments](const cli::Context& context) { run_evalue(*arguments, context); }};
}

}  // namespace alnus::bench
