// Which lane width holds a pair's values, decided beforehand from bounds: no 16- or 32-bit lane ever
// overflows. (8-bit lanes may; their results say so.)
#pragma once

#include <cstdint>
#include <span>

#include "alnus/scoring.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Bounds on one query's alignments, from the matrix rows of its residues.
class QueryBounds {
 public:
  QueryBounds(std::span<const Residue> query, const Scoring& scoring);

  // Rules for a kernel of this width, or lane values that do not fit: returns false.
  // `columns` is the longest subject's length, padding included.
  bool fits(const WideKernels& kernels, std::int64_t columns, Rules& rules) const;

 private:
  const Scoring& scoring_;
  std::int64_t rows_;
  std::int64_t highest_total_ = 0;  // sum over the query of each residue's best score, at least 0
};

// Whether the differences of differences.h fit 8-bit lanes.
bool differences_fit(const Scoring& scoring);

// The 8-bit kernel's numbers for a scoring.
struct Range8 {
  bool usable = false;
  std::int32_t zero = 0;
  std::int32_t highest_known = 0;  // higher scores may have overflowed
  std::int32_t lowest_known = 0;   // lower ones are not told apart
};
Range8 range8(const Scoring& scoring);

// What the padding letter scores: bad enough never to improve an alignment, mild enough never to wrap.
inline std::int32_t pad_score(const Scoring& scoring) {
  return scoring.matrix.lowest() < -1 ? scoring.matrix.lowest() : -1;
}

}  // namespace alnus::cpu
