// alnus makedb: makes a database file from sequence files.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "alnus/alnus.h"
#include "cli/closing_lines.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/process.h"

namespace alnus::cli {
namespace {

struct MakedbArguments {
  std::vector<std::string> inputs;
  std::string output;
  MakeDatabaseOptions options;
};

void run_makedb(const MakedbArguments& arguments, const Context& context) {
  keep_messages_out_of(arguments.inputs);
  Session session = make_session({.devices = "cpu"}, context.log);
  const DatabaseInfo info =
      session.make_database(arguments.inputs, arguments.output, arguments.options, follow(context.log));
  log_end(fmt::format("{}, {} ({}), longest {}, in {}: {} written in {}.",
                      format_count(info.sequences, "sequence", "sequences"),
                      format_count(info.residues, "residue", "residues"), Alphabet::of(info.alphabet).name(),
                      format_count(info.longest), arguments.output,
                      format_bytes(static_cast<double>(info.file_bytes)), format_seconds(context.seconds())),
          session, context.log);
}

}  // namespace

Command add_makedb(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("makedb", "Makes a database file, which later commands open at once");
  const auto arguments = std::make_shared<MakedbArguments>();
  command
      ->add_option("IN", arguments->inputs,
                   "The sequences: FASTA or FASTQ, plain, gzip or zstd; - is standard input")
      ->required();
  command
      ->add_option("-o,--output", arguments->output, "The database file, which appears when it is complete")
      ->type_name("NAME.alnus")
      ->required();
  add_memory(*command, arguments->options.memory_bytes, "1G",
             "Most memory, such as 512M or 8G, however large the input is")
      ->group("Options");
  add_alphabet(*command, arguments->options.alphabet,
               "What the sequences are: protein, dna, or auto (guessed by the letters)")
      ->group("Options");
  add_mask(*command, arguments->options.masking)->group("Options");
  add_log_options(*command);
  command->footer("Example:\n  alnus makedb uniprot_sprot.fasta.gz uniprot_trembl.fasta.gz -o uniprot.alnus");
  return {command, [arguments](const Context& context) { run_makedb(*arguments, context); }};
}

}  // namespace alnus::cli
