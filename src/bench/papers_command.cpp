// alnus bench papers: the tables of the papers whose systems alnus has as methods, measured again.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/text.h"
#include "bench/commands.h"
#include "bench/measure.h"
#include "bench/paper_measure.h"
#include "bench/paper_report.h"
#include "bench/papers.h"
#include "bench/team.h"
#include "cli/common_options.h"
#include "cli/values.h"
#include "cli/word_options.h"

namespace alnus::bench {
namespace {

constexpr const char* kExamples = "/usr/share/doc/mmseqs2/example-data/DB.fasta.gz";

struct PapersArguments {
  cli::CommonOptions common;
  std::string database = kExamples;
  std::vector<std::string> papers = paper_names();
  double part = 1;
  MeasurementOptions measurement{.runs = 1};
};

SequenceSet read_source(const PapersArguments& arguments, cli::Log& log) {
  if (arguments.database == kExamples && !std::filesystem::exists(kExamples))
    throw Error(ErrorKind::database,
                fmt::format("There is no {}: install Debian's package mmseqs2-examples, or name a file of "
                            "proteins, as in alnus bench papers proteins.fasta.",
                            kExamples));
  return reading_session(arguments.common.machine, log)
      .open(arguments.database, {.alphabet = AlphabetChoice::protein}, cli::follow(log))
      .sequences();
}

void run_papers(const PapersArguments& arguments, const cli::Context& context) {
  const Clock::time_point start = Clock::now();
  const SequenceSet source = read_source(arguments, context.log);
  PaperBench bench(arguments.common.machine, arguments.measurement, arguments.part, source, context.log);
  PaperReport report{.devices = bench.devices(),
                     .file = arguments.database,
                     .sequences = source.size(),
                     .residues = source.total_residues(),
                     .part = arguments.part,
                     .runs = arguments.measurement.runs,
                     .results = {}};
  for (const std::string& name : arguments.papers) {
    Paper paper = read_paper(name);
    PaperFigures figures = bench.measure(paper);
    report.results.push_back({std::move(paper), std::move(figures)});
  }
  report.seconds = seconds_since(start);
  context.log.info(fmt::format("All of it took {}.", format_seconds(report.seconds)));
  print(arguments.measurement.json ? as_json(report, context.command_line)
                                   : as_markdown(report, context.command_line));
}

}  // namespace

cli::Command add_papers(CLI::App& bench) {
  CLI::App* command = bench.add_subcommand("papers", "The tables of five papers, measured again");
  const auto arguments = std::make_shared<PapersArguments>();
  command->add_option("DB", arguments->database, "Proteins to draw databases and sets from")
      ->default_str("those of Debian's package mmseqs2-examples");
  const std::vector<std::string> names = paper_names();
  const std::vector<std::string_view> words(names.begin(), names.end());
  CLI::Option* paper = add_measurement_option(
      *command, "--paper", "NAME", "One of them alone", "all", [arguments, names](const std::string& text) {
        if (std::ranges::find(names, text) == names.end())
          cli::refuse_word("--paper", text, std::vector<std::string_view>(names.begin(), names.end()));
        arguments->papers = {text};
      });
  cli::set_words(*paper, words);
  add_measurement_option(
      *command, "--part", "X", "Of the sequences of each database and set, for a trial", "1",
      [arguments](const std::string& text) { arguments->part = cli::parse_number("--part", text, 1e-6, 1); });
  add_measurement_options(*command, arguments->measurement);
  cli::add_machine_options(*command, arguments->common);
  for (const char* forced : {"--isa", "--method"}) command->remove_option(command->get_option(forced));
  cli::add_log_options(*command);
  command->footer("Example:\n  alnus bench papers --paper cudaswpp2-2010 --devices cuda:0");
  return {command, [arguments](const cli::Context& context) { run_papers(*arguments, context); }};
}

}  // namespace alnus::bench
