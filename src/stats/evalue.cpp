#include "stats/evalue.h"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/pieces.h"
#include "stats/composition.h"

namespace alnus {

std::string_view to_string(Composition composition) { return word_of(composition); }
std::string_view to_string(LowComplexity low_complexity) { return word_of(low_complexity); }
std::string_view to_string(CountedStrands strands) { return word_of(strands); }
std::string_view to_string(StatisticsMethod method) { return word_of(method); }

namespace stats {

std::string describe_adjustments(Composition composition, LowComplexity low_complexity) {
  constexpr std::array<std::string_view, 3> kCompositions = {"adjusted to the composition of both sequences",
                                                             "scaled by the composition of the query",
                                                             "not adjusted to composition"};
  return fmt::format("{}, low-complexity regions {}", kCompositions[static_cast<std::size_t>(composition)],
                     low_complexity == LowComplexity::statistics ? "masked" : "not masked");
}

QueryStatistics query_statistics(const ScoreJudge& judge, Composition composition,
                                 LowComplexity low_complexity) {
  std::string text = fmt::format("{}: {}", to_string(judge.method()), judge.description());
  if (judge.method() != StatisticsMethod::regression)
    text += ", " + describe_adjustments(composition, low_complexity);
  return {std::move(text), judge.karlin()};
}

SearchSpace search_space_of(const SequenceSet& database) {
  return {static_cast<double>(database.total_residues()), static_cast<double>(database.size()), {}};
}

ScoreJudgePtr judge_of(std::span<const Residue> query, const ParameterModel& model, const Scoring& scoring) {
  if (query.empty() || model.space.residues == 0) return nullptr;
  const double worth = model.scale ? worth_of_scores(query, scoring) : 1;
  const auto make = model.method == StatisticsMethod::spouge ? spouge_judge : karlin_judge;
  return make(model.parameters, scoring, query.size(), model.space, worth);
}

std::vector<ScoreJudgePtr> judges_of(const SequenceSet& queries, const ParameterModel& model,
                                     const Scoring& scoring, const StopFlag& stop) {
  std::vector<ScoreJudgePtr> result(queries.size());
  for (SequenceSet::Index query = 0; query < queries.size(); ++query) {
    throw_if_requested(stop);
    result[query] = judge_of(queries.residues(query), model, scoring);
  }
  return result;
}

}  // namespace stats
}  // namespace alnus
