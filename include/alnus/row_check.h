// A check of rows that come from elsewhere: from a file, or from another process.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "alnus/export.h"
#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"

namespace alnus {

// Which columns rows must have besides query, subject and score. If an optional field is empty, rows may have
// its columns or not.
struct RowShape {
  Detail detail = Detail::alignment;  // decides about coordinates and counts, as Columns says
  bool strands = false;               // rows may be on the minus strand: there is a column of strands
  std::optional<bool> cigars{};       // with Detail::alignment only
  std::optional<bool> significance{};
  std::optional<bool> hsps{};  // a pair may have several rows: there is a column of their numbers
  std::optional<std::vector<Denominator>> identity_ranges{};
};

// Throws Error(input), whose text is a clause that names the row, unless these rows can be the results of
// this scoring: all columns have the sizes that `shape` says, indices are within both sets, scores are within
// what the lengths allow, coordinates lie in their sequences, CIGARs and counts fit the coordinates, and the
// numbers of significance and of identity are within their ranges. Letters are not looked at.
ALNUS_API void check_rows(const Columns& rows, const RowShape& shape, const Scoring& scoring,
                          const SequenceSet& queries, const SequenceSet& subjects);

// Bounds of the best score of two sequences of these lengths, in units of 1/scoring.scale: no score is below
// `lowest` or above `highest`.
struct ScoreRange {
  double lowest = 0, highest = 0;
  bool has(double score) const { return score >= lowest && score <= highest; }
};
ALNUS_API ScoreRange possible_scores(const Scoring& scoring, std::size_t query_length,
                                     std::size_t subject_length);

}  // namespace alnus
