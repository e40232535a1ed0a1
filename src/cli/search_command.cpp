// alnus search: the best hits of each query.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include "alnus/alnus.h"
#include "cli/closing_lines.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/option_table.h"
#include "cli/parts.h"

namespace alnus::cli {
namespace {

struct SearchArguments {
  CommonOptions common;
  std::string queries, database;
  SearchOptions options;
  SearchFiles files;  // the outputs that options name; files_of() adds the rest
  bool interactive = false;
  PartChoice part;
};

SearchOptions search_options(const SearchArguments& arguments) {
  SearchOptions options = arguments.options;
  arguments.common.set(options);
  if ((options.max_hsps > 1 || options.filter.needs_alignments()) && !arguments.common.chosen_detail)
    options.detail = Detail::alignment;
  options.score_histogram = !arguments.files.score_plot.empty();
  return options;
}

ReportHead head_of(const SearchArguments& arguments, const Context& context) {
  ReportHead head = arguments.common.head(context, arguments.database);
  head.max_evalue = arguments.options.evalue.value_or(kDefaultEvalue);
  return head;
}

// The output files. Rows go to standard output if no file is named; a part has rows ("-").
SearchFiles files_of(const SearchArguments& arguments, const Context& context) {
  const CommonOptions& common = arguments.common;
  SearchFiles files = arguments.files;
  files.rows = common.output.empty() || arguments.part ? "-" : common.output;
  files.format = common.format;
  files.head = head_of(arguments, context);
  files.other_inputs = {common.scoring.matrix};
  return files;
}

// Throws Error(input) for options that do not work together with --interactive.
void check_interactive(const SearchArguments& arguments) {
  const auto refuse = [](const char* why) {
    throw Error(ErrorKind::input, fmt::format("--interactive answers each query at once: {}.", why));
  };
  if (!arguments.common.output.empty())
    refuse("the answers go to standard output, and a file of -o appears when it is complete");
  if (!arguments.files.score_plot.empty()) refuse("there are no scores of a whole search for --score-plot");
  if (!arguments.files.report.empty()) refuse("--report writes a file, which appears when it is complete");
  if (arguments.common.dry_run)
    refuse("the cost of queries that are still to come is not known for --dry-run");
  if (arguments.part) refuse("--part writes a file, which appears when it is complete");
}

void log_summary(const SearchArguments& arguments, const SearchSummary& summary, Log& log) {
  const SearchOptions& options = arguments.options;
  log_statistics(summary.statistics, log);
  log_messages(summary, log);
  std::vector<std::string> cut;  // the limits that may have left out pairs
  if (summary.limit.full_queries > 0)
    cut.push_back(fmt::format("--max-target-seqs {}", options.max_target_seqs));
  SearchOptions limits = options;
  limits.evalue = options.evalue.value_or(kDefaultEvalue);
  add_differences(cut, arguments.common.differences, limits);
  add_limits(cut, limits, summary.method != StatisticsMethod::none);
  add_limits(cut, options.filter);
  log.info(
      fmt::format("{} listed, {} left out{}.", format_count(summary.hits, "hit", "hits"),
                  format_count(summary.left_out, "pair", "pairs"),
                  summary.left_out == 0 || cut.empty() ? "" : fmt::format(" ({})", fmt::join(cut, ", "))));
}

// Opens the database. Throws Error(input) if queries and database are both standard input. Where
// Session::open() throws Error(input) for a sequence file, throws Error(database): the queries are not at
// fault.
Database open_for_queries(const SearchArguments& arguments, Session& session, Log& log) {
  refuse_sharing_stdin({arguments.queries, arguments.database});
  OpenOptions options = arguments.common.open;
  options.qualities = false;
  try {
    return session.open(arguments.database, options, follow(log));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || is_database_file(arguments.database)) throw;
    throw Error(ErrorKind::database, error.marked());
  }
}

// Answers queries until the input ends. If a query is wrong or needs too much memory, logs the error and goes
// on with the next query. At the end throws an Error of the first one's kind if queries had no answer.
void answer_interactively(const SearchArguments& arguments, Session& session, const Context& context) {
  const CommonOptions& common = arguments.common;
  Log& log = context.log;
  const Database database = open_for_queries(arguments, session, log);
  const Scoring scoring = common.make_scoring(database.alphabet());
  if (common.strands) check_strands(*common.strands, database.alphabet(), database.name());
  const SearchOptions options = search_options(arguments);
  OutputFile out(session, "");
  RowWriter writer(out, common.format, scoring, {}, database, head_of(arguments, context));
  QueryStream queries(session, arguments.queries, database, common.open);
  session.prepare(database, follow(log));
  log.info(
      "The database is loaded, and waits for queries. An empty line ends a query, and the end of the input "
      "(Ctrl-D) ends the program.");

  SearchSummary all;  // of all answered queries together
  std::uint64_t answered = 0, failures = 0;
  ErrorKind first_failure = ErrorKind::input;
  const auto failed = [&](const Error& error, const std::string& message) {
    if (failures++ == 0) first_failure = error.kind();
    log.error(in_flags(message));
  };
  for (;;) {
    writer.flush();
    out.sync();
    Database query;
    try {
      query = queries.next(follow(log));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || queries.failed()) throw;
      failed(error, error.marked());
      continue;
    }
    if (query.size() == 0) break;
    try {
      all += session.search(
          query, database, scoring, options, [&](const SearchBatch& batch) { writer.write(batch, query); },
          follow(log));
      ++answered;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::memory) throw;
      const std::string& message = error.marked();
      const bool names_query = message.starts_with(queries.name());
      failed(error, names_query ? message : fmt::format("{}: {}", queries.name(), message));
    }
  }
  writer.finish();
  out.commit();
  log_summary(arguments, all, log);
  log_end(summarize(answered, database.size(), all.pairs, all.cells, all.seconds), session, log);
  if (failures > 0)
    throw Error(first_failure, fmt::format("{} had no answer: the errors above say why.",
                                           format_count(failures, "query", "queries")));
}

void compute_parts(const SearchArguments& arguments, Session& session, const Session::Inputs& inputs,
                   const Scoring& scoring, const SearchFiles& files, const Context& context) {
  const std::string& path = arguments.common.output;
  const SearchOptions options = search_options(arguments);
  const auto compute = [&](const PartOfJob& part, const PartTarget& target, const RunControl& run) {
    return session.search_part(inputs.first, inputs.second, scoring, options, files, part, target, run);
  };
  compute_parts(*arguments.part, path, session, context, compute, [&](std::size_t parts) {
    find_statistics(session, inputs.second, scoring, options.statistics, context.log);
    return plan_search(inputs.first, inputs.second, parts, needs_whole_queries(options));
  });
}

void run_search(const SearchArguments& arguments, const Context& context) {
  const CommonOptions& common = arguments.common;
  if (arguments.interactive) check_interactive(arguments);
  if (arguments.part) check_part(common);
  std::vector<std::string> outputs = arguments.files.names_beside_rows();
  outputs.insert(outputs.begin(), common.output.empty() ? "-" : common.output);
  common.check_files(outputs, {arguments.queries, arguments.database});
  if (!arguments.part) check_name(common.output, common.format.contents());
  check_name(arguments.files.score_plot, Contents::picture);
  check_name(arguments.files.report, Contents::html);
  Session session = make_session(common.machine, context.log);
  if (arguments.interactive) return answer_interactively(arguments, session, context);
  const Session::Inputs inputs =
      session.open_search(arguments.queries, arguments.database, common.open, follow(context.log));
  const Scoring scoring = common.make_scoring(inputs.second.alphabet());
  const SearchOptions options = search_options(arguments);
  if (common.dry_run)
    return print(answer_dry_run(session.cost_of_search(inputs.first, inputs.second, scoring, options), common,
                                outputs, inputs.first.sequences(), inputs.second.sequences()));

  const SearchFiles files = files_of(arguments, context);
  if (arguments.part) return compute_parts(arguments, session, inputs, scoring, files, context);
  const SearchSummary summary =
      session.search(inputs.first, inputs.second, scoring, options, files, follow(context.log));
  log_summary(arguments, summary, context.log);
  log_end(
      summarize(inputs.first.size(), inputs.second.size(), summary.pairs, summary.cells, context.seconds()),
      session, context.log);
}

}  // namespace

Command add_search(CLI::App& program) {
  CLI::App* command = program.add_subcommand("search", "The best hits of each query in a database");
  const auto arguments = std::make_shared<SearchArguments>();
  add_search_inputs(*command, arguments->queries, arguments->database);
  add_options<SearchOptions>(*command, "Hits",
                             [arguments]() -> SearchOptions& { return arguments->options; });
  add_row_filter(*command, "Hits", arguments->options.filter);
  command
      ->add_flag("--interactive", arguments->interactive,
                 "Keep the database loaded, and answer each query as it comes; an empty line ends a query")
      ->group("Hits");
  add_part(*command, arguments->part);
  add_statistics_options(*command, arguments->options.statistics, true);
  command
      ->add_option(
          "--score-plot", arguments->files.score_plot,
          "Draw a picture of all scores, of what chance would give, and of the hits that are listed, which "
          "are up to --max-target-seqs for a query (SVG)")
      ->type_name("FILE.svg")
      ->group("Statistics");
  add_common_options(*command, arguments->common);
  add_report(*command, arguments->files.report, arguments->files.report_size);
  add_strand(*command, arguments->common, "dna: both");
  add_differences(*command, "Hits", arguments->common.differences);
  command->footer(
      "Each pair has one alignment, the best one, unless --max-hsps asks for more.\n\n"
      "Example:\n  alnus search queries.fasta uniprot.alnus --evalue 1e-5 --outfmt \"6 std qlen slen\" -o "
      "hits.tsv.gz");
  return {command, [arguments, command](const Context& context) {
            set_differences(*command, arguments->common, arguments->options);
            run_search(*arguments, context);
          }};
}

}  // namespace alnus::cli
