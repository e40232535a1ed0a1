#include "alnus/identity.h"

#include <algorithm>

namespace alnus {

Fraction identity_of(const AlignmentCounts& counts, std::size_t query_length, std::size_t subject_length,
                     Denominator denominator) {
  const auto m = static_cast<std::int64_t>(query_length), n = static_cast<std::int64_t>(subject_length);
  Fraction identity{counts.identical, 0};
  switch (denominator) {
    case Denominator::alignment:
      identity.denominator = counts.columns;
      break;
    case Denominator::ungapped:
      identity.denominator = counts.columns - counts.gap_residues;
      break;
    case Denominator::shorter:
      identity.denominator = std::min(m, n);
      break;
    case Denominator::longer:
      identity.denominator = std::max(m, n);
      break;
    case Denominator::mean:
      identity = {2 * std::int64_t{counts.identical}, m + n};
      break;
    case Denominator::with_end_gaps:
      identity.denominator = m + n - (counts.columns - counts.gap_residues);
      break;
  }
  return identity.denominator > 0 ? identity : Fraction{};
}

}  // namespace alnus
