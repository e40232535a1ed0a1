#include "cli/common_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/html_report.h"
#include "cli/option_table.h"
#include "cli/process.h"
#include "cli/values.h"
#include "cli/word_options.h"

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
      ->group(group);
}

// Adds an option whose value is passed to `read`, which throws Error(input) for a value that it cannot read.
CLI::Option* add_value(CLI::App& command, const char* names,
                       const std::function<void(const std::string&)>& read, const char* type,
                       const char* description, const char* default_text, const char* group) {
  return command.add_option_function<std::string>(names, read, description)
      ->type_name(type)
      ->default_str(default_text)
      ->group(group);
}

// The directory where programs of this user keep results that take long to compute: $XDG_CACHE_HOME/alnus, or
// $HOME/.cache/alnus; empty if neither variable is an absolute path.
std::string user_cache_directory() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value ? value : "");
  };
  if (const auto cache = set("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "alnus";
  if (const auto home = set("HOME"); home.is_absolute()) return home / ".cache" / "alnus";
  return {};
}

}  // namespace

Scoring CommonOptions::make_scoring(AlphabetKind alphabet) const {
  if (differences.most) return scoring_of(differences, alphabet);
  ScoringOptions options = scoring;
  options.alphabet = alphabet;
  return read_scoring(options);
}

void CommonOptions::check_files(const std::vector<std::string>& outputs,
                                std::vector<std::string> inputs) const {
  inputs.push_back(scoring.matrix);
  keep_messages_out_of(inputs);
  check_outputs(outputs, inputs);
}

ReportHead CommonOptions::head(const Context& context, const std::string& database_name) const {
  return {std::string(version()), context.command_line, database_name, detail(), {}};
}

void CommonOptions::check_rows_are_named(bool has_other_outputs) const {
  if (!has_other_outputs || !output.empty() || !chooses_rows()) return;
  const char* chosen = format_chosen ? "--outfmt" : format.header ? "--header" : "--identity-range";
  throw Error(ErrorKind::input,
              fmt::format("{} is for rows, which beside another output go to -o FILE, or with -o - to "
                          "standard output: add -o, or leave {} out.",
                          chosen, chosen));
}

void CommonOptions::add_identity_range_columns() {
  if (!identity_range) return;
  if (format.columns.empty())
    throw Error(ErrorKind::input, "--identity-range adds columns to a table; choose --outfmt 6, 7 or 10.");
  format.columns.insert(format.columns.end(), {"pident_min", "pident_max"});
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
  add_detail(
      command, options, "what the columns need",
      "What is computed of each row: score, ends (where the alignment ends) or alignment; columns that "
      "need more are NA")
      ->group(kOutput);
  add_output(command, options);
  add_mask(command, options.open.masking)->group(kScoring);
  add_machine_options(command, options);
  command
      .add_flag("--dry-run", options.dry_run,
                "Print what the command would cost (pairs, cells, time, size of the output), and end")
      ->group(kOther);
  command.add_flag("--json", options.json, "With --dry-run: print JSON, for programs")
      ->group(kOther)
      ->needs("--dry-run");
  add_log_options(command);
}

void add_format_options(CLI::App& command, CommonOptions& options) {
  CLI::Option* format = add_value(
      command, "--outfmt",
      [&options](const std::string& text) {
        const bool header = options.format.header;
        options.format = OutputFormat::parse(text);
        options.format.header = header;
        options.format_chosen = true;
        options.open.qualities = options.format.needs_qualities();
      },
      "FORMAT",
      "Format of the output. 6: table with tabs; 7: the same with comment lines; 10: table with commas "
      "(CSV); all three take columns (\"6 qseqid sseqid score\"). 0: BLAST's report; 5: BLAST's XML; "
      "srspair: EMBOSS' report; sam; jsonl: lines of JSON",
      "6 std", kOutput);
  set_words(*format, alnus::words_of<OutputFormat::Kind>());
  command.add_flag("--header", options.format.header, "Formats 6 and 10: begin with a line of column names")
      ->group(kOutput);
}

void add_output(CLI::App& command, CommonOptions& options) {
  add_text(command, "-o,--output", options.output, "FILE",
           "Write to this file, which appears when it is complete; .gz and .zst are compressed",
           "standard output", kOutput);
}

void add_report(CLI::App& command, std::string& path, std::uint64_t& size) {
  add_text(command, "--report", path, "FILE.html",
           "Write an HTML report as well: one file that a browser opens without a network, with the run, its "
           "rows and their alignments, or the heat map of a matrix",
           "", kOutput);
  command
      .add_option_function<std::string>(
          "--report-size",
          [&size](const std::string& text) {
            size = parse_size("--report-size", text);
            check_report_size(size);
          },
          "Largest size of the report, such as 20M: of a larger one each query keeps its best hits, the same "
          "number for each")
      ->type_name("SIZE")
      ->default_str("100M")
      ->needs("--report")
      ->group(kOutput);
}

void add_scoring_options(CLI::App& command, CommonOptions& options) {
  static constexpr std::array<std::string_view, 5> kEnds = {"none", "qbegin", "qend", "sbegin", "send"};
  ScoringOptions& scoring = options.scoring;
  CLI::Option* mode = add_text(
      command, "--mode", scoring.mode, "MODE",
      "What is aligned. local: the parts of both sequences that match best; global: both sequences from end "
      "to end; semiglobal: the same, but gaps at all four ends are free (--free-ends chooses some)",
      "local", kScoring);
  set_words(*mode, alnus::words_of<Mode>());
  CLI::Option* matrix =
      add_text(command, "--matrix", scoring.matrix, "NAME|FILE",
               "Substitution matrix: BLOSUM45/50/62/80/90, PAM30/70/120/250, VTML80/120/160/200, GONNET, "
               "NUC44, or a file in NCBI's format",
               "BLOSUM62; dna: NUC44", kScoring);
  const std::vector<std::string> matrices = SubstitutionMatrix::builtin_names();
  set_words(*matrix, std::vector<std::string_view>(matrices.begin(), matrices.end()));
  add_text(command, "--match", scoring.match, "N", "DNA: score of equal letters, in place of a matrix",
           "2 if --mismatch is given", kScoring);
  add_text(command, "--mismatch", scoring.mismatch, "N",
           "DNA: score of different letters, in place of a matrix", "-3 if --match is given", kScoring);
  add_text(command, "--gap-open", scoring.gap_open, "N",
           "Cost of a gap besides its residues: a gap of k residues costs open + k*extend; decimals are "
           "allowed",
           "11 for BLOSUM62; by matrix", kScoring);
  add_text(command, "--gap-extend", scoring.gap_extend, "N", "Cost of each residue in a gap",
           "1 for BLOSUM62; by matrix", kScoring);
  CLI::Option* convention = add_text(
      command, "--gap-convention", scoring.gap_convention, "NAME",
      "What a gap of k residues costs. ncbi: open + k*extend; emboss: open + (k-1)*extend", "ncbi", kScoring);
  set_words(*convention, alnus::words_of<GapConvention>());
  CLI::Option* ends = add_value(
      command, "--free-ends",
      [&scoring](const std::string& text) {
        scoring.free_ends = text == "none" ? std::vector<std::string>{} : split_at_commas(text);
      },
      "ENDS",
      "Global and semiglobal: the ends of query and subject that may stay unaligned at no cost, any of "
      "qbegin,qend,sbegin,send, or none",
      "", kScoring);
  set_words(*ends, kEnds);
  CLI::Option* preset =
      add_text(command, "--preset", scoring.preset, "NAME",
               "Matrix, gap costs and mode of another program: blastp, blastn (and its statistics), ssearch, "
               "emboss-needle, emboss-water; other options override them",
               "", kScoring);
  set_words(*preset, preset_names());
  add_alphabet(command, options.open.alphabet,
               "What the sequences are: protein, dna, or auto (guessed by the letters); a database file says "
               "it itself")
      ->group(kScoring);
}

CLI::Option* add_strand(CLI::App& command, CommonOptions& options, const char* default_text) {
  return add_word<Strands>(
             command, "--strand", "WORD",
             "DNA: strands of each query (allpairs: of a pair's longer sequence) that are aligned, plus, "
             "minus (the reverse complement) or both, of which a pair's best alignment takes the better one",
             [&options](Strands strands) { options.strands = strands; })
      ->default_str(default_text)
      ->group(kScoring);
}

CLI::Option* add_mask(CLI::App& command, Masking& masking) {
  static constexpr std::array<std::string_view, 4> kMasks = {"none", "lower", "seg", "dust"};
  static constexpr std::array<std::string_view, 6> kLists = {"none", "lower",     "seg",
                                                             "dust", "lower,seg", "lower,dust"};
  const auto read = [&masking](const std::string& text) {
    masking = {};
    if (text == "none") return;
    for (const std::string& word : split_at_commas(text)) {
      if (word == "none")
        throw Error(ErrorKind::input,
                    "--mask: none stands alone; choose lower, seg, dust, or two as in lower,seg.");
      const auto kind = find_word<bool Masking::*>(word);
      if (!kind) refuse_word("--mask", word, kMasks);
      masking.** kind = true;
    }
  };
  CLI::Option* mask = add_value(
      command, "--mask", read, "LIST",
      "Residues to mask, which then count as X (DNA: N): lower (lower-case letters), seg (regions of low "
      "complexity in proteins), dust (the same in DNA), or two of them: lower,seg or lower,dust",
      "none", kOther);
  set_words(*mask, kLists);
  return mask;
}

CLI::Option* add_detail(CLI::App& command, CommonOptions& options, const char* default_text,
                        const char* description) {
  return add_word<Detail>(command, "--detail", "WORD", description,
                          [&options](Detail detail) { options.chosen_detail = detail; })
      ->default_str(default_text)
      ->group(kOther);
}

void add_machine_options(CLI::App& command, CommonOptions& options) {
  static constexpr std::array<std::string_view, 3> kDevices = {"auto", "cpu", "cuda"};
  static constexpr std::array<std::string_view, 5> kIsas = {"auto", "avx512", "avx2", "sse41", "portable"};
  SessionOptions& machine = options.machine;
  add_value(
      command, "-t,--threads",
      [&machine](const std::string& text) {
        machine.threads = static_cast<int>(parse_count("--threads", text, 1, 65536));
      },
      "N", "Threads of the CPU", "all", kMachine);
  CLI::Option* devices =
      add_text(command, "--devices", machine.devices, "LIST",
               "What computes: auto (what is expected to end first), cpu, cuda (all GPUs), or some GPUs, as "
               "cuda:0,1; alnus devices lists them",
               "auto", kMachine);
  set_words(*devices, kDevices);
  CLI::Option* isa =
      add_text(command, "--isa", machine.isa, "NAME",
               "Force an instruction set of the CPU: avx512, avx2, sse41, portable", "auto", kMachine);
  set_words(*isa, kIsas);
  add_text(command, "--method", machine.method, "NAME", "Force a way to compute; alnus devices lists them",
           "auto", kMachine);
  add_memory(command, machine.memory_bytes, "8G",
             "Most memory for results and work, such as 512M or 8G; the sequences come on top")
      ->group(kMachine);
  add_value(
      command, "--device-memory",
      [&machine](const std::string& text) {
        machine.device_memory_bytes = parse_size("--device-memory", text);
      },
      "SIZE", "Most memory that each device, GPU or CPU, takes for its work",
      "GPU: all; CPU: half of --memory", kMachine);
}

CLI::Option* add_alphabet(CLI::App& command, AlphabetChoice& alphabet, const char* description) {
  return add_word<AlphabetChoice>(command, "--alphabet", "WORD", description,
                                  [&alphabet](AlphabetChoice choice) { alphabet = choice; })
      ->default_str("protein")
      ->group(kOther);
}

CLI::Option* add_memory(CLI::App& command, std::uint64_t& bytes, const char* default_text,
                        const char* description) {
  return add_value(
      command, "--memory", [&bytes](const std::string& text) { bytes = parse_size("--memory", text); },
      "SIZE", description, default_text, kOther);
}

void add_search_inputs(CLI::App& command, std::string& queries, std::string& database) {
  command
      .add_option("QUERIES", queries,
                  "Sequences to search with: FASTA or FASTQ, plain, gzip or zstd; - is standard input")
      ->required();
  command
      .add_option("DB", database,
                  "Sequences to search in: a database of alnus makedb, or a sequence file like QUERIES")
      ->required();
}

void add_log_options(CLI::App& command) {
  command.add_flag("--no-progress")
      ->description("Show no progress; warnings and messages stay")
      ->group(kOther);
  command.add_flag("--quiet")->description("Print only errors")->group(kOther);
}

bool is_given(const CLI::App& command, const char* option) {
  const CLI::Option* found = command.get_option_no_throw(option);
  return found != nullptr && found->count() > 0;
}

Log::Amount log_amount(const CLI::App& command) {
  if (is_given(command, "--quiet")) return Log::Amount::none;
  return is_given(command, "--no-progress") ? Log::Amount::no_progress : Log::Amount::all;
}

void add_identity_range(CLI::App& command, CommonOptions& options) {
  command
      .add_flag(
          "--identity-range", options.identity_range,
          "Tables: add the columns pident_min and pident_max, the lowest and the highest identity of all "
          "alignments that have the pair's best score")
      ->group(kOutput);
}

void add_differences(CLI::App& command, const char* group, Differences& differences) {
  add_options<Differences>(command, group, [&differences]() -> Differences& { return differences; });
  command.get_option("--substitutions-only")->needs("--max-differences");
  // Masked letters of a query would fit every letter.
  for (const char* other :
       {"--mode",          "--matrix",         "--match",     "--mismatch",    "--gap-open",
        "--gap-extend",    "--gap-convention", "--free-ends", "--preset",      "--mask",
        "--min-score",     "--evalue",         "--stats",     "--composition", "--low-complexity",
        "--count-strands", "--dbsize",         "--searchsp",  "--shuffles",    "--shuffle"})
    command.get_option("--max-differences")->excludes(command.get_option(other));
}

void add_row_filter(CLI::App& command, const char* group, RowFilter& filter) {
  add_options<RowFilter>(command, group, [&filter]() -> RowFilter& { return filter; });
  command.get_option("--identity")->needs("--min-identity");
  command.get_option("--coverage-of")->needs("--min-coverage");
}

void refuse_sharing_stdin(std::initializer_list<std::string> paths) {
  if (std::ranges::count(paths, "-") > 1)
    throw Error(ErrorKind::input, "Only one input can be -, standard input.");
}

}  // namespace alnus::cli
