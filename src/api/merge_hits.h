// The hits of a search from those of its parts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "api/collect.h"
#include "api/job.h"
#include "api/part_columns.h"

namespace alnus::api {

// Takes hits in the order of the plan, and hands over batches of whole queries. Where a query met the
// database in pieces, its hits are chosen again among those of all pieces, as the engine chooses them
// (engine/hit_aligner.h).
class HitMerger {
 public:
  HitMerger(const Job& job, const SequenceSet& database, std::function<void(const SearchBatch&)> take);

  void require_next(const PartHits& hits) const;  // throws Error(input) for hits that do not come next
  void add(PartHits hits);
  void require_end() const;  // throws so where the hits of queries are missing

  std::uint64_t hits() const { return hits_; }
  std::uint64_t cut_ties() const { return cut_ties_; }  // of the queries whose hits were chosen here

 private:
  void choose();
  // Where in their file the subjects are that may be hits.
  struct Chosen {
    std::int32_t score = 0;
    FileOrdinal ordinal{};
    Strand strand = Strand::plus;
    bool before(const Chosen& other) const {
      return score != other.score ? score > other.score : ordinal < other.ordinal;
    }
  };
  std::vector<Chosen> candidates() const;  // by ordinal
  bool is_before(const Columns& rows, std::size_t a, std::size_t b) const;
  bool ties(const Columns& rows, std::size_t a, std::size_t b) const;

  const Job& job_;
  const SequenceSet& database_;
  const std::function<void(const SearchBatch&)> take_;
  SequenceSet::Index next_query_ = 0, next_subject_ = 0;
  std::vector<PartHits> pieces_;  // of the next query
  std::uint64_t hits_ = 0, cut_ties_ = 0;
};

}  // namespace alnus::api
