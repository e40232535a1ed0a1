// All pairs: every pair of one set, or every sequence of one set with every sequence of another, each pair
// once. The whole pair matrix is computed, or a block of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/relation.h"
#include "core/pair_value.h"
#include "core/sorted_sequences.h"
#include "engine/call_state.h"
#include "engine/columns_builder.h"
#include "engine/resolved_statistics.h"

namespace alnus::engine {

// Converts a score to a value of `kind`, which must be PairValue::score or score_distance. Scores are in
// units of 1/scale, the value is in the matrix' units. `self_score`: the lower self score of the two
// sequences, for score distances; kNoSelfScore if one of them is blank.
inline double value_of_score(PairValue kind, const Scoring& scoring, std::int32_t score,
                             std::int32_t self_score) {
  if (kind == PairValue::score) return static_cast<double>(score) / scoring.scale;
  if (self_score == kNoSelfScore) return kLargestScoreDistance;
  return static_cast<double>(std::int64_t{self_score} - score) / scoring.scale;
}

// Returns the value of a pair: score and score distance in the matrix' units, identity in percent, distance
// as a fraction. `score` and `self_score` are in units of 1/scale; `self_score`, the lower self score of the
// two sequences, is for score distances. `counts` and the lengths are for identities and distances.
double value_of(const MatrixValue& value, const Scoring& scoring, std::int32_t score, std::int32_t self_score,
                const AlignmentCounts& counts, std::size_t length, std::size_t other_length);

// Selects the sparse values: the pairs that pass the filter and whose value passes the threshold
// (alnus::AllPairsOptions::cutoff). The threshold is in the unit of value_of().
struct Cutoff {
  MatrixValue value{};
  double threshold = 0;
};

// Limits the pairs of a row: of the pairs that pass the filter, only the `count` nearest by `value` are kept
// (alnus::AllPairsOptions::top_k).
struct Nearest {
  MatrixValue value{};
  std::uint32_t count = 1;
};

// A pair by its row and column in the pair matrix, and its value in the unit of value_of() or, with
// relations, of the relation that it has.
struct SparseValue {
  SequenceSet::Index row = 0, column = 0;
  double value = 0;
  std::uint8_t relation = 0;  // which of AllPairsOptions::relations; 0 without relations
  bool operator==(const SparseValue&) const = default;
};

// The seconds that a pair is expected to take: `pair` and, for each of its cells, `cell`. A pair that passes
// filter and cutoff ("is left") is then listed, aligned again or scored again, and takes `if_left` and, for
// each cell, `cell_if_left` in addition. If all four are 0, no estimate was made, and stripes are not ended
// early.
struct PairCost {
  double cell = 0, pair = 0;
  double cell_if_left = 0, if_left = 0;
  bool operator==(const PairCost&) const = default;
};
// A stripe ends before it is expected to take more seconds than this, unless it has a single row. With
// relations the number of its cells and its memory alone decide.
inline constexpr double kStripeSeconds = 3;

// A relation, and how pairs are aligned and judged to find out if they have it.
struct ResolvedRelation {
  Relation relation{};
  Scoring scoring{};                // symmetric, except for relations of the call
  ResolvedStatistics statistics{};  // of RelationKind::part and related
};

class FirstHits;

// alnus::AllPairsOptions after all defaults have been resolved.
struct AllPairsOptions {
  RowFields fields{};
  bool listed = true;  // rows (Stripe::listed) are wanted
  PairFilter filter{};
  std::optional<std::int32_t> min_score{};  // the filter's, in units of 1/scale
  std::vector<MatrixValue> values{};        // values that are computed for every pair, also for filtered ones
  std::optional<Cutoff> cutoff{};           // selects the sparse values; empty: none are wanted
  std::optional<Nearest> nearest{};         // if set, `values` is empty and `cutoff` is of the same value
  ResolvedStatistics statistics{};
  std::uint64_t memory_bytes = 8ULL << 30;
  double stripe_cells = 1e13;  // a stripe has about this many cells
  PairCost cost{};             // decides which stripes end early (kStripeSeconds)
  bool small_stripes = false;  // allow small stripes if values take longer to write than to compute
  // If not empty, the sparse values are the pairs that have one of these relations, and nothing else is
  // wanted.
  std::vector<ResolvedRelation> relations{};
  // With relations of two sets only: gets the first hit of each sequence of one set in the other one. It has
  // the scoring and the statistics of part and related. Null: not wanted.
  FirstHits* first_hits = nullptr;
  bool shortcuts = true;  // rule out pairs that cannot pass before they are aligned (IdentityBound)

  // True if the scores of pairs say which of them have rows, so that the others need not be aligned.
  bool scores_decide() const {
    const auto by_score = [](const MatrixValue& value) { return is_of_scores(value.kind); };
    return shortcuts && listed && !nearest && fields.detail != Detail::score &&
           (min_score || filter.evalue) && !filter.needs_alignments() &&
           std::ranges::all_of(values, by_score) && (!cutoff || by_score(cutoff->value));
  }
  // The detail of the pass over every pair. With `nearest`, and where scores decide, a second pass makes the
  // rows of the kept pairs, so that the first one aligns only if filter or value need alignments.
  Detail detail_of_every_pair() const {
    if (scores_decide()) return Detail::score;
    if (!nearest) return fields.detail;
    return filter.needs_alignments() || !is_of_scores(nearest->value.kind) ? Detail::alignment
                                                                           : Detail::score;
  }
  // True if the filter compares E-values of adjusted scores, which are known only after all pairs of a stripe
  // have been computed.
  bool filters_adjusted() const { return filter.evalue && statistics.adjusts(); }
  bool has_score_distances() const {
    constexpr PairValue kKind = PairValue::score_distance;
    return (cutoff && cutoff->value.kind == kKind) || (nearest && nearest->value.kind == kKind) ||
           std::ranges::find(values, kKind, &MatrixValue::kind) != values.end() ||
           std::ranges::any_of(relations, [](const ResolvedRelation& one) {
             return one.relation.kind == RelationKind::score_distance;
           });
  }
  // True if a stripe keeps a list of pairs.
  bool collects() const { return listed || (cutoff && filters_adjusted()); }
  // The fraction of all pairs that a stripe lists. `left`: the fraction that passes filter and cutoff. With
  // `nearest` the result is the fraction of pairs that are candidates: the nearest are chosen among these
  // once their adjusted scores are known.
  double listed_share(double left) const {
    if (!collects() || (nearest && !filters_adjusted())) return 0;
    return listed && filter.empty() && !min_score ? 1 : left;
  }
};

// Some sequences of a set: how many there are, and the index of the first one.
struct SomeOfSet {
  SequenceSet::Index count = 0, first = 0;
  // Adds a sequence, which comes after all others.
  void add(SequenceSet::Index i) {
    if (count++ == 0) first = i;
  }
};

// Returns the number of cells that devices compute in two seconds. `gcups`: their speed in 1e9 cells a
// second.
inline double stripe_cells(double gcups) { return 2 * gcups * 1e9; }
// Stripes of which only scores are computed have so many times more cells. GPUs score about four times as
// fast as their gcups say, and each stripe costs some tenths of a second more. On the CPU a stripe then takes
// some seconds longer, which does no harm.
inline constexpr double kScoredAtATime = 6;

// The results of all pairs of consecutive rows of the pair matrix.
struct Stripe {
  Columns listed;                     // by row, then column; with `nearest` by row, the nearest first
  std::vector<ValueStripe> values;    // one for each of AllPairsOptions::values
  std::vector<SparseValue> sparse{};  // by row, then column
  IndexRange rows;
  std::uint64_t pairs = 0;  // pairs of these rows, listed or not
  std::uint64_t empty = 0;  // pairs not listed because their local score is 0; 0 with `nearest`
};

// The pairs of a call. A row of the pair matrix has these columns:
// - one set, Rows::half: the sequences before the row's own, so that the rows of a set are also the first
//   rows of every longer set that begins with it;
// - one set, Rows::whole (where the nearest of each row are wanted): all sequences but the row's own;
// - two sets: all sequences of the second set.
// With `self` the row's own sequence is a column, too. A block has only its own rows and columns of these.
class AllPairs {
 public:
  using Index = SequenceSet::Index;
  enum class Rows : std::uint8_t { half, whole };  // one set: a pair is in one row, or in two
  // `against`: the second set; null for one set. `self`: one set's sequences are paired with themselves, too.
  // Throws Error(input) for a block that does not lie in the pair matrix.
  AllPairs(const SequenceSet& set, const SequenceSet* against, bool self,
           const std::optional<Block>& block = {}, Rows of_one_set = Rows::half);
  const SequenceSet& rows() const { return rows_; }
  const SequenceSet& columns() const { return columns_; }
  // Mean length of columns(), in residues; 0 if there are none.
  double columns_length() const;
  bool one_set() const { return one_set_; }
  // True if each pair of one set is in the row of its later sequence alone.
  bool is_half() const { return one_set_ && of_one_set_ == Rows::half; }
  bool self() const { return self_; }
  const Block& block() const { return block_; }
  bool is_whole() const { return whole_; }
  // With Rows::whole the range includes the row's own sequence, even if that is no pair (has()).
  IndexRange columns_of(Index row) const;
  // False if row and column are the same sequence and sequences are not paired with themselves.
  bool has(Index row, Index column) const { return row != column || self_ || !one_set_; }
  std::uint64_t pairs_of(Index row) const;
  // Pairs and cells of all rows from `row` on.
  std::uint64_t pairs_from(Index row) const;
  std::uint64_t cells_from(Index row) const;

 private:
  const SequenceSet rows_, columns_;
  const bool one_set_, self_;
  const Rows of_one_set_;
  Block block_;
  bool whole_ = true;
};

// Returns the seconds that a row is expected to take (PairCost). `left`: the fraction of the pairs that are
// expected to pass filter and cutoff.
double row_seconds(const AllPairs& pairs, const AllPairsOptions& options, double left,
                   SequenceSet::Index row);

inline constexpr double kMostRowSeconds = 10;
// Returns the rows of the block, from `first_row` on, that are expected to take longer.
SomeOfSet slow_rows(const AllPairs& pairs, const AllPairsOptions& options, SequenceSet::Index first_row);

// Returns the bytes that the results of all_pairs() may take until they are handed over: those of two
// stripes, the pairs that are found ahead for a third one, the threads' pieces of one stripe, its columns,
// and shuffles. The other half is for tiles.
inline std::uint64_t all_pairs_bytes(const AllPairsOptions& options) { return options.memory_bytes / 2; }

// all_pairs() makes stripes in the order of their rows. A stripe has enough rows to occupy the devices, and
// few enough that its results fit the memory and that it takes some seconds at most (kStripeSeconds). Where
// stripes end depends on the input and the options alone: output that is written stripe by stripe has the
// same bytes after an interruption as without one. `emit` gets each stripe on this thread while the next one
// is computed. On GPUs, where scores decide (AllPairsOptions::scores_decide), the pairs of one more stripe
// are found meanwhile (engine/next_stripe.h).
//
// The longer sequence of a pair is aligned as the query (of equal lengths the one whose residues come first),
// so that results do not depend on the order in the file (docs/ties.md). In the output rows the query is the
// earlier sequence, or the one of the first set; with `nearest` it is the sequence of the row. Throws as the
// other drivers do (engine/search_driver.h).
struct StripeState {
  SequenceSet::Index next_row = 0;
  // Fraction of the previous stripe's pairs that passed filter and cutoff, or, with relations, that had to be
  // kept. The first stripe is planned for that of a sample of pairs or, with relations or few pairs, for this
  // default; if more of its pairs pass, it does not fit and is made again with fewer rows.
  double left = 0.02;
};
using EmitStripe = std::function<void(const Stripe& stripe, const StripeState& after)>;
void all_pairs(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
               StripeState state, CallState& call, const EmitStripe& emit);

}  // namespace alnus::engine
