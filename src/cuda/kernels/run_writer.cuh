// Writes CIGARs on the device, as CigarBuilder (core/cigar.h) does on the host, into memory that the caller
// provides.
#pragma once

#include "alnus/alignment.h"

namespace alnus::cuda {

// The most runs that a CIGAR of m query and n subject residues can have. No two runs of deletions are
// neighbors, and every other run takes a residue of the query, so that there are at most 2 * m + 1 runs;
// likewise at most 2 * n + 1. Runs longer than CigarRun::kLongest are cut.
__host__ __device__ inline std::uint64_t most_runs(std::uint32_t m, std::uint32_t n) {
  return 2 * std::uint64_t{m < n ? m : n} + 1 + (std::uint64_t{m} + n) / CigarRun::kLongest;
}

class RunWriter {
 public:
  // Runs are written from the end of the room to its begin, because a traceback finds the last run first.
  __device__ explicit RunWriter(CigarRun* end) : next_(end) {}

  __device__ void prepend(CigarOp op, std::uint32_t length) {
    if (op == op_ && length <= CigarRun::kLongest - length_) {
      length_ += length;
      return;
    }
    finish();
    for (; length > CigarRun::kLongest; length -= CigarRun::kLongest) write(op, CigarRun::kLongest);
    op_ = op;
    length_ = length;
  }
  // Writes the last run, if it is not yet written. Returns the number of all runs.
  __device__ std::uint32_t finish() {
    if (length_ > 0) write(op_, length_);
    return runs_;
  }

 private:
  __device__ void write(CigarOp op, std::uint32_t length) {
    *--next_ = CigarRun(op, length);
    ++runs_;
  }

  CigarRun* next_;
  std::uint32_t runs_ = 0, length_ = 0;
  CigarOp op_{};
};

}  // namespace alnus::cuda
