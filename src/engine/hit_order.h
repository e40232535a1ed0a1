// The order of the hits of a query.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "alnus/sequence_set.h"
#include "alnus/statistics.h"

namespace alnus::engine {

// What decides about the place of a hit: of its best row the E-value, then the adjusted score, then the
// score; then the place of the subject in the database.
struct HitKey {
  double evalue = 0;  // infinity if the row has none
  double judged = 0;  // the adjusted score if the row has one, else the score; in the matrix' units
  std::int32_t score = 0;
  FileOrdinal ordinal{};

  static HitKey of(const Significance& significance, std::int32_t score, int scale, FileOrdinal ordinal) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    return {significance.evalue.value_or(kNone),
            significance.adjusted_score.value_or(static_cast<double>(score) / scale), score, ordinal};
  }
  // True if nothing but the database's order decides between the two.
  bool ties(const HitKey& other) const {
    return evalue == other.evalue && judged == other.judged && score == other.score;
  }
  bool operator==(const HitKey&) const = default;
  // The hit that comes first is the lesser one. E-values too small for a double are 0, but their scores still
  // differ.
  std::partial_ordering operator<=>(const HitKey& other) const {
    if (evalue != other.evalue) return evalue <=> other.evalue;
    if (judged != other.judged) return other.judged <=> judged;
    if (score != other.score) return other.score <=> score;
    return ordinal <=> other.ordinal;
  }
};

}  // namespace alnus::engine
