#include "engine/query_side.h"

#include <limits>

#include "core/strands.h"

namespace alnus::engine {

QuerySide::QuerySide(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                     const ResolvedStatistics& statistics, std::optional<double> limit, const StopFlag& stop)
    : queries_(queries),
      subjects_(subjects),
      scoring_(scoring),
      statistics_(statistics),
      most_(limit ? candidate_evalue(statistics, scoring, *limit) : 0),
      judges_(judges_of(queries, statistics, scoring, stop)),
      lowest_(queries.size(), 1) {  // a score of 0 aligns nothing
  if (limit) raise_to_candidates(queries, subjects, judges_, statistics, scoring, *limit, stop, lowest_);
  for (Index i = 0; i < queries.size(); ++i)
    if (!limit || !judges_[i]) lowest_[i] = std::numeric_limits<std::int32_t>::max();
}

double QuerySide::evalue(const IndexPair& pair, double score) const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const stats::ScoreJudge* judge = judges_[pair.query].get();
  const std::size_t length = subjects_.length(pair.subject);
  return judge == nullptr || length == 0 ? kNone : judge->of(score, length).evalue.value_or(kNone);
}

std::vector<std::optional<double>> QuerySide::judged_scores(
    Strand strand, std::span<const AdjustedScores::Candidate> candidates, double limit, CallState& call) {
  if (!statistics_.adjusts()) {
    std::vector<std::optional<double>> scores;
    scores.reserve(candidates.size());
    for (const AdjustedScores::Candidate& one : candidates) scores.emplace_back(one.score);
    return scores;
  }
  const ExtraWork besides(call.progress);
  if (strand == Strand::minus && !minus_) minus_ = reverse_complement(queries_, call.progress.stop);
  const SequenceSet& on_strand = strand == Strand::plus ? queries_ : *minus_;
  return AdjustedScores(on_strand, subjects_, scoring_, statistics_).of(candidates, limit, call);
}

}  // namespace alnus::engine
