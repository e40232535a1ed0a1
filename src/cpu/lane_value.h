// Which lane width holds a pair's values, decided beforehand from bounds: no 16- or 32-bit lane ever
// overflows. (8-bit lanes may; their results say so.)
#pragma once

#include <cstdint>
#include <span>

#include "alnus/scoring.h"
#include "cpu/kernel_set.h"
#include "cpu/scoring_tables.h"

namespace alnus::cpu {

// Bounds on one query's alignments, from the matrix rows of its residues.
class QueryBounds {
 public:
  // The tables must outlive the bounds.
  QueryBounds(std::span<const Residue> query, const ScoringTables& tables);

  // Rules for a kernel of this width, or lane values that do not fit: returns false.
  // `columns` is the longest subject's length, padding included.
  bool fits(const WideKernels& kernels, std::int64_t columns, Rules& rules) const;

 private:
  const Scoring& scoring_;
  std::int64_t rows_;
  std::int64_t highest_total_ = 0;  // sum over the query of each residue's best score, at least 0
};

}  // namespace alnus::cpu
