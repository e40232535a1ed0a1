// alnus merge: makes the outputs of a job from its parts.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "alnus/alnus.h"
#include "alnus/text_file.h"
#include "cli/closing_lines.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/option_table.h"
#include "cli/process.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> parts;
  CommonOptions common;
  JobFiles files;
  std::string list;
};

// The names of the outputs, and the options about their form that the user gave: the library throws if these
// differ from what the parts were made with.
JobFiles files_of(const MergeArguments& arguments, const Context& context) {
  JobFiles files = arguments.files;
  files.rows = arguments.common.output;
  files.program_version = version();
  files.command_line = context.command_line;
  if (arguments.common.format_chosen) files.format = arguments.common.format;
  if (arguments.common.format.header) files.header = true;
  files.other_inputs = {arguments.list};
  if (files.rows.empty() && files.names_beside_rows().empty()) files.rows = "-";
  return files;
}

void log_summary(const MergeSummary& summary, const JobFiles& files, const Session& session,
                 const Context& context) {
  Log& log = context.log;
  std::string found;
  if (summary.job == Plan::Job::search) {
    log_statistics(summary.search.statistics, log);
    found = ", " + format_count(summary.search.hits, "hit", "hits");
    log_messages(summary.search, log);
  } else {
    log_statistics(summary.all_pairs.statistics, log);
    if (!files.rows.empty())
      found = ", " + format_count(summary.all_pairs.listed, "pair", "pairs") + " listed";
    log_edges(summary.all_pairs, files.edges, log);
  }
  const bool search = summary.job == Plan::Job::search;
  const std::uint64_t pairs = search ? summary.search.pairs : summary.all_pairs.pairs,
                      cells = search ? summary.search.cells : summary.all_pairs.cells;
  log_end(
      fmt::format("{} of {} by {}: {}, {} cells{}. The parts took {} together, the merge {}.",
                  format_count(summary.parts, "part", "parts"),
                  format_count(summary.rows, search ? "query" : "sequence", search ? "queries" : "sequences"),
                  format_count(summary.columns), format_count(pairs, "pair", "pairs"),
                  format_cells(static_cast<double>(cells)), found,
                  format_seconds(search ? summary.search.seconds : summary.all_pairs.seconds),
                  format_seconds(context.seconds())),
      session, log);
}

// Reads the file of --list. It has a line for each part: the part's file and, after a tab, the byte where the
// part begins in it (0 if left out).
std::vector<PartPlace> read_list(const std::string& path) {
  std::istringstream in(read_text_file(path));
  std::vector<PartPlace> places;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    PartPlace& place = places.emplace_back(PartPlace{line.substr(0, tab), 0});
    if (tab != std::string::npos)
      place.begin = parse_count("--list", line.substr(tab + 1), 0, std::numeric_limits<std::int64_t>::max());
  }
  return places;
}

MergeSummary merge(Session& session, const MergeArguments& arguments, const JobFiles& files, Log& log) {
  if (arguments.list.empty() && arguments.parts.empty())
    throw Error(ErrorKind::input, "Name the parts of the job, or by --list a file that lists them.");
  if (!arguments.list.empty() && !arguments.parts.empty())
    throw Error(ErrorKind::input, "Name the parts of the job either as PART or by --list, not both.");
  if (arguments.list.empty()) return session.merge(arguments.parts, files, follow(log));
  return session.merge(read_list(arguments.list), files, follow(log));
}

void run_merge(const MergeArguments& arguments, const Context& context) {
  keep_messages_out_of(arguments.parts);
  keep_messages_out_of({&arguments.list, 1});
  arguments.common.check_rows_are_named(!arguments.files.names_beside_rows().empty());
  Session session = make_session({.devices = "cpu"}, context.log);  // nothing is aligned
  const JobFiles files = files_of(arguments, context);
  log_summary(merge(session, arguments, files, context.log), files, session, context);
}

}  // namespace

Command add_merge(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("merge", "Makes the outputs of a job from the parts that --part computed");
  const auto arguments = std::make_shared<MergeArguments>();
  command->add_option("PART", arguments->parts, "All parts of a job of search or allpairs, in any order");
  command
      ->add_option("--list", arguments->list,
                   "A list of the parts, in place of PART: a line for each, with the file and, after a tab, "
                   "the byte where the part begins in it (0 without one)")
      ->type_name("FILE");
  add_format_options(*command, arguments->common);
  add_output(*command, arguments->common);
  command
      ->add_option("--score-plot", arguments->files.score_plot,
                   "Draw the picture of the search's scores (SVG)")
      ->type_name("FILE.svg")
      ->group("Output");
  command
      ->add_option("--database-name", arguments->files.database_name,
                   "What reports call the database (default: as the first part was given it)")
      ->type_name("NAME")
      ->group("Output");
  add_report(*command, arguments->files.report, arguments->files.report_size);
  add_matrix_out(*command, arguments->files.matrix, arguments->files.matrices);
  add_options<JobFiles>(*command, kOutputsGroup, [arguments]() -> JobFiles& { return arguments->files; });
  add_log_options(*command);
  command->footer(
      "Each output that the job has needs a name here. How it looks is in the parts: --outfmt and the like\n"
      "may be repeated, and must then be the same.\n\n"
      "Example:\n  alnus allpairs set.fasta --edges e.tsv --edge-threshold 30 --part 1/2 -o part1\n"
      "  alnus allpairs set.fasta --edges e.tsv --edge-threshold 30 --part 2/2 -o part2\n"
      "  alnus merge part1 part2 --edges e.tsv");
  return {command, [arguments](const Context& context) { run_merge(*arguments, context); }};
}

}  // namespace alnus::cli
