// The statistics by which a call judges its scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "alnus/statistics.h"
#include "stats/evalue.h"

namespace alnus::engine {

struct ResolvedStatistics {
  StatisticsMethod method = StatisticsMethod::none;
  // The parameters of local alignments with the call's scoring. spouge and karlin need them; regression falls
  // back to them for queries whose scores do not suffice.
  std::optional<stats::KarlinParameters> parameters{};
  bool needs_calibration = false;  // true in a forecast, if the call would calibrate() first
  SearchSpace space{};
  Composition composition = Composition::none;         // with spouge and karlin only
  LowComplexity low_complexity = LowComplexity::none;  // with spouge and karlin only
  ShuffleOptions shuffles{};                           // with zvalue only
  std::uint64_t memory_bytes = 8ULL << 30;             // with zvalue only: bounds the memory of shuffles

  // Returns the model by which `parameters`, which must be set, judge scores with method `by`.
  stats::ParameterModel model(StatisticsMethod by) const {
    return {by, *parameters, space, composition == Composition::scale};
  }

  // True if parameters judge the scores, each score on its own.
  bool by_parameters_now() const {
    return method == StatisticsMethod::spouge || method == StatisticsMethod::karlin;
  }
  // True if pairs are scored again, and judged by their second score (engine/adjusted_scores.h).
  bool adjusts() const {
    return by_parameters_now() &&
           (composition == Composition::adjust || low_complexity == LowComplexity::statistics);
  }
  // Returns the method that the parameters allow: spouge, karlin if they lack the finite-size correction,
  // none if there are no parameters.
  StatisticsMethod by_parameters() const {
    if (!parameters) return StatisticsMethod::none;
    return parameters->finite_size() ? StatisticsMethod::spouge : StatisticsMethod::karlin;
  }
};

// The judge of each sequence's scores, by its index; all are null unless by_parameters_now().
inline std::vector<stats::ScoreJudgePtr> judges_of(const SequenceSet& rows,
                                                   const ResolvedStatistics& statistics,
                                                   const Scoring& scoring, const StopFlag& stop) {
  if (!statistics.by_parameters_now()) return std::vector<stats::ScoreJudgePtr>(rows.size());
  return stats::judges_of(rows, statistics.model(statistics.method), scoring, stop);
}

// Returns the significance of a row. It is empty if there is no judge or the subject is empty. `adjusted`:
// the row's adjusted score in units of 1/scale; empty if scores are not adjusted.
inline Significance significance_of(const stats::ScoreJudge* judge, std::int32_t score,
                                    const std::optional<double>& adjusted, std::size_t subject_length,
                                    const Scoring& scoring) {
  if (judge == nullptr || subject_length == 0) return {};
  Significance result = judge->of(adjusted.value_or(score), subject_length);
  if (adjusted) result.adjusted_score = *adjusted / scoring.scale;
  return result;
}

}  // namespace alnus::engine
