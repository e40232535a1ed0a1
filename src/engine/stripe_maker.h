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
  // Behind the last stripe.
  const StripeState& state() const { return state_; }
  // Throws as the drivers do.
  Stripe next();

 private:
  const StopFlag& stop() const { return call_.progress.stop; }
  // The options by which pairs are found: the nearest are found first, and their rows made of them alone.
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
  // Finds the adjusted scores of the listed pairs, if E-values are of such; those with too large E-values go.
  void adjust(RawStripe& raw);
  // Takes the pairs in these places away. Both are by row, then column.
  static void drop(std::span<const std::pair<Index, Index>> places, std::vector<SparseValue>& values);
  Columns columns_of(std::span<const ListedPair> listed);
  // Calls take(rows, columns, numbers) for the listed pairs with these numbers, which were aligned as
  // sequences of these sets: as given, or on the minus strand one of the two as its reverse complement.
  template <class Take>
  void by_strand(std::span<const ListedPair> listed, const Take& take) const;
  void add_significance(std::span<const ListedPair> listed, ColumnsBuilder& builder);
  void add_ranges(std::span<const ListedPair> listed, ColumnsBuilder& builder);
  RawStripe make(IndexRange rows);
  // What is wanted of the nearest pairs, which are listed.
  RawStripe of_nearest(RawStripe found, IndexRange rows);
  std::int32_t self_score(const ListedPair& pair) const;
  // Of all pairs that passed the filter.
  std::vector<ListedPair> nearest_of(std::span<const ListedPair> pairs, IndexRange rows) const;
  void add_sparse(const ListedPair& pair, std::vector<SparseValue>& sparse) const;
  // Aligns these pairs, by row, as rows of the stripe in their order.
  void align(std::span<const ListedPair> pairs, IndexRange rows, RawStripe& stripe);

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const AllPairsOptions& options_;
  const AllPairsOptions found_by_;
  Call& call_;
  StripeState state_;
  StripeRegions regions_;
  const SelfScores self_scores_;
  const std::vector<stats::ScoreJudgePtr> statistics_;  // by i; null: none
  const std::vector<std::int32_t> lowest_;              // score of a listed pair, by i
  const bool adjusts_;                                  // true if E-values are of adjusted scores
};

}  // namespace alnus::engine
