// alnus makedb: sequence files to one database file.
#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/inputs.h"
#include "cli/units.h"
#include "io/database.h"

namespace alnus::cli {
namespace {

struct MakedbArguments {
  std::vector<std::string> inputs;
  std::string output, alphabet;
  std::uint64_t memory_bytes = 1ULL << 30;
  Masking masking;
};

void run_makedb(const MakedbArguments& arguments, const Session& session) {
  if (std::count(arguments.inputs.begin(), arguments.inputs.end(), "-") > 1)
    throw Error(ErrorKind::input, "Only one input can be -, standard input.");
  if (arguments.output == "-")
    throw Error(ErrorKind::input, "A database cannot be written to standard output; name a file with -o.");
  io::MakeDatabaseOptions options;
  options.memory_bytes = arguments.memory_bytes;
  options.masking = arguments.masking;
  if (arguments.alphabet == "auto") options.alphabet.reset();
  if (arguments.alphabet == "dna") options.alphabet = AlphabetKind::dna;
  io::ReadCounts counts;
  const io::DatabaseInfo info = io::make_database(arguments.inputs, arguments.output, options, &counts);

  const CountsOf read{fmt::format("{}", fmt::join(arguments.inputs, ", ")), counts};
  warn_about_records({&read, 1}, info.alphabet, session.log);
  log_masking({&read, 1}, arguments.masking, session.log);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - session.start;
  session.log.info(fmt::format("{}, {} ({}), longest {}, in {}: {} written in {}.",
                               format_count(info.sequences, "sequence", "sequences"),
                               format_count(info.residues, "residue", "residues"),
                               Alphabet::of(info.alphabet).name(), format_count(info.longest),
                               arguments.output, format_bytes(static_cast<double>(info.file_bytes)),
                               format_seconds(elapsed.count())));
}

}  // namespace

Command add_makedb(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("makedb", "A database file: sorted, checksummed, mapped instead of read");
  const auto arguments = std::make_shared<MakedbArguments>();
  command->add_option("IN", arguments->inputs, "FASTA or FASTQ, plain, gzip or zstd; - is standard input")
      ->required();
  command->add_option("-o,--output", arguments->output, "The database; appears under its name when complete")
      ->type_name("NAME.alnus")
      ->required()
      ->take_last();
  add_memory(*command, arguments->memory_bytes, "1G", "Bound on the memory, whatever the input's size")
      ->group("Options");
  add_alphabet(*command, arguments->alphabet, "protein, dna or auto (guessed)")->group("Options");
  add_mask(*command, arguments->masking)->group("Options");
  add_quiet(*command);
  command->footer("Example:\n  alnus makedb uniprot_sprot.fasta.gz uniprot_trembl.fasta.gz -o uniprot.alnus");
  return {command, [arguments](const Session& session) { run_makedb(*arguments, session); }};
}

}  // namespace alnus::cli
