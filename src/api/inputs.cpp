// Opens sequence files, and checks if both inputs of a call have the same alphabet.
#include "api/inputs.h"

#include <fmt/format.h>
#include <memory>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/letters.h"
#include "alnus/text.h"
#include "core/masking.h"
#include "core/refuse_input.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus::api {
namespace {

std::string_view name_of(AlphabetKind kind) { return Alphabet::of(kind).name(); }

// The alphabet to read a file with if no other input decides it; empty: guess it.
std::optional<AlphabetKind> kind_of(AlphabetChoice choice) {
  if (choice == AlphabetChoice::automatic) return std::nullopt;
  return choice == AlphabetChoice::dna ? AlphabetKind::dna : AlphabetKind::protein;
}

using StatePtr = std::shared_ptr<Database::State>;

StatePtr read(const io::Input& input, std::optional<AlphabetKind> kind, const OpenOptions& options,
              session::Call& call) {
  io::SequenceReader reader(input, kind, options.masking, call.session().threads(), call.stop(),
                            qualities_of(options));
  auto state = std::make_shared<Database::State>();
  state->sequences = reader.read_some();
  state->name = state->sequences.origin();
  if (!input.text) state->files = {input.path};
  state->alphabet_stated = is_stated(options.alphabet);
  state->masking = options.masking;
  state->counts = reader.counts();
  state->alignment_columns = reader.alignment_columns();
  state->resembles_dna = reader.resembles_dna();
  state->notes = reader.notes();
  // No warning of single records that look like dna, if the user stated the alphabet, or if the whole input
  // looks like dna, of which check_alphabets() tells.
  if (state->alphabet_stated || *state->resembles_dna) state->notes.nucleotides = {};
  state->notes.repeated = io::notes_of(state->sequences).repeated;
  return state;
}

StatePtr open_database_file(const std::string& path, const OpenOptions& options, session::Call& call) {
  const auto file = std::make_shared<const io::DatabaseFile>(path, options.in_memory, call.stop());
  auto state = std::make_shared<Database::State>();
  state->sequences = io::open_database(file, call.stop());
  state->name = path;
  state->files = {path};
  const auto check = std::make_shared<session::FileCheck>(
      [file](ThreadPool& threads, const StopFlag& stop) { io::verify_database(*file, threads, stop); },
      [file] { return file->version(); });
  state->checks = {check};
  const AlphabetKind kind = state->sequences.alphabet();
  if (is_stated(options.alphabet) && kind_of(options.alphabet) != kind)
    refuse_input(fmt::format("The database {} holds {} sequences; {} {} cannot change that.", path,
                             name_of(kind), option("alphabet"), name_of(*kind_of(options.alphabet))));
  state->alphabet_stated = is_stated(options.alphabet);
  options.masking.check(kind, path);
  state->masking = options.masking;
  if (options.verification == Verification::none)
    check->trust();
  else if (options.verification == Verification::full || options.masking.any())  // masking reads all residues
    check->require(call.session().threads(), call.stop());
  state->resembles_dna = io::resembles_dna(state->sequences.arrays().residues, kind);
  if (options.masking.any())
    state->sequences = masked_copy(state->sequences, options.masking, state->counts.masked,
                                   call.session().threads(), call.stop());
  else
    state->file_digest = io::format::describe(file->header()).digest;
  return state;
}

StatePtr open_any(const std::string& path, std::optional<AlphabetKind> kind, const OpenOptions& options,
                  session::Call& call) {
  return is_database_file(path) ? open_database_file(path, options, call) : read(path, kind, options, call);
}

io::ReadInput odd_of(const Database::State& state) {
  return {state.name, state.counts, state.alignment_columns, state.notes};
}

// Tells the user of odd letters and records and of masked residues in the inputs.
void tell(const std::vector<io::ReadInput>& inputs, const OpenOptions& options, AlphabetKind alphabet,
          session::Call& call) {
  tell_odd_records(inputs, alphabet, call);
  tell_masking(inputs, options.masking, call);
}

// Returns the sequences of one input, after it has told the user of what is odd or masked in it.
Database told(StatePtr state, const OpenOptions& options, session::Call& call) {
  Database database(std::move(state));
  tell({odd_of(*database.state())}, options, database.alphabet(), call);
  return database;
}

struct Words {
  const char *one, *many;
};

// Says in which records something was noted. Records that are odd themselves: " (record 3, 'P1')", or of
// several " (the first is record 3, 'P1')". Odd letters: " (in record 3, 'P1')", or " (first in record 3,
// 'P1')". Empty if no record was noted.
std::string place_of(const io::NotedRecords& records, bool of_letters) {
  if (records.count == 0) return {};
  const std::string_view how =
      of_letters ? (records.count == 1 ? "in " : "first in ") : (records.count == 1 ? "" : "the first is ");
  return fmt::format(" ({}record {}{})", how, format_count(records.number),
                     records.id.empty() ? "" : fmt::format(", {}", in_quotes(records.id)));
}

}  // namespace

io::Qualities qualities_of(const OpenOptions& options) {
  return options.qualities ? io::Qualities::kept : io::Qualities::dropped;
}

bool is_stated(AlphabetChoice choice) {
  return choice == AlphabetChoice::protein || choice == AlphabetChoice::dna;
}

void tell_odd_records(std::span<const io::ReadInput> inputs, AlphabetKind alphabet, session::Call& call) {
  const auto warn = [&](const auto& count_of, io::NotedRecords io::RecordNotes::*records, Words of,
                        const std::string& one, const std::string& many, bool of_letters) {
    std::vector<std::string> places;
    std::uint64_t all = 0;
    std::string_view told;  // one file may be both inputs
    for (const io::ReadInput& input : inputs) {
      const std::uint64_t count = count_of(input);
      if (count == 0 || input.name == std::exchange(told, input.name)) continue;
      all += count;
      places.push_back(fmt::format("{} of {}{}", format_count(count, of.one, of.many), input.name,
                                   place_of(input.notes.*records, of_letters)));
    }
    if (!places.empty()) call.warn(fmt::format("{} {}.", fmt::join(places, " and "), all == 1 ? one : many));
  };
  const auto warn_of_letters = [&](std::uint64_t ReadCounts::*count, io::NotedRecords io::RecordNotes::*first,
                                   Words of, const std::string& what) {
    warn([&](const io::ReadInput& input) { return input.counts.*count; }, first, of, what, what, true);
  };
  const auto warn_of_records = [&](io::NotedRecords io::RecordNotes::*records, const std::string& one,
                                   const std::string& many) {
    warn([&](const io::ReadInput& input) { return (input.notes.*records).count; }, records,
         {"record", "records"}, one, many, false);
  };
  const std::string outside = fmt::format("outside the {} alphabet, read as {}", name_of(alphabet),
                                          alphabet == AlphabetKind::dna ? 'N' : 'X');
  warn_of_letters(&ReadCounts::unknown_bytes, &io::RecordNotes::unknown, {"letter", "letters"}, outside);
  warn_of_letters(&ReadCounts::gaps_removed, &io::RecordNotes::gaps, {"gap letter", "gap letters"},
                  "(- or .) removed");
  const std::string digits =
      "digits beside letters. The digits are left out: correct letters that were misread (O as 0, I as "
      "1), and put the '>' before a header that has lost it";
  warn_of_records(&io::RecordNotes::digits, "has " + digits, "have " + digits);
  const std::string words =
      "a line of words of different lengths, which is read as letters of the sequence. If it is text, or "
      "a header that has lost its '>', correct the file";
  warn_of_records(&io::RecordNotes::words, "has " + words, "have " + words);
  const std::string leave_out = "Keep genes and proteins in files of their own";
  warn_of_records(
      &io::RecordNotes::proteins,
      "looks like a protein and is read as dna, with N for the letters that dna does not have. " + leave_out,
      "look like proteins and are read as dna, with N for the letters that dna does not have. " + leave_out);
  warn_of_records(&io::RecordNotes::nucleotides,
                  "looks like dna and is read as a protein, untranslated. " + leave_out,
                  "look like dna and are read as proteins, untranslated. " + leave_out);
  const std::string code =
      "spelt in three-letter code and is read letter by letter, which is wrong. Write one letter for each "
      "residue";
  warn_of_records(&io::RecordNotes::three_letter, "looks " + code, "look " + code);
  const std::string utf8 =
      "a header that is not UTF-8. Tables have its bytes as they are, and Python, JSON and XML have other "
      "characters in their place. Convert the file first, as iconv -f latin1 -t utf-8 does";
  warn_of_records(&io::RecordNotes::not_utf8, "has " + utf8, "have " + utf8);
  warn_of_records(&io::RecordNotes::empty, "without a sequence", "without a sequence");
  warn_of_records(&io::RecordNotes::unnamed, "without a name", "without a name");
  const std::string ids = "Outputs name records by their ids alone: give each record an id of its own";
  warn_of_records(&io::RecordNotes::repeated, "has the id of an earlier record. " + ids,
                  "have the ids of earlier records. " + ids);
  std::string_view told;
  for (const io::ReadInput& input : inputs)
    if (input.alignment_columns > 0 && input.name != std::exchange(told, input.name))
      call.warn(alignment_notice(input.name, input.counts.records, input.alignment_columns));
}

void tell_masking(std::span<const io::ReadInput> inputs, const Masking& masking, session::Call& call) {
  if (!masking.any()) return;
  std::vector<std::string> places;
  for (const io::ReadInput& input : inputs)
    places.push_back(
        fmt::format("{} in {} of {}", format_count(input.counts.masked.residues, "residue", "residues"),
                    format_count(input.counts.masked.sequences, "sequence", "sequences"), input.name));
  call.info(fmt::format("Masked ({}): {}.", masking.name(), fmt::join(places, " and ")));
}

void check_alphabets(const Database& queries, const Database& subjects, session::Call& call) {
  Database::State &rows = *queries.state(), &columns = *subjects.state();
  const AlphabetKind kind = queries.alphabet();
  if (kind != subjects.alphabet())
    refuse_input(fmt::format(
        "{} holds {} and {} {}, and only sequences of one alphabet are aligned. {}. If both are of "
        "one alphabet, say which with {}.",
        queries.name(), name_of(kind), subjects.name(), name_of(subjects.alphabet()), translate_first(),
        option("alphabet")));
  // Files without records are refused when they are opened. So an empty set from a file is a part that the
  // caller has chosen, and needs no warning.
  const auto lacks = [](const Database& set) { return set.size() == 0 && set.state()->files.empty(); };
  std::vector<std::string> empty;
  if (lacks(queries)) empty.push_back(queries.name());
  if (lacks(subjects) && (empty.empty() || empty.front() != subjects.name()))
    empty.push_back(subjects.name());
  if (!empty.empty())
    call.warn(fmt::format("{} {} no sequences, and nothing is aligned.", fmt::join(empty, " and "),
                          empty.size() == 1 ? "has" : "have"));
  std::vector<io::ReadInput> untold;
  for (Database::State* input : {&rows, &columns}) {
    const std::size_t before = untold.size();
    for (const auto& odd : input->oddities)
      if (!odd->told.test_and_set()) untold.push_back(odd->read);
    if (untold.size() == before) continue;
    const io::RecordNotes notes = io::notes_of(input->sequences);
    untold.push_back({input->name});
    untold.back().notes.three_letter = notes.three_letter;
    untold.back().notes.empty = notes.empty;
    untold.back().notes.repeated = notes.repeated;
    if (!input->alphabet_stated && !input->looks_like_dna())
      untold.back().notes.nucleotides = notes.nucleotides;
  }
  tell_odd_records(untold, kind, call);
  if (kind == AlphabetKind::protein && !columns.alphabet_stated && columns.looks_like_dna() &&
      !rows.looks_like_dna() && !columns.warned_as_subjects.test_and_set())
    call.warn(fmt::format(
        "{} looks like dna and is aligned as protein, untranslated; for nucleotides choose {} dna.",
        subjects.name(), option("alphabet")));
  if (rows.alphabet_stated) return;
  const ReadCounts& counts = rows.counts;
  if (kind == AlphabetKind::dna && counts.unknown_bytes * 10 > counts.residues)
    refuse_input(fmt::format(
        "{} of the {} letters of {} are no nucleotides, but {} holds dna. Choose a protein database. {}. If "
        "they are nucleotides all the same, say so with {} dna.",
        format_count(counts.unknown_bytes), format_count(counts.residues), queries.name(), subjects.name(),
        translate_first(), option("alphabet")));
  if (kind != AlphabetKind::protein || !rows.looks_like_dna()) return;
  if (!columns.looks_like_dna())
    refuse_input(fmt::format(
        "{} looks like dna, but {} holds proteins. {}. If both are proteins, say so with {} protein.",
        queries.name(), subjects.name(), translate_first(), option("alphabet")));
  refuse_input(fmt::format(
      "{} like dna, and would be aligned as proteins. Choose {} dna, or {} protein if these are "
      "proteins.",
      queries.name() == subjects.name() ? fmt::format("{} looks", queries.name())
                                        : fmt::format("{} and {} look", queries.name(), subjects.name()),
      option("alphabet"), option("alphabet")));
}

Database open(const std::string& path, const OpenOptions& options, session::Call& call) {
  return told(open_any(path, kind_of(options.alphabet), options, call), options, call);
}

Database open_text(std::string_view text, const std::string& name, const OpenOptions& options,
                   session::Call& call) {
  if (io::is_database_text(text))
    refuse_input(fmt::format("{} is a database file of alnus, which is opened by its path.", name));
  return told(read({text, name}, kind_of(options.alphabet), options, call), options, call);
}

Session::Inputs open_both(const std::string& first, const std::string& second, const OpenOptions& options,
                          bool second_is_database, session::Call& call) {
  if (first == "-" && second == "-") refuse_input("Only one input can be -, standard input.");
  // If one input is a database file, the other input is read with its alphabet.
  std::optional<AlphabetKind> kind = kind_of(options.alphabet);
  const bool second_is_file = !second.empty() && is_database_file(second);
  StatePtr columns;
  if (second_is_file) {
    columns = open_database_file(second, options, call);
    kind = columns->sequences.alphabet();
  }
  const StatePtr rows = open_any(first, kind, options, call);
  if (is_database_file(first)) kind = rows->sequences.alphabet();
  if (second.empty()) {
    columns = rows;
  } else if (!columns) {
    OpenOptions of_subjects = options;
    of_subjects.qualities = false;
    try {
      columns = read(second, kind, of_subjects, call);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || !second_is_database) throw;
      throw Error(ErrorKind::database, error.marked());
    }
  }
  std::vector<io::ReadInput> odd = {odd_of(*rows)};
  if (!second.empty()) odd.push_back(odd_of(*columns));
  tell(odd, options, rows->sequences.alphabet(), call);
  Session::Inputs inputs{Database(rows), Database(columns)};
  check_alphabets(inputs.first, inputs.second, call);
  return inputs;
}

}  // namespace alnus::api
