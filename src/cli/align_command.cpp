// alnus align: given pairs, or every record of one file with every record of another.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include "alnus/alnus.h"
#include "cli/closing_lines.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/option_table.h"

namespace alnus::cli {
namespace {

struct AlignArguments {
  CommonOptions common;
  std::string queries, subjects, pair_list;
  bool all = false;
  AlignOptions options;
  std::string report;
  std::uint64_t report_size = kReportBytes;
};

void check(const AlignArguments& arguments) {
  refuse_sharing_stdin({arguments.queries, arguments.subjects, arguments.pair_list});
  if (arguments.all && !arguments.pair_list.empty())
    throw Error(ErrorKind::input, "Choose either --all or --pairs, not both.");
  if (arguments.subjects.empty() && arguments.pair_list.empty())
    throw Error(
        ErrorKind::input,
        fmt::format(
            "alnus align needs a second file, to align {} with; only with --pairs it may be left out.",
            arguments.queries));
}

// Pairs record i of A with record i of B.
std::vector<IndexPair> pair_up(const AlignArguments& arguments, const Session::Inputs& inputs) {
  if (inputs.first.size() != inputs.second.size())
    throw Error(
        ErrorKind::input,
        fmt::format("{} has {} and {} has {}, so that they are no pairs of records. --all aligns every "
                    "record with every record; --pairs takes a list of pairs.",
                    arguments.queries, format_count(inputs.first.size(), "record", "records"),
                    arguments.subjects, format_count(inputs.second.size(), "record", "records")));
  std::vector<IndexPair> pairs;
  for (SequenceSet::Index i = 0; i < inputs.first.size(); ++i) pairs.push_back({i, i});
  return pairs;
}

std::vector<IndexPair> pairs_of(const AlignArguments& arguments, const Session::Inputs& inputs) {
  if (arguments.all) return {};
  return arguments.pair_list.empty()
             ? pair_up(arguments, inputs)
             : read_pair_list(arguments.pair_list, inputs.first.sequences(), inputs.second.sequences());
}

// Tells how many pairs the limits left without a row.
void log_left_out(const AlignArguments& arguments, const AlignSummary& summary, Log& log) {
  if (summary.left_out == 0) return;
  AlignOptions options = arguments.options;
  std::vector<std::string> limits;
  add_differences(limits, arguments.common.differences, options);
  add_limits(limits, options);
  add_limits(limits, options.filter);
  log.info(fmt::format("{} left out ({}).", format_count(summary.left_out, "pair", "pairs"),
                       fmt::join(limits, ", ")));
}

// The file of --report.
struct AlignReport {
  OutputFile out;
  HtmlReportWriter page;

  AlignReport(Session& session, const AlignArguments& arguments, const Scoring& scoring,
              const Session::Inputs& inputs, const ReportHead& head)
      : out(session, arguments.report),
        page(out, ReportedJob::align, scoring, inputs.first, inputs.second, arguments.common.format, head,
             arguments.report_size) {}

  void finish(Log& log) {
    const std::string left_out = page.finish();
    out.finish();
    if (!left_out.empty()) log.info(left_out);
  }
};

void run_align(AlignArguments arguments, const Context& context) {
  check(arguments);
  arguments.common.add_identity_range_columns();
  const CommonOptions& common = arguments.common;
  common.check_files({common.output.empty() ? "-" : common.output, arguments.report},
                     {arguments.queries, arguments.subjects, arguments.pair_list});
  check_name(common.output, common.format.contents());
  check_name(arguments.report, Contents::html);
  OpenOptions open = common.open;
  // The ids of the list are looked up before the call that would otherwise check the files.
  if (!arguments.pair_list.empty()) open.verification = Verification::full;
  Session session = make_session(common.machine, context.log);
  Session::Inputs inputs =
      session.open_sets(arguments.queries, arguments.subjects, open, follow(context.log));
  inputs = {inputs.first.in_file_order(), inputs.second.in_file_order()};  // record i is the file's record i
  const Scoring scoring = common.make_scoring(inputs.first.alphabet());
  const std::vector<IndexPair> pairs = pairs_of(arguments, inputs);
  AlignOptions& options = arguments.options;
  common.set(options);
  if ((options.max_hsps > 1 || options.filter.needs_alignments()) && !common.chosen_detail)
    options.detail = Detail::alignment;
  if (!arguments.report.empty()) {
    options.cigars = options.cigars || options.detail == Detail::alignment;
    options.significance = true;
  }
  if (common.dry_run)
    return print(answer_dry_run(
        session.cost_of_align(inputs.first, inputs.second, pairs, arguments.all, scoring, options), common,
        {common.output}, inputs.first.sequences(), inputs.second.sequences()));

  OutputFile out(session, common.output.empty() ? "-" : common.output);
  ReportHead head = common.head(context, arguments.subjects.empty() ? arguments.queries : arguments.subjects);
  head.max_evalue = options.evalue;
  RowWriter writer(out, common.format, scoring, inputs.first, inputs.second, head);
  std::optional<AlignReport> report;
  if (!arguments.report.empty()) report.emplace(session, arguments, scoring, inputs, head);
  const RowSink write = [&](const Columns& rows, const std::string& statistics) {
    writer.write(rows, statistics);
    if (report) report->page.write(rows, statistics);
  };
  const AlignSummary summary =
      arguments.all
          ? session.align_all(inputs.first, inputs.second, scoring, options, write, follow(context.log))
          : session.align(inputs.first, inputs.second, pairs, scoring, options, write, follow(context.log));
  writer.finish();
  if (report) report->finish(context.log);
  out.finish();  // before any file has its name
  if (report) report->out.commit();
  out.commit();
  log_statistics(summary.statistics, context.log);
  log_left_out(arguments, summary, context.log);
  if (summary.empty > 0)
    context.log.info(fmt::format("{} of score 0 without a row: nothing in them aligns.",
                                 format_count(summary.empty, "pair", "pairs")));
  log_end(
      summarize(inputs.first.size(), inputs.second.size(), summary.pairs, summary.cells, context.seconds()),
      session, context.log);
}

}  // namespace

Command add_align(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "align", "Given pairs: record i of A with record i of B, all with all, or a list");
  const auto arguments = std::make_shared<AlignArguments>();
  command
      ->add_option("A", arguments->queries,
                   "The queries: FASTA or FASTQ, plain, gzip or zstd, or a database of alnus makedb; - is "
                   "standard input")
      ->required();
  command->add_option("B", arguments->subjects,
                      "The subjects; with --pairs B may be left out, and both ids of a pair are then of A");
  command->add_flag("--all", arguments->all, "Align every record of A with every record of B")
      ->group("Pairs");
  command
      ->add_option("--pairs", arguments->pair_list,
                   "Align the pairs of this list, which has a line for each: id of the query, tab or blanks, "
                   "id of the subject; # begins a comment")
      ->type_name("LIST.tsv")
      ->group("Pairs");
  constexpr const char* kAlignments = "Alignments of a pair";
  add_options<AlignOptions>(*command, kAlignments,
                            [arguments]() -> AlignOptions& { return arguments->options; });
  add_row_filter(*command, kAlignments, arguments->options.filter);
  add_statistics_options(*command, arguments->options.statistics, false);
  add_common_options(*command, arguments->common);
  add_report(*command, arguments->report, arguments->report_size);
  add_strand(*command, arguments->common, "plus");
  add_identity_range(*command, arguments->common);
  add_differences(*command, kAlignments, arguments->common.differences);
  command->footer("Example:\n  alnus align a.fasta b.fasta --mode global --outfmt srspair");
  return {command, [arguments, command](const Context& context) {
            set_differences(*command, arguments->common, arguments->options);
            run_align(*arguments, context);
          }};
}

}  // namespace alnus::cli
