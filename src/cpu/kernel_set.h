// The kernels of an instruction set, as plain functions over plain memory. The translation units that are
// compiled for an instruction set include no header of the rest of the library. Otherwise the linker might
// use an inline function compiled there, for newer processors, in the whole program.
#pragma once

#include <cstdint>

// Marks the small functions of kernels, which the compiler must not turn into calls.
#define ALNUS_INLINE __attribute__((always_inline)) inline

namespace alnus::cpu {

inline constexpr int kLetters = 32;  // rows and columns of a score table
// Fills lanes and rows beyond a sequence's end. No alphabet has a letter of this code.
inline constexpr std::uint8_t kPadLetter = 31;
// local8 takes a multiple of so many query rows, since it computes 2 or 4 rows at a time.
inline constexpr int kRowStep = 4;
inline constexpr int kWideColumns = 4;  // columns of a block in interseq and differences

// True once the call's stop flag (core/stop_flag.h) is requested. A job with a null flag is never stopped.
// Kernels look at the flag once for each block of columns. A stopped kernel returns early, and its results
// mean nothing.
ALNUS_INLINE bool stopped(const bool* stop_flag) {
  return stop_flag != nullptr && __atomic_load_n(stop_flag, __ATOMIC_RELAXED);
}

// A place where a kernel whose lanes are subjects stops, since the subjects of some lanes end. The kernel
// writes the results of all lanes, and begins a new subject in the lanes marked in `restart`.
struct Stop {
  std::int32_t block = 0;                 // the stop is after so many blocks of columns
  const std::uint8_t* restart = nullptr;  // [lanes], 0xff: a new subject begins. Null: the batch ends
};

// ---- 8 bit, local, score only: lanes are subjects ----------------------------------------------

// local8 sees the score of a cell in the cell to its right or below it. A notice says where the kernel first
// saw the best score of a lane's subject. The query's rows are counted in strips of kStripRows.
inline constexpr std::int32_t kStripRows = 128;
struct Notice {
  std::int32_t block = 0;
  std::int32_t first_strip = 0,
               last_strip = 0;  // first and last strip where `block` or the next block see the best score
};

struct Local8Job {
  const std::uint8_t* query = nullptr;  // indices into `used`, [rows]
  std::int32_t rows = 0;                // a multiple of kRowStep
  const std::uint8_t* used = nullptr;   // the letters in the query, each once
  std::int32_t used_count = 0;
  const std::int8_t* scores = nullptr;  // [kLetters][kLetters], query letter first
  // If set, each lane has a table of its own, which replaces `scores` and `used`:
  // [lanes][kLetters][kLetters], subject letter first. `query` then has letters instead of indices.
  const std::int8_t* lane_scores = nullptr;
  std::int32_t first = 0, extend = 0;     // costs of a gap's first residue and of each further residue
  std::int32_t zero = 0;                  // the byte that stands for score 0
  const std::uint8_t* letters = nullptr;  // subjects' codes, [blocks * columns][lanes], 64-byte aligned
  const Stop* stops = nullptr;
  std::int32_t stop_count = 0;
  std::int16_t* best = nullptr;       // out: scores, [stop_count][lanes]; `first` means `first` or less
  bool coarse = false;                // true: a score lies between `best` and `best` + coarse_steps * extend
  std::uint8_t* workspace = nullptr;  // workspace(rows) bytes, 64-byte aligned
  // Out, for tracebacks; null: not wanted. H and E on the left border of every `snapshot_blocks`-th block, as
  // the kernel holds them: [blocks / snapshot_blocks, rounded up][rows][2][lanes] bytes, 64-byte aligned.
  std::uint8_t* snapshots = nullptr;
  std::int32_t snapshot_blocks = 0;
  Notice* notices = nullptr;  // out, only with snapshots: [stop_count][lanes]
  const bool* stop_flag = nullptr;
};

// ---- Every mode and detail ---------------------------------------------------------------------

enum class Want : std::uint8_t { score, ends, trace };

// `differences` keeps no trace. It keeps checkpoints, from which windows (rectangles) of the dynamic
// programming matrix are computed again with their trace. A band is kBandRows rows, a stretch is
// kStretchColumns columns. u, v, a and b are explained in differences.h.
inline constexpr int kBandRows = 32;        // rows from one kept row to the next
inline constexpr int kStretchColumns = 16;  // columns from one kept column to the next
inline constexpr int kWindowColumns = kBandRows + kStretchColumns;
struct Checkpoints {
  std::uint8_t* above = nullptr;  // v and b above each band, [bands][columns][2][lanes]
  std::uint8_t* left = nullptr;   // u and a left of each stretch, [stretches + 1][rows][2][lanes]
};

// What the values in the lanes mean. In mode local a lane holds score + zero. In the other modes a lane of
// row i and column j holds
//   score + zero + extend * (i + j).
// In this frame extending a gap costs nothing, so that E and F need no subtraction (docs/cpu-kernels.md).
struct Rules {
  bool local = false;
  bool free_query_begin = false, free_query_end = false, free_subject_begin = false, free_subject_end = false;
  std::int32_t open = 0, extend = 0, zero = 0;  // a gap of k residues costs open + k * extend
};

// A job of `interseq` or `differences`: one query with several subjects, which lie in the lanes. No sequence
// is empty.
struct InterseqJob {
  Rules rules;
  Want want = Want::score;
  const std::uint8_t* query = nullptr;  // indices into `used`, [rows]
  std::int32_t rows = 0;
  // `differences` only: a second query, not longer than the first. Its subjects are in other lanes.
  const std::uint8_t* second_query = nullptr;  // as `query`, padded to [rows]
  std::int32_t second_rows = 0;                // length of the second query; 0: there is none
  const std::uint8_t* second = nullptr;        // [stop_count][lanes], 0xff: the lane is the second query's
  const std::uint8_t* used = nullptr;
  std::int32_t used_count = 0;
  const std::int32_t* scores = nullptr;  // [kLetters][kLetters], query letter first
  // If set, each lane has a table of its own, which replaces `scores`: [lanes][kLetters][kLetters], subject
  // letter first. `query` then has letters instead of indices, all of them below used_count. Only for mode
  // local, Want::score and 16-bit lanes, whose values saturate at the highest value.
  const std::int16_t* lane_scores = nullptr;
  const std::uint8_t* letters = nullptr;  // [blocks * kWideColumns][lanes], 64-byte aligned
  const Stop* stops = nullptr;
  std::int32_t stop_count = 0;
  const std::int32_t* lengths = nullptr;  // [stop_count][lanes]: length of the lane's subject before the
                                          // stop; 0: the lane is empty
  std::int32_t* score = nullptr;          // out: [stop_count][lanes]
  std::int32_t* query_end = nullptr;      // out, Want::ends and Want::trace: [stop_count][lanes]
  std::int32_t* subject_end = nullptr;
  // Out, Want::trace, 64-byte aligned, of interseq: [blocks][rows][kWideColumns] cells of trace_bytes bytes.
  std::uint8_t* trace = nullptr;
  Checkpoints checkpoints;            // out, Want::trace, of differences
  std::uint8_t* workspace = nullptr;  // interseq_workspace(rows) bytes, 64-byte aligned; overwritten
  const bool* stop_flag = nullptr;
};

// The window of one lane: how many rows and columns the lane needs, and byte offsets of its letters and
// borders in WindowJob::problem_letters and in the checkpoints. `left` may be negative (lane_traces.cpp).
struct WindowSource {
  std::int32_t rows = 0, columns = 0;
  std::int32_t letters = 0, above = 0, left = 0;
};

// A job that computes windows of a run of `differences` again, one in each lane, with their traces. A window
// may begin at any column, and lies in one of two bands of rows.
struct WindowJob {
  Rules rules;
  const std::uint8_t* query[2] = {};  // the residues of each band, indices into `used`, [rows]
  std::int32_t rows = 0;
  const std::uint8_t* second = nullptr;  // [lanes], 0xff: the lane's window is in the second band
  const std::uint8_t* used = nullptr;
  std::int32_t used_count = 0;
  const std::int32_t* scores = nullptr;
  const WindowSource* sources = nullptr;  // [lanes_used]
  std::int32_t lanes_used = 0;
  const std::uint8_t* problem_letters = nullptr;
  Checkpoints checkpoints;
  // Buffers that the kernel fills, all 64-byte aligned. It copies the letters and borders of the windows into
  // the first three, and then overwrites `left`.
  std::uint8_t* letters = nullptr;    // [kWindowColumns][lanes]
  std::uint8_t* above = nullptr;      // [kWindowColumns][2][lanes]
  std::uint8_t* left = nullptr;       // [kBandRows][2][lanes]
  std::uint8_t* trace = nullptr;      // out: [kWindowColumns / kWideColumns][kBandRows][kWideColumns] cells
  std::uint8_t* workspace = nullptr;  // as in InterseqJob
};

// A row and a column, from 1 on, whose residues must not be aligned.
struct BarredCell {
  std::int32_t column = 0, row = 0;
};

// A job of `striped`: one pair, whose query is cut into as many segments as there are lanes. A run computes
// all rows of the columns (column_begin, column_end] of the dynamic programming matrix. Neither sequence is
// empty.
struct StripedJob {
  Rules rules;
  Want want = Want::score;
  const std::uint8_t* query = nullptr;  // codes, [rows]
  std::int32_t rows = 0;
  const std::uint8_t* subject = nullptr;  // codes, [columns]
  std::int32_t columns = 0;
  const std::int32_t* scores = nullptr;  // [kLetters][kLetters], query letter first
  std::int32_t column_begin = 0, column_end = 0;
  // The letters that the run makes its profile of, a bit for each code; 0: those in its columns.
  std::uint32_t letters = 0;
  // True if `workspace` has a profile of these letters from the run before, which had the same rows.
  bool has_profile = false;
  // H and E at column_begin, which the run replaces by those at column_end. If column_begin is 0, the run
  // fills in the first values itself. striped_state(rows) bytes, 64-byte aligned.
  std::uint8_t* state = nullptr;
  // The cells of these columns that no alignment may enter by the diagonal, sorted by column. Cells in rows
  // beyond the last one are ignored.
  const BarredCell* barred = nullptr;
  std::int64_t barred_count = 0;
  // In and out: the best end cell so far. The score before the first run is 0 in mode local, where the empty
  // alignment is the first one, and otherwise the lowest integer. A higher score leaves out ends that do not
  // score more.
  std::int32_t score = 0, query_end = 0, subject_end = 0;
  std::uint8_t* trace = nullptr;      // out, Want::trace: [columns done][striped_segment(rows)] cells
  std::uint8_t* workspace = nullptr;  // striped_workspace(rows) bytes, 64-byte aligned
  const bool* stop_flag = nullptr;
};

// ---- Scores of short subjects ------------------------------------------------------------------

inline constexpr std::int32_t kTinyColumns = 128;  // most residues of a subject

struct TinyQuery {
  const std::uint8_t* residues = nullptr;  // [rows], at least one
  std::int32_t rows = 0;
  std::int32_t* scores = nullptr;  // out: [lanes_used]
  std::uint16_t* counts =
      nullptr;  // out, of the kernel of identities: [lanes_used], packed as IdentityCounts says
};

// Three counts of an alignment in one number of 16 bits: identical pairs in the lowest `bits` bits, aligned
// pairs (identical or not) in the next `bits` bits, gap residues in the rest.
struct IdentityCounts {
  std::int32_t bits = 0;  // of each of the first two counts
  // If false, every residue of both sequences is in the alignment, so that the lengths tell the gaps.
  bool counts_gaps = false;

  // `whole`: no end may stay unaligned. The fields then hold sequences of every length that the kernels take
  // (kTinyColumns residues), and otherwise of up to 31 residues.
  static constexpr IdentityCounts of(bool whole) {
    return whole ? IdentityCounts{8, false} : IdentityCounts{5, true};
  }
  constexpr std::int32_t longest() const { return counts_gaps ? (1 << bits) - 1 : kTinyColumns; }
  // What a column of an alignment adds to the counts: equal() for two equal residues, pair() for two
  // different residues, gap() for a residue in a gap.
  constexpr std::int32_t equal() const { return (1 << bits) + 1; }
  constexpr std::int32_t pair() const { return 1 << bits; }
  constexpr std::int32_t gap() const { return counts_gaps ? 1 << 2 * bits : 0; }

  constexpr std::int32_t identical(std::uint16_t counts) const { return counts & ((1 << bits) - 1); }
  constexpr std::int32_t pairs(std::uint16_t counts) const { return counts >> bits & ((1 << bits) - 1); }
  constexpr std::int32_t gaps(std::uint16_t counts, std::int32_t both_lengths) const {
    return counts_gaps ? counts >> 2 * bits : both_lengths - 2 * pairs(counts);
  }
};

// A job of the kernels of short subjects: many queries with the same subjects, which lie in the lanes. One
// profile serves all queries. Lanes hold values in the frame of Rules in every mode. In mode local the floor,
// score 0, is then zero + extend * (i + j).
struct TinyJob {
  Rules rules;
  const TinyQuery* queries = nullptr;
  std::int32_t query_count = 0;
  std::uint32_t used = 0;                 // the letters that occur in the queries: a bit for each code
  const std::int32_t* scores = nullptr;   // [kLetters][kLetters], query letter first
  const std::uint8_t* letters = nullptr;  // [columns][lanes], 64-byte aligned
  std::int32_t columns = 0;               // of the longest subject, at most kTinyColumns
  const std::int32_t* lengths = nullptr;  // [lanes_used], each at least 1
  std::int32_t lanes_used = 0;
  IdentityCounts counts{};            // of the kernel of identities
  std::uint8_t* workspace = nullptr;  // workspace(columns) bytes, 64-byte aligned
  const bool* stop_flag = nullptr;
};

// ---- Alignments without gaps -------------------------------------------------------------------

inline constexpr std::int32_t kGaplessStep = 256;  // GaplessJob::windows is a multiple of it
inline constexpr std::int32_t kGaplessLanes = 64;  // GaplessJob::columns is a multiple of it

// A window of a subject has as many residues as the query. The query is aligned with it from end to end,
// without a gap.
struct GaplessHit {
  std::int32_t window = 0;  // number of the window's first residue, from 0 on
  std::int32_t left = 0;    // GaplessJob::may_lose, less what the window loses; at least 0
};

// A job of `gapless`: one query with all windows of a subject. Each pair of residues of a window loses some
// of the query's best possible score.
struct GaplessJob {
  const std::uint8_t* query = nullptr;  // residues, [rows], at least one
  std::int32_t rows = 0;
  std::uint32_t used = 0;  // the letters that occur in the query: a bit for each code
  // What two letters lose, [kLetters][kLetters], query letter first: from 0 to may_lose + 1, which stands for
  // all larger losses, too, and for those of the padding letter.
  const std::int32_t* losses = nullptr;
  std::int32_t may_lose = 0;              // of a hit; from 0 to GaplessKernel::most
  const std::uint8_t* subject = nullptr;  // codes, [columns], 64-byte aligned
  std::int32_t columns = 0;               // at least windows + rows - 1
  std::int32_t windows = 0;
  GaplessHit* hits = nullptr;         // out, in the order of windows; room for [windows]
  std::int32_t hit_count = 0;         // out
  std::uint8_t* workspace = nullptr;  // a lane for each column and each letter used, 64-byte aligned
  const bool* stop_flag = nullptr;
};

// ---- Longest common subsequences ---------------------------------------------------------------

inline constexpr std::int32_t kStripWords = 8;      // most words of a strip
inline constexpr std::int32_t kChunkColumns = 256;  // columns that strips compute before the next ones

// A job of `subsequence`: one subject with as many queries as there are lanes. The rows of the queries are
// cut into words of 64, and the words into strips of at most kStripWords.
struct SubsequenceJob {
  // The rows of each lane's query whose letter matches a letter of the subject, a bit for each row:
  // [strips][kLetters][strip_words][lanes] words, 64-byte aligned.
  const std::uint64_t* profile = nullptr;
  std::int32_t strips = 0, strip_words = 0;
  const std::uint8_t* subject = nullptr;  // residues, [columns]
  std::int32_t columns = 0;
  std::int32_t* length = nullptr;     // out, of the longest common subsequences: [lanes]
  std::uint8_t* workspace = nullptr;  // workspace(strips) bytes, 64-byte aligned
  const bool* stop_flag = nullptr;
};

// The bits that a cell keeps for the traceback. For a cell in all lanes a kernel stores `trace_bytes` bytes:
// either a byte with these bits for each lane, or four masks of a bit for each lane, in the order of these
// bits.
enum TraceBit : unsigned {
  kDiagonal = 1,  // H comes from the diagonal
  kFromE = 2,     // H equals E, a gap in the query
  kOpenE = 4,     // E of the next column opens here
  kOpenF = 8      // F of the next row opens here
};

struct Local8Kernel {
  std::int32_t lanes = 0, columns = 0;  // `columns`: of a block
  std::int32_t coarse_steps = 0;        // a coarse score is up to coarse_steps * extend too low
  void (*run)(const Local8Job&) = nullptr;
  std::uint64_t (*workspace)(std::int32_t rows) = nullptr;
};

struct TinyKernel {
  std::int32_t lanes = 0;
  std::int64_t lowest = 0, highest = 0;  // values that a lane holds
  void (*run)(const TinyJob&) = nullptr;
  std::uint64_t (*workspace)(std::int32_t columns) = nullptr;
};

struct GaplessKernel {
  std::int32_t lane_bytes = 0;
  std::int32_t most = 0;  // highest GaplessJob::may_lose
  void (*run)(GaplessJob&) = nullptr;
};

struct SubsequenceKernel {
  std::int32_t lanes = 0;
  void (*run)(const SubsequenceJob&) = nullptr;
  std::uint64_t (*workspace)(std::int32_t strips) = nullptr;
};

// A kernel whose lanes are subjects.
struct LaneKernel {
  std::int32_t lanes = 0;
  std::int32_t trace_bytes = 0;  // of one cell in all lanes
  void (*interseq)(const InterseqJob&) = nullptr;
  std::uint64_t (*interseq_workspace)(std::int32_t rows) = nullptr;
  void (*window)(const WindowJob&) = nullptr;  // differences only: it keeps checkpoints, no trace
};

// The exact kernels at one lane width.
struct WideKernels : LaneKernel {
  std::int64_t lowest = 0, highest = 0;  // values that a lane holds
  std::int64_t longest = 0;              // most rows, and most columns, whose numbers a lane holds
  void (*striped)(StripedJob&) = nullptr;
  std::int32_t (*striped_segment)(std::int32_t rows) = nullptr;  // rows of each lane's segment
  std::uint64_t (*striped_state)(std::int32_t rows) = nullptr;
  std::uint64_t (*striped_workspace)(std::int32_t rows) = nullptr;
};

struct KernelSet {
  const char* isa = nullptr;
  Local8Kernel local8;
  Local8Kernel plain_local8;    // local8 without max_by_compare(); lanes 0: there is none
  LaneKernel differences;       // all modes but local
  LaneKernel half_differences;  // differences in half as many lanes; lanes 0: there is none
  TinyKernel tiny8, tiny16;
  TinyKernel identities;  // writes TinyQuery::counts; 16-bit lanes
  GaplessKernel gapless8, gapless16;
  SubsequenceKernel subsequence;
  WideKernels wide16, wide32;
};

extern const KernelSet kernels_portable;
#ifdef ALNUS_X86
extern const KernelSet kernels_sse41;
extern const KernelSet kernels_avx2;
extern const KernelSet kernels_avx512;
#endif

}  // namespace alnus::cpu
