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
    const auto added = static_cast<std::uint32_t>(length);
    if (!reversed_.empty() && reversed_.back().op() == op) {
      reversed_.back() = CigarRun(op, reversed_.back().length() + added);
    } else {
      reversed_.emplace_back(op, added);
    }
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
