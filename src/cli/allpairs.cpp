// alnus allpairs: every pair of a set, or every sequence of one set with every sequence of another.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "alnus/error.h"
#include "cli/checkpoint.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/estimate.h"
#include "cli/inputs.h"
#include "cli/pair_outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/statistics.h"
#include "cli/units.h"
#include "cli/values.h"
#include "core/decimal.h"
#include "engine/all_pairs.h"
#include "engine/mirrored.h"
#include "stats/evalue.h"

namespace alnus::cli {
namespace {

struct AllPairsArguments {
  CommonOptions common;
  PairOutputOptions outputs;
  std::string set, against, checkpoint, added;
  bool self = false, identity_range = false;
  StatisticsArguments statistics;
  std::optional<Decimal> min_score;
  std::optional<double> min_identity, evalue;
};

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

engine::AllPairsOptions options_of(const AllPairsArguments& arguments, const Scoring& scoring) {
  engine::AllPairsOptions options;
  options.listed = arguments.outputs.rows(arguments.common);
  options.value = arguments.outputs.value();
  if (arguments.min_score) options.filter.min_score = scale_up(*arguments.min_score, scoring.scale);
  options.filter.min_identity = arguments.min_identity;
  options.filter.denominator = arguments.outputs.denominator;
  options.filter.evalue = arguments.evalue;
  const io::OutputFormat& format = arguments.common.format;
  const bool rows = arguments.outputs.rows(arguments.common);
  if (rows) options.identity_ranges = format.identity_ranges();
  options.cigars = rows && format.needs_cigars();
  options.detail = rows ? arguments.common.detail() : Detail::score;
  const bool identity =
      arguments.min_identity || (options.value && options.value->kind != io::PairValue::score);
  if (identity) options.detail = Detail::alignment;
  options.memory_bytes = arguments.common.memory_bytes;
  return options;
}

void check_checkpoint(const AllPairsArguments& arguments) {
  const std::string& output = arguments.common.output;
  if (arguments.outputs.rows(arguments.common)) {
    std::error_code error;
    const bool special =
        std::filesystem::exists(output, error) && !std::filesystem::is_regular_file(output, error);
    if (output.empty() || output == "-" || special)
      fail("--checkpoint needs files to go on with: choose one by -o.");
    if (arguments.common.format.has_head())
      fail("--checkpoint is for outputs without a head: choose --outfmt 6, 10 or jsonl.");
  }
}

// E-values are printed or filter.
bool wants_evalues(const AllPairsArguments& arguments) {
  return arguments.evalue ||
         (arguments.outputs.rows(arguments.common) && arguments.common.format.needs_statistics());
}

void check_added(const AllPairsArguments& arguments, const engine::StatisticsOptions& statistics) {
  if (arguments.checkpoint.empty() || !arguments.against.empty())
    fail("--add extends the run of one set whose ledger is in --checkpoint DIR.");
  if (!arguments.outputs.phylip.empty())
    fail("--add cannot extend --phylip, whose first line and names depend on all sequences.");
  if (wants_evalues(arguments) && statistics.method != stats::Method::none &&
      !arguments.statistics.names_space())
    fail(
        "--add cannot extend what has E-values, which depend on all sequences: choose --outfmt 6 or 10 with "
        "columns other than evalue and bitscore, and leave --evalue out; or fix the search space by "
        "--dbsize.");
}

// Of the outputs that are files, no two are the same.
void check_names(const AllPairsArguments& arguments) {
  const PairOutputOptions& outputs = arguments.outputs;
  std::array<std::string_view, 4> names = {arguments.common.output, outputs.matrix, outputs.phylip,
                                           outputs.edges};
  std::ranges::sort(names);
  const auto* twice = std::ranges::adjacent_find(
      names, [](std::string_view a, std::string_view b) { return !a.empty() && a == b; });
  if (twice != names.end())
    fail(fmt::format("Two outputs have the name {}; each is a file of its own.", *twice));
}

void check(const AllPairsArguments& arguments, const engine::AllPairs& pairs, const Scoring& scoring,
           const engine::StatisticsOptions& statistics) {
  arguments.outputs.check(pairs, scoring);
  check_names(arguments);
  if (!arguments.checkpoint.empty()) check_checkpoint(arguments);
  if (!arguments.added.empty()) check_added(arguments, statistics);
  if (!arguments.against.empty() && arguments.self)
    fail("--self pairs a sequence with itself; with --against there are two sets. Leave one of them out.");
  const bool to_be_calibrated =
      arguments.common.dry_run && scoring.mode == Mode::local && !statistics.parameters;
  if (arguments.evalue && statistics.method == stats::Method::zvalue)
    fail("Z-values are of the pairs that are listed, so --evalue cannot choose them; --min-score can.");
  if (arguments.evalue && !statistics.by_parameters_now() && !to_be_calibrated)
    fail("There are no E-values, so --evalue cannot filter; --min-score can.");
  if (statistics.method == stats::Method::zvalue && !engine::symmetric(scoring))
    fail("--stats zvalue of all pairs is for scorings in which query and subject may change places.");
}

// Pairs with nothing to align and those that the filter dropped are not in the list: say how many.
struct Tally {
  std::uint64_t listed = 0, empty = 0;
};

std::string describe_filter(const AllPairsArguments& arguments) {
  std::vector<std::string> filters;
  if (arguments.min_score)
    filters.push_back(fmt::format(
        "--min-score {}", format_decimal(arguments.min_score->numerator, arguments.min_score->denominator)));
  if (arguments.min_identity) filters.push_back(fmt::format("--min-identity {}", *arguments.min_identity));
  if (arguments.evalue) filters.push_back(fmt::format("--evalue {}", *arguments.evalue));
  return fmt::format("{}", fmt::join(filters, ", "));
}

void log_summary(const AllPairsArguments& arguments, const engine::AllPairs& pairs,
                 const engine::AllPairsOptions& options, const Tally& tally, SequenceSet::Index first,
                 const Session& session) {
  const std::uint64_t filtered = pairs.pairs_from(0) - tally.listed - tally.empty;
  if (options.listed && !options.filter.empty())
    session.log.info(fmt::format("{} listed, {} filtered out ({}).",
                                 format_count(tally.listed, "pair", "pairs"),
                                 format_count(filtered, "pair", "pairs"), describe_filter(arguments)));
  if (tally.empty > 0)
    session.log.info(fmt::format("{} of score 0 without a row: nothing in them aligns.",
                                 format_count(tally.empty, "pair", "pairs")));
  session.log.info(summarize(pairs.rows().size(), pairs.columns().size(), pairs.pairs_from(first),
                             pairs.cells_from(first), session.seconds()));
}

struct Sets {
  SequenceSet set, against;
  SequenceSet::Index known = 0;             // with --add: of the set, those that were there before
  std::optional<std::string> known_digest;  // of these
};

Sets read(const AllPairsArguments& arguments, Log& log) {
  const std::string& other = arguments.added.empty() ? arguments.against : arguments.added;
  refuse_sharing_stdin({arguments.set, other});
  const CommonOptions& common = arguments.common;
  const Inputs inputs = read_set_inputs(arguments.set, other, common.alphabet, common.masking, log);
  Sets sets{inputs.queries.in_file_order(), inputs.subjects.in_file_order(), 0, {}};
  if (arguments.added.empty()) return sets;
  SequenceSetBuilder all(sets.set.alphabet(), sets.set.origin());
  for (const SequenceSet* part : {&sets.set, &sets.against})
    for (SequenceSet::Index i = 0; i < part->size(); ++i) all.add((*part)[i].header, part->residues(i));
  sets.known = sets.set.size();
  sets.known_digest = io::digest_of({&sets.set, 1});
  sets.set = all.finish();
  return sets;
}

void dry_run(const AllPairsArguments& arguments, const engine::AllPairs& pairs, const Problem& problem,
             SequenceSet::Index first, const Devices& devices) {
  const bool rows = arguments.outputs.rows(arguments.common);
  Workload work{pairs.rows(), pairs.columns(), TileShape::rectangle, {}, problem};
  work.rows = rows ? pairs.pairs_from(first) : 0;
  work.pair_count = pairs.pairs_from(first);
  work.cells =
      pairs.cells_from(first) * (1 + (wants_evalues(arguments) ? arguments.statistics.shuffled() : 0));
  constexpr std::uint64_t kDistanceBytes = 10;
  if (!arguments.outputs.matrix.empty()) work.other_bytes += io::file_bytes(arguments.outputs.shape(pairs));
  if (!arguments.outputs.phylip.empty()) work.other_bytes += kDistanceBytes * pairs.pairs_from(0);
  print(describe_cost(work, arguments.common.format, devices));
}

void run_allpairs(AllPairsArguments arguments, const Session& session) {
  if (arguments.identity_range) add_identity_range_columns(arguments.common.format);
  const CommonOptions& common = arguments.common;
  const Devices devices = common.make_devices(session.log);
  std::vector<Device*> pointers;
  for (const std::unique_ptr<Device>& device : devices) pointers.push_back(device.get());
  const Sets sets = read(arguments, session.log);
  const Scoring scoring = make_scoring(common, sets.set.alphabet());
  const engine::AllPairs pairs(sets.set, arguments.against.empty() ? nullptr : &sets.against,
                               arguments.self || arguments.outputs.square);
  engine::AllPairsOptions options = options_of(arguments, scoring);
  options.statistics = resolve_statistics(arguments.statistics, scoring, pairs.columns(),
                                          wants_evalues(arguments), common.dry_run, devices, session.log);
  check(arguments, pairs, scoring, options.statistics);
  if (!wants_evalues(arguments)) options.statistics.method = stats::Method::none;
  options.statistics.shuffles.memory_bytes = common.memory_bytes;
  options.stripe_cells = engine::stripe_cells(pointers);
  if (common.dry_run) return dry_run(arguments, pairs, {scoring, options.detail}, sets.known, devices);

  std::optional<Checkpoint> checkpoint;
  if (!arguments.checkpoint.empty()) {
    const std::string digest = io::digest_of({&sets.set, 1});
    checkpoint.emplace(arguments.checkpoint,
                       RunDescription{arguments.outputs, common, scoring, pairs, options, digest}, sets.known,
                       sets.known_digest, options);
    if (checkpoint->ledger().finished)
      return session.log.info(fmt::format(
          "The ledger in {} says that this run is finished; remove it to start anew.", arguments.checkpoint));
  }
  const io::Ledger before = checkpoint ? checkpoint->ledger() : io::Ledger{};
  if (before.next_row > 0)
    session.log.info(fmt::format("Going on from row {} of {}.", format_count(before.next_row),
                                 format_count(pairs.rows().size())));

  PairOutputs outputs(arguments.outputs, common, scoring, pairs, describe_statistics(options.statistics),
                      before, session);
  engine::Progress progress;
  progress.warn = [&session](const std::string& message) { session.log.warning(message); };
  Tally tally{before.listed, before.empty};
  {
    const ProgressReport moving(session.log, progress);
    engine::all_pairs(pairs, scoring, options, {before.next_row, before.left}, pointers, progress,
                      [&](const engine::Stripe& stripe, const engine::StripeState& after) {
                        tally.listed += stripe.listed.size();
                        tally.empty += stripe.empty;
                        outputs.write(stripe);
                        if (checkpoint) checkpoint->save(stripe, after, outputs.sync());
                      });
    outputs.finish();
    if (checkpoint) checkpoint->finish();
  }
  log_summary(arguments, pairs, options, tally, before.next_row, session);
}

}  // namespace

Command add_allpairs(CLI::App& program) {
  CLI::App* command = program.add_subcommand("allpairs", "Every pair of a set of sequences, once");
  const auto arguments = std::make_shared<AllPairsArguments>();
  command
      ->add_option("SEQS", arguments->set,
                   "FASTA or FASTQ, plain, gzip or zstd, or a database of alnus makedb; - is standard input")
      ->required();
  command
      ->add_option("--against", arguments->against,
                   "Every sequence of SEQS with every one of this file, instead of SEQS with itself")
      ->type_name("FILE")
      ->take_last()
      ->group("Pairs");
  command->add_flag("--self", arguments->self, "Every sequence with itself, too")->group("Pairs");
  const auto add = [&](const char* name, const char* type, const char* description,
                       const std::function<void(const std::string&)>& read) {
    command->add_option_function<std::string>(name, read, description)
        ->type_name(type)
        ->take_last()
        ->group("Filters (without one, every pair is listed)");
  };
  add("--min-score", "N", "No pairs with a lower score, in the matrix' units",
      [arguments](const std::string& text) { arguments->min_score = parse_score("--min-score", text); });
  add("--min-identity", "X", "No pairs with a lower identity, in percent; see --identity",
      [arguments](const std::string& text) {
        arguments->min_identity = parse_percent("--min-identity", text);
      });
  add("--evalue", "X", "No pairs with a larger E-value, as in a search of the whole set",
      [arguments](const std::string& text) { arguments->evalue = parse_evalue("--evalue", text); });
  add_identity_range(*command, arguments->identity_range);
  add_statistics_options(*command, arguments->statistics, false);
  add_pair_outputs(*command, arguments->outputs);
  command
      ->add_option("--checkpoint", arguments->checkpoint,
                   "Keeps a ledger of what is done; the same command again goes on from there")
      ->type_name("DIR")
      ->take_last()
      ->group("Long runs");
  command
      ->add_option(
          "--add", arguments->added,
          "SEQS is done, by its ledger in --checkpoint: only the rows of these sequences are computed, "
          "and the outputs extended")
      ->type_name("FILE")
      ->take_last()
      ->group("Long runs");
  add_common_options(*command, arguments->common);
  command->footer(
      "Example:\n  alnus allpairs proteins.fasta --mode global --min-identity 30 --identity shorter -o "
      "pairs.tsv.gz\n  alnus allpairs proteins.fasta --mode global --matrix-out identity.npy");
  return {command, [arguments](const Session& session) { run_allpairs(*arguments, session); }};
}

}  // namespace alnus::cli
