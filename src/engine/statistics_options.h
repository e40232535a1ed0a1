// By which statistics a run judges its scores.
#pragma once

#include <optional>

#include "engine/z_values.h"
#include "stats/evalue.h"

namespace alnus::engine {

struct StatisticsOptions {
  StatisticsMethod method = StatisticsMethod::none;
  // Of local alignments with this scoring. spouge and karlin need them; regression falls back to them for
  // queries whose scores do not suffice.
  std::optional<stats::KarlinParameters> parameters{};
  SearchSpace space{};
  Composition composition = Composition::none;         // of spouge and karlin
  LowComplexity low_complexity = LowComplexity::none;  // the same
  ShuffleOptions shuffles{};                           // of zvalue
  std::uint64_t memory_bytes = 8ULL << 30;             // of zvalue: bounds what shuffles take

  // What parameters tell.
  stats::ParameterModel model(StatisticsMethod by) const {
    return {by, *parameters, space, composition == Composition::scale};
  }

  // Whether scores are judged by them, and each on its own.
  bool by_parameters_now() const {
    return method == StatisticsMethod::spouge || method == StatisticsMethod::karlin;
  }
  // True if pairs are scored again, and judged by that score (engine/adjusted_scores.h).
  bool adjusts() const {
    return by_parameters_now() &&
           (composition == Composition::adjust || low_complexity == LowComplexity::statistics);
  }
  // spouge, or karlin where the parameters say nothing of finite lengths; none without parameters.
  StatisticsMethod by_parameters() const {
    if (!parameters) return StatisticsMethod::none;
    return parameters->finite_size() ? StatisticsMethod::spouge : StatisticsMethod::karlin;
  }
};

}  // namespace alnus::engine
