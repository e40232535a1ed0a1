// The regions of the pair matrix that make up a stripe of all pairs, and how devices compute them.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/sorted_sequences.h"
#include "engine/all_pairs_driver.h"
#include "engine/blank_sequences.h"
#include "engine/identity_bound.h"
#include "engine/scheduler.h"
#include "engine/strand_scores.h"
#include "engine/stripe_builder.h"
#include "engine/stripe_sink.h"

namespace alnus::engine {

// Consecutive sequences of a set, sorted by rank.
struct RankedSequences {
  std::shared_ptr<const SortedSequences> sorted;
  std::span<const Rank> ranks;   // by index in `sorted->set()`
  SequenceSet::Index first = 0;  // index of the first sequence in the whole set

  // `part`: the indices of the sequences in `set`. `all_ranks`: the ranks of the whole set, by index; they
  // and the call must outlive the object.
  RankedSequences(const SequenceSet& set, IndexRange part, std::span<const Rank> all_ranks,
                  const CallState& call);
  // Makes the devices drop these sequences, which no other call can use.
  ~RankedSequences();
  RankedSequences(const RankedSequences&) = delete;
  RankedSequences& operator=(const RankedSequences&) = delete;

  Rank rank(Position position) const { return ranks[sorted->index(position)]; }
  const StopFlag& stop() const { return call_.progress.stop; }
  // The same sequences on this strand, at the same positions. Any thread may call this.
  const std::shared_ptr<const SortedSequences>& on(Strand strand) const;

 private:
  const CallState& call_;
  mutable std::mutex mutex_;                              // guards minus_
  mutable std::shared_ptr<const SortedSequences> minus_;  // made when it is first wanted
};

// A staircase of pairs that devices compute in one run.
struct PairRegion {
  const RankedSequences &queries, &subjects;
  Origin::Query query;                  // as in Origin
  std::vector<Position> steps{};        // by position of a query: its first subject
  std::optional<bool> only_mirrored{};  // as in Origin

  Origin origin(Strand strand) const { return {queries.first, subjects.first, query, strand, only_mirrored}; }
  // Returns the indices i and j (StripeBuilder) of a pair of the region.
  IndexPair indices(Position of_query, Position of_subject) const;
};

// Computes the pairs of stripes. Devices align the sequence of lower rank, which is the longer one, as a
// pair's query; StripeBuilder turns results so that i is the query. One thread may align() while another one
// fills a builder.
class StripeRegions {
 public:
  // `longest_tile_seconds`: of the tiles of fill(), as PairMatrix::longest_seconds.
  StripeRegions(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
                CallState& call, double longest_tile_seconds = std::numeric_limits<double>::infinity());
  // Calls visit(region, scoring) for each of the regions that the pairs of these rows lie in. Every pair is
  // in one of them; if the scoring is not symmetric, in two, of which PairRegion::only_mirrored says which
  // counts. `scoring` is the one with which the region's queries are aligned to its subjects.
  using Visit = std::function<void(const PairRegion& region, const Scoring& scoring)>;
  void for_each_region(IndexRange rows, const Visit& visit) const;
  // Computes all pairs of these rows.
  void fill(IndexRange rows, StripeBuilder& builder);
  // Aligns the given pairs, which are of these rows, each on its ListedPair::strand.
  void align(IndexRange rows, std::span<const ListedPair> pairs, const RowFields& fields,
             StripeBuilder& builder);
  // The largest share of pairs that are aligned faster as a list than together with all others.
  double most_listed() const;
  // Computes the self scores of all sequences that are in pairs of the rows from `first_row` on.
  SelfScores self_scores(SequenceSet::Index first_row, const BlankSequences& blanks);
  // As IdentityBound::cells_at_a_time().
  double cells_at_a_time() const { return bound_.cells_at_a_time(); }
  // True if writing the values takes longer than computing them.
  bool writing_is_slower() const { return writing_is_slower_; }

 private:
  void inner(const RankedSequences& part, const Visit& visit) const;
  // Visits the pairs of `rows` with `columns`, all of which come before the rows in the set.
  void with_columns_before(IndexRange columns, const RankedSequences& rows, const Visit& visit) const;
  // True if the score on the plus strand is all that is wanted of a pair.
  bool scores_alone() const;
  // True if identities are all that is wanted of alignments (Problem::identities).
  bool identities_alone() const;
  // Returns the most columns that are computed at a time with `rows` rows: all, unless writing is slower than
  // computing (kColumns).
  std::uint32_t most_columns(std::uint32_t rows) const;
  void between(const RankedSequences& is, const RankedSequences& js, const Visit& visit) const;
  void run(const PairRegion& region, const Scoring& scoring, StripeBuilder& builder);
  // Aligns the pairs that bound_ does not rule out. Returns false, and has done nothing, where it would take
  // longer than to align all pairs.
  bool align_possible(const PairRegion& region, Strand strand, const Problem& problem,
                      StripeBuilder& builder);
  // Returns about the share of the region's pairs that bound_ leaves.
  double possible_share(const PairRegion& region, Strand strand);
  void run_both_strands(const PairRegion& region, const Problem& problem, StripeBuilder& builder);
  void hand_over(const PairRegion& region, const StrandScores& scores, Strand strand, StripeSink& sink) const;
  void align_on(const PairRegion& region, const StrandScores& scores, Strand strand, const Problem& problem,
                StripeSink& sink);
  StripeSink sink_of(const PairRegion& region, Strand strand, StripeBuilder& builder) const;
  // All pairs of the region.
  PairMatrix matrix_of(const PairRegion& region) const {
    return {.shape = TileShape::staircase,
            .first_columns = region.steps,
            .longest_seconds = longest_tile_seconds_};
  }
  const StopFlag& stop() const { return call_.progress.stop; }

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const Scoring mirrored_;
  const AllPairsOptions& options_;
  const IdentityBound bound_;
  CallState& call_;
  const double longest_tile_seconds_;
  const bool writing_is_slower_;
  const std::vector<Rank> ranks_;
  std::optional<RankedSequences> against_;  // the block's columns; empty with AllPairs::is_half()
};

}  // namespace alnus::engine
