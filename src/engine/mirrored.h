// Query and subject in each other's place.
#pragma once

#include <utility>

#include "alnus/scoring.h"
#include "alnus/strand.h"

namespace alnus::engine {

// The scoring of both sequences in the other direction.
inline Scoring reversed(Scoring scoring) {
  std::swap(scoring.free_ends.query_begin, scoring.free_ends.query_end);
  std::swap(scoring.free_ends.subject_begin, scoring.free_ends.subject_end);
  return scoring;
}

// The scoring by which the subject, on this strand, is aligned to the query instead. On the minus strand both
// run the other way then.
inline Scoring mirrored(Scoring scoring, Strand strand = Strand::plus) {
  scoring.matrix = scoring.matrix.transposed();
  std::swap(scoring.free_ends.query_begin, scoring.free_ends.subject_begin);
  std::swap(scoring.free_ends.query_end, scoring.free_ends.subject_end);
  return strand == Strand::plus ? scoring : reversed(scoring);
}

// True if swapping query and subject changes no score.
inline bool symmetric(const Scoring& scoring, Strand strand = Strand::plus) {
  return scoring.matrix.symmetric() && mirrored(scoring, strand).free_ends == scoring.free_ends;
}

// True if that holds of all these strands.
inline bool symmetric(const Scoring& scoring, Strands strands) {
  return (strands == Strands::minus || symmetric(scoring, Strand::plus)) &&
         (strands == Strands::plus || symmetric(scoring, Strand::minus));
}

}  // namespace alnus::engine
