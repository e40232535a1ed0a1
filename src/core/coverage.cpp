#include "alnus/coverage.h"

#include <algorithm>

namespace alnus {

Fraction coverage(std::size_t query_span, std::size_t query_length, std::size_t subject_span,
                  std::size_t subject_length, CoverageOf of) {
  const auto share = [](std::size_t span, std::size_t length) {
    return length == 0 ? Fraction{}
                       : Fraction{static_cast<std::int64_t>(span), static_cast<std::int64_t>(length)};
  };
  const Fraction query = share(query_span, query_length), subject = share(subject_span, subject_length);
  switch (of) {
    case CoverageOf::query:
      return query;
    case CoverageOf::subject:
      return subject;
    case CoverageOf::shorter:
      if (query_length != subject_length) return query_length < subject_length ? query : subject;
      break;
    case CoverageOf::longer:
      if (query_length != subject_length) return query_length > subject_length ? query : subject;
      break;
    case CoverageOf::both:
      break;
  }
  return query.numerator * subject.denominator < subject.numerator * query.denominator ? query : subject;
}

}  // namespace alnus
