// The first hit of each query of a search whose pairs are scored by a pass over all pairs.
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
#include "engine/hit_order.h"
#include "engine/query_side.h"
#include "engine/resolved_statistics.h"

namespace alnus::engine {

// The first hit is that of search() (engine/search_driver.h) with a single hit for each query, by the order
// of hits (HitKey) among all candidates: search() drops those of lower scores beyond
// SearchOptions::most_candidates(). It does not depend on the order in which candidates are offered.
//
// All pairs (AllPairsOptions::first_hits) offer the candidates of a stripe, which the pass of the local
// relations has found (engine/local_relation.cpp): these have the scoring and the statistics of a search, so
// that the same scores tell both. The candidates of a stripe are let go after it; what is kept is one hit of
// each query.
class FirstHits {
 public:
  struct Search {
    Scoring scoring{};
    ResolvedStatistics statistics{};
    double evalue = 0;                 // the largest one of a hit
    bool columns_are_queries = false;  // false: the rows of the pair matrix are the queries
  };
  explicit FirstHits(Search search) : search_(std::move(search)) {}

  const Search& search() const { return search_; }
  // Offers candidates on one strand of their queries: pairs of a query and a subject, with their judges. A
  // pair is offered once, on its better strand, plus if both score the same. Throws Interrupted.
  void offer(QuerySide& side, Strand strand, std::span<const AdjustedScores::Candidate> candidates,
             CallState& call);
  // Each query that has a hit, with the subject of its first hit, in the order of the queries.
  std::vector<IndexPair> pairs() const;

 private:
  struct Hit {
    HitKey key;
    SequenceSet::Index subject = 0;
  };
  class Offer;

  // Returns the largest unadjusted E-value of a pair that counts as a hit with this E-value.
  double most_unadjusted(double evalue) const;

  const Search search_;
  std::vector<std::optional<Hit>> hits_;  // by query; empty before the first offer
};

}  // namespace alnus::engine
