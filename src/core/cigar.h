// Collects a CIGAR from a traceback, which finds the operations last to first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
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
  // Of residues aligned one after the other.
  void prepend_pairs(std::span<const Residue> query, std::span<const Residue> subject) {
    for (std::size_t end = query.size(); end > 0;) {
      const std::size_t count = std::min<std::size_t>(end, 64);
      end -= count;
      // Runs of equal bits from the top.
      std::uint64_t equal = equal_pairs(query.data() + end, subject.data() + end, count) << (64 - count);
      for (std::size_t left = count; left > 0;) {
        const bool equal_run = equal >> 63;
        const auto same =
            static_cast<std::size_t>(equal_run ? std::countl_one(equal) : std::countl_zero(equal));
        const std::size_t run = std::min(same, left);
        prepend(equal_run ? CigarOp::equal : CigarOp::mismatch, run);
        left -= run;
        equal = run < 64 ? equal << run : 0;
      }
    }
  }
  // The runs first to last; leaves the builder empty.
  std::vector<CigarRun> finish() {
    std::reverse(reversed_.begin(), reversed_.end());
    return std::exchange(reversed_, {});
  }

 private:
  // Bit k: whether the residues k are equal. Of at most 64, eight at a time.
  static std::uint64_t equal_pairs(const Residue* query, const Residue* subject, std::size_t count) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    std::uint64_t equal = 0;
    for (std::size_t k = 0; k < count; k += 8) {
      std::uint64_t q = 0, s = 0;
      std::memcpy(&q, query + k, std::min<std::size_t>(8, count - k));
      std::memcpy(&s, subject + k, std::min<std::size_t>(8, count - k));
      const std::uint64_t different = ((q ^ s) & kOnes * kCodeMask) + kOnes * 0x7f;  // in each byte's top bit
      const std::uint64_t flags = ~different >> 7 & kOnes;
      equal |= (flags * 0x0102040810204080 >> 56) << k;  // the flags side by side
    }
    return equal;
  }

  std::vector<CigarRun> reversed_;
};

}  // namespace alnus
