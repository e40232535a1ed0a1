// Methods of published papers as reference implementations, one file each. They keep to their paper's layout,
// packing and block shape, and are not tuned beyond the paper. docs/papers says what was learned from each.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "alnus/scoring.h"
#include "core/device.h"

namespace alnus::cuda::papers {

// How sequences lie in device memory: in words of `packed` residues of a byte, with the words of `group`
// sequences of similar length side by side. If both are 1, the sequences follow each other.
struct Layout {
  std::uint32_t group = 1, packed = 1;
};

// Sorted sequences in device memory, by position. Residues are codes below 32. kPad fills up the last word of
// a sequence, and the sequences of a group to the length of the longest.
inline constexpr std::uint8_t kPad = 31;
struct Sequences {
  const std::uint8_t* residues;
  const std::uint64_t* places;  // of the first word of each group, in words
  const std::uint32_t* lengths;
};

// Positions as plain integers, with which the methods' kernels count.
using KernelRange = RangeOf<std::uint32_t>;
inline KernelRange kernel_range(PositionRange range) { return {range.begin.value(), range.end.value()}; }

// A query, and the subjects with which it is scored: those in `range`.
struct QuerySearch {
  std::span<const Residue> query;  // at least one residue
  const Scoring& scoring;
  Sequences subjects;
  const SortedSequences& sorted;  // the subjects on the host
  PositionRange range;
  std::int32_t* scores;  // out, on the device: [range.size()]
  int multiprocessors;
  const std::uint32_t* stop;  // the stop word, for kernels (cuda/stopper.h)
  cudaStream_t stream;        // the host waits for it before the next query
};

// A database search: local scores of one query at a time.
class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  virtual const PaperMethod& paper() const = 0;
  virtual double expected_gcups() const = 0;  // in 1e9 cells a second, on a full H200
  // Why the paper's method cannot use this scoring, as a sentence; empty if it can. Asked in Mode::local
  // only.
  virtual std::string declines(const Scoring& scoring) const = 0;
  virtual Layout layout() const = 0;
  // Scores up to this one are exact. Where the method finds a higher score, the pair is scored again in 32
  // bits.
  virtual std::int32_t highest_score() const = 0;
  // About how many bytes of device memory score() takes for a query of `query` residues.
  virtual std::uint64_t bytes(std::size_t query, const SortedSequences& subjects, PositionRange range,
                              int multiprocessors) const = 0;
  // Launches the kernels on the work's stream. Throws Error(memory) or Error(device).
  virtual void score(const QuerySearch& work) = 0;
};

// The score that a PairMethod writes for a pair that it leaves to the usual device (the GPU's device without
// a paper's method).
inline constexpr std::int32_t kBeyond = std::numeric_limits<std::int32_t>::max();

// Where a row's results go: the result of column `begin` to place `first`, and so on up to column `end` - 1.
struct RowPlaces {
  std::uint64_t first;
  std::uint32_t begin, end;  // positions
};

// The pairs of a thread block: up to PairMethod::kSide rows by as many columns, from positions `row` and
// `column` on. In a list: up to kSide * kSide pairs, from number `row` on.
struct PairBlock {
  static constexpr std::uint64_t kLeftOut = UINT64_MAX;
  std::uint32_t row, column;
  std::uint32_t longest;    // residues of the longest column sequence
  std::uint64_t workspace;  // where the block's words begin, or kLeftOut: all its pairs get kBeyond
};

// The blocks of a tile that are computed at a time. All pointers are the device's.
struct PairWindow {
  Sequences rows, columns;
  const PairBlock* blocks;
  std::uint32_t block_count;
  // One of `pairs` and `places` is null. A list has `pairs`, and the result of a pair goes to its number;
  // other tiles have the `places` of their rows.
  const PositionPair* pairs;
  const RowPlaces* places;
  KernelRange numbers;  // numbers of the list's pairs, or positions of the tile's rows
  std::uint32_t* workspace;
  const std::uint32_t* stop;  // the stop word (cuda/stopper.h)
  // Out: `scores` or `results`; the other one is null.
  std::int32_t* scores;
  PairResult* results;
};

// Aligns pairs of any sets, one thread for each pair, in all modes: scores, ends and alignments.
class PairMethod {
 public:
  static constexpr std::uint32_t kSide = 16;

  virtual ~PairMethod() = default;
  virtual const PaperMethod& paper() const = 0;
  virtual double expected_gcups() const = 0;  // in 1e9 cells a second, on a full H200
  virtual std::uint32_t longest() const = 0;  // residues of the longest sequence that it takes
  // Words (of 32 bits) of a block's workspace, if its longest row and column sequences have `row` and
  // `column` residues.
  virtual std::uint64_t workspace(std::uint32_t row, std::uint32_t column, Detail detail) const = 0;
  // Computes scores and ends. For alignments, also writes to the workspace what trace() and write_cigars()
  // need.
  virtual void fill(const PairWindow& window, const Problem& problem, cudaStream_t stream) = 0;
  // Finds where alignments begin, and their counts. If `total` is not null, each result's CIGAR also gets its
  // size (there are no runs yet), and `total` is raised by the runs of all pairs.
  virtual void trace(const PairWindow& window, const Problem& problem, std::uint64_t* total,
                     cudaStream_t stream) = 0;
  // Writes the CIGARs side by side to `runs`, and lets the results point to the copies that will be at
  // `on_host`. `written` counts the runs, from 0.
  virtual void write_cigars(const PairWindow& window, const Problem& problem, CigarRun* runs,
                            const CigarRun* on_host, std::uint64_t* written, cudaStream_t stream) = 0;
};

std::unique_ptr<SearchMethod> make_sw_cuda();
std::unique_ptr<SearchMethod> make_band_sweep();
std::unique_ptr<SearchMethod> make_cudasw2_simt();
std::unique_ptr<SearchMethod> make_cudasw2_striped();
std::unique_ptr<SearchMethod> make_prefix_scan();
std::unique_ptr<PairMethod> make_pairalign_bits();

}  // namespace alnus::cuda::papers
