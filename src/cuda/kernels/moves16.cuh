// The moves of a path through a square, in a word of 64 bits: two bits for each move, those closer to the
// begin of the alignment in lower bits, and a 1 above all of them.
#pragma once

#include "alnus/alignment.h"
#include "cuda/kernels/traceback16.h"

namespace alnus::cuda {

// The operations of CigarOp, numbered so that two bits suffice.
enum Move : std::uint32_t { equal, mismatch, deletion, insertion };

__device__ inline CigarOp op_of(std::uint32_t move) {
  return static_cast<CigarOp>(0x1287 >> (4 * move) & 15);
}
// The number of moves in a word.
__device__ inline int count_of(std::uint64_t moves) {
  return (63 - __clzll(static_cast<long long>(moves))) / 2;
}

// The word for a pair's k-th square, counted from the end of its path. For each k the words of a row's pairs
// lie side by side.
__device__ inline std::uint64_t* moves_of(const Traceback16& work, const QueryPlace& query,
                                          std::uint32_t pair, std::uint32_t k) {
  return work.moves + query.first_move + std::uint64_t{k} * (query.end - query.begin) + pair;
}

// Counts the moves of a path, square by square, from its end to its begin.
class MoveCounter {
 public:
  __device__ void add(std::uint64_t moves) {
    constexpr std::uint64_t kLow = 0x5555555555555555;
    const int count = count_of(moves);
    const auto last = static_cast<std::uint32_t>(moves >> (2 * count - 2)) & 3;
    const std::uint64_t all = (std::uint64_t{1} << (2 * count)) - 1,
                        behind = runs_ > 0 ? next_ : last ^ 3,  // the move that follows these
        followed = (moves & all) | behind << (2 * count), differs = followed ^ followed >> 2,
                        ends = (differs | differs >> 1) & kLow & all, gaps = moves >> 1 & kLow & all,
                        mismatches = moves & ~(moves >> 1) & kLow & all;
    runs_ += __popcll(ends);
    gap_opens_ += __popcll(ends & gaps);
    const int aligned = count - __popcll(gaps);
    aligned_ += aligned;
    identical_ += aligned - __popcll(mismatches);
    next_ = moves & 3;
  }
  __device__ void add_gap() { ++runs_, ++gap_opens_; }
  __device__ std::int32_t runs() const { return runs_; }
  __device__ std::int32_t gap_opens() const { return gap_opens_; }
  __device__ std::int32_t aligned() const { return aligned_; }  // columns with two residues
  __device__ std::int32_t identical() const { return identical_; }

 private:
  std::uint32_t next_ = 0;
  std::int32_t runs_ = 0, gap_opens_ = 0, aligned_ = 0, identical_ = 0;
};

// The places that `runs` runs take in an array: a multiple of kRunsTogether.
__host__ __device__ constexpr std::uint32_t places_of(std::uint32_t runs) {
  return (runs + kRunsTogether - 1) / kRunsTogether * kRunsTogether;
}

static_assert(kRunsTogether == 4);
// Packs four runs for one store, in the format of the second argument's type.
__device__ inline uint4 together(uint4 runs, CigarRun /*as*/) { return runs; }
__device__ inline uint2 together(uint4 runs, PackedRun /*as*/) {
  return {runs.x | runs.y << 16, runs.z | runs.w << 16};
}

// Writes the runs of a path, as CigarRun or PackedRun. Moves come from the begin of the path to its end.
template <class Run>
class RunWriter16 {
 public:
  __device__ explicit RunWriter16(Run* to) : to_(reinterpret_cast<Four*>(to)) {}

  __device__ void add(CigarOp op, std::uint32_t length) {
    if (op == op_) {
      length_ += length;
      return;
    }
    if (length_ > 0) write(CigarRun(op_, length_));
    op_ = op;
    length_ = length;
  }
  // Adds the equal moves at the begin of `moves`, which has `count` moves; returns their number, at least 1.
  // (A word of 31 mismatches would give 0, but at most 16 moves of a square are mismatches.)
  __device__ int add_first(std::uint64_t moves, int count) {
    const std::uint32_t move = moves & 3;
    const std::uint64_t others = moves ^ move * 0x5555555555555555ULL;
    const int same = min((__ffsll(static_cast<long long>(others)) - 1) / 2, count);
    add(op_of(move), static_cast<std::uint32_t>(same));
    return same;
  }
  __device__ void finish() {
    if (length_ > 0) write(CigarRun(op_, length_));
    while (written_ % kRunsTogether != 0) write({});
  }

 private:
  using Four = decltype(together(uint4{}, Run{}));

  __device__ void write(CigarRun run) {
    last_ = {last_.y, last_.z, last_.w, run.packed};
    if (++written_ % kRunsTogether == 0) *to_++ = together(last_, Run{});
  }

  Four* to_;
  uint4 last_{};
  std::uint32_t written_ = 0;
  CigarOp op_{};
  std::uint32_t length_ = 0;
};

}  // namespace alnus::cuda
