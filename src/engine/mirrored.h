// Query and subject in each other's place.
#pragma once

#include <utility>

#include "alnus/scoring.h"

namespace alnus::engine {

inline Scoring mirrored(Scoring scoring) {
  scoring.matrix = scoring.matrix.transposed();
  std::swap(scoring.free_ends.query_begin, scoring.free_ends.subject_begin);
  std::swap(scoring.free_ends.query_end, scoring.free_ends.subject_end);
  return scoring;
}

}  // namespace alnus::engine
