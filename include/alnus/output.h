// Writers of every output format, and files that are complete or absent. Formats: docs/formats.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/database.h"
#include "alnus/export.h"
#include "alnus/results.h"
#include "alnus/scoring.h"

namespace alnus {

class Session;
struct ScoreHistogram;

// A format of rows, and for tables its columns: "6 qseqid sseqid score".
struct ALNUS_API OutputFormat {
  enum class Kind : std::uint8_t { pairwise, tabular, tabular_comments, csv, srspair, sam, jsonl, blast_xml };
  Kind kind = Kind::tabular;
  std::vector<std::string> columns;  // canonical names; tables only
  // A column-name line before the rows; tabular and csv only. parse() leaves it false.
  bool header = false;

  // Throws Error(input) naming the nearest valid format or column.
  static OutputFormat parse(std::string_view text);

  // What a writer of this format needs of the rows.
  Detail needed_detail() const;
  bool needs_cigars() const;                         // coordinates and counts do not suffice
  bool needs_significance() const;                   // any of evalue, bitscore, zscore, zscore_se, zfit
  bool needs_query_statistics() const;               // SearchBatch::query_statistics
  bool needs_letters() const;                        // of the sequences: names and lengths do not suffice
  bool needs_qualities() const;                      // OpenOptions::qualities of the queries
  std::vector<Denominator> identity_ranges() const;  // for columns such as pident_min; each once
  bool has_head() const;                             // a preamble or an end is written once, besides the rows
};

// A file for results. "" or "-" is standard output. A file is written beside its final name, as
// NAME.alnus-part, locked against a second writer of the same output, and renamed by commit(). Without
// commit() that file is removed, unless sync() was called: then it stays, and an OutputFile whose `resume_at`
// is what sync() returned goes on from there, in another process, too. A name that ends in .gz or .zst is
// compressed, on threads of the session. The bytes of a file depend on its text and, when it is compressed,
// on where syncs were.
// Throws Error(other) naming the file and the system's reason (full disk, no permission). A reader of
// standard output that went away (EPIPE) throws ClosedPipe.
// fork: in the child, write(), sync() and commit() of an OutputFile of the parent throw Error(other), and its
// destructor leaves the file to the parent.
class ALNUS_API OutputFile {
 public:
  OutputFile(Session& session, const std::string& path, std::uint64_t resume_at = 0);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  std::uint64_t sync();  // the file's bytes so far; its compressed streams end here
  void commit();         // flushes, syncs, renames
  const std::string& path() const;

  struct ALNUS_LOCAL State;  // src/api
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// Throws Error(input) if writing one of these outputs would replace one of the inputs, or two of the outputs
// are one file, by whatever names: hard and symbolic links, the NAME.alnus-part that an output is written to
// first, "-" for standard input and output. Empty names count for nothing. Devices and pipes are not
// replaced: as an input they never clash with an output, and two outputs may be one device if they have two
// names for it. RowWriter, all_pairs and make_database check the files that they know. A program that knows
// more (a matrix, a list of pairs, a picture) calls this before it makes an OutputFile, which takes over a
// NAME.alnus-part that is there.
ALNUS_API void check_outputs(std::span<const std::string> outputs, std::span<const std::string> inputs);

struct ALNUS_API ClosedPipe {};

// Writes a text to standard output, and throws as OutputFile does.
ALNUS_API void print(std::string_view text);

// Unlinks every file that this process has begun and neither synced nor committed. For a program's handler of
// SIGINT and SIGTERM that ends the process: async-signal-safe, allocates nothing, takes no lock.
ALNUS_API void remove_unfinished_files() noexcept;

// What the head of a report says.
struct ReportHead {
  // For heads and SAM's @PG; empty: left out, and in BLAST XML, which must have one, that of the library.
  std::string program_version{};
  std::string command_line{};  // for SAM's @PG and srspair's head
  std::string database_name{};
  Detail detail = Detail::alignment;  // that the rows have; columns that need more print NA
  // For BLAST XML's Parameters_expect: the E-value that hits were filtered by; empty: no bound, printed as
  // INF.
  std::optional<double> max_evalue{};
};

// Writes rows in one format, with the preamble before the first and the end after the last.
// The constructor throws Error(input) for reports, SAM and BLAST XML without alignments, which these need,
// for BLAST XML of a scoring with decimals, for OutputFormat::header with another format than 6 and 10, and
// for an output that is the file of queries or subjects.
class ALNUS_API RowWriter {
 public:
  RowWriter(OutputFile& out, const OutputFormat& format, const Scoring& scoring, const Database& queries,
            const Database& subjects, ReportHead head);
  ~RowWriter();

  // Hits of a search; `queries` in place of those of the constructor, where they come one by one.
  void write(const SearchBatch& batch);
  void write(const SearchBatch& batch, const Database& queries);
  // Rows of given pairs, or of all pairs, with the statistics in words, as the call's summary has them.
  // by_query: rows that follow each other with the same query are one answer, as alnus align has it; apart:
  // each row is one, as alnus allpairs has it without --top-k. Local alignments of score 0 are not written.
  enum class Grouping : std::uint8_t { by_query, apart };
  void write(const Columns& rows, const std::string& statistics, Grouping grouping = Grouping::by_query);
  void flush();   // the OutputFile has all that was written; its sync() brings that to the file or the reader
  void finish();  // the end of the format; the caller commits the file

 private:
  struct ALNUS_LOCAL State;
  std::unique_ptr<State> state_;
};

// ---- Matrices of pairs -----------------------------------------------------------------------------------

// Scores in the matrix' units, identities in percent, distances from 0 to 1. score_distance, in the matrix'
// units: what the score of a pair lacks of the lower one of both sequences' scores with themselves, which are
// those of the call's scoring, each on the plus strand. It is 0 for equal sequences, as a rule, and below 0
// where a pair scores higher than one of its sequences with itself: that takes a matrix in which letters
// score higher with others than with themselves, or minus strands.
enum class PairValue : std::uint8_t { score, identity, distance, score_distance };
enum class MatrixType : std::uint8_t { float32, int32 };

// Names in a PHYLIP matrix: whole ids, or their first ten bytes, which is what PHYLIP's own programs read.
// Either way '_' takes the place of bytes of an id that are no printable ASCII, and of ( ) [ ] : ; , and ',
// which have a meaning in trees. A name that is shorter than ten bytes is filled up with blanks.
enum class PhylipNames : std::uint8_t { relaxed, strict };

// The two sides of all pairs.
struct PairInputs {
  Database set;
  std::optional<Database> against{};  // empty: pairs within `set`
  // Sequences that come after those of `set`, whose rows are in the finished files of a checkpoint: only the
  // rows of these are computed, and the files extended.
  std::optional<Database> added{};
};

// Files that all_pairs writes; an empty name: not wanted. All names must differ from each other and from the
// inputs. Identities use the denominator of AllPairsOptions::value, or the alignment's columns if that is
// empty; then the value is the identity, too.
struct PairFiles {
  std::string rows{};  // "-" is standard output
  OutputFormat format{};
  ReportHead head{};
  // Matrices as NumPy's .npy: SciPy's condensed order, or `square`, or a rectangle for two sets. The ids of
  // the sequences, a line each, are in NAME.ids; of a rectangle's in NAME.rows.ids and NAME.columns.ids.
  // These get their names just before the matrix does.
  std::string matrix{};                         // of AllPairsOptions::value
  std::map<PairValue, std::string> matrices{};  // of other values; Error(input) if one is that of `matrix`
  bool square = false;  // of one set: the whole symmetric matrix; implies AllPairsOptions::self for all files
  // The type of matrices of scores and score distances; empty: int32. Other values are float32. Such a matrix
  // as int32 is Error(input) if the scoring has decimals, and so is int32 if neither of the two is wanted.
  std::optional<MatrixType> matrix_type{};
  // Distances (PairValue::distance) of one set, lower-triangular. Two sequences with one name are an error.
  std::string phylip{};
  PhylipNames phylip_names = PhylipNames::relaxed;
  // "id TAB id TAB value" for each pair that passes AllPairsOptions::filter, and whose AllPairsOptions::value
  // passes the threshold; CSV in a file whose name ends in .csv, .csv.gz or .csv.zst. If it ends in .npz, a
  // sparse matrix of the pairs' values that scipy.sparse.load_npz reads (CSR), rows by columns of the pair
  // matrix; of one set symmetric, but with AllPairsOptions::top_k, which gives each row its own. Scores and
  // score distances are int32, unless they have decimals, other values float32; ids are in files beside it,
  // as those of `matrix`. Error(input) with `checkpoint`.
  std::string edges{};
  // Scores and identities at or above it, distances and score distances at or below it; of distances 0 to 1,
  // of score distances 0 or more. Edges need it, but with AllPairsOptions::top_k.
  std::optional<double> edge_threshold{};
  // A directory with the ledger of what is on disk. The same call continues after the last sync, however the
  // earlier one ended. `rows` must then be a file in a format without a preamble: tables (6, 10) or JSON
  // lines. What is on disk is read back first. Error(input): an output is not as the earlier call left it, or
  // the ledger is of another run. Error(other): the ledger is damaged, cannot be read or has the format of
  // another version, another run works in the directory, or its file system has no locks.
  std::string checkpoint{};
  // Files that the program has read besides those of the sequences (that of the substitution matrix, say): no
  // output may replace them.
  std::vector<std::string> other_inputs{};

  bool wants_values() const {
    return !matrix.empty() || !matrices.empty() || !phylip.empty() || !edges.empty();
  }
};

// ---- Pictures --------------------------------------------------------------------------------------------

// The picture of a search's scores as SVG: how many pairs have which score, beside what chance would give.
// `hit_scores`: of each hit, in units of 1/scoring.scale.
ALNUS_API std::string score_plot_svg(const ScoreHistogram& histogram,
                                     std::span<const std::int32_t> hit_scores, const Scoring& scoring,
                                     std::uint64_t queries, std::uint64_t subjects,
                                     const std::string& statistics);

// About how many bytes the rows of a format take.
ALNUS_API double expected_row_bytes(const OutputFormat& format, const SequenceSet& queries,
                                    const SequenceSet& subjects);

}  // namespace alnus
