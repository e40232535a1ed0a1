// alnus align: given pairs, or every record of one file with every record of another.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/estimate.h"
#include "cli/inputs.h"
#include "cli/pair_list.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/statistics.h"
#include "cli/units.h"
#include "engine/search.h"
#include "stats/evalue.h"

namespace alnus::cli {
namespace {

struct AlignArguments {
  CommonOptions common;
  std::string queries, subjects, pair_list;
  bool all = false, identity_range = false;
  StatisticsArguments statistics;
};

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

void check(const AlignArguments& arguments) {
  refuse_sharing_stdin({arguments.queries, arguments.subjects, arguments.pair_list});
  if (arguments.all && !arguments.pair_list.empty()) fail("Choose either --all or --pairs, not both.");
  if (arguments.subjects.empty() && arguments.pair_list.empty())
    fail(fmt::format("alnus align needs a second file, to align {} with; only --pairs does without.",
                     arguments.queries));
}

// Record i with record i.
std::vector<PairIndex> pair_up(const AlignArguments& arguments, const Inputs& inputs) {
  if (inputs.queries.size() != inputs.subjects.size())
    fail(fmt::format(
        "{} has {} and {} has {}: record i cannot be aligned with record i. --all aligns every record "
        "with every record, --pairs names the pairs.",
        arguments.queries, format_count(inputs.queries.size(), "record", "records"), arguments.subjects,
        format_count(inputs.subjects.size(), "record", "records")));
  std::vector<PairIndex> pairs;
  for (SequenceSet::Index i = 0; i < inputs.queries.size(); ++i) pairs.push_back({i, i});
  return pairs;
}

// Pairs that follow each other with the same query go to the writer together.
class PairReport {
 public:
  PairReport(Report& report, const SequenceSet& queries, bool local)
      : report_(report), queries_(queries), local_(local) {}

  void add(SequenceSet::Index query, const io::Hit& hit) {
    if (begun_ && query != query_) flush();
    begun_ = true;
    query_ = query;
    if (local_ && hit.alignment.score == 0) {
      ++empty_;
    } else {
      hits_.push_back(hit);
    }
  }
  void flush() {
    if (begun_) report_.query(queries_[query_], hits_, nullptr);
    hits_.clear();
  }
  std::uint64_t empty() const { return empty_; }

 private:
  Report& report_;
  const SequenceSet& queries_;
  const bool local_;
  bool begun_ = false;
  SequenceSet::Index query_ = 0;
  std::vector<io::Hit> hits_;
  std::uint64_t empty_ = 0;
};

// Pairs that were given are of no search, unless the user tells of one.
engine::StatisticsOptions statistics_of(const AlignArguments& arguments, const Inputs& inputs,
                                        const Scoring& scoring, const Devices& devices, Log& log) {
  const bool wanted = arguments.common.format.needs_statistics();
  engine::StatisticsOptions options = resolve_statistics(arguments.statistics, scoring, inputs.subjects,
                                                         wanted, arguments.common.dry_run, devices, log);
  if (!wanted) options.method = stats::Method::none;
  options.shuffles.memory_bytes = arguments.common.memory_bytes;
  if (arguments.statistics.names_space()) return options;
  options.space = {};
  if (wanted && options.by_parameters_now())
    log.info("E-values are NA: these pairs were given, not found. --dbsize tells what was searched.");
  return options;
}

void align(const AlignArguments& arguments, const Inputs& inputs, const Workload& work,
           const engine::StatisticsOptions& statistics, const Devices& devices, PairReport& report,
           const Session& session) {
  const engine::AlignOptions options{work.problem.detail, arguments.common.format.identity_ranges(),
                                     statistics};
  std::vector<Device*> pointers;
  for (const std::unique_ptr<Device>& device : devices) pointers.push_back(device.get());
  engine::Progress progress;
  progress.warn = [&session](const std::string& message) { session.log.warning(message); };
  const ProgressReport moving(session.log, progress);
  const Scoring& scoring = work.problem.scoring;
  if (arguments.all) {
    engine::align_all(inputs.queries, inputs.subjects, scoring, options, pointers, progress,
                      [&](std::size_t ordinal, const io::Hit& hit) {
                        report.add(static_cast<SequenceSet::Index>(ordinal / inputs.subjects.size()), hit);
                      });
  } else {
    engine::align_pairs(
        inputs.queries, inputs.subjects, work.pairs, scoring, options, pointers, progress,
        [&](std::size_t ordinal, const io::Hit& hit) { report.add(work.pairs[ordinal].row, hit); });
  }
  report.flush();
}

void run_align(AlignArguments arguments, const Session& session) {
  check(arguments);
  if (arguments.identity_range) add_identity_range_columns(arguments.common.format);
  const CommonOptions& common = arguments.common;
  const Devices devices = common.make_devices(session.log);
  const Inputs inputs =
      read_pair_inputs(arguments.queries, arguments.subjects, common.alphabet, common.masking, session.log);
  const Scoring scoring = make_scoring(common, inputs.queries.alphabet());
  std::vector<PairIndex> pairs;
  if (!arguments.pair_list.empty()) {
    pairs = read_pair_list(arguments.pair_list, inputs.queries, inputs.subjects);
  } else if (!arguments.all) {
    pairs = pair_up(arguments, inputs);
  }
  Workload work{inputs.queries,
                inputs.subjects,
                arguments.all ? TileShape::rectangle : TileShape::list,
                pairs,
                {scoring, common.detail()}};
  work.rows = count_pairs(work);
  const engine::StatisticsOptions statistics =
      statistics_of(arguments, inputs, scoring, devices, session.log);
  if (common.dry_run) {
    work.cells = count_cells(work) * (1 + arguments.statistics.shuffled());
    return print(describe_cost(work, common.format, devices));
  }

  Report report(common, scoring, inputs.subjects,
                arguments.subjects.empty() ? arguments.queries : arguments.subjects,
                describe_statistics(statistics), session);
  PairReport pair_report(report, inputs.queries, scoring.mode == Mode::local);
  align(arguments, inputs, work, statistics, devices, pair_report, session);
  report.finish();
  if (pair_report.empty() > 0)
    session.log.info(fmt::format("{} of score 0 without a row: nothing in them aligns.",
                                 format_count(pair_report.empty(), "pair", "pairs")));
  session.log.info(summarize(inputs.queries.size(), inputs.subjects.size(), work.rows, count_cells(work),
                             session.seconds()));
}

}  // namespace

Command add_align(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("align", "Given pairs: record i of A with record i of B, or as told");
  const auto arguments = std::make_shared<AlignArguments>();
  command
      ->add_option("A", arguments->queries,
                   "The queries: FASTA or FASTQ, plain, gzip or zstd; - is standard input")
      ->required();
  command->add_option("B", arguments->subjects,
                      "The subjects; with --pairs it may be left out, and A is both");
  command->add_flag("--all", arguments->all, "Every record of A with every record of B")->group("Pairs");
  command
      ->add_option("--pairs", arguments->pair_list,
                   "A line for each pair: id of the query, tab, id of the subject; # begins a comment")
      ->type_name("LIST.tsv")
      ->take_last()
      ->group("Pairs");
  add_statistics_options(*command, arguments->statistics, false);
  add_common_options(*command, arguments->common);
  add_identity_range(*command, arguments->identity_range);
  command->footer("Example:\n  alnus align a.fasta b.fasta --mode global --outfmt srspair");
  return {command, [arguments](const Session& session) { run_align(*arguments, session); }};
}

}  // namespace alnus::cli
