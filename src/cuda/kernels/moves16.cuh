// The moves of a path through a square, in a word: two bits each, those that lie closer to the begin of the
// alignment lower, and a 1 above all of them.
#pragma once

#include "alnus/alignment.h"
#include "cuda/kernels/traceback16.h"

namespace alnus::cuda {

enum Move : std::uint32_t { equal, mismatch, deletion, insertion };  // as in CigarOp

__device__ inline CigarOp op_of(std::uint32_t move) {
  return static_cast<CigarOp>(0x1287 >> (4 * move) & 15);
}
__device__ inline int count_of(std::uint64_t moves) {
  return (63 - __clzll(static_cast<long long>(moves))) / 2;
}

// Of a pair's k-th square, counted from its end. Those of a row lie side by side.
__device__ inline std::uint64_t* moves_of(const Traceback16& work, const QueryPlace& query,
                                          std::uint32_t pair, std::uint32_t k) {
  return work.moves + query.first_move + std::uint64_t{k} * (query.end - query.begin) + pair;
}

// Counts the moves of a path, square by square.
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
  __device__ std::int32_t aligned() const { return aligned_; }  // residues of either sequence
  __device__ std::int32_t identical() const { return identical_; }

 private:
  std::uint32_t next_ = 0;
  std::int32_t runs_ = 0, gap_opens_ = 0, aligned_ = 0, identical_ = 0;
};

// Writes the runs of a path, the squares of which lie from its last to its first.
class RunWriter16 {
 public:
  __device__ explicit RunWriter16(CigarRun* to) : to_(to) {}

  __device__ void add(CigarOp op, std::uint32_t length) {
    if (op == op_) {
      length_ += length;
      return;
    }
    finish();
    op_ = op;
    length_ = length;
  }
  __device__ void add(std::uint64_t moves) {
    for (int left = count_of(moves); left > 0;) {
      const std::uint32_t move = moves & 3;
      const std::uint64_t others = moves ^ move * 0x5555555555555555;
      const int same = min((__ffsll(static_cast<long long>(others)) - 1) / 2, left);
      add(op_of(move), static_cast<std::uint32_t>(same));
      moves >>= 2 * same;
      left -= same;
    }
  }
  __device__ void finish() {
    if (length_ > 0) *to_++ = CigarRun(op_, length_);
  }

 private:
  CigarRun* to_;
  CigarOp op_{};
  std::uint32_t length_ = 0;
};

}  // namespace alnus::cuda
