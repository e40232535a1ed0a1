// Makes the stripes of all pairs, one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/all_pairs.h"
#include "engine/listed_pair.h"
#include "engine/self_scores.h"
#include "engine/stripe_builder.h"
#include "engine/stripe_regions.h"
#include "stats/evalue.h"

namespace alnus::engine {

class StripeMaker {
 public:
  using Index = SequenceSet::Index;
  StripeMaker(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
              StripeState state, Call& call);
  // True if there is no stripe left.
  bool done() const { return state_.next_row == pairs_.block().rows.end; }
  // After the stripe that next() returned last.
  const StripeState& state() const { return state_; }
  // Throws as the drivers do (engine/search.h).
  Stripe next();

 private:
  const StopFlag& stop() const { return call_.progress.stop; }
  // The options of the pass over every pair. The nearest are only found by it, without CIGARs; rows are then
  // made of these alone.
  static AllPairsOptions options_to_find(AllPairsOptions options);
  // A stripe's values and its lists should take no more than this; lists may take twice what was expected.
  // There are two stripes at a time, and the parts of one and the shuffles for it beside them; half of the
  // memory is for tiles.
  std::uint64_t most_bytes() const;
  // The end of the stripe that begins at the next row.
  Index next_end() const;
  // By i, the lowest score with which a pair can pass the filter.
  std::vector<std::int32_t> lowest_scores() const;
  std::vector<stats::ScoreJudgePtr> make_statistics() const;
  // If E-values are of adjusted scores, finds those of the listed pairs, and removes pairs whose E-value is
  // too large, also from the sparse values.
  void adjust(RawStripe& raw);
  // Removes the values in these places. Both lists are by row, then column.
  static void drop(std::span<const std::pair<Index, Index>> places, std::vector<SparseValue>& values);
  Columns columns_of(std::span<const ListedPair> listed);
  // Calls take(rows, columns, numbers) for the listed pairs with these numbers, which were aligned as
  // sequences of these sets: as given, or on the minus strand one of the two as its reverse complement.
  template <class Take>
  void by_strand(std::span<const ListedPair> listed, const Take& take) const;
  void add_significance(std::span<const ListedPair> listed, ColumnsBuilder& builder);
  void add_ranges(std::span<const ListedPair> listed, ColumnsBuilder& builder);
  RawStripe make(IndexRange rows);
  // Makes sparse values and rows of what the pass over every pair found: the nearest, or, if E-values of
  // adjusted scores filter, all candidates, of which the nearest are chosen here.
  RawStripe of_nearest(RawStripe found, IndexRange rows);
  std::int32_t self_score(const ListedPair& pair) const;
  // The nearest of these pairs, which are all that passed the filter.
  std::vector<ListedPair> nearest_of(std::span<const ListedPair> pairs, IndexRange rows) const;
  void add_sparse(const ListedPair& pair, std::vector<SparseValue>& sparse) const;
  // Aligns these pairs, which are ordered by row, and lists them in the stripe in the same order.
  void align(std::span<const ListedPair> pairs, IndexRange rows, RawStripe& stripe);

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const AllPairsOptions& options_;
  const AllPairsOptions found_by_;  // options_to_find()
  Call& call_;
  StripeState state_;
  StripeRegions regions_;
  const SelfScores self_scores_;
  const std::vector<stats::ScoreJudgePtr> statistics_;  // by i; null: none
  const std::vector<std::int32_t> lowest_;              // score of a listed pair, by i
  const bool adjusts_;                                  // true if E-values are of adjusted scores
};

}  // namespace alnus::engine
