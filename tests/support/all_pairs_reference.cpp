#include "support/all_pairs_reference.h"

#include <algorithm>
#include <utility>

namespace alnus::test {
namespace {

Alignment mirrored(Alignment a) {
  std::swap(a.query_begin, a.subject_begin);
  std::swap(a.query_end, a.subject_end);
  for (CigarRun& run : a.cigar) {
    if (run.op() == CigarOp::insertion)
      run = {CigarOp::deletion, run.length()};
    else if (run.op() == CigarOp::deletion)
      run = {CigarOp::insertion, run.length()};
  }
  return a;
}

Scoring mirrored(Scoring scoring) {
  scoring.matrix = scoring.matrix.transposed();
  std::swap(scoring.free_ends.query_begin, scoring.free_ends.subject_begin);
  std::swap(scoring.free_ends.query_end, scoring.free_ends.subject_end);
  return scoring;
}

}  // namespace

Alignment reference_of_all_pairs(std::span<const Residue> first, std::span<const Residue> second,
                                 const Scoring& scoring) {
  const bool in_order = first.size() != second.size() ? first.size() > second.size()
                                                      : !std::ranges::lexicographical_compare(second, first);
  return aligned_in_order(first, second, scoring, in_order);
}

Alignment aligned_in_order(std::span<const Residue> first, std::span<const Residue> second,
                           const Scoring& scoring, bool first_is_query) {
  if (first_is_query) return align_reference(first, second, scoring, Detail::alignment);
  return mirrored(align_reference(second, first, mirrored(scoring), Detail::alignment));
}

}  // namespace alnus::test
