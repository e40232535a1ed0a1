// alnus allpairs: every pair of a set, or every sequence of one set with every sequence of another.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <vector>

#include "alnus/alnus.h"
#include "cli/closing_lines.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/option_table.h"
#include "cli/parts.h"
#include "cli/process.h"
#include "cli/relation_options.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

struct AllPairsArguments {
  CommonOptions common;
  PairFiles files;
  MatrixValue value;
  bool value_chosen = false;
  PartChoice part;
  std::string set, against, added;
  AllPairsOptions options;  // options_of() sets the rest
};

AllPairsOptions options_of(const AllPairsArguments& arguments) {
  AllPairsOptions options = arguments.options;
  arguments.common.set(options);
  options.filter.denominator = arguments.value.denominator;
  const bool value_by_default = arguments.files.wants_values() && options.relations.empty();
  if (arguments.value_chosen || value_by_default) options.value = arguments.value;
  return options;
}

// The output files. Rows go to standard output if no other output is asked for. A part has rows ("-") if
// these are the job's only output, or if an option chooses how they look.
PairFiles files_of(const AllPairsArguments& arguments, ReportHead head) {
  PairFiles files = arguments.files;
  const CommonOptions& common = arguments.common;
  const bool rows_by_default = !files.wants_values() && arguments.options.relations.empty();
  if (arguments.part)
    files.rows = common.chooses_rows() || rows_by_default ? "-" : "";
  else
    files.rows = common.output.empty() && rows_by_default ? "-" : common.output;
  files.format = common.format;
  files.head = std::move(head);
  files.other_inputs = {common.scoring.matrix};
  files.head.max_evalue = arguments.options.filter.evalue;
  return files;
}

// Logs the summary, the number of edges, and how many pairs have no row: those that filters dropped, and
// those with nothing to align.
void log_summary(const AllPairsSummary& summary, const AllPairsOptions& options, const PairFiles& files,
                 const Session& session, std::uint64_t rows, std::uint64_t columns, const Context& context) {
  log_statistics(summary.statistics, context.log);
  std::vector<std::string> limits;
  if (options.top_k > 0) limits.push_back(fmt::format("--top-k {}", options.top_k));
  add_limits(limits, options.filter);
  if (!files.rows.empty() && (!options.filter.empty() || options.top_k > 0))
    context.log.info(fmt::format("{} listed, {} filtered out ({}).",
                                 format_count(summary.listed, "pair", "pairs"),
                                 format_count(summary.filtered, "pair", "pairs"), fmt::join(limits, ", ")));
  if (summary.empty > 0)
    context.log.info(fmt::format("{} of score 0 without a row: nothing in them aligns.",
                                 format_count(summary.empty, "pair", "pairs")));
  log_edges(summary, files.edges, context.log);
  log_end(summarize(rows, columns, summary.pairs, summary.cells, context.seconds()), session, context.log);
}

// Throws Error(input) for options of outputs that are not asked for.
void check_values(const AllPairsArguments& arguments) {
  const PairFiles& files = arguments.files;
  if (arguments.value_chosen && !files.wants_values() && arguments.options.top_k == 0)
    throw Error(
        ErrorKind::input,
        "--matrix-value is for --top-k and for outputs of values, such as --matrix-out; add one of them, or "
        "leave it out.");
  if (files.matrix_type && files.matrix.empty() && files.matrices.empty())
    throw Error(ErrorKind::input, "--matrix-type is for --matrix-out; add it, or leave --matrix-type out.");
}

void compute_parts(const AllPairsArguments& arguments, Session& session, const PairInputs& inputs,
                   const Scoring& scoring, const PairFiles& files, const Context& context) {
  const AllPairsOptions options = options_of(arguments);
  const auto compute = [&](const PartOfJob& part, const PartTarget& target, const RunControl& run) {
    return session.all_pairs_part(inputs, scoring, options, files, part, target, run);
  };
  compute_parts(*arguments.part, arguments.common.output, session, context, compute, [&](std::size_t parts) {
    if (options.filter.evalue || (!files.rows.empty() && options.significance))
      find_statistics(session, inputs.set, scoring, options.statistics, context.log);
    return plan_all_pairs(inputs, options, files, parts);
  });
}

void run_allpairs(AllPairsArguments arguments, const Context& context) {
  check_values(arguments);
  arguments.common.add_identity_range_columns();
  const CommonOptions& common = arguments.common;
  if (arguments.part) check_part(common);
  const std::string& other = arguments.added.empty() ? arguments.against : arguments.added;
  if (!arguments.added.empty() && !arguments.against.empty())
    throw Error(ErrorKind::input, "--add extends a finished run of one set; leave --against out.");
  std::vector<std::string> outputs = {common.output};
  if (!arguments.part) {
    const std::vector<std::string> more = arguments.files.names_beside_rows();
    common.check_rows_are_named(!more.empty());
    outputs.insert(outputs.end(), more.begin(), more.end());
  }
  common.check_files(outputs, {arguments.set, other});
  if (!arguments.part) check_name(common.output, common.format.contents());
  if (!arguments.files.checkpoint.empty() && !common.dry_run) context.log.at_signal(kKeptByCheckpoint);
  Session session = make_session(common.machine, context.log);
  const Session::Inputs opened = session.open_sets(arguments.set, other, common.open, follow(context.log));
  PairInputs inputs{opened.first, {}, {}};
  // Sequences are put into file order once, not for each part; so are those of `against` below.
  if (arguments.part) inputs.set = inputs.set.in_file_order();
  if (!arguments.added.empty()) inputs.added = opened.second;
  if (!arguments.against.empty())
    inputs.against = arguments.part ? opened.second.in_file_order() : opened.second;
  const Scoring scoring = common.make_scoring(inputs.set.alphabet());
  if (!arguments.options.relations.empty() && !common.strands)
    arguments.common.strands = default_search_strands(inputs.set.alphabet());
  const AllPairsOptions options = options_of(arguments);
  const Database& columns = inputs.against ? *inputs.against : inputs.set;
  const PairFiles files = files_of(arguments, common.head(context, columns.name()));
  if (common.dry_run) {
    if (!files.checkpoint.empty())
      context.log.info(
          "The numbers are those of the whole run: what --checkpoint has done already is not taken off.");
    std::vector<std::string> names = files.names_beside_rows();
    names.push_back(files.rows);
    return print(answer_dry_run(session.cost_of_all_pairs(inputs, scoring, options, files), common, names,
                                inputs.set.sequences(), columns.sequences()));
  }

  if (arguments.part) return compute_parts(arguments, session, inputs, scoring, files, context);
  const AllPairsSummary summary = [&] {
    if (files.checkpoint.empty())
      return session.all_pairs(inputs, scoring, options, files, follow(context.log));
    const StopBySignal stop(follow(context.log));  // a stopped call says how far the run is
    return session.all_pairs(inputs, scoring, options, files, stop.control());
  }();
  if (summary.finished_before) return;
  const std::uint64_t rows = std::uint64_t{inputs.set.size()} + (inputs.added ? inputs.added->size() : 0);
  log_summary(summary, options, files, session, rows, inputs.against ? std::uint64_t{columns.size()} : rows,
              context);
}

}  // namespace

Command add_allpairs(CLI::App& program) {
  CLI::App* command = program.add_subcommand("allpairs", "Every pair of a set of sequences, once");
  const auto arguments = std::make_shared<AllPairsArguments>();
  command
      ->add_option("SEQS", arguments->set,
                   "The sequences: FASTA or FASTQ, plain, gzip or zstd, or a database of alnus makedb; - is "
                   "standard input")
      ->required();
  command
      ->add_option(
          "--against", arguments->against,
          "Align every sequence of SEQS with every sequence of this file, instead of with the others of SEQS")
      ->type_name("FILE")
      ->group("Pairs");
  command->add_flag("--self", arguments->options.self, "Align each sequence with itself, too")
      ->group("Pairs");
  constexpr const char* kFilters = "Filters (without one, every pair is listed)";
  add_options<PairFilter>(*command, kFilters,
                          [arguments]() -> PairFilter& { return arguments->options.filter; });
  command->get_option("--coverage-of")->needs("--min-coverage");
  command
      ->add_option_function<std::string>(
          "--top-k",
          [arguments](const std::string& text) {
            arguments->options.top_k = static_cast<std::uint32_t>(
                parse_count("--top-k", text, 1, std::numeric_limits<std::uint32_t>::max()));
          },
          "List for each sequence only the N others that are nearest to it, the nearest first, as rows whose "
          "query is that sequence, and as edges; nearest by --matrix-value, without it by score, or by "
          "identity if there are --edges")
      ->type_name("N")
      ->group(kFilters);
  add_relation(*command, kFilters, arguments->options.relations);
  add_identity_range(*command, arguments->common);
  add_statistics_options(*command, arguments->options.statistics, false);
  add_report(*command, arguments->files.report, arguments->files.report_size);
  add_matrix_out(*command, arguments->files.matrix, arguments->files.matrices);
  add_options<MatrixValue>(*command, kOutputsGroup,
                           [arguments]() -> MatrixValue& { return arguments->value; });
  add_options<PairFiles>(*command, kOutputsGroup, [arguments]() -> PairFiles& { return arguments->files; });
  command
      ->add_option("--checkpoint", arguments->files.checkpoint,
                   "Keep a record (a ledger) of what is done in this folder; after an interruption the same "
                   "command goes on from there")
      ->type_name("DIR")
      ->group("Long runs");
  command
      ->add_option(
          "--add", arguments->added,
          "Add the sequences of this file to the finished run of SEQS in --checkpoint; only their pairs are "
          "computed, and the outputs are extended")
      ->type_name("FILE")
      ->group("Long runs");
  add_part(*command, arguments->part);
  add_common_options(*command, arguments->common);
  add_strand(*command, arguments->common, "plus");
  command
      ->add_flag_callback(
          "--no-shortcuts", [arguments] { arguments->common.machine.shortcuts = false; },
          "Align also pairs that are known to have too low an identity; the output is the same")
      ->group("Machine");
  command->footer(
      "Example:\n  alnus allpairs proteins.fasta --mode global --min-identity 30 --identity shorter -o "
      "pairs.tsv.gz\n  alnus allpairs proteins.fasta --mode global --matrix-out identity.npy");
  return {command, [arguments, command](const Context& context) {
            arguments->value_chosen = command->count("--matrix-value") > 0;
            check_relation_options(*command, arguments->options.relations);
            run_allpairs(*arguments, context);
          }};
}

}  // namespace alnus::cli
