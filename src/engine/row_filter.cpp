#include "engine/row_filter.h"

#include "alnus/coverage.h"

namespace alnus::engine {

bool is_at_least(const Fraction& share, double percent) {
  constexpr double kRounding = 1e-12;  // two different shares of sequences differ by more
  return 100.0 * static_cast<double>(share.numerator) >=
         percent * static_cast<double>(share.denominator) * (1 - kRounding);
}

bool passes(const RowFilter& filter, const AlignmentCounts& counts, const Extent& query,
            const Extent& subject) {
  if (filter.min_length && counts.columns < std::int64_t{*filter.min_length}) return false;
  if (filter.min_identity &&
      !is_at_least(identity_of(counts, query.length, subject.length, filter.denominator),
                   *filter.min_identity))
    return false;
  return !filter.min_coverage ||
         is_at_least(coverage(static_cast<std::size_t>(query.span), query.length,
                              static_cast<std::size_t>(subject.span), subject.length, filter.coverage_of),
                     *filter.min_coverage);
}

}  // namespace alnus::engine
