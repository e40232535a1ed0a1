#include "stats/evalue.h"

#include <array>
#include <fmt/format.h>

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

QueryStatisticsPtr parameter_statistics(Method method, const KarlinParameters& parameters,
                                        const Scoring& scoring, std::uint64_t query_length,
                                        const SearchSpace& space) {
  if (query_length == 0 || space.residues == 0) return nullptr;
  return method == Method::spouge ? spouge_statistics(parameters, scoring, query_length, space)
                                  : karlin_statistics(parameters, scoring, query_length, space);
}

std::vector<QueryStatisticsPtr> statistics_of(const SequenceSet& queries, Method method,
                                              const KarlinParameters& parameters, const Scoring& scoring,
                                              const SearchSpace& space) {
  std::vector<QueryStatisticsPtr> result(queries.size());
  for (SequenceSet::Index query = 0; query < queries.size(); ++query)
    result[query] = parameter_statistics(method, parameters, scoring, queries.length(query), space);
  return result;
}

}  // namespace alnus::stats
