// Chooses the pairs of a slab (subjects that are in device memory together) that the sink may want, and
// scores those of them again exactly whose 16-bit scores may be too low or are unknown.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/error.h"
#include "cuda/kernels/search.h"
#include "cuda/runtime.h"
#include "cuda/stopper.h"

namespace alnus::cuda {

// Scores of rows x columns in device memory, and the sequences that they are scores of. All pointers are the
// device's.
struct ScoredSlab {
  const std::int32_t* scores;  // [row * columns + column]
  std::uint32_t rows, columns;
  const std::int32_t* floors;  // [row * kFloorRanges + range of columns]
  const KnownColumns* known;   // by row: the columns whose scores are known
  std::uint32_t wanted;        // how many best pairs of each row; 0: all that reach their floors
  bool has_floors;             // if true, pairs that do not reach their floors are not wanted
  // Scores in columns from `coarse_from` on may be too low, by `slack` at most. Scores of `overflow` or more,
  // and scores outside the known columns, are unknown.
  std::uint32_t coarse_from;
  std::int32_t slack, overflow;
  bool exact;  // all scores are exact: none can reach `overflow`, all columns are known, none is coarse
  TileSequences sequences;  // to score pairs again exactly
  const DeviceScoring* scoring;
  std::uint32_t longest_subject;
  double cells;           // of all pairs together
  bool long_queries;      // true if most residues are in queries of more than kPassRows residues
  std::uint64_t unknown;  // number of pairs outside the known columns of their row
};

// Thrown if more pairs of a tile reach their floors than can be listed (kMostFound). The scheduler then cuts
// the tile, and the device can compute the pieces without a new worker.
class TooManyFound : public Error {
 public:
  TooManyFound()
      : Error(ErrorKind::memory, "More pairs of a tile reach their floors than are listed at once.") {}
};

class HitSelector {
 public:
  // `memory_bytes`: device memory for the rows that the passes of the exact kernel hand to each other. The
  // stopper must outlive the selector.
  HitSelector(int multiprocessors, std::uint64_t memory_bytes, Stopper& stopper)
      : multiprocessors_(multiprocessors), memory_bytes_(memory_bytes), stopper_(stopper) {}

  // Allocates the memory for the slab. To be called before kernels are launched, because an allocation may
  // wait for kernels that run.
  void prepare(const ScoredSlab& slab);
  // Launches the selection on the stream, behind the kernels that compute the slab's scores.
  void start(const ScoredSlab& slab, cudaStream_t stream);
  // Waits for the selection and returns the candidates (pairs that the sink may want), which it copies to
  // `into`. Throws TooManyFound if `wanted` is 0 and too many pairs are found (kMostFound), and what the
  // stopper throws.
  std::span<const Candidate> finish(const ScoredSlab& slab, cudaStream_t stream,
                                    PinnedArray<Candidate>& into);

 private:
  void reserve(const ScoredSlab& slab, std::uint32_t room);
  void select(const ScoredSlab& slab, std::uint32_t room, cudaStream_t stream);
  void rescore(const ScoredSlab& slab, cudaStream_t stream);

  const int multiprocessors_;
  const std::uint64_t memory_bytes_;
  Stopper& stopper_;
  // The numbers of candidates that have room in the last selection, and that are copied with their number.
  std::uint32_t room_ = 0, first_found_ = 0;
  int warps_ = 0;  // that score the candidates again
  DeviceArray<std::uint32_t> counters_, numbers_;
  DeviceArray<Candidate> candidates_;
  DeviceArray<DevicePair> pairs_;
  DeviceArray<PairEnds> ends_;
  DeviceArray<std::byte> workspace_;
  PinnedArray<std::uint32_t> found_;
  PinnedArray<Candidate> host_candidates_;
};

}  // namespace alnus::cuda
