// Bounds that choose the lane width for a pair before its kernel runs, so that no 16- or 32-bit lane
// overflows. (8-bit lanes of local8 may overflow; their results tell whether they did.)
#pragma once

#include <cstdint>
#include <span>

#include "alnus/scoring.h"
#include "cpu/kernel_set.h"
#include "cpu/scoring_tables.h"

namespace alnus::cpu {

// Throws Error(input), for a pair whose values do not even fit 32-bit lanes.
[[noreturn]] void throw_scores_too_large();

// Bounds on the values of one query's alignments, from the best score of each of its residues.
class QueryBounds {
 public:
  // The tables must outlive the bounds.
  QueryBounds(std::span<const Residue> query, const ScoringTables& tables);

  // Returns true if lanes of `kernels` hold all values of the query with subjects of up to `columns`
  // residues, padding included; `rules` then holds the rules for these kernels. If it returns false, `rules`
  // is incomplete.
  bool fits(const WideKernels& kernels, std::int64_t columns, Rules& rules) const;
  // Returns the kernels with the narrowest lanes that fit, and fills `rules` for them. Throws Error(input) if
  // there are none.
  const WideKernels& width_for(const KernelSet& kernels, std::int64_t columns, Rules& rules) const;

 private:
  const Scoring& scoring_;
  std::int64_t rows_;
  std::int64_t highest_total_ = 0;  // sum over the query of each residue's best score, at least 0
};

}  // namespace alnus::cpu
