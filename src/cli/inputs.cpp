#include "cli/inputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "cli/units.h"
#include "core/decimal.h"
#include "io/database.h"
#include "io/record_stream.h"

namespace alnus::cli {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

struct Input {
  std::string name;  // in messages
  SequenceSet sequences;
  io::ReadCounts counts;
  bool resembles_dna = false;  // before it was masked
};

Input read(const std::string& path, std::optional<AlphabetKind> alphabet, Masking masking) {
  io::SequenceReader reader(path, alphabet, masking);
  Input input;
  input.sequences = reader.read_some();
  input.name = input.sequences.origin();
  input.counts = reader.counts();
  input.resembles_dna = reader.resembles_dna();
  return input;
}

Input read_subjects(const std::string& path, std::optional<AlphabetKind> alphabet, Masking masking) {
  try {
    return read(path, alphabet, masking);
  } catch (const Error& error) {
    throw Error(error.kind() == ErrorKind::input ? ErrorKind::database : error.kind(), error.what());
  }
}

// Empty: to be guessed.
std::optional<AlphabetKind> alphabet_of(const std::string& word) {
  if (word == "auto") return std::nullopt;
  return word == "dna" ? AlphabetKind::dna : AlphabetKind::protein;
}

std::string_view name_of(AlphabetKind kind) { return Alphabet::of(kind).name(); }

SequenceSet open_database(const std::string& path, const std::string& alphabet) {
  SequenceSet database = io::open_database(path);
  if ((alphabet == "protein" || alphabet == "dna") && alphabet != name_of(database.alphabet()))
    fail(fmt::format("The database {} holds {} sequences; --alphabet {} cannot change that.", path,
                     name_of(database.alphabet()), alphabet));
  return database;
}

Input map_database(const std::string& path, const std::string& alphabet, Masking masking) {
  Input input;
  input.sequences = open_database(path, alphabet);
  input.name = path;
  const SequenceSet& set = input.sequences;
  masking.check(set.alphabet(), path);
  input.resembles_dna = io::resembles_dna(set.arrays().residues, set.alphabet());
  if (masking.any()) input.sequences = masked_copy(set, masking, input.counts.masked);
  return input;
}

// Where nobody has said what the letters are: are they what they were taken for?
void check_alphabets(const Input& queries, const Input& from, const std::string& word, Log& log) {
  const SequenceSet& set = queries.sequences;
  const SequenceSet& subjects = from.sequences;
  if (set.alphabet() != subjects.alphabet())
    fail(fmt::format(
        "{} looks like {} and {} like {}; --alphabet protein or --alphabet dna takes both for the same.",
        queries.name, name_of(set.alphabet()), from.name, name_of(subjects.alphabet())));
  if (word == "protein" || word == "dna") return;
  if (set.alphabet() == AlphabetKind::dna && queries.counts.unknown_bytes * 10 > queries.counts.residues)
    fail(fmt::format(
        "{} of the {} letters of {} are no nucleotides, but {} holds dna. Choose a protein database.",
        format_count(queries.counts.unknown_bytes), format_count(queries.counts.residues), queries.name,
        from.name));
  if (set.alphabet() == AlphabetKind::protein && queries.resembles_dna) {
    if (!from.resembles_dna)
      fail(fmt::format(
          "{} looks like dna, but {} holds proteins. If both are proteins, say so with --alphabet "
          "protein.",
          queries.name, from.name));
    log.warning(fmt::format(
        "{} looks like dna and is aligned as protein; for nucleotides choose --alphabet dna.", queries.name));
  }
}

void warn(std::initializer_list<const Input*> inputs, Masking masking, Log& log) {
  std::vector<CountsOf> counts;
  for (const Input* input : inputs) counts.push_back({input->name, input->counts});
  warn_about_records(counts, (*inputs.begin())->sequences.alphabet(), log);
  log_masking(counts, masking, log);
}

}  // namespace

void warn_about_records(std::span<const CountsOf> inputs, AlphabetKind alphabet, Log& log) {
  const auto warn = [&](std::uint64_t io::ReadCounts::*count, const char* singular, const char* plural,
                        const std::string& what) {
    std::vector<std::string> places;
    for (const auto& [origin, counts] : inputs)
      if (counts.*count > 0)
        places.push_back(fmt::format("{} of {}", format_count(counts.*count, singular, plural), origin));
    if (!places.empty()) log.warning(fmt::format("{} {}.", fmt::join(places, " and "), what));
  };
  warn(&io::ReadCounts::unknown_bytes, "letter", "letters",
       fmt::format("outside the {} alphabet, read as {}", name_of(alphabet),
                   alphabet == AlphabetKind::dna ? 'N' : 'X'));
  warn(&io::ReadCounts::gaps_removed, "gap letter", "gap letters", "(- or .) removed");
  warn(&io::ReadCounts::empty_records, "record", "records", "without a sequence");
  warn(&io::ReadCounts::unnamed_records, "record", "records", "without a name");
}

void log_masking(std::span<const CountsOf> inputs, Masking masking, Log& log) {
  if (!masking.any()) return;
  std::vector<std::string> places;
  for (const auto& [origin, counts] : inputs)
    places.push_back(fmt::format("{} in {} of {}",
                                 format_count(counts.masked.residues, "residue", "residues"),
                                 format_count(counts.masked.sequences, "sequence", "sequences"), origin));
  log.info(fmt::format("Masked ({}): {}.", masking.name(), fmt::join(places, " and ")));
}

struct QueryStream::State {
  State(const std::string& path, const std::string& database, const std::string& word, Masking wanted,
        Log& to)
      : columns(is_database_name(database) ? map_database(database, word, wanted)
                                           : read_subjects(database, alphabet_of(word), wanted)),
        records(path, columns.sequences.alphabet(), wanted),
        origin(io::display_name(path)),
        alphabet(word),
        masking(wanted),
        log(to) {}

  const Input columns;
  io::RecordStream records;
  const std::string origin, alphabet;
  const Masking masking;
  Log& log;
  std::string name;
};

QueryStream::QueryStream(const std::string& queries, const std::string& database, const std::string& alphabet,
                         Masking masking, Log& log) {
  refuse_sharing_stdin({queries, database});
  state_ = std::make_unique<State>(queries, database, alphabet, masking, log);
  warn({&state_->columns}, masking, log);
}

QueryStream::~QueryStream() = default;

const SequenceSet& QueryStream::database() const { return state_->columns.sequences; }

bool QueryStream::failed() const { return state_->records.failed(); }

const std::string& QueryStream::name() const { return state_->name; }

SequenceSet QueryStream::next() {
  State& s = *state_;
  SequenceSet set = s.records.next();
  if (set.empty()) return set;
  s.name = fmt::format("{}, record {} ({})", s.origin, s.records.number(), quoted(set[0].id()));
  Input query{s.name, set, s.records.counts(), s.records.resembles_dna()};
  if (std::exchange(query.counts.empty_records, 0) > 0)
    s.log.warning(fmt::format("{} has no sequence.", s.name));
  if (std::exchange(query.counts.unnamed_records, 0) > 0)
    s.log.warning(fmt::format("{} has no name.", s.name));
  warn({&query}, s.masking, s.log);
  check_alphabets(query, s.columns, s.alphabet, s.log);
  return set;
}

Inputs read_search_inputs(const std::string& queries, const std::string& database,
                          const std::string& alphabet, Masking masking, Log& log) {
  refuse_sharing_stdin({queries, database});
  if (!is_database_name(database)) {
    const Input rows = read(queries, alphabet_of(alphabet), masking);
    const Input columns = read_subjects(database, alphabet_of(alphabet), masking);
    warn({&rows, &columns}, masking, log);
    check_alphabets(rows, columns, alphabet, log);
    return {rows.sequences, columns.sequences};
  }
  const Input columns = map_database(database, alphabet, masking);
  const Input rows = read(queries, columns.sequences.alphabet(), masking);
  warn({&rows, &columns}, masking, log);
  check_alphabets(rows, columns, alphabet, log);
  return {rows.sequences, columns.sequences};
}

Inputs read_pair_inputs(const std::string& queries, const std::string& subjects, const std::string& alphabet,
                        Masking masking, Log& log) {
  for (const std::string& path : {queries, subjects})
    if (is_database_name(path))
      fail(fmt::format("{} is a database file; alnus align takes sequence files.", path));
  return read_set_inputs(queries, subjects, alphabet, masking, log);
}

Inputs read_set_inputs(const std::string& set, const std::string& against, const std::string& alphabet,
                       Masking masking, Log& log) {
  std::optional<AlphabetKind> kind = alphabet_of(alphabet);
  for (const std::string& path : {set, against})  // a database's is that of both
    if (!path.empty() && is_database_name(path)) kind = open_database(path, alphabet).alphabet();
  const auto read_set = [&](const std::string& path) {
    return is_database_name(path) ? map_database(path, alphabet, masking) : read(path, kind, masking);
  };
  const Input rows = read_set(set);
  if (against.empty()) {
    warn({&rows}, masking, log);
    check_alphabets(rows, rows, alphabet, log);
    return {rows.sequences, rows.sequences};
  }
  const Input columns = read_set(against);
  warn({&rows, &columns}, masking, log);
  check_alphabets(rows, columns, alphabet, log);
  return {rows.sequences, columns.sequences};
}

bool is_database_name(const std::string& path) { return path.ends_with(".alnus") || io::is_database(path); }

void refuse_sharing_stdin(std::initializer_list<std::string> paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) fail("Only one input can be -, standard input.");
}

}  // namespace alnus::cli
