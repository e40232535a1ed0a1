// The sequences of one side of a pair matrix as the queries of a search of the other side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "alnus/strand.h"
#include "engine/adjusted_scores.h"
#include "engine/call_state.h"
#include "engine/resolved_statistics.h"

namespace alnus::engine {

class QuerySide {
 public:
  using Index = SequenceSet::Index;
  // `limit`: the largest E-value of a hit; empty: no pair is a candidate. All arguments given by reference
  // must outlive the object. Throws Interrupted.
  QuerySide(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
            const ResolvedStatistics& statistics, std::optional<double> limit, const StopFlag& stop);

  const SequenceSet& queries() const { return queries_; }
  const SequenceSet& subjects() const { return subjects_; }
  // Null for an empty sequence.
  const stats::ScoreJudge* judge(Index query) const { return judges_[query].get(); }
  // The lowest score of a candidate, 1 or more.
  std::int32_t lowest(Index query) const { return lowest_[query]; }
  // Returns the E-value of a query and a subject by this score, adjusted or not, in units of 1/scale;
  // infinity if one of them is empty.
  double evalue(const IndexPair& pair, double score) const;
  // True if a pair with this score may be a hit (candidate_evalue()).
  bool is_candidate(const IndexPair& pair, std::int32_t score) const {
    return score >= lowest_[pair.query] && evalue(pair, score) <= most_;
  }
  // Returns the scores by which candidates on this strand of their queries are judged: the adjusted scores,
  // with nullopt as AdjustedScores::of() has it, or their own ones if scores are not adjusted.
  std::vector<std::optional<double>> judged_scores(Strand strand,
                                                   std::span<const AdjustedScores::Candidate> candidates,
                                                   double limit, CallState& call);

 private:
  const SequenceSet &queries_, &subjects_;
  const Scoring& scoring_;
  const ResolvedStatistics& statistics_;
  const double most_;  // the largest unadjusted E-value of a candidate
  const std::vector<stats::ScoreJudgePtr> judges_;
  std::vector<std::int32_t> lowest_;
  std::optional<SequenceSet> minus_;  // the queries' reverse complements, made when they are first wanted
};

}  // namespace alnus::engine
