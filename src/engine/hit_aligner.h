// The hits of a search, query after query: chosen of its candidates, aligned and judged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "engine/adjusted_scores.h"
#include "engine/columns_builder.h"
#include "engine/pair_list.h"
#include "engine/scheduler.h"
#include "engine/search.h"
#include "engine/stranded_rows.h"
#include "engine/top_hits.h"
#include "stats/evalue.h"

namespace alnus::engine {

// By what the scores of each query are judged, by index; null: by nothing.
using QueryJudges = std::vector<stats::ScoreJudgePtr>;

// Bytes of hits that are handed over at a time.
std::uint64_t batch_bytes(const SearchOptions& options);

struct HitBatch {
  SearchBatch hits;
  std::uint64_t cut_ties = 0;
};

// Takes the candidates of query after query, and aligns them: for their exact scores, if the search told
// bounds, and for ends and alignments, if those are wanted. The scheduler's rows are the strands of queries.
class HitAligner {
 public:
  // `first_query`: the index of the first of the strands' queries among all of the search.
  HitAligner(Scheduler& scheduler, TopHits& top, const Problem& problem, const SearchOptions& options,
             const QueryJudges& statistics, const StrandedSet& strands, SequenceSet::Index first_query);

  bool done() const { return next_query_ == strands_.given().size(); }
  // The hits of the next queries, as many as fit batch_bytes(), one query at least.
  HitBatch next();

 private:
  struct Hit : TopHit {
    std::optional<double> adjusted{};  // the adjusted score, in the same units
    Significance significance{};

    double judged() const { return adjusted.value_or(score); }  // the score that the E-value is of
  };
  // The candidates of a query, on all its strands.
  struct Candidates {
    bool is_open() const {  // some scores are bounds
      return std::ranges::any_of(hits, [](const Hit& hit) { return hit.slack > 0; });
    }

    SequenceSet::Index query = 0;
    std::vector<Hit> hits;
    std::size_t first = 0;      // where its hits begin among the candidates that are adjusted together
    bool scores_first = false;  // exact scores come before alignments
    bool chosen = false;        // the hits have been chosen; else that waits for exact scores from alignments
    bool cut_tie = false;       // a subject that is as good as the last hit was left out
  };

  // The order of hits: by E-value where there are E-values, then by adjusted score and score, then by the
  // database's order.
  static bool is_before(const Hit& a, const Hit& b);
  std::span<const Position> strands_of(SequenceSet::Index query) const;
  // What is aligned of one query is kept together, whatever the memory.
  void warn_of_memory(std::size_t hits, std::uint64_t bytes) const;
  // Cuts candidates of known scores to those that TopHits keeps of each strand, one of each pair.
  void choose(Candidates& candidates) const;
  // Keeps one candidate of each pair: the strand of the higher score, plus where both are equal. A pair that
  // was cut on its better strand has as many pairs before it there as may be candidates, which stay before it
  // whatever their other strands score: it is no hit by its worse strand either.
  void merge_strands(std::vector<TopHit>& hits) const;
  const stats::ScoreJudge* judge_of(const Hit& hit) const;  // null: nothing judges the query's scores
  // The adjusted scores of the candidates whose unadjusted E-values are low enough; the others go.
  void adjust(std::vector<Candidates>& rows) const;
  // Judges candidates of known scores by the parameters of their query, sorts them and cuts them to the hits.
  void rank(Candidates& candidates) const;
  // Judges hits by shuffles and sorts them; those with too large E-values go.
  void judge_by_shuffles(std::vector<Candidates>& rows) const;
  // The candidates of the next queries, about batch_bytes() of them, one query's at least. Those whose exact
  // scores come first are cut to the hits.
  void read_ahead();
  // The candidates of one query.
  void read(Candidates& candidates) const;
  // Calls body(row) for each, on the threads of the call.
  template <class Body>
  void for_each(std::vector<Candidates>& rows, const Body& body) const;
  // Exact scores for the candidates of the rows whose scores come first.
  void score(std::vector<Candidates>& rows);
  // The alignments of all candidates that are left, which get their exact scores and their numbers in the
  // list.
  AlignedList align(std::vector<Candidates>& rows);
  // The rows of the hits that are left.
  HitBatch batch_of(SequenceSet::Index first, const std::vector<Candidates>& rows,
                    const AlignedList& alignments);
  // The ranges of identity of all hits that are left, if they are wanted.
  void add_identity(const std::vector<Candidates>& rows, ColumnsBuilder& builder);
  // A score that the search knew the bounds of. Throws Error(other) if it is not within them.
  static void settle(TopHit& hit, std::int32_t score);

  Scheduler& scheduler_;
  TopHits& top_;
  const Problem problem_;
  const std::vector<Position> positions_;
  const SearchOptions& options_;
  const QueryJudges& statistics_;
  const StrandedSet& strands_;
  const SequenceSet::Index first_query_;
  std::optional<AdjustedScores> adjusted_;  // empty: E-values are of the scores themselves
  const std::uint64_t batch_bytes_;
  SequenceSet::Index next_read_ = 0, next_query_ = 0;
  std::deque<Candidates> ahead_;  // of the queries from next_query_ to next_read_
  ThreadPool::Task reading_;      // of more of them
};

}  // namespace alnus::engine
