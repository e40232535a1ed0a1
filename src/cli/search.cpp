// alnus search: the best hits of each query.
#include "engine/search.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <future>
#include <limits>
#include <memory>
#include <optional>

#include "alnus/error.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/estimate.h"
#include "cli/inputs.h"
#include "cli/interactive.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/score_plot.h"
#include "cli/statistics.h"
#include "cli/units.h"
#include "cli/values.h"
#include "core/decimal.h"
#include "io/database.h"
#include "stats/regression.h"

namespace alnus::cli {
namespace {

struct SearchArguments {
  CommonOptions common;
  std::string queries, database;
  std::uint32_t max_target_seqs = 500;
  std::optional<double> evalue;
  std::optional<Decimal> min_score;
  StatisticsArguments statistics;
  std::string score_plot;
  bool interactive = false;

  double evalue_limit() const { return evalue.value_or(10); }
};

engine::SearchOptions search_options(const SearchArguments& arguments, const Scoring& scoring) {
  engine::SearchOptions options;
  options.detail = arguments.common.detail();
  options.max_target_seqs = arguments.max_target_seqs;
  options.evalue = arguments.evalue_limit();
  if (arguments.min_score) options.min_score = scale_up(*arguments.min_score, scoring.scale);
  options.memory_bytes = arguments.common.memory_bytes;
  options.identity_ranges = arguments.common.format.identity_ranges();
  options.histogram = !arguments.score_plot.empty();
  return options;
}

void print_dry_run(const SearchArguments& arguments, const Inputs& inputs, const Scoring& scoring,
                   const Devices& devices) {
  const std::uint64_t rows =
      std::uint64_t{inputs.queries.size()} * std::min(arguments.max_target_seqs, inputs.subjects.size());
  Workload work{inputs.queries, inputs.subjects, TileShape::rectangle, {}, {scoring, Detail::score}, rows};
  const std::uint64_t pairs = std::max<std::uint64_t>(1, count_pairs(work)), cells = count_cells(work);
  work.cells =
      cells + static_cast<std::uint64_t>(static_cast<double>(cells) / static_cast<double>(pairs) *
                                         static_cast<double>(rows * arguments.statistics.shuffled()));
  print(describe_cost(work, arguments.common.format, devices));
}

// What an interactive search cannot do, or not at once.
void check_interactive(const SearchArguments& arguments) {
  const auto refuse = [](const char* why) {
    throw Error(ErrorKind::input, fmt::format("--interactive answers each query at once: {}.", why));
  };
  if (!arguments.common.output.empty())
    refuse("the answers go to standard output, and a file of -o appears when it is complete");
  if (!arguments.score_plot.empty()) refuse("there are no scores of a whole search for --score-plot");
  if (arguments.common.dry_run) refuse("--dry-run would have to know the queries");
}

void log_summary(const SearchArguments& arguments, const engine::SearchOptions& options,
                 const engine::SearchSummary& summary, const Session& session) {
  if (summary.fallbacks > 0)
    session.log.warning(
        fmt::format("The scores of {} do not suffice for --stats regression, which takes a query of more "
                    "than {} residues and {} subjects of as many, of different lengths: {}.",
                    format_count(summary.fallbacks, "query", "queries"), stats::kShortestForRegression,
                    format_count(stats::kFewestForRegression),
                    options.statistics.parameters ? fmt::format("their E-values are those of --stats {}",
                                                                to_string(options.statistics.by_parameters()))
                                                  : "they have no E-values"));
  if (summary.cut_ties > 0)
    session.log.info(fmt::format(
        "Ties at the cut: in {} a subject beyond the first {} scores as high as the last one listed; the "
        "database's order decided.",
        format_count(summary.cut_ties, "query", "queries"), format_count(arguments.max_target_seqs)));
  std::string filters = fmt::format("--max-target-seqs {}", arguments.max_target_seqs);
  if (options.statistics.method != stats::Method::none)
    filters += fmt::format(", --evalue {}", arguments.evalue_limit());
  if (arguments.min_score)
    filters += fmt::format(", --min-score {}",
                           format_decimal(arguments.min_score->numerator, arguments.min_score->denominator));
  session.log.info(fmt::format("{} listed, {} left out ({}).", format_count(summary.hits, "hit", "hits"),
                               format_count(summary.filtered, "pair", "pairs"), filters));
}

void run_search(const SearchArguments& arguments, const Session& session) {
  const CommonOptions& common = arguments.common;
  if (arguments.interactive) check_interactive(arguments);
  const Devices devices = common.make_devices(session.log);
  std::optional<QueryStream> stream;
  if (arguments.interactive)
    stream.emplace(arguments.queries, arguments.database, common.alphabet, common.masking, session.log);
  const Inputs inputs = stream ? Inputs{{}, stream->database()}
                               : read_search_inputs(arguments.queries, arguments.database, common.alphabet,
                                                    common.masking, session.log);
  const Scoring scoring = make_scoring(common, inputs.subjects.alphabet());
  engine::SearchOptions options = search_options(arguments, scoring);
  options.statistics = resolve_statistics(arguments.statistics, scoring, inputs.subjects,
                                          common.format.needs_statistics() || arguments.evalue ||
                                              options.histogram || arguments.statistics.method,
                                          common.dry_run, devices, session.log);
  if (arguments.evalue && arguments.statistics.method == stats::Method::none)
    throw Error(ErrorKind::input, "--stats none tells no E-values that --evalue could filter by.");
  if (!arguments.score_plot.empty() && arguments.score_plot == common.output)
    throw Error(ErrorKind::input, fmt::format("Two outputs have the name {}; each is a file of its own.",
                                              arguments.score_plot));
  options.statistics.shuffles.memory_bytes = common.memory_bytes;
  if (common.dry_run) return print_dry_run(arguments, inputs, scoring, devices);

  Report report(common, scoring, inputs.subjects, arguments.database, describe_statistics(options.statistics),
                session);
  std::optional<ScorePlot> plot;
  if (options.histogram) plot.emplace(arguments.score_plot);
  // Beside the search, which reads every residue anyway. No result is written before it is done.
  std::future<void> verification;
  if (is_database_name(arguments.database))
    verification = std::async(std::launch::async, [&] { io::verify_database(arguments.database); });

  std::vector<Device*> pointers;
  for (const std::unique_ptr<Device>& device : devices) pointers.push_back(device.get());
  const auto search = [&](const SequenceSet& queries) {
    engine::Progress progress;
    progress.warn = [&session](const std::string& message) { session.log.warning(message); };
    const ProgressReport moving(session.log, progress);
    return engine::search(queries, inputs.subjects, scoring, options, pointers, progress,
                          [&](SequenceSet::Index query, std::span<const io::Hit> hits,
                              const stats::QueryStatistics* statistics) {
                            if (verification.valid()) verification.get();
                            report.query(queries[query], hits, statistics);
                            if (plot) plot->add(hits);
                          });
  };
  const Answers answers = stream ? answer(*stream, search, report, pointers, session.log)
                                 : Answers{inputs.queries.size(), search(inputs.queries)};
  if (verification.valid()) verification.get();
  report.finish();
  if (plot) plot->finish(inputs, scoring, options.statistics, answers.summary.histogram);
  log_summary(arguments, options, answers.summary, session);
  session.log.info(summarize(answers.queries, inputs.subjects.size(), answers.summary.pairs,
                             answers.summary.cells, stream ? answers.summary.seconds : session.seconds()));
  answers.check();
}

}  // namespace

Command add_search(CLI::App& program) {
  CLI::App* command = program.add_subcommand("search", "The best hits of each query in a database");
  const auto arguments = std::make_shared<SearchArguments>();
  add_search_inputs(*command, arguments->queries, arguments->database);
  const auto add = [&](const char* name, const char* type, const char* description, const char* default_text,
                       const std::function<void(const std::string&)>& read) {
    command->add_option_function<std::string>(name, read, description)
        ->type_name(type)
        ->default_str(default_text)
        ->take_last()
        ->group("Hits");
  };
  add("--max-target-seqs", "N",
      "At most so many hits of a query; the database's order decides between equal scores", "500",
      [arguments](const std::string& text) {
        constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
        arguments->max_target_seqs =
            static_cast<std::uint32_t>(parse_count("--max-target-seqs", text, 1, kMost));
      });
  add("--evalue", "X", "No hits with a larger E-value", "10",
      [arguments](const std::string& text) { arguments->evalue = parse_evalue("--evalue", text); });
  add("--min-score", "N", "No hits with a lower score, in the matrix' units", "",
      [arguments](const std::string& text) { arguments->min_score = parse_score("--min-score", text); });
  command
      ->add_flag(
          "--interactive", arguments->interactive,
          "The database stays loaded; each query of QUERIES is answered at once. An empty line ends a query")
      ->group("Hits");
  add_statistics_options(*command, arguments->statistics, true);
  command
      ->add_option("--score-plot", arguments->score_plot,
                   "A picture of all scores, what chance would give, and the hits (SVG)")
      ->type_name("FILE.svg")
      ->take_last()
      ->group("Statistics");
  add_common_options(*command, arguments->common);
  command->footer(
      "Example:\n  alnus search queries.fasta uniprot.alnus --evalue 1e-5 --outfmt \"6 std qlen slen\" -o "
      "hits.tsv.gz");
  return {command, [arguments](const Session& session) { run_search(*arguments, session); }};
}

}  // namespace alnus::cli
