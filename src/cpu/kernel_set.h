// What an instruction set offers: plain functions over plain memory. The translation units that are
// compiled for an instruction set include this and <cstdint>, nothing that could leave code for newer
// processors where the rest of the program finds it.
#pragma once

#include <cstdint>

// Kernels are built of small functions that must not become calls.
#define ALNUS_INLINE __attribute__((always_inline)) inline

namespace alnus::cpu {

inline constexpr int kLetters = 32;             // rows and columns of a score table
inline constexpr std::uint8_t kPadLetter = 31;  // fills lanes and rows beyond a sequence's end
inline constexpr int kRowStep = 4;              // local8 takes the query's rows in steps of this
inline constexpr int kWideColumns = 4;          // of interseq's blocks

// True once the call's stop flag (core/stop_flag.h) is requested; a job without one is never stopped. Kernels
// look once a block of columns, and then return early with results that mean nothing.
ALNUS_INLINE bool stopped(const bool* stop_flag) {
  return stop_flag != nullptr && __atomic_load_n(stop_flag, __ATOMIC_RELAXED);
}

// Lanes are subjects. Where some lane's subject ends, all lanes' results are written out, and the lanes
// marked in `restart` begin anew.
struct Stop {
  std::int32_t block = 0;                 // after this many column blocks
  const std::uint8_t* restart = nullptr;  // [lanes] 0xff: a new subject begins. Null: the batch ends
};

// ---- 8 bit, local, score only: lanes are subjects ----------------------------------------------

// Where the best of a lane was noticed first: at its cell, or in the row or the column after it.
inline constexpr std::int32_t kStripRows = 128;
struct Notice {
  std::int32_t block = 0;
  std::int32_t first_strip = 0,
               last_strip = 0;  // of the query's rows, kStripRows each; this block and the next
};

struct Local8Job {
  const std::uint8_t* query = nullptr;  // indices into `used`, [rows]
  std::int32_t rows = 0;                // a multiple of kRowStep
  const std::uint8_t* used = nullptr;   // the letters in the query, each once
  std::int32_t used_count = 0;
  const std::int8_t* scores = nullptr;  // [kLetters][kLetters], query letter first
  // Replaces `scores` and `used` by a table for each lane: [lanes][kLetters][kLetters], subject letter first.
  // The query is letters then.
  const std::int8_t* lane_scores = nullptr;
  std::int32_t first = 0, extend = 0;     // cost of a gap's first residue, of each further one
  std::int32_t zero = 0;                  // the byte that stands for score 0
  const std::uint8_t* letters = nullptr;  // [blocks * columns][lanes], 64-byte aligned
  const Stop* stops = nullptr;
  std::int32_t stop_count = 0;
  std::int16_t* best = nullptr;       // out: [stop_count][lanes]; `first` means `first` or less
  bool coarse = false;                // the score may be more than `best`, by up to coarse_steps * extend
  std::uint8_t* workspace = nullptr;  // workspace(rows) bytes, 64-byte aligned
  // For tracebacks, where asked for. The border on the left of every `snapshot_blocks`-th block, H and E:
  // [blocks / snapshot_blocks, rounded up][rows][2][lanes] bytes as the kernel holds them, 64-byte aligned.
  std::uint8_t* snapshots = nullptr;
  std::int32_t snapshot_blocks = 0;
  Notice* notices = nullptr;  // out, with snapshots: [stop_count][lanes]
  const bool* stop_flag = nullptr;
};

// ---- Every mode and detail ---------------------------------------------------------------------

enum class Want : std::uint8_t { score, ends, trace };

// Of `differences`, instead of traces: values from which windows of the matrix can be done again.
inline constexpr int kBandRows = 32;        // from one row kept to the next
inline constexpr int kStretchColumns = 16;  // from one column kept to the next
inline constexpr int kWindowColumns = kBandRows + kStretchColumns;
struct Checkpoints {
  std::uint8_t* above = nullptr;  // of each band: v, b of its upper border, [bands][columns][2][lanes]
  std::uint8_t* left = nullptr;   // of each stretch: u, a of its left border, [stretches + 1][rows][2][lanes]
};

// In local mode a lane holds score + zero. In the other modes it holds
//   score + zero + extend * (i + j),
// in which extending a gap costs nothing: E and F need no subtraction (docs/cpu-kernels.md).
struct Rules {
  bool local = false;
  bool free_query_begin = false, free_query_end = false, free_subject_begin = false, free_subject_end = false;
  std::int32_t open = 0, extend = 0, zero = 0;
};

// Lanes are subjects: one query with several. Neither side is empty.
struct InterseqJob {
  Rules rules;
  Want want = Want::score;
  const std::uint8_t* query = nullptr;  // indices into `used`, [rows]
  std::int32_t rows = 0;
  // Of `differences`: another query, which is not longer, with subjects beside those of the first.
  const std::uint8_t* second_query = nullptr;  // indices into `used`, [rows]
  std::int32_t second_rows = 0;                // 0: there is none
  const std::uint8_t* second = nullptr;  // [stop_count][lanes] 0xff: up to the stop, a subject of the second
  const std::uint8_t* used = nullptr;
  std::int32_t used_count = 0;
  const std::int32_t* scores = nullptr;  // [kLetters][kLetters], query letter first
  // Replaces `scores` by a table for each lane, in mode local, in 16-bit lanes and for scores alone: [lanes]
  // [kLetters][kLetters], subject letter first, then index into `used`. Lane values end at the highest.
  const std::int16_t* lane_scores = nullptr;
  const std::uint8_t* letters = nullptr;  // [blocks * kWideColumns][lanes], 64-byte aligned
  const Stop* stops = nullptr;
  std::int32_t stop_count = 0;
  const std::int32_t* lengths = nullptr;  // [stop_count][lanes] of the subject that the lane holds up to the
                                          // stop; 0 for none
  std::int32_t* score = nullptr;          // out: [stop_count][lanes]
  std::int32_t* query_end = nullptr;      // out: [stop_count][lanes], Want::ends and trace
  std::int32_t* subject_end = nullptr;
  // Out, Want::trace, 64-byte aligned; by interseq: [blocks][rows][kWideColumns] cells.
  std::uint8_t* trace = nullptr;
  Checkpoints checkpoints;            // by differences
  std::uint8_t* workspace = nullptr;  // interseq_workspace(rows) bytes, 64-byte aligned; replaced
  const bool* stop_flag = nullptr;
};

// Where a lane's window has its letters and its borders, in bytes from where those of the problem begin; of
// so many rows and columns as the lane needs.
struct WindowSource {
  std::int32_t rows = 0, columns = 0;
  std::int32_t letters = 0, above = 0, left = 0;
};

// Windows of a problem of `differences`, one a lane, again and with traces: each anywhere in the columns, in
// one of two bands of rows.
struct WindowJob {
  Rules rules;
  const std::uint8_t* query[2] = {};  // of each band, [rows]
  std::int32_t rows = 0;
  const std::uint8_t* second = nullptr;  // [lanes] 0xff: of the second band
  const std::uint8_t* used = nullptr;
  std::int32_t used_count = 0;
  const std::int32_t* scores = nullptr;
  const WindowSource* sources = nullptr;  // [lanes_used]
  std::int32_t lanes_used = 0;
  const std::uint8_t* problem_letters = nullptr;
  Checkpoints checkpoints;
  // 64-byte aligned all. What comes from the sources, and as the kernel replaces it:
  std::uint8_t* letters = nullptr;    // [kWindowColumns][lanes]
  std::uint8_t* above = nullptr;      // [kWindowColumns][2][lanes]
  std::uint8_t* left = nullptr;       // [kBandRows][2][lanes]
  std::uint8_t* trace = nullptr;      // out: [kWindowColumns / kWideColumns][kBandRows][kWideColumns] cells
  std::uint8_t* workspace = nullptr;  // as of the InterseqJob
};

// One pair, the query cut into as many segments as there are lanes. A run does the columns
// (column_begin, column_end] of the matrix, all rows. Neither side is empty.
struct StripedJob {
  Rules rules;
  Want want = Want::score;
  const std::uint8_t* query = nullptr;  // codes, [rows]
  std::int32_t rows = 0;
  const std::uint8_t* subject = nullptr;  // codes, [columns]
  std::int32_t columns = 0;
  const std::int32_t* scores = nullptr;  // [kLetters][kLetters], query letter first
  std::int32_t column_begin = 0, column_end = 0;
  // The column at column_begin, replaced by the one at column_end; filled in by the run when
  // column_begin is 0. striped_state(rows) bytes, 64-byte aligned.
  std::uint8_t* state = nullptr;
  // The best end cell so far, updated; before the first run score is the lowest integer.
  std::int32_t score = 0, query_end = 0, subject_end = 0;
  std::uint8_t* trace = nullptr;      // out, Want::trace: columns done * striped_segment(rows) cells, aligned
  std::uint8_t* workspace = nullptr;  // striped_workspace(rows) bytes, 64-byte aligned
  const bool* stop_flag = nullptr;
};

// ---- Scores of short subjects ------------------------------------------------------------------

inline constexpr std::int32_t kTinyColumns = 128;  // residues of a subject, at most

struct TinyQuery {
  const std::uint8_t* residues = nullptr;  // [rows], at least one
  std::int32_t rows = 0;
  std::int32_t* scores = nullptr;  // out: [lanes_used]
  std::uint16_t* counts =
      nullptr;  // out, of the kernel of identities: [lanes_used], as IdentityCounts has them
};

// An alignment's identical residues, residues side by side and gap residues as one number of 16 bits.
struct IdentityCounts {
  std::int32_t bits = 0;  // of each of the first two; the other bits are for the gaps
  // If false, every residue of both sequences is in the alignment, so that the lengths tell the gaps.
  bool counts_gaps = false;

  // Where alignments leave nothing out, sequences of any length that these kernels take; else of up to 31.
  static constexpr IdentityCounts of(bool whole) {
    return whole ? IdentityCounts{8, false} : IdentityCounts{5, true};
  }
  constexpr std::int32_t longest() const { return counts_gaps ? (1 << bits) - 1 : kTinyColumns; }
  // What a column adds.
  constexpr std::int32_t equal() const { return (1 << bits) + 1; }
  constexpr std::int32_t pair() const { return 1 << bits; }
  constexpr std::int32_t gap() const { return counts_gaps ? 1 << 2 * bits : 0; }

  constexpr std::int32_t identical(std::uint16_t counts) const { return counts & ((1 << bits) - 1); }
  constexpr std::int32_t pairs(std::uint16_t counts) const { return counts >> bits & ((1 << bits) - 1); }
  constexpr std::int32_t gaps(std::uint16_t counts, std::int32_t both_lengths) const {
    return counts_gaps ? counts >> 2 * bits : both_lengths - 2 * pairs(counts);
  }
};

// Lanes are subjects: many queries with the same ones, by one profile. In the modes other than local, lanes
// hold values as Rules has them; in mode local, too, with the floor rising by extend * (i + j).
struct TinyJob {
  Rules rules;
  const TinyQuery* queries = nullptr;
  std::int32_t query_count = 0;
  std::uint32_t used = 0;                 // letters in the queries, a bit for each
  const std::int32_t* scores = nullptr;   // [kLetters][kLetters], query letter first
  const std::uint8_t* letters = nullptr;  // [columns][lanes], 64-byte aligned
  std::int32_t columns = 0;               // of the longest subject, at most kTinyColumns
  const std::int32_t* lengths = nullptr;  // [lanes_used], each at least 1
  std::int32_t lanes_used = 0;
  IdentityCounts counts{};            // of the kernel of identities
  std::uint8_t* workspace = nullptr;  // workspace(columns) bytes, 64-byte aligned
  const bool* stop_flag = nullptr;
};

// What a cell keeps for the traceback. In `trace_bytes` bytes the kernels store either a byte for each lane,
// or four masks of a bit for each lane, in the order of these bits.
enum TraceBit : unsigned {
  kDiagonal = 1,  // H comes from the diagonal
  kFromE = 2,     // H equals E, a gap in the query
  kOpenE = 4,     // E of the next column opens here
  kOpenF = 8      // F of the next row opens here
};

struct Local8Kernel {
  std::int32_t lanes = 0, columns = 0;  // of its blocks
  std::int32_t coarse_steps = 0;        // how many extensions of a gap a coarse score may be too low by
  void (*run)(const Local8Job&) = nullptr;
  std::uint64_t (*workspace)(std::int32_t rows) = nullptr;
};

struct TinyKernel {
  std::int32_t lanes = 0;
  std::int64_t lowest = 0, highest = 0;  // lane values
  void (*run)(const TinyJob&) = nullptr;
  std::uint64_t (*workspace)(std::int32_t columns) = nullptr;
};

// A kernel whose lanes are subjects.
struct LaneKernel {
  std::int32_t lanes = 0;
  std::int32_t trace_bytes = 0;  // of one cell in all lanes
  void (*interseq)(const InterseqJob&) = nullptr;
  std::uint64_t (*interseq_workspace)(std::int32_t rows) = nullptr;
  void (*window)(const WindowJob&) = nullptr;  // of `differences`, which leaves checkpoints instead of traces
};

// The exact kernels at one lane width.
struct WideKernels : LaneKernel {
  std::int64_t lowest = 0, highest = 0;  // lane values
  std::int64_t longest = 0;              // rows and columns at most, for their ends to be found
  void (*striped)(StripedJob&) = nullptr;
  std::int32_t (*striped_segment)(std::int32_t rows) = nullptr;  // rows of a lane
  std::uint64_t (*striped_state)(std::int32_t rows) = nullptr;
  std::uint64_t (*striped_workspace)(std::int32_t rows) = nullptr;
};

struct KernelSet {
  const char* isa = nullptr;
  Local8Kernel local8;
  Local8Kernel plain_local8;    // the same without maxima by a compare; none where `lanes` is 0
  LaneKernel differences;       // not in mode local
  LaneKernel half_differences;  // the same with fewer lanes; none where `lanes` is 0
  TinyKernel tiny8, tiny16;
  TinyKernel identities;  // with TinyQuery::counts, in 16 bits
  WideKernels wide16, wide32;
};

extern const KernelSet kernels_portable;
#ifdef ALNUS_X86
extern const KernelSet kernels_sse41;
extern const KernelSet kernels_avx2;
extern const KernelSet kernels_avx512;
#endif

}  // namespace alnus::cpu
