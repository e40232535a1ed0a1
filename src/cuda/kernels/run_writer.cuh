// CigarBuilder, with memory that is there already.
#pragma once

#include "alnus/alignment.h"

namespace alnus::cuda {

// No two runs of deletions are neighbours, and every other run takes a residue of the query: there are 2 * m
// + 1 at most; likewise 2 * n + 1. Runs too long for one are cut.
__host__ __device__ inline std::uint64_t most_runs(std::uint32_t m, std::uint32_t n) {
  return 2 * std::uint64_t{m < n ? m : n} + 1 + (std::uint64_t{m} + n) / CigarRun::kLongest;
}

class RunWriter {
 public:
  // Runs fill the room there is from its end, for a traceback finds them last to first. Null: none are
  // written.
  __device__ explicit RunWriter(CigarRun* end) : next_(end) {}

  // Returns whether the operation before was another one.
  __device__ bool prepend(CigarOp op, std::uint32_t length) {
    const bool begins = op != op_;
    if (!begins && length <= CigarRun::kLongest - length_) {
      length_ += length;
      return false;
    }
    finish();
    for (; length > CigarRun::kLongest; length -= CigarRun::kLongest) write(op, CigarRun::kLongest);
    op_ = op;
    length_ = length;
    return begins;
  }
  // The same of length 1, with only the store in a branch.
  __device__ bool prepend(CigarOp op) {
    const bool begins = op != op_, ends = begins || length_ == CigarRun::kLongest;
    if (ends) finish();
    op_ = op;
    length_ = ends ? 1 : length_ + 1;
    return begins;
  }
  // Returns the number of runs.
  __device__ std::uint32_t finish() {
    if (length_ > 0) write(op_, length_);
    return runs_;
  }
  __device__ const CigarRun* first() const { return next_; }  // of those that are finished

 private:
  __device__ void write(CigarOp op, std::uint32_t length) {
    if (next_) *--next_ = CigarRun(op, length);
    ++runs_;
  }

  CigarRun* next_;
  std::uint32_t runs_ = 0, length_ = 0;
  CigarOp op_{};
};

}  // namespace alnus::cuda
