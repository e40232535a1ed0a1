// Sequences to search with, to search in, or to pair: files, databases of alnus makedb, or memory.
#pragma once

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

namespace alnus {

// The alphabet that a file is read with. unstated: protein, or the alphabet of the call's other input if that
// is known; a file that looks like something else is an error or a warning. automatic: guessed from the first
// half megabyte, DNA if at least 90% of the letters are ACGTUN. Whether a file looks like something else is
// looked at when two inputs come together: by open_search and open_sets, or by the call that takes both.
enum class AlphabetChoice : std::uint8_t { unstated, protein, dna, automatic };

// What AlphabetChoice::automatic makes of letters: dna if at least 90% of the first half million of them are
// ACGTUN. Lower-case letters count as upper-case ones, and gaps ('-' and '.') do not count. protein if there
// are no letters.
ALNUS_API AlphabetKind guess_alphabet(std::span<const std::string_view> sequences);

// When everything in a database file is checked: every checksum, index and residue.
// full: before it is open. deferred: while the first call that uses it runs, and no result of a call comes
// out before the check is done; what a program reads of sequences() itself is not checked before that. none:
// not at all, for a file that was checked before. If a file's size or modification time changes, the next
// call checks it again, even with `none`.
enum class Verification : std::uint8_t { full, deferred, none };

struct OpenOptions {
  AlphabetChoice alphabet = AlphabetChoice::unstated;
  Masking masking{};
  Verification verification = Verification::full;
  // A database file is read into memory instead of mapped, and what happens to the file later does not
  // matter. See zero_lost_pages() for mapped files.
  bool in_memory = false;
  // The qualities of FASTQ are kept (SequenceView::quality), in as much memory as the residues take: for
  // OutputFormat::needs_qualities(). Of two inputs, those of the first alone. Database files have none.
  bool qualities = false;
};

// What was odd in the records of a file.
struct ALNUS_API ReadCounts {
  std::uint64_t records = 0, residues = 0;
  std::uint64_t unknown_bytes = 0;    // letters outside the alphabet and punctuation, read as X or N
  std::uint64_t gaps_removed = 0;     // '-' and '.' in sequences
  std::uint64_t empty_records = 0;    // without residues
  std::uint64_t unnamed_records = 0;  // without a word after '>' or '@'
  MaskCounts masked;

  ReadCounts& operator+=(const ReadCounts& other);
};

// A set of sequences as calls of a session take it: queries, subjects, or both. Immutable and cheap to copy;
// copies are the same database. What sessions and devices prepare for it (its order by length, its residues
// in a GPU's memory) stays with it from call to call.
class ALNUS_API Database {
 public:
  using Index = SequenceSet::Index;

  Database();
  // Sequences in memory. Calls do not doubt their alphabet and warn of no odd records.
  Database(SequenceSet sequences);  // NOLINT(google-explicit-constructor): a set of sequences is one
  // Sequences in memory whose alphabet nobody has stated: calls doubt it as that of a file that was opened
  // with AlphabetChoice::unstated, with the same errors and warnings, which name the set's origin. The first
  // call that takes them, or a database that was made of them, warns of the `unknown_letters`
  // (SequenceSetBuilder::unknown_letters).
  static Database unstated(SequenceSet sequences, std::uint64_t unknown_letters = 0);
  // The same sequences, whose alphabet the caller states: calls do not doubt it. What is prepared for this
  // database serves both.
  Database stated() const;
  bool is_stated() const;

  const SequenceSet& sequences() const;
  Index size() const { return sequences().size(); }
  AlphabetKind alphabet() const { return sequences().alphabet(); }
  const std::string& name() const;  // in messages and reports: the file's name, or the set's origin

  // Identifies the contents, in 32 hexadecimal digits: the digest in the header of a database file; for other
  // sequences a digest of their names and residues in order, computed when it is first asked for.
  std::string digest() const;

  // The sequences [begin, end) of this database, which keep their ordinals in the whole. If each part is
  // searched with the residues and sequences of the whole as StatisticsOptions, the hits of all parts
  // together, by E-value, adjusted score, score and file_ordinal(), cut at max_target_seqs, are those of the
  // whole (StatisticsMethod::regression excepted, which judges each part by itself). Throws Error(input) for
  // a part that does not lie in the database.
  Database part(Index begin, Index end) const;

  // The same sequences in the order of the file that they came from, which is not how a database file stores
  // them: there they are sorted by length.
  Database in_file_order() const;

  // The sequences of this database and then those of `more`, in the order of their files. Throws Error(input)
  // naming both if their alphabets differ.
  Database extended(const Database& more) const;

  struct ALNUS_LOCAL State;  // src/api
  const std::shared_ptr<State>& state() const { return state_; }
  explicit Database(std::shared_ptr<State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<State> state_;
};

// The pairs of a file (- is standard input), in its order. A line is a query's id and a subject's id, with a
// tab or blanks between them; further columns, empty lines and lines that begin with # are ignored.
// Throws Error(input) naming the line: an id missing, unknown, or of several records.
ALNUS_API std::vector<IndexPair> read_pair_list(const std::string& path, const SequenceSet& queries,
                                                const SequenceSet& subjects);

// ---- Database files (docs/database-format.md) ------------------------------------------------------------

struct DatabaseInfo {
  std::uint32_t format_version = 0;
  AlphabetKind alphabet = AlphabetKind::protein;
  std::uint64_t sequences = 0, residues = 0, longest = 0, shortest = 0, unknown_bytes = 0;
  std::uint64_t file_bytes = 0;
  std::string digest;  // hex: identifies the contents
};

struct MakeDatabaseOptions {
  // automatic: guessed, the same for all inputs. unstated: proteins; an input that looks like nucleotides is
  // Error(input).
  AlphabetChoice alphabet = AlphabetChoice::unstated;
  std::uint64_t memory_bytes = 1ULL << 30;  // bound on what building keeps in memory, plus a few MiB
  std::string temporary_directory{};        // empty: beside the output
  Masking masking{};
};

// True if the first bytes or the name of a file say that it is a database file: a damaged one is still called
// one.
ALNUS_API bool is_database_file(const std::string& path);

// What the header says. Throws Error(database).
ALNUS_API DatabaseInfo database_info(const std::string& path);

// For a program's handler of SIGBUS, which a mapped database file raises in the thread that reads it when
// another program has shortened the file or its disk has failed. `address` is the signal's si_addr. If it
// lies in a mapped database file, zeros take the place of what is lost, the result is true, and the handler
// returns: the calls that use the file end soon with Error(database), which names it. False for any other
// address. Async-signal-safe: allocates nothing, takes no lock, keeps errno.
ALNUS_API bool zero_lost_pages(const void* address) noexcept;

}  // namespace alnus
