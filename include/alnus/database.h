// Sequences to search with, to search in, or to pair: files, databases of alnus makedb, or memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/export.h"
#include "alnus/masking.h"
#include "alnus/sequence_set.h"
#include "alnus/words.h"

namespace alnus {

// How the alphabet of a file is chosen. protein and dna: the caller states it. unstated: protein, or the
// alphabet of the call's other input if that is known; a first input that looks like the other alphabet is
// Error(input), and a second one alone causes a warning. automatic: guessed from the first half megabyte of
// the file, DNA if at least 90% of its letters are ACGTUN. Whether a file looks like the other alphabet is
// checked when two inputs come together: by open_search and open_sets, or by the call that takes both.
enum class AlphabetChoice : std::uint8_t { unstated, protein, dna, automatic };
// AlphabetChoice::unstated has no word, because it means that the user gave none.
template <>
inline constexpr std::array kWords<AlphabetChoice> = {Word{"protein", AlphabetChoice::protein},
                                                      Word{"dna", AlphabetChoice::dna},
                                                      Word{"auto", AlphabetChoice::automatic}};

// The alphabet that AlphabetChoice::automatic gives to letters: dna if at least 90% of the first 524,288
// letters are ACGTUN, else protein. Lower-case letters count as upper-case ones, and gaps ('-' and '.') do
// not count. Without any letters the result is protein.
ALNUS_API AlphabetKind guess_alphabet(std::span<const std::string_view> sequences);

// When all checksums, indexes and residues of a database file are checked. full: before open() returns.
// deferred: while the first call that uses the file runs; no result of that call comes out before the check
// is done, but what a program reads of sequences() before then is not checked. none: never, for a file that
// was checked before. If a file's size or modification time changes, the next call checks the file again,
// even with `none`.
enum class Verification : std::uint8_t { full, deferred, none };

struct OpenOptions {
  AlphabetChoice alphabet = AlphabetChoice::unstated;
  Masking masking{};
  Verification verification = Verification::full;
  // True: a database file is read into memory instead of mapped, so that later changes of the file do not
  // matter. For mapped files see zero_lost_pages().
  bool in_memory = false;
  // True: the qualities of FASTQ are kept (SequenceView::quality), in as much memory as the residues take.
  // Formats for which OutputFormat::needs_qualities() is true print them. Of two inputs only the first one's
  // qualities are kept. Database files have none.
  bool qualities = false;
};

// How many records and residues a file has, and what was odd in them.
struct ALNUS_API ReadCounts {
  std::uint64_t records = 0, residues = 0;
  std::uint64_t unknown_bytes = 0;    // letters and punctuation outside the alphabet, read as X or N
  std::uint64_t gaps_removed = 0;     // '-' and '.' that were removed from sequences
  std::uint64_t empty_records = 0;    // records without residues
  std::uint64_t unnamed_records = 0;  // records without a word after '>' or '@'
  MaskCounts masked;

  ReadCounts& operator+=(const ReadCounts& other);
};

// A set of sequences as calls of a session take it: queries, subjects, or both. A Database is immutable and
// cheap to copy; copies are the same database. What sessions and devices prepare for a database (its order by
// length, its residues in a GPU's memory) stays with the database from call to call.
class ALNUS_API Database {
 public:
  using Index = SequenceSet::Index;

  Database();
  // Sequences in memory. Calls take their alphabet as stated, and warn of no odd records.
  Database(SequenceSet sequences);  // NOLINT(google-explicit-constructor): a set of sequences is one
  // Sequences in memory whose alphabet nobody has stated. Calls doubt the alphabet as they doubt that of a
  // file opened with AlphabetChoice::unstated, with the same errors and warnings, which name the set's
  // origin. The first call that takes this database, or one made from it, warns of the `unknown` letters
  // (SequenceSetBuilder::unknown_letters), of records without residues and of repeated ids. stated() of it
  // keeps these warnings.
  static Database unstated(SequenceSet sequences, const UnknownLetters& unknown = {});
  // The same sequences with an alphabet that the caller states, so that calls do not doubt it. What is
  // prepared for one of the two databases serves both.
  Database stated() const;
  bool is_stated() const;

  const SequenceSet& sequences() const;
  Index size() const { return sequences().size(); }
  AlphabetKind alphabet() const { return sequences().alphabet(); }
  const std::string& name() const;  // for messages and reports: the file's name, or the set's origin

  // For programs that read sequences() outside of calls: checks that the database files behind the sequences
  // are still what was opened. Call it after reading, before what was read is used. Throws Error(database)
  // naming the file if bytes of it are gone, or if it was changed and its contents no longer have their
  // checksums. Takes a system call for each file; a file that was checked and has changed since is read and
  // checked again.
  void check_files() const;

  // 32 hexadecimal digits that identify the contents: for a database file the digest in its header; for other
  // sequences a digest of their names and residues in order, computed when it is first asked for.
  std::string digest() const;

  // The sequences [begin, end) of this database, which keep their file ordinals. The hits of the whole
  // database can be had from searches of parts: search each part with the residues and sequences of the whole
  // as StatisticsOptions, order all hits by E-value, adjusted score, score and file_ordinal(), and cut them
  // at max_target_seqs. That does not hold for StatisticsMethod::regression, which judges each part by
  // itself, nor for a query with thousands of pairs that may be hits: use Session::search_part() for these.
  // Throws Error(input) for a part that does not lie in the database.
  Database part(Index begin, Index end) const;

  // The same sequences in the order of the file that they came from. A database file itself stores sequences
  // by decreasing length.
  Database in_file_order() const;

  // The sequences of this database and then those of `more`, each in the order of its file. Throws
  // Error(input) naming both databases if their alphabets differ.
  Database extended(const Database& more) const;

  struct ALNUS_LOCAL State;  // src/session
  const std::shared_ptr<State>& state() const { return state_; }
  explicit Database(std::shared_ptr<State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<State> state_;
};

// Reads a list of pairs from a file ("-" is standard input), in the file's order. A line is a query's id and
// a subject's id, with a tab or blanks between them; further columns, empty lines and lines that begin with #
// are ignored. Throws Error(input) naming the line for an id that is missing, unknown, or that of several
// records.
ALNUS_API std::vector<IndexPair> read_pair_list(const std::string& path, const SequenceSet& queries,
                                                const SequenceSet& subjects);

// ---- Database files (docs/database-format.md) ------------------------------------------------------------

// What the header of a database file says of its contents.
struct DatabaseInfo {
  std::uint32_t format_version = 0;
  AlphabetKind alphabet = AlphabetKind::protein;
  std::uint64_t sequences = 0, residues = 0, longest = 0, shortest = 0, unknown_bytes = 0;
  std::uint64_t file_bytes = 0;
  std::string digest;  // 32 hexadecimal digits that identify the contents
};

struct MakeDatabaseOptions {
  // automatic: guessed for each input; inputs of different alphabets are Error(input). unstated: protein; an
  // input that looks like DNA is Error(input).
  AlphabetChoice alphabet = AlphabetChoice::unstated;
  std::uint64_t memory_bytes = 1ULL << 30;  // bytes that building may keep in memory, besides a few MiB
  std::string temporary_directory{};        // for data beyond memory_bytes; empty: the output's directory
  Masking masking{};
};

// True if the first bytes or the name (*.alnus) of a file say that it is a database file, even if it is
// damaged.
ALNUS_API bool is_database_file(const std::string& path);

// The contents of a database file's header. Throws Error(database) if the header is wrong or cannot be read.
ALNUS_API DatabaseInfo database_info(const std::string& path);

// For a program's handler of SIGBUS. A thread that reads a mapped database file gets that signal when another
// program has shortened the file or its disk has failed. `address` is the signal's si_addr. If the address
// lies in a mapped database file, zeros take the place of the lost bytes and the result is true; the handler
// then returns, and the calls that use the file end soon with Error(database), which names the file. For any
// other address the result is false. Async-signal-safe: allocates nothing, takes no lock, keeps errno.
ALNUS_API bool zero_lost_pages(const void* address) noexcept;

}  // namespace alnus
