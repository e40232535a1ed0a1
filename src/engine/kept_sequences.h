// The sequences of two sets, prepared for adjusted scores once for a whole call, and the second test of their
// pairs (kPredictedFactor in engine/adjusted_scores.h).
#pragma once

#include <cstdint>
#include <utility>

#include "alnus/alignment.h"
#include "engine/prepared_sequences.h"
#include "stats/evalue.h"

namespace alnus::engine {

// Each sequence is prepared when it is first wanted. Any thread may use the object.
class KeptSequences {
 public:
  using Index = SequenceSet::Index;
  // True if there is a second test: if matrices are adjusted.
  static bool suits(const Scoring& scoring, const ResolvedStatistics& options) {
    return options.composition == Composition::adjust && stats::MatrixAdjuster::adjusts(scoring);
  }
  // Returns the bytes that the object takes once all of these queries and subjects are prepared.
  static std::uint64_t most_bytes(const SequenceSet& queries, IndexRange of_queries,
                                  const SequenceSet& subjects, IndexRange of_subjects);
  // suits() must be true. All arguments must outlive the object.
  KeptSequences(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                const ResolvedStatistics& options, const StopFlag& stop);

  const PreparedSequence& query(Index query) const { return query_with_terms(query).sequence; }
  const PreparedSequence& subject(Index subject) const;   // masked, unless options leave low complexity alone
  const PreparedSequence& unmasked(Index subject) const;  // the same subject with nothing masked

  // Returns false if the second test finds the E-value of a pair too large for `limit`. `score`: the pair's
  // unadjusted score in units of 1/scale. `judge`: of the query. The subject must not be empty.
  bool may_be_hit(const IndexPair& pair, std::int32_t score, const stats::ScoreJudge& judge,
                  double limit) const;

 private:
  struct Query {
    PreparedSequence sequence;
    stats::MatrixAdjuster::ScaleTerms terms;
  };
  const Query& query_with_terms(Index query) const;

  const SequenceSet &query_set_, &subject_set_;
  const SequencePreparer preparer_;
  const StopFlag& stop_;
  const KeptValues<Query> queries_;
  const KeptValues<PreparedSequence> subjects_, unmasked_;
};

}  // namespace alnus::engine
