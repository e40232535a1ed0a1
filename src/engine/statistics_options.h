// By which statistics a run judges its scores.
#pragma once

#include <optional>

#include "engine/z_values.h"
#include "stats/evalue.h"

namespace alnus::engine {

struct StatisticsOptions {
  stats::Method method = stats::Method::none;
  // Of local alignments with this scoring. spouge and karlin need them; regression falls back to them for
  // queries whose scores do not suffice.
  std::optional<stats::KarlinParameters> parameters{};
  stats::SearchSpace space{};
  bool composition = false;   // spouge and karlin: each query's own letters, too
  ShuffleOptions shuffles{};  // of zvalue

  // What parameters tell.
  stats::ParameterModel model(stats::Method by) const { return {by, *parameters, space, composition}; }

  // Whether scores are judged by them, and each on its own.
  bool by_parameters_now() const {
    return method == stats::Method::spouge || method == stats::Method::karlin;
  }
  // spouge, or karlin where the parameters say nothing of finite lengths; none without parameters.
  stats::Method by_parameters() const {
    if (!parameters) return stats::Method::none;
    return parameters->finite_size() ? stats::Method::spouge : stats::Method::karlin;
  }
};

// What a search does unless told otherwise: the published parameters, where there are some.
inline StatisticsOptions default_statistics(const Scoring& scoring, const SequenceSet& database) {
  StatisticsOptions options;
  options.parameters = stats::published_parameters(scoring);
  options.method = options.by_parameters();
  options.space = stats::search_space_of(database);
  return options;
}

}  // namespace alnus::engine
