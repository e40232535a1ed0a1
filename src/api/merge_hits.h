// Joins the hits of the parts of a search.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "api/collect.h"
#include "api/job.h"
#include "api/part_columns.h"

namespace alnus::api {

// Takes the hits of all parts in the order of the plan, and hands batches of whole queries to `take`. If a
// query was searched in pieces of the database, its hits are chosen among the hits of all pieces, by the same
// rule as in the engine (engine/hit_aligner.h). Adds to `summary` the hits, the queries without hits, and, of
// the queries that were searched in pieces, the cut ties.
class HitMerger {
 public:
  HitMerger(const Job& job, const SequenceSet& queries, const SequenceSet& database, SearchSummary& summary,
            std::function<void(const SearchBatch&)> take);

  void require_next(const PartHits& hits) const;  // throws Error(input) for hits that do not come next
  void add(PartHits hits);
  void require_end() const;  // throws Error(input) if hits of queries are missing

 private:
  void hand_over(const SearchBatch& batch);
  void choose();
  // A subject that may be a hit of the query at hand.
  struct Chosen {
    std::int32_t score = 0;
    FileOrdinal ordinal{};
    Strand strand = Strand::plus;
    bool before(const Chosen& other) const {
      return score != other.score ? score > other.score : ordinal < other.ordinal;
    }
  };
  std::vector<Chosen> candidates() const;  // of all pieces, sorted by ordinal
  bool is_before(const Columns& rows, std::size_t a, std::size_t b) const;
  bool ties(const Columns& rows, std::size_t a, std::size_t b) const;

  const Job& job_;
  const SequenceSet &queries_, &database_;
  SearchSummary& summary_;
  const std::function<void(const SearchBatch&)> take_;
  SequenceSet::Index next_query_ = 0, next_subject_ = 0;
  std::vector<PartHits> pieces_;  // hits of the next query, from the pieces that were added so far
};

}  // namespace alnus::api
