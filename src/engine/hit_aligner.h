// Makes the hits of a search, query after query: chooses them among the candidates, aligns and judges them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "engine/align_list.h"
#include "engine/hit_order.h"
#include "engine/row_maker.h"
#include "engine/scheduler.h"
#include "engine/search_driver.h"
#include "engine/top_hits.h"

namespace alnus::engine {

struct HitBatch {
  SearchBatch hits;
  std::vector<SequenceSet::Index> cut_ties;  // queries whose hits were cut between equal hits
};

// Takes the candidates of one query after the other and aligns them: for exact scores if the search gave
// bounds, and for ends and alignments if these are wanted. The scheduler's rows are the strands of the
// queries.
class HitAligner {
 public:
  // `first_query`: the index, among all queries of the search, of the first query in `strands`. `statistics`
  // has a judge for each of the strands. All arguments must outlive the object.
  HitAligner(Scheduler& scheduler, TopHits& top, const Scoring& scoring, const SearchOptions& options,
             const QueryJudges& statistics, const StrandedSet& strands, SequenceSet::Index first_query);

  bool done() const { return next_query_ == strands_.given().size(); }
  // Returns the hits of the next queries, of about RowOptions::batch_bytes(), but of one query at least.
  HitBatch next();

 private:
  struct Hit : TopHit {
    std::optional<double> adjusted{};  // adjusted score, in units of 1/scale
    Significance significance{};
  };
  // The candidates of a query, on all its strands.
  struct Candidates {
    bool is_open() const {  // true if some scores are bounds
      return std::ranges::any_of(hits, [](const Hit& hit) { return hit.slack > 0; });
    }

    SequenceSet::Index query = 0;
    std::vector<Hit> hits;
    std::size_t first = 0;      // place of hits[0] among all candidates that adjust() takes
    bool scores_first = false;  // exact scores replace bounds before anything is aligned
    bool chosen = false;        // hits have been chosen; false: alignments will give exact scores first
    bool cut_tie = false;       // a pair as good as the last hit was left out
  };

  // A hit with the rows that are listed of it, of which there is one at least. `key` is that of the best row.
  struct ListedHit {
    std::span<PairRow> rows;
    HitKey key;
  };

  // The candidates of a batch of queries, with their alignments (AlignedList::pairs by TopHit::number).
  struct Aligned {
    IndexRange queries{};
    std::vector<Candidates> rows;
    AlignedList alignments;
  };

  HitKey key_of(const Significance& significance, std::int32_t score, FileOrdinal ordinal) const;
  // Cuts sorted hits to max_target_seqs, but not in a piece of a database. Returns true if a hit as good as
  // the last one was left out. `key(hit)`: the key of a hit.
  template <class Hits, class KeyOf>
  bool cut(Hits& hits, const KeyOf& key) const;
  // The scheduler's rows of the query's strands.
  std::span<const Position> strands_of(SequenceSet::Index query) const;
  // Warns, once in a call, that the `hits` alignments of one query, which are kept together, may take `bytes`
  // bytes and exceed the memory budget.
  void warn_of_memory(std::size_t hits, std::uint64_t bytes) const;
  // True in a piece of a database, where the candidates of all pieces decide which of the piece's are hits.
  // Where filters look at alignments, no candidate is left out because others score more, so that the
  // candidates that the pieces hand over are those that passed.
  bool decides_later() const { return options_.piece && !options_.asked.filter.needs_alignments(); }
  // True if the rows of pairs decide which pairs are hits and about their order; false: the scores do.
  bool rows_decide() const { return options_.asked.max_hsps > 1 || options_.asked.filter.needs_alignments(); }
  // Cuts the candidates of a query, whose scores are exact by now, to those that TopHits::choose keeps of
  // each strand, and then to one for each pair. If the candidates of the whole database decide, hands those
  // of each strand to PieceOfDatabase::on_candidates, and keeps both strands of a pair.
  void choose(Candidates& candidates) const;
  // Keeps one candidate of each pair: on the strand with the higher score, or plus if both score the same. A
  // pair that was cut on its better strand has as many pairs before it there as there may be candidates.
  // These stay before it, so that it is no hit by its worse strand either, unless second scores lower them.
  void merge_strands(std::vector<TopHit>& hits) const;
  // Sets the adjusted scores of the candidates, and removes candidates without one: their E-values are too
  // large (AdjustedScores::of).
  void adjust(std::vector<Candidates>& rows) const;
  // Judges the candidates of a query, whose scores are exact by now, and sorts them. Cuts them to the hits,
  // unless rows_decide().
  void rank(Candidates& candidates) const;
  // Hands the hits of a query to PieceOfDatabase::on_candidates, each by its first row.
  void hand_over(const std::vector<ListedHit>& hits, SequenceSet::Index query) const;
  // Judges hits by shuffles, removes those whose E-value is too large, and sorts the others.
  void judge_by_shuffles(std::vector<std::vector<ListedHit>>& hits) const;
  // Reads the candidates of the next queries into ahead_: about batch_bytes() of them, at least those of one
  // query. Chooses and ranks the candidates of each query whose scores are exact by then.
  void read_ahead();
  void read(Candidates& candidates) const;
  // Calls body(row) for each of the rows, on the threads of the call.
  template <class Body>
  void for_each(std::vector<Candidates>& rows, const Body& body) const;
  // Replaces bounds by exact scores in the rows with `scores_first`.
  void score(std::vector<Candidates>& rows);
  // Aligns all candidates of the rows. Sets their exact scores, and TopHit::number to their places in the
  // returned list. With Detail::score nothing is aligned.
  AlignedList align(std::vector<Candidates>& rows);
  // Sets aligned_ to the queries after those that it had.
  void align_next();
  HitBatch batch_of(Aligned& aligned);
  // Returns the first alignments of the hits in `rows`.
  std::vector<FirstRow> first_rows(const std::vector<Candidates>& rows, const AlignedList& alignments) const;
  // Returns the listed hits of each query in their order. Where rows_decide(), sorts the hits by their best
  // rows, and cuts them.
  std::vector<std::vector<ListedHit>> listed(std::vector<Candidates>& rows, PairRows& found) const;
  // Replaces the bounds of a hit's score by the exact score. Throws Error(other) if it is not within the
  // bounds.
  static void settle(TopHit& hit, std::int32_t score);

  Scheduler& scheduler_;
  TopHits& top_;
  const Scoring& scoring_;
  const std::vector<Position> positions_;
  const SearchOptions& options_;
  const RowOptions row_options_;
  const QueryJudges& statistics_;
  const StrandedSet& strands_;
  const SequenceSet::Index first_query_;
  const RowMaker maker_;
  SequenceSet::Index next_query_ = 0;  // the first query that next() has not returned
  SequenceSet::Index next_read_ = 0;
  std::deque<Candidates> ahead_;  // queries behind those of aligned_, up to before next_read_
  Aligned aligned_;
  ThreadPool::Task reading_;   // runs read_ahead()
  ThreadPool::Task aligning_;  // runs align_next()
};

}  // namespace alnus::engine
