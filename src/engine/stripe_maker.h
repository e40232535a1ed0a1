// Makes the stripes of all pairs, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/all_pairs_driver.h"
#include "engine/blank_sequences.h"
#include "engine/kept_sequences.h"
#include "engine/next_stripe.h"
#include "engine/pair_floors.h"
#include "engine/stripe_builder.h"
#include "engine/stripe_regions.h"
#include "stats/evalue.h"

namespace alnus::engine {

class StripeMaker {
 public:
  using Index = SequenceSet::Index;
  StripeMaker(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
              StripeState state, CallState& call);
  StripeMaker(const StripeMaker&) = delete;
  StripeMaker& operator=(const StripeMaker&) = delete;
  // True if all stripes have been made.
  bool done() const { return state_.next_row == pairs_.block().rows.end; }
  // Makes the next stripe; also returns the state after it. Throws as the drivers do
  // (engine/search_driver.h).
  std::pair<Stripe, StripeState> next();
  // Makes the stripe of these rows. Throws StripeTooLarge, too.
  Stripe make(IndexRange rows);

 private:
  const StopFlag& stop() const { return call_.progress.stop; }
  // Bytes, of bytes_of_results(), that the values and lists of a stripe should take; lists may take twice as
  // many as were expected.
  std::uint64_t most_bytes() const;
  // The end of the stripe that begins at this row. `left`: as StripeState::left.
  Index end_of(Index begin, double left) const;
  // StripeState::left after a stripe of which so many pairs were collected (RawStripe::collected).
  double share_left(std::uint64_t collected, std::uint64_t pairs) const;
  // Returns the share of pairs that the first stripe is planned for: that of a sample of pairs, if it matters
  // for the end of the stripe and there are enough pairs.
  double share_of_sample();
  // Returns so many pairs of these rows, which have `all` pairs, at equal distances.
  std::vector<ListedPair> sample_of(IndexRange rows, std::uint64_t all, std::uint64_t count) const;
  // Returns the bytes that results may take: all_pairs_bytes() without those of shuffles.
  std::uint64_t bytes_of_results() const;
  // What kept_ would take.
  std::uint64_t bytes_to_keep() const;
  std::unique_ptr<const KeptSequences> sequences_to_keep() const;
  PairFloors pair_floors() const;
  // If E-values are of adjusted scores, computes the adjusted scores of the listed pairs. If the filter has
  // an E-value, removes pairs with a larger one from `listed` and from `sparse`.
  void adjust(RawStripe& raw);
  Columns columns_of(std::span<const ListedPair> listed);
  // Groups the listed pairs by what was aligned, and calls take(rows, columns, numbers) for each group.
  // `rows` and `columns` are the sets as they were aligned: as given, or one of them reverse-complemented.
  // `numbers` are the places of the group's pairs in `listed`.
  template <class Take>
  void by_strand(std::span<const ListedPair> listed, const Take& take) const;
  // Calls work(k) for every k below `count`, on the threads of the call, many at a time.
  void for_pieces(std::size_t count, const std::function<void(std::size_t)>& work) const;
  void add_significance(std::span<const ListedPair> listed, ColumnsBuilder& builder);
  void add_ranges(std::span<const ListedPair> listed, ColumnsBuilder& builder);
  // Returns a builder that has collected what a pass over every pair of these rows finds.
  std::unique_ptr<StripeBuilder> collected(IndexRange rows, const AllPairsOptions& options,
                                           StripeRegions& regions) const;
  // Begins to find the pairs of the stripe after these rows, whose pairs are `found`. Does nothing where
  // finds_ahead_ is false, where scores do not decide in the next stripe, or where it has a single row, which
  // may take any memory.
  void find_next(IndexRange rows, const StripeBuilder& found);
  // Makes the pairs that pass the filter. If their scores say which ones do, and few do, all pairs are scored
  // and those few aligned; else all pairs are aligned.
  RawStripe of_filter(IndexRange rows);
  // Makes the sparse values and rows of the nearest pairs. The pass over every pair finds them or, if the
  // filter needs E-values of adjusted scores, all candidates, among which they are then chosen.
  RawStripe of_nearest(IndexRange rows);
  // Aligns the stripe's listed pairs, which are ordered by row. Throws StripeTooLarge if they take more than
  // `most_bytes`.
  void align(IndexRange rows, RawStripe& stripe, std::uint64_t most_bytes);

  const AllPairs& pairs_;
  const Scoring& scoring_;
  const AllPairsOptions& options_;
  const AllPairsOptions found_by_;  // the options of the pass that finds pairs
  // True if the next stripe's pairs are found by their scores while this stripe's adjusted scores and
  // alignments are made. A GPU would be idle whenever the host prepares or takes these.
  const bool finds_ahead_;
  CallState& call_;
  StripeState state_;
  double left_;                            // StripeState::left of the stripe that was made last
  StripeRegions regions_;                  // of found_by_
  std::optional<StripeRegions> aligning_;  // of options_, made when many pairs pass by their scores
  const BlankSequences blanks_;            // none if neither score distances nor the nearest are wanted
  const SelfScores self_scores_;
  const std::vector<stats::ScoreJudgePtr> statistics_;  // the judges of E-values, by i; null: there is none
  const PairFloors floors_;
  const bool adjusts_;  // true if E-values are of adjusted scores
  // Null if matrices are not adjusted, or if the sequences would take too much memory.
  const std::unique_ptr<const KeptSequences> kept_;
  NextStripe next_;  // of found_by_; the last member, because its thread uses the others
};

}  // namespace alnus::engine
