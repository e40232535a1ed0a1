// Collects a CIGAR from a traceback, which finds the operations last to first.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "alnus/alignment.h"

namespace alnus {

class CigarBuilder {
 public:
  void prepend(CigarOp op, std::size_t length) {
    if (!reversed_.empty() && reversed_.back().op() == op) {
      const std::size_t joined = reversed_.back().length() + length;
      if (joined <= CigarRun::kLongest) {
        reversed_.back() = CigarRun(op, static_cast<std::uint32_t>(joined));
        return;
      }
    }
    for (; length > CigarRun::kLongest; length -= CigarRun::kLongest)
      reversed_.emplace_back(op, CigarRun::kLongest);
    reversed_.emplace_back(op, static_cast<std::uint32_t>(length));
  }
  void prepend_pair(Residue query, Residue subject) {
    prepend((query & kCodeMask) == (subject & kCodeMask) ? CigarOp::equal : CigarOp::mismatch, 1);
  }
  // The runs first to last; leaves the builder empty.
  std::vector<CigarRun> finish() {
    std::reverse(reversed_.begin(), reversed_.end());
    return std::exchange(reversed_, {});
  }

 private:
  std::vector<CigarRun> reversed_;
};

}  // namespace alnus
