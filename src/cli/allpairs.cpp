// alnus allpairs: every pair of a set, or every sequence of one set with every sequence of another.
#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "alnus/error.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/estimate.h"
#include "cli/inputs.h"
#include "cli/pair_outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/units.h"
#include "cli/values.h"
#include "core/decimal.h"
#include "engine/all_pairs.h"
#include "stats/evalue.h"

namespace alnus::cli {
namespace {

struct AllPairsArguments {
  CommonOptions common;
  PairOutputOptions outputs;
  std::string set, against;
  bool self = false;
  std::optional<Decimal> min_score;
  std::optional<double> min_identity, evalue;

  bool listed() const { return outputs.rows(common) || !outputs.edges.empty(); }
};

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

engine::AllPairsOptions options_of(const AllPairsArguments& arguments, const Scoring& scoring) {
  engine::AllPairsOptions options;
  options.listed = arguments.listed();
  options.value = arguments.outputs.value();
  if (arguments.min_score) options.filter.min_score = scale_up(*arguments.min_score, scoring.scale);
  options.filter.min_identity = arguments.min_identity;
  options.filter.denominator = arguments.outputs.denominator;
  options.filter.evalue = arguments.evalue;
  const io::OutputFormat& format = arguments.common.format;
  const bool rows = arguments.outputs.rows(arguments.common);
  options.cigars = rows && format.needs_cigars();
  options.detail = rows ? arguments.common.detail() : Detail::score;
  const bool identity =
      arguments.min_identity || (options.value && options.value->kind != io::PairValue::score);
  if (identity) options.detail = Detail::alignment;
  options.memory_bytes = arguments.common.memory_bytes;
  return options;
}

void check(const AllPairsArguments& arguments, const Scoring& scoring) {
  if (!arguments.against.empty() && arguments.self)
    fail("--self pairs a sequence with itself; with --against there are two sets. Leave one of them out.");
  if (arguments.evalue && !stats::published_parameters(scoring))
    fail(fmt::format("{}, so --evalue cannot filter; --min-score can.", why_no_statistics(scoring)));
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
                 const engine::AllPairsOptions& options, const Tally& tally, const Session& session) {
  const std::uint64_t filtered = pairs.pairs_from(0) - tally.listed - tally.empty;
  if (options.listed && !options.filter.empty())
    session.log.info(fmt::format("{} listed, {} filtered out ({}).",
                                 format_count(tally.listed, "pair", "pairs"),
                                 format_count(filtered, "pair", "pairs"), describe_filter(arguments)));
  if (tally.empty > 0)
    session.log.info(fmt::format("{} of score 0 without a row: nothing in them aligns.",
                                 format_count(tally.empty, "pair", "pairs")));
  session.log.info(
      summarize({pairs.rows(), pairs.columns()}, pairs.pairs_from(0), pairs.cells_from(0), session));
}

Inputs read(const AllPairsArguments& arguments, Log& log) {
  refuse_sharing_stdin({arguments.set, arguments.against});
  Inputs inputs = read_set_inputs(arguments.set, arguments.against, arguments.common.alphabet, log);
  return {inputs.queries.in_file_order(), inputs.subjects.in_file_order()};
}

void run_allpairs(const AllPairsArguments& arguments, const Session& session) {
  const CommonOptions& common = arguments.common;
  const Devices devices = common.make_devices(session.log);
  const Inputs inputs = read(arguments, session.log);
  const Scoring scoring = make_scoring(common, inputs.queries.alphabet());
  check(arguments, scoring);
  const engine::AllPairsOptions options = options_of(arguments, scoring);
  const engine::AllPairs pairs(inputs.queries, arguments.against.empty() ? nullptr : &inputs.subjects,
                               arguments.self);
  if (common.dry_run) {
    Workload work{inputs.queries, inputs.subjects, TileShape::rectangle, {}, {scoring, options.detail}};
    work.rows = arguments.outputs.rows(common) ? pairs.pairs_from(0) : 0;
    work.pair_count = pairs.pairs_from(0);
    work.cells = pairs.cells_from(0);
    return print(describe_cost(work, common.format, devices));
  }

  PairOutputs outputs(arguments.outputs, common, scoring, pairs, session);
  std::vector<Device*> pointers;
  for (const std::unique_ptr<Device>& device : devices) pointers.push_back(device.get());
  engine::Progress progress;
  progress.warn = [&session](const std::string& message) { session.log.warning(message); };
  Tally tally;
  {
    const ProgressReport moving(session.log, progress);
    engine::all_pairs(pairs, scoring, options, {}, pointers, progress,
                      [&](const engine::Stripe& stripe, const engine::StripeState&) {
                        tally.listed += stripe.listed.size();
                        tally.empty += stripe.empty;
                        outputs.write(stripe);
                      });
    outputs.finish();
  }
  log_summary(arguments, pairs, options, tally, session);
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
  add_pair_outputs(*command, arguments->outputs);
  add_common_options(*command, arguments->common);
  command->footer(
      "Example:\n  alnus allpairs proteins.fasta --mode global --min-identity 30 --identity shorter -o "
      "pairs.tsv.gz\n  alnus allpairs proteins.fasta --mode global --matrix-out identity.npy");
  return {command, [arguments](const Session& session) { run_allpairs(*arguments, session); }};
}

}  // namespace alnus::cli
