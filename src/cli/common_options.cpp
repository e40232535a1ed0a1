#include "cli/common_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "cli/user_cache.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

constexpr const char* kScoring = "Scoring";
constexpr const char* kOutput = "Output";
constexpr const char* kMachine = "Machine";
constexpr const char* kOther = "Other options";

// Adds an option whose value is stored in `text` as it is. `default_text`: what the help shows as the
// default; empty: nothing.
CLI::Option* add_text(CLI::App& command, const char* names, std::string& text, const char* type,
                      const char* description, const char* default_text, const char* group) {
  return command.add_option(names, text, description)
      ->type_name(type)
      ->default_str(default_text)
      ->take_last()
      ->group(group);
}

// Adds an option whose value is passed to `read`, which throws Error(input) for a value that it cannot read.
CLI::Option* add_value(CLI::App& command, const char* names,
                       const std::function<void(const std::string&)>& read, const char* type,
                       const char* description, const char* default_text, const char* group) {
  return command.add_option_function<std::string>(names, read, description)
      ->type_name(type)
      ->default_str(default_text)
      ->take_last()
      ->group(group);
}

}  // namespace

Scoring CommonOptions::make_scoring(AlphabetKind alphabet) const {
  ScoringOptions options = scoring;
  options.alphabet = alphabet;
  return read_scoring(options);
}

void CommonOptions::check_files(const std::vector<std::string>& outputs,
                                std::vector<std::string> inputs) const {
  inputs.push_back(scoring.matrix);
  check_outputs(outputs, inputs);
}

ReportHead CommonOptions::head(const Context& context, const std::string& database_name) const {
  return {std::string(version()), context.command_line, database_name, detail(), {}};
}

Session make_session(SessionOptions options, Log& log) {
  options.on_message = [&log](const Message& message) { log.say(message); };
  if (const std::string directory = user_cache_directory(); !directory.empty())
    options.calibration_cache = {CalibrationCache::Place::directory, directory};
  return Session(std::move(options));
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  options.open.verification = Verification::deferred;  // database files are checked during the call itself
  add_scoring_options(command, options);
  add_format_options(command, options);
  add_detail(command, options, "what the columns need",
             "score, ends or alignment; columns that need more than that are NA")
      ->group(kOutput);
  add_output(command, options);
  add_mask(command, options.open.masking)->group(kScoring);
  add_machine_options(command, options);
  command
      .add_flag("--dry-run", options.dry_run, "Say what it would cost (pairs, cells, time, output) and end")
      ->group(kOther);
  add_quiet(command);
}

void add_format_options(CLI::App& command, CommonOptions& options) {
  add_value(
      command, "--outfmt",
      [&options](const std::string& text) {
        const bool header = options.format.header;
        options.format = OutputFormat::parse(text);
        options.format.header = header;
        options.format_chosen = true;
        options.open.qualities = options.format.needs_qualities();
      },
      "FORMAT",
      "6 table, 7 table with comments, 10 CSV, each with columns if you like (\"6 qseqid sseqid score\"); "
      "0 BLAST's report, 5 BLAST's XML, srspair, sam, jsonl",
      "6 std", kOutput);
  command
      .add_flag("--header", options.format.header, "Formats 6 and 10: a line with the columns' names first")
      ->group(kOutput);
}

void add_output(CLI::App& command, CommonOptions& options) {
  add_text(command, "-o,--output", options.output, "FILE",
           "Appears under its name when complete; .gz and .zst are compressed", "standard output", kOutput);
}

void add_scoring_options(CLI::App& command, CommonOptions& options) {
  ScoringOptions& scoring = options.scoring;
  add_text(command, "--mode", scoring.mode, "MODE",
           "local, global or semiglobal (all four end gaps free; --free-ends chooses some)", "local",
           kScoring);
  add_text(
      command, "--matrix", scoring.matrix, "NAME|FILE",
      "BLOSUM45/50/62/80/90, PAM30/70/120/250, VTML80/120/160/200, GONNET, NUC44, or a file in NCBI's format",
      "BLOSUM62; dna: NUC44", kScoring);
  add_text(command, "--match", scoring.match, "N", "Nucleotides: score of equal letters",
           "2 if --mismatch is given", kScoring);
  add_text(command, "--mismatch", scoring.mismatch, "N", "Nucleotides: score of different letters",
           "-3 if --match is given", kScoring);
  add_text(command, "--gap-open", scoring.gap_open, "N",
           "A gap of k residues costs open + k*extend; decimals are allowed", "11 for BLOSUM62; by matrix",
           kScoring);
  add_text(command, "--gap-extend", scoring.gap_extend, "N", "See --gap-open", "1 for BLOSUM62; by matrix",
           kScoring);
  add_text(command, "--gap-convention", scoring.gap_convention, "NAME",
           "ncbi, or emboss: there a gap costs open + (k-1)*extend", "ncbi", kScoring);
  add_value(
      command, "--free-ends",
      [&scoring](const std::string& text) {
        scoring.free_ends = text == "none" ? std::vector<std::string>{} : split_at_commas(text);
      },
      "ENDS", "Global and semiglobal: which ends may stay unaligned; any of qbegin,qend,sbegin,send, or none",
      "", kScoring);
  add_text(command, "--preset", scoring.preset, "NAME",
           "Matrix, gap costs and mode of another program: blastp, blastn (and its statistics), ssearch, "
           "emboss-needle, emboss-water",
           "", kScoring);
  add_alphabet(command, options.open.alphabet,
               "protein, dna or auto (guessed); a database file knows its own")
      ->group(kScoring);
}

CLI::Option* add_strand(CLI::App& command, CommonOptions& options, const char* default_text) {
  const auto read = [&options](const std::string& text) {
    constexpr std::array<std::string_view, 3> kStrands = {"plus", "minus", "both"};
    options.strands = static_cast<Strands>(choose("--strand", text, kStrands));
  };
  return add_value(
      command, "--strand", read, "WORD",
      "DNA: strands of the queries (allpairs: of a pair's longer sequence) to align, plus, minus (the "
      "reverse complement) or both; a pair has one result, on its better strand",
      default_text, kScoring);
}

CLI::Option* add_mask(CLI::App& command, Masking& masking) {
  const auto read = [&masking](const std::string& text) {
    constexpr std::array<std::string_view, 4> kWords = {"none", "lower", "seg", "dust"};
    masking = {};
    for (const std::string& word : split_at_commas(text)) {
      const std::size_t choice = choose("--mask", word, kWords);
      if (choice == 0 && text != word)
        throw Error(ErrorKind::input,
                    "--mask: none stands alone; choose lower, seg, dust, or two as in lower,seg.");
      masking.lower |= choice == 1;
      masking.seg |= choice == 2;
      masking.dust |= choice == 3;
    }
  };
  return add_value(
      command, "--mask", read, "LIST",
      "What is scored as X: lower (lower-case letters), low complexity in proteins (seg) or DNA (dust), or "
      "lower with one of these: lower,seg",
      "none", kOther);
}

CLI::Option* add_detail(CLI::App& command, CommonOptions& options, const char* default_text,
                        const char* description) {
  const auto read = [&options](const std::string& text) {
    constexpr std::array<std::string_view, 3> kDetails = {"score", "ends", "alignment"};
    options.chosen_detail = static_cast<Detail>(choose("--detail", text, kDetails));
  };
  return add_value(command, "--detail", read, "WORD", description, default_text, kOther);
}

void add_machine_options(CLI::App& command, CommonOptions& options) {
  SessionOptions& machine = options.machine;
  add_value(
      command, "-t,--threads",
      [&machine](const std::string& text) {
        machine.threads = static_cast<int>(parse_count("--threads", text, 1, 65536));
      },
      "N", "Threads of the CPU", "all", kMachine);
  add_text(command, "--devices", machine.devices, "LIST",
           "auto, cpu, cuda, cuda:0,1; alnus devices lists them", "auto", kMachine);
  add_text(command, "--isa", machine.isa, "NAME", "Instruction set of the CPU: avx512, avx2, sse41, portable",
           "auto", kMachine);
  add_text(command, "--method", machine.method, "NAME", "Force one method; alnus devices lists them", "auto",
           kMachine);
  add_memory(command, machine.memory_bytes, "8G", "Bound on the memory for results and work")
      ->group(kMachine);
  add_value(
      command, "--device-memory",
      [&machine](const std::string& text) {
        machine.device_memory_bytes = parse_size("--device-memory", text);
      },
      "SIZE", "Bound on the memory that is used of each device", "GPU: all; CPU: half of --memory", kMachine);
}

CLI::Option* add_alphabet(CLI::App& command, AlphabetChoice& alphabet, const char* description) {
  const auto read = [&alphabet](const std::string& text) {
    constexpr std::array<std::string_view, 3> kWords = {"protein", "dna", "auto"};
    constexpr std::array kChoices = {AlphabetChoice::protein, AlphabetChoice::dna, AlphabetChoice::automatic};
    alphabet = kChoices[choose("--alphabet", text, kWords)];
  };
  return add_value(command, "--alphabet", read, "WORD", description, "protein", kOther);
}

CLI::Option* add_memory(CLI::App& command, std::uint64_t& bytes, const char* default_text,
                        const char* description) {
  return add_value(
      command, "--memory", [&bytes](const std::string& text) { bytes = parse_size("--memory", text); },
      "SIZE", description, default_text, kOther);
}

void add_search_inputs(CLI::App& command, std::string& queries, std::string& database) {
  command.add_option("QUERIES", queries, "FASTA or FASTQ, plain, gzip or zstd; - is standard input")
      ->required();
  command.add_option("DB", database, "A database of alnus makedb, or a sequence file like QUERIES")
      ->required();
}

void add_quiet(CLI::App& command) {
  command.add_flag("--quiet")->description("Say nothing but errors")->group(kOther);
}

void add_identity_range(CLI::App& command, bool& wanted) {
  command
      .add_flag("--identity-range", wanted,
                "Tables: add pident_min and pident_max, over all alignments of a pair's best score")
      ->group(kOutput);
}

void add_identity_range_columns(OutputFormat& format) {
  if (format.columns.empty())
    throw Error(ErrorKind::input, "--identity-range adds columns to a table; choose --outfmt 6, 7 or 10.");
  format.columns.insert(format.columns.end(), {"pident_min", "pident_max"});
}

void refuse_sharing_stdin(std::initializer_list<std::string> paths) {
  if (std::ranges::count(paths, "-") > 1)
    throw Error(ErrorKind::input, "Only one input can be -, standard input.");
}

}  // namespace alnus::cli
