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
    constexpr std::size_t kFew = 16;  // runs of the first allocation, which suffices for many alignments
    if (reversed_.empty()) reversed_.reserve(kFew);
    for (; length > CigarRun::kLongest; length -= CigarRun::kLongest)
      reversed_.emplace_back(op, CigarRun::kLongest);
    reversed_.emplace_back(op, static_cast<std::uint32_t>(length));
  }
  void prepend_pair(Residue query, Residue subject) {
    prepend((query & kCodeMask) == (subject & kCodeMask) ? CigarOp::equal : CigarOp::mismatch, 1);
  }
  // Prepends pairs of aligned residues: the first `length` of both spans, behind which there may be more.
  void prepend_pairs(std::span<const Residue> query, std::span<const Residue> subject, std::size_t length) {
    for (std::size_t end = length; end > 0;) {
      const std::size_t count = std::min<std::size_t>(end, 64);
      end -= count;
      // Takes runs of equal bits from the top of `equal`, where the last pair is; in `bits` the bits of the
      // current run are 0, so that the number of leading zeros is its length.
      const std::uint64_t equal = equal_pairs(query.subspan(end), subject.subspan(end), count)
                                  << (64 - count);
      bool equal_run = equal >> 63;
      std::uint64_t bits = equal_run ? ~equal : equal;
      CigarRun runs[64];
      std::size_t run_count = 0;
      for (std::size_t left = count; left > 0;) {
        const std::size_t run = std::min(static_cast<std::size_t>(std::countl_zero(bits)), left);
        runs[run_count++] =
            CigarRun(equal_run ? CigarOp::equal : CigarOp::mismatch, static_cast<std::uint32_t>(run));
        left -= run;
        equal_run = !equal_run;
        bits = run < 64 ? ~(bits << run) : 0;
      }
      prepend(runs[0].op(), runs[0].length());
      reversed_.insert(reversed_.end(), runs + 1, runs + run_count);
    }
  }
  // Returns the runs from first to last, and leaves the builder empty.
  std::vector<CigarRun> finish() {
    std::reverse(reversed_.begin(), reversed_.end());
    return std::exchange(reversed_, {});
  }

 private:
  // Bit k is set if the k-th residues of both spans are equal. `count` is at most 64. Bits from `count` on
  // may be set, too, if the spans have more residues.
  static std::uint64_t equal_pairs(std::span<const Residue> query, std::span<const Residue> subject,
                                   std::size_t count) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    std::uint64_t equal = 0;
    std::size_t k = 0;
    for (; k < count && k + 8 <= std::min(query.size(), subject.size()); k += 8) {
      std::uint64_t q, s;
      std::memcpy(&q, query.data() + k, 8);
      std::memcpy(&s, subject.data() + k, 8);
      const std::uint64_t different = ((q ^ s) & kOnes * kCodeMask) + kOnes * 0x7f;  // in top bits
      const std::uint64_t flags = ~different >> 7 & kOnes;
      equal |= (flags * 0x0102040810204080 >> 56) << k;  // puts the eight flags side by side
    }
    for (; k < count; ++k) equal |= std::uint64_t{((query[k] ^ subject[k]) & kCodeMask) == 0} << k;
    return equal;
  }

  std::vector<CigarRun> reversed_;
};

}  // namespace alnus
