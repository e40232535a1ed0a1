// Methods of published papers as what they are: reference implementations, one file each, that keep to their
// paper's layout, packing and block shape and are not tuned beyond it. docs/papers says what they taught us.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "alnus/scoring.h"
#include "core/device.h"

namespace alnus::cuda {

// How sequences lie in device memory: words of `packed` residues, those of `group` sequences (of similar
// length) side by side. Groups of one, words of one: sequence after sequence.
struct Layout {
  std::uint32_t group = 1, packed = 1;
};

// Sorted sequences on the device, by position. Residues are codes below 32; what fills the last
// word of a sequence, and groups to the length of their longest, is kPad.
inline constexpr std::uint8_t kPad = 31;
struct Sequences {
  const std::uint8_t* residues;
  const std::uint64_t* places;  // of the first word of each group, in words
  const std::uint32_t* lengths;
};

// Positions as the methods' kernels count with them.
using KernelRange = RangeOf<std::uint32_t>;
inline KernelRange kernel_range(PositionRange range) { return {range.begin.value(), range.end.value()}; }

// One query and those of the subjects that are in `range`.
struct QuerySearch {
  std::span<const Residue> query;  // of 1 residue and more
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
  virtual double expected_gcups() const = 0;  // of a full H200
  // Why the paper's method cannot do this, as a sentence; empty if it can. Asked for Mode::local only.
  virtual std::string declines(const Scoring& scoring) const = 0;
  virtual Layout layout() const = 0;
  // Scores up to this one are exact; where the method tells a higher one, the pair is done again in 32 bits.
  virtual std::int32_t highest_score() const = 0;
  // Of device memory, that score() takes for such a query; about.
  virtual std::uint64_t bytes(std::size_t query, const SortedSequences& subjects, PositionRange range,
                              int multiprocessors) const = 0;
  virtual void score(const QuerySearch& work) = 0;
};

// The score of a pair that a method of pairs leaves to others.
inline constexpr std::int32_t kBeyond = std::numeric_limits<std::int32_t>::max();

// Where a row's results go: those of the columns from `begin` to before `end`.
struct RowPlaces {
  std::uint64_t first;
  std::uint32_t begin, end;  // positions
};

// Up to PairMethod::kSide rows by as many columns from positions `row` and `column` on; of a list that many
// pairs from number `row` on.
struct PairBlock {
  static constexpr std::uint64_t kLeftOut = UINT64_MAX;
  std::uint32_t row, column;
  std::uint32_t longest;    // residues of a column's sequence
  std::uint64_t workspace;  // where its own begins, or kLeftOut: all of its pairs are kBeyond
};

// Blocks of a tile that are computed at a time. All pointers are the device's.
struct PairWindow {
  Sequences rows, columns;
  const PairBlock* blocks;
  std::uint32_t block_count;
  // A list's pairs, whose results go to their numbers; or else the places of the tile's rows.
  const PositionPair* pairs;
  const RowPlaces* places;
  KernelRange numbers;  // of the list's pairs; or else positions of the tile's rows
  std::uint32_t* workspace;
  const std::uint32_t* stop;  // the stop word (cuda/stopper.h)
  // Out: either.
  std::int32_t* scores;
  PairResult* results;
};

// Pairs of any sets, a thread each: all modes, scores, ends and alignments.
class PairMethod {
 public:
  static constexpr std::uint32_t kSide = 16;

  virtual ~PairMethod() = default;
  virtual const PaperMethod& paper() const = 0;
  virtual double expected_gcups() const = 0;  // of a full H200
  virtual std::uint32_t longest() const = 0;  // of the sequences that it takes
  // Words of a block whose longest sequences have so many residues.
  virtual std::uint64_t workspace(std::uint32_t row, std::uint32_t column, Detail detail) const = 0;
  // Scores and ends, and for alignments what the other two need.
  virtual void fill(const PairWindow& window, const Problem& problem, cudaStream_t stream) = 0;
  // Where alignments begin and their counts; unless `total` is null also how many runs each CIGAR will have
  // (it is nowhere yet), and all of them.
  virtual void trace(const PairWindow& window, const Problem& problem, std::uint64_t* total,
                     cudaStream_t stream) = 0;
  // The CIGARs, side by side in `runs`; results tell where they are `on_host`. Counts in `written`.
  virtual void write_cigars(const PairWindow& window, const Problem& problem, CigarRun* runs,
                            const CigarRun* on_host, std::uint64_t* written, cudaStream_t stream) = 0;
};

std::unique_ptr<SearchMethod> make_sw_cuda();
std::unique_ptr<SearchMethod> make_band_sweep();
std::unique_ptr<SearchMethod> make_cudasw2_simt();
std::unique_ptr<SearchMethod> make_cudasw2_striped();
std::unique_ptr<SearchMethod> make_prefix_scan();
std::unique_ptr<PairMethod> make_pairalign_bits();

}  // namespace alnus::cuda
