// Scorings with query and subject swapped.
#pragma once

#include <utility>

#include "alnus/scoring.h"

namespace alnus::engine {

// True if swapping query and subject changes no score.
inline bool symmetric(const Scoring& scoring) {
  const FreeEnds& free = scoring.free_ends;
  return scoring.matrix.symmetric() && free.query_begin == free.subject_begin &&
         free.query_end == free.subject_end;
}

// Returns the scoring for swapped sequences: the matrix transposed, the free ends swapped.
inline Scoring mirrored(Scoring scoring) {
  scoring.matrix = scoring.matrix.transposed();
  std::swap(scoring.free_ends.query_begin, scoring.free_ends.subject_begin);
  std::swap(scoring.free_ends.query_end, scoring.free_ends.subject_end);
  return scoring;
}

}  // namespace alnus::engine
