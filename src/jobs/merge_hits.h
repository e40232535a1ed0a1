// Joins the hits of the parts of a search.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/hit_order.h"
#include "jobs/collect.h"
#include "jobs/job.h"
#include "jobs/part_columns.h"

namespace alnus::jobs {

// Takes the hits of all parts in the order of the plan, and hands batches of whole queries to `take`. If a
// query was searched in pieces of the database, its hits are chosen among the hits of all pieces, by the same
// rule as in the engine (engine/hit_aligner.h). Adds to `summary` the number of hits and the queries without
// hits. For queries that were searched in pieces it also adds the cut ties.
//
// A hit has a row for each of its alignments. These rows follow each other, by the numbers of the alignments.
// The first row of a hit decides whether the hit is chosen, and the best row where it is listed; the other
// rows go with it.
//
// All contents of parts are checked. require_next(), end() and require_end() throw Error(input) with a
// message that the caller makes a part of its sentence.
class HitMerger {
 public:
  // `has_all(subject)`: true if the parts have the name and, if outputs show them, the letters of the
  // subject.
  HitMerger(const Job& job, const SequenceSet& queries, const SequenceSet& database,
            std::function<bool(SequenceSet::Index subject)> has_all, SearchSummary& summary,
            std::function<void(const SearchBatch&)> take);

  // Begins a part, which has the hits of these blocks. The blocks must follow those of the part before.
  void begin(std::span<const Block> blocks);
  // Throws for hits that do not come next, and for hits that no search finds.
  void require_next(const PartHits& hits);
  void add(PartHits hits);
  // Ends a part. Throws if hits of its blocks are missing, or if the counts in its summary are not those of
  // its hits.
  void end(const SearchSummary& of_part) const;
  void require_end() const;  // throws if the last queries of the job lack their hits

 private:
  // The rows of a hit: those from `begin` up to before `end`. `key` is that of the best one.
  struct HitRows {
    std::size_t begin = 0, end = 0;
    engine::HitKey key;
  };
  // Cuts the rows of one query, those from `begin` up to before `end`, into its hits (io::Rows). In a piece
  // of a database a subject may be a hit on each strand.
  std::vector<HitRows> hits_in(const Columns& rows, std::size_t begin, std::size_t end) const;

  bool is_whole(const Block& block) const { return block.columns.size() == job_.columns; }
  void require_rows(const PartHits& hits) const;
  // Checks the hits of a query that was compared with the whole database.
  void require_hits(const Columns& rows, std::span<const HitRows> hits) const;
  void require_candidates(const PartHits& hits);
  void require_histogram(const SearchSummary& of_part) const;
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
  // Keeps those hits of the next query that are among the candidates() or, if the score chooses hits, among
  // their best. Returns true if a candidate as good as the last of these was left out.
  bool keep_candidates(const Columns& rows, std::vector<HitRows>& hits) const;
  std::vector<Chosen> candidates() const;  // the best of all pieces, each pair once, by ordinal
  engine::HitKey key_of(const Columns& rows, std::size_t row) const;

  const Job& job_;
  const SequenceSet &queries_, &database_;
  const std::function<bool(SequenceSet::Index)> has_all_;
  SearchSummary& summary_;
  const std::function<void(const SearchBatch&)> take_;
  SequenceSet::Index next_query_ = 0, next_subject_ = 0;
  std::span<const Block> all_blocks_;           // the blocks of the part at hand
  std::span<const Block> blocks_;               // those of `all_blocks_` that still lack hits
  std::uint64_t hits_ = 0;                      // the number of hits that were added of the part at hand
  std::vector<SequenceSet::Index> by_ordinal_;  // the subjects sorted by ordinal; made for the first piece
  std::vector<PartHits> pieces_;                // the hits of the next query in the pieces added so far
};

}  // namespace alnus::jobs
