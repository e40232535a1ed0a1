// alnus bench papers: the tables of the papers whose systems alnus has as methods, measured again.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "cli/bench_measure.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/inputs.h"
#include "cli/paper_measure.h"
#include "cli/paper_report.h"
#include "cli/papers.h"
#include "cli/report.h"
#include "cli/units.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

constexpr const char* kExamples = "/usr/share/doc/mmseqs2/example-data/DB.fasta.gz";

struct BenchArguments {
  CommonOptions common;
  std::string database = kExamples;
  std::vector<std::string> papers = paper_names();
  double part = 1;
  BenchOptions bench{.runs = 1};
};

SequenceSet read_source(const BenchArguments& arguments, Log& log) {
  if (arguments.database == kExamples && !std::filesystem::exists(kExamples))
    throw Error(ErrorKind::database,
                fmt::format("There is no {}: install Debian's package mmseqs2-examples, or name a file of "
                            "proteins, as in alnus bench papers proteins.fasta.",
                            kExamples));
  return read_set_inputs(arguments.database, "", "protein", {}, log).queries;
}

void run_bench(const BenchArguments& arguments, const Session& session) {
  const Clock::time_point start = Clock::now();
  const SequenceSet source = read_source(arguments, session.log);
  PaperBench bench(arguments.common, arguments.bench, arguments.part, source, session.log);
  PaperReport report{.devices = bench.devices(),
                     .file = arguments.database,
                     .sequences = source.size(),
                     .residues = source.total_residues(),
                     .part = arguments.part,
                     .runs = arguments.bench.runs,
                     .results = {}};
  for (const std::string& name : arguments.papers) {
    Paper paper = read_paper(name);
    PaperFigures figures = bench.measure(paper);
    report.results.push_back({std::move(paper), std::move(figures)});
  }
  report.seconds = seconds_since(start);
  session.log.info(fmt::format("All of it took {}.", format_seconds(report.seconds)));
  print(arguments.bench.json ? as_json(report, session.command_line)
                             : as_markdown(report, session.command_line));
}

}  // namespace

Command add_bench_papers(CLI::App& bench) {
  CLI::App* command = bench.add_subcommand("papers", "The tables of five papers, measured again");
  const auto arguments = std::make_shared<BenchArguments>();
  command->add_option("DB", arguments->database, "Proteins to draw databases and sets from")
      ->default_str("those of Debian's package mmseqs2-examples");
  add_bench_option(
      *command, "--paper", "NAME", "One of them alone", "all", [arguments](const std::string& text) {
        const std::vector<std::string> names = paper_names();
        arguments->papers = {
            names[choose("--paper", text, std::vector<std::string_view>(names.begin(), names.end()))]};
      });
  add_bench_option(
      *command, "--part", "X", "Of the sequences of each database and set, for a trial", "1",
      [arguments](const std::string& text) { arguments->part = parse_number("--part", text, 1e-6, 1); });
  add_bench_options(*command, arguments->bench);
  add_machine_options(*command, arguments->common);
  for (const char* forced : {"--isa", "--method"}) command->remove_option(command->get_option(forced));
  add_quiet(*command);
  command->footer("Example:\n  alnus bench papers --paper cudaswpp2-2010 --devices cuda:0");
  return {command, [arguments](const Session& session) { run_bench(*arguments, session); }};
}

}  // namespace alnus::cli
