#include "stats/evalue.h"

#include <array>
#include <fmt/format.h>

#include "stats/composition.h"

namespace alnus::stats {

std::string_view to_string(Method method) {
  constexpr std::array<std::string_view, 5> kNames = {"spouge", "karlin", "regression", "zvalue", "none"};
  return kNames[static_cast<std::size_t>(method)];
}

std::string describe(const QueryStatistics& statistics) {
  return fmt::format("{}: {}", to_string(statistics.method()), statistics.description());
}

SearchSpace search_space_of(const SequenceSet& database) {
  return {static_cast<double>(database.total_residues()), static_cast<double>(database.size()), {}};
}

QueryStatisticsPtr statistics_of(std::span<const Residue> query, const ParameterModel& model,
                                 const Scoring& scoring) {
  if (query.empty() || model.space.residues == 0) return nullptr;
  const double worth = model.composition ? worth_of_scores(query, scoring) : 1;
  const auto make = model.method == Method::spouge ? spouge_statistics : karlin_statistics;
  return make(model.parameters, scoring, query.size(), model.space, worth);
}

std::vector<QueryStatisticsPtr> statistics_of(const SequenceSet& queries, const ParameterModel& model,
                                              const Scoring& scoring) {
  std::vector<QueryStatisticsPtr> result(queries.size());
  for (SequenceSet::Index query = 0; query < queries.size(); ++query)
    result[query] = statistics_of(queries.residues(query), model, scoring);
  return result;
}

}  // namespace alnus::stats
