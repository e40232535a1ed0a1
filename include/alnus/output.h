// Writers of every output format, and files that are complete or absent. Formats: docs/formats.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "alnus/database.h"
#include "alnus/export.h"
#include "alnus/option_table.h"
#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/search.h"
#include "alnus/words.h"

namespace alnus {

class Session;

// What an output holds, by which the ending of its name is judged. tabs and commas: tables, and edges. text:
// the reports of the formats 0 and srspair, and texts for papers.
enum class Contents : std::uint8_t {
  tabs,
  commas,
  text,
  sam,
  json_lines,
  xml,
  fasta,
  matrix,         // NumPy's .npy
  sparse_matrix,  // SciPy's .npz
  phylip,
  picture,   // SVG
  html,      // the HTML report
  database,  // of make_database
  part       // of a job (alnus/parts.h)
};

// Throws Error(input) if the name ends like that of a file with other contents, because the next program
// would trust the name: a table with tabs in hits.csv, or a table of any kind in hits.xlsx. Upper and lower
// case are the same. An ending .gz or .zst is left out, as such files are compressed; it is an error for
// contents that are not compressed (matrices, HTML reports, databases and parts). Names without an ending,
// and with endings that no usual format has, may hold anything.
ALNUS_API void check_name(const std::string& path, Contents contents);

// A format of result rows, and for a table the columns that it has: "6 qseqid sseqid score".
struct ALNUS_API OutputFormat {
  enum class Kind : std::uint8_t { pairwise, tabular, tabular_comments, csv, srspair, sam, jsonl, blast_xml };
  Kind kind = Kind::tabular;
  std::vector<std::string> columns;  // canonical names; tables only
  // True: a line of column names stands before the rows; formats tabular and csv only. parse() leaves it
  // false.
  bool header = false;

  // Reads the name of a format and, for a table, of its columns. Throws Error(input) naming the nearest valid
  // format or column.
  static OutputFormat parse(std::string_view text);

  Contents contents() const;

  // What a writer of this format needs of the rows.
  Detail needed_detail() const;
  bool needs_cigars() const;                         // true: coordinates and counts do not suffice
  bool needs_significance() const;                   // true: prints values of Significance, such as evalue
  bool needs_query_statistics() const;               // true: uses SearchBatch::query_statistics
  bool needs_letters() const;                        // true: sequences' names and lengths do not suffice
  bool needs_qualities() const;                      // true: uses OpenOptions::qualities of the queries
  std::vector<Denominator> identity_ranges() const;  // for columns such as pident_min; each once
  bool has_head() const;                             // true: has text before or after all rows

  // Makes a call compute what a writer of this format needs, except that Detail is left to the caller.
  // `options` are those of a search, of all pairs, or of align.
  template <class Options>
  void set_needs(Options& options) const {
    options.cigars = needs_cigars();
    options.significance = needs_significance();
    options.identity_ranges = identity_ranges();
    if constexpr (std::is_same_v<Options, SearchOptions>) options.query_statistics = needs_query_statistics();
  }
};
template <>
inline constexpr std::array kWords<OutputFormat::Kind> = {
    Word{"0", OutputFormat::Kind::pairwise}, Word{"5", OutputFormat::Kind::blast_xml},
    Word{"6", OutputFormat::Kind::tabular},  Word{"7", OutputFormat::Kind::tabular_comments},
    Word{"10", OutputFormat::Kind::csv},     Word{"srspair", OutputFormat::Kind::srspair},
    Word{"sam", OutputFormat::Kind::sam},    Word{"jsonl", OutputFormat::Kind::jsonl}};

// A file for results; "", "-" and "/dev/stdout" are standard output. The text is written beside the final
// name, to NAME.alnus-part, which is locked against a second writer of the same output. commit() gives the
// file its name. Without commit() the destructor removes NAME.alnus-part, unless sync() was called. A synced
// file stays, and an OutputFile whose `resume_at` is what sync() returned goes on from there, in another
// process, too. A file whose name ends in .gz or .zst (in either case) is compressed, on threads of the
// session. The bytes of a file depend on its text and, if the file is compressed, on where sync() was called.
// Throws Error(other) naming the file and the system's reason (full disk, no permission), and ClosedPipe if
// the reader of standard output went away (EPIPE).
// fork: in the child, write(), sync() and commit() of an OutputFile of the parent throw Error(other), and its
// destructor leaves the file to the parent.
class ALNUS_API OutputFile {
 public:
  OutputFile(Session& session, const std::string& path, std::uint64_t resume_at = 0);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  // Brings the text to disk, and returns the file's size in bytes. A compressed file gets a new compressed
  // stream for the text that follows.
  std::uint64_t sync();
  // Hands all text to the system, so that a full disk is noticed before any of several files has its name.
  // Nothing may be written after it.
  void finish();
  void commit();  // finishes, syncs, renames
  const std::string& path() const;

  struct ALNUS_LOCAL State;  // src/api
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// Throws Error(input) if writing one of these outputs would replace one of the inputs, if two of the outputs
// are one file, or if an output and standard error would overwrite each other. Different names of one file
// are recognised: hard and symbolic links, the NAME.alnus-part that an output is written to first, and "-"
// for standard input and output. Empty names are ignored. Devices and pipes are not replaced: as an input
// they never clash with an output, and two outputs may be one device if they have two names for it.
// RowWriter, all_pairs and make_database check the files that they know. A program that knows more (a matrix,
// a list of pairs, a picture) calls this before it makes an OutputFile, because OutputFile takes over a
// NAME.alnus-part that is there.
ALNUS_API void check_outputs(std::span<const std::string> outputs, std::span<const std::string> inputs);

// True if standard error goes to this input, a regular file ("-": standard input). A program that writes
// messages to standard error would append them to the input.
ALNUS_API bool is_standard_error(const std::string& input);

// Thrown when standard output is written and its reader has gone away (EPIPE).
struct ALNUS_API ClosedPipe {};

// Writes a text to standard output. Throws as OutputFile does.
ALNUS_API void print(std::string_view text);

// Unlinks every file that this process has begun and neither synced nor committed. For a program's handler of
// SIGINT and SIGTERM that ends the process. Async-signal-safe: allocates nothing, takes no lock.
ALNUS_API void remove_unfinished_files() noexcept;

// The size that HTML reports have at most, unless the user says otherwise, and the smallest one that can be
// asked for, in bytes (docs/report-format.md). The page itself takes about 100 kB.
inline constexpr std::uint64_t kReportBytes = 100 << 20, kLeastReportBytes = 1 << 20;

// What the head of a report says.
struct ReportHead {
  // The program's version, for heads and SAM's @PG. Empty: heads have none, but BLAST XML, which must have
  // one, has the library's.
  std::string program_version{};
  std::string command_line{};  // for SAM's @PG line and srspair's head
  std::string database_name{};
  Detail detail = Detail::alignment;  // the detail that the rows have; columns that need more print NA
  // The E-value that hits were filtered by, for BLAST XML's Parameters_expect. Empty: no bound, printed as
  // INF.
  std::optional<double> max_evalue{};
};

// Writes rows in one format, with the preamble before the first row and the end after the last. The
// constructor throws Error(input) for reports, SAM and BLAST XML if the rows have no alignments, which these
// formats need; for BLAST XML if the scoring has decimals; for OutputFormat::header with a format other than
// 6 and 10; for ids with blanks (SequenceSetBuilder::set_id_bytes) that the format cannot hold; and for an
// output that is the file of the queries or subjects.
class ALNUS_API RowWriter {
 public:
  RowWriter(OutputFile& out, const OutputFormat& format, const Scoring& scoring, const Database& queries,
            const Database& subjects, ReportHead head);
  ~RowWriter();

  // Writes hits of a search. `queries` replaces the queries of the constructor, for programs that get queries
  // one by one (alnus/query_stream.h).
  void write(const SearchBatch& batch);
  void write(const SearchBatch& batch, const Database& queries);
  // Writes rows of given pairs, or of all pairs; `statistics` says in words how scores are judged, as the
  // call's summary does. by_query: consecutive rows with the same query are one answer, as in alnus align.
  // apart: each row is an answer of its own, as in alnus allpairs without --top-k. Local alignments of score
  // 0 are not written.
  enum class Grouping : std::uint8_t { by_query, apart };
  void write(const Columns& rows, const std::string& statistics, Grouping grouping = Grouping::by_query);
  void flush();  // hands all text to the OutputFile, whose sync() brings it to the file or the reader
  // Writes the end of the format; the caller commits the file. Throws what Database::check_files() throws:
  // the rows' sequences may come from a file that another program has shortened.
  void finish();

 private:
  struct ALNUS_LOCAL State;
  std::unique_ptr<State> state_;
};

// ---- Matrices of pairs -----------------------------------------------------------------------------------

// What a pair's value is. Scores and score distances are in the substitution matrix' units, identities in
// percent, distances (1 - identity) from 0 to 1. A score distance is the lower self score of the pair's two
// sequences, less the pair's score. Self scores are by the call's scoring, on the plus strand. The score
// distance of equal sequences is 0, as a rule. It is below 0 where a pair scores higher than one of its
// sequences with itself: that takes minus strands, or a matrix in which letters score higher with others than
// with themselves.
// A blank sequence (one that is empty, or of X alone, or of N alone) has no score distance, since nothing can
// be aligned with it. The value of its pairs, also of the pair with itself, is kLargestScoreDistance.
enum class PairValue : std::uint8_t { score, identity, distance, score_distance };
template <>
inline constexpr std::array kWords<PairValue> = {
    Word{"score", PairValue::score}, Word{"identity", PairValue::identity},
    Word{"distance", PairValue::distance}, Word{"score_distance", PairValue::score_distance}};
inline constexpr double kLargestScoreDistance = 2147483647;  // the largest number of an int32 matrix
// The type of the values in a matrix file.
enum class MatrixType : std::uint8_t { float32, int32 };
template <>
inline constexpr std::array kWords<MatrixType> = {Word{"float32", MatrixType::float32},
                                                  Word{"int32", MatrixType::int32}};

// Names in a PHYLIP matrix. relaxed: whole ids. strict: the first ten bytes of ids, which is what PHYLIP's
// own programs read. In both, '_' replaces the bytes of an id that are no printable ASCII, and ( ) [ ] : ; ,
// and ', which have a meaning in trees. A name that is shorter than ten bytes is filled up with blanks.
enum class PhylipNames : std::uint8_t { relaxed, strict };
template <>
inline constexpr std::array kWords<PhylipNames> = {Word{"relaxed", PhylipNames::relaxed},
                                                   Word{"strict", PhylipNames::strict}};

// The sequences of all pairs: one set, or two sets.
struct PairInputs {
  Database set;
  std::optional<Database> against{};  // empty: pairs within `set`
  // Sequences that extend `set`. The finished files of a checkpoint hold the rows of `set`; only the rows of
  // these sequences are computed, and the files are extended by them.
  std::optional<Database> added{};
};

// Files that all_pairs writes. An empty name means that the output is not wanted. All names must differ from
// each other and from the inputs. Identities use the denominator of AllPairsOptions::value. If that value is
// empty, the value of a pair is its identity by the alignment's columns.
struct PairFiles {
  std::string rows{};  // "-" is standard output
  OutputFormat format{};
  ReportHead head{};
  // Matrices are NumPy arrays (.npy), or tables if named so (alnus/matrix_table.h). Arrays of one set are in
  // SciPy's condensed order, or `square`; of two sets a rectangle. Their ids, one on each line, are in
  // NAME.ids, or in NAME.rows.ids and NAME.columns.ids, which get their names just before the matrix does.
  std::string matrix{};                         // the matrix of AllPairsOptions::value
  std::map<PairValue, std::string> matrices{};  // of other values; Error(input) if one is also in `matrix`
  bool square = false;  // of one set: the whole symmetric matrix; implies AllPairsOptions::self for all files
  // The type of matrices of scores and score distances; empty: int32. Matrices of other values are float32.
  // It is Error(input) if scores with decimals would be int32, and to ask for int32 without a matrix of
  // scores or score distances.
  std::optional<MatrixType> matrix_type{};
  // A lower-triangular matrix of distances (PairValue::distance) of one set. Two sequences with the same name
  // are Error(input).
  std::string phylip{};
  PhylipNames phylip_names = PhylipNames::relaxed;
  // Edges: "id TAB id TAB value" for each pair that passes AllPairsOptions::filter and whose
  // AllPairsOptions::value passes `edge_threshold`. A file whose name ends in .csv, .csv.gz or .csv.zst is
  // CSV.
  // A file whose name ends in .npz is a sparse matrix (CSR) of the pairs' values, which scipy.sparse.load_npz
  // reads. It has the rows and columns of the pair matrix. The matrix of one set is symmetric, except with
  // AllPairsOptions::top_k, which gives each row pairs of its own. Scores and score distances are int32
  // unless they have decimals; other values are float32. Ids are in files beside the matrix, named like those
  // of `matrix`. A .npz file together with `checkpoint` is Error(input).
  std::string edges{};
  // The threshold of edges, in the units of PairValue: scores and identities (percent) at or above it pass,
  // distances and score distances at or below it. It is 0 to 1 for distances, and 0 or more for score
  // distances. Edges need a threshold, except with AllPairsOptions::top_k.
  std::optional<double> edge_threshold{};
  // The HTML report (docs/report-format.md): the listed pairs, if `rows` are wanted or nothing else is; and a
  // heat map, if values of every pair are computed for a matrix. It is Error(input) together with
  // `checkpoint`, and with `edges` alone, of which it shows nothing.
  std::string report{};
  // A larger report shows only its first rows. In bytes; kLeastReportBytes or more.
  std::uint64_t report_size = kReportBytes;
  // A directory with the ledger of what is on disk. The same call continues after the last sync, however the
  // earlier call ended. `rows` must then be a file in a format without a preamble: a table (6, 10) or JSON
  // lines. What is on disk is read back first. Error(input): an output is not as the earlier call left it, or
  // the ledger is of another run. Error(other): the ledger is damaged, cannot be read or has the format of
  // another version; another run works in the directory; or the directory's file system has no locks.
  std::string checkpoint{};
  // Files that the program has read besides the sequences, such as the substitution matrix: no output may
  // replace them.
  std::vector<std::string> other_inputs{};

  // The names of the wanted outputs, without that of rows.
  ALNUS_API std::vector<std::string> names_beside_rows() const;
  bool wants_values() const { return !names_beside_rows().empty(); }
};

// The names of the outputs of merged parts (alnus/parts.h), one for each output that the job has; "-" writes
// rows to standard output.
struct JobFiles {
  std::string rows{}, score_plot{}, matrix{}, phylip{}, edges{}, report{};
  std::map<PairValue, std::string> matrices{};
  // For the heads of reports, as in ReportHead. Everything else that heads say is in the parts.
  std::string program_version{}, command_line{};
  std::optional<std::string> database_name{};  // for the heads; empty: the name in the first part
  // The parts say how the outputs look. Each field that is given here must say the same; Error(input) names
  // what differs.
  std::optional<OutputFormat> format{};  // its kind and columns; its `header` counts only if it is true
  std::optional<bool> header{};          // the line of column names
  std::optional<bool> square{};
  std::optional<MatrixType> matrix_type{};
  std::optional<PhylipNames> phylip_names{};
  std::optional<PairValue> value{};  // the kind of AllPairsOptions::value
  std::optional<Denominator> denominator{};
  std::optional<double> edge_threshold{};
  std::uint64_t report_size = kReportBytes;  // as SearchFiles::report_size and PairFiles::report_size
  // Files besides those of the parts that no output may replace, such as a list of the parts. An empty name
  // means none.
  std::vector<std::string> other_inputs{};

  // The names of outputs that are given, without that of rows.
  ALNUS_API std::vector<std::string> names_beside_rows() const;
};

// The options of outputs, which PairFiles and JobFiles have alike.
template <class Files>
inline constexpr std::tuple kOutputOptions = {
    CallOption{
        "square", &Files::square, "",
        "Write NumPy's array as the whole symmetric matrix with its diagonal; like --self, this aligns "
        "each sequence with itself, too"},
    CallOption{"matrix_type", &Files::matrix_type, "WORD",
               "The numbers in NumPy's array: float32, or int32 (scores and score distances only)",
               "int32 of these two, else float32"},
    CallOption{"phylip", &Files::phylip, "FILE",
               "Write the distances (1 - identity) of all pairs as PHYLIP reads them, lower-triangular"},
    CallOption{"phylip_names", &Files::phylip_names, "WORD",
               "Names in that file: relaxed (whole ids), or strict (the first ten bytes, for PHYLIP's own "
               "programs)",
               "relaxed"},
    CallOption{"edges", &Files::edges, "FILE",
               "Write both ids and the value of each pair that passes the filters and --edge-threshold; with "
               "tabs, or with commas if FILE is .csv, .csv.gz or .csv.zst, or as a sparse matrix for SciPy, "
               "with the ids in FILE.ids, if it is .npz"},
    CallOption{"edge_threshold", &Files::edge_threshold, Numbers::score, "X",
               "The lowest score or identity (percent), or the highest distance (0 to 1) or score distance, "
               "of an edge"},
};
template <>
inline constexpr std::tuple kOptions<PairFiles> = kOutputOptions<PairFiles>;

// ---- Pictures --------------------------------------------------------------------------------------------

// The picture of a search's scores as SVG: how many pairs have which score, beside what chance would give.
// `hit_scores` has the score of each reported hit, in units of 1/scoring.scale; `queries` and `subjects` are
// numbers of sequences; `statistics` says in words how scores are judged. If limit.full_queries is above 0, a
// line below the picture tells max_target_seqs and the number of full queries.
ALNUS_API std::string score_plot_svg(const ScoreHistogram& histogram,
                                     std::span<const std::int32_t> hit_scores, const Scoring& scoring,
                                     std::uint64_t queries, std::uint64_t subjects,
                                     const std::string& statistics, const HitLimit& limit = {});

// An estimate of the bytes that one row of the output takes in this format, on average.
ALNUS_API double expected_row_bytes(const OutputFormat& format, const SequenceSet& queries,
                                    const SequenceSet& subjects);

}  // namespace alnus
