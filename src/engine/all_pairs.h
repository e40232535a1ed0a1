// Every pair of a set, or every sequence of a set with every one of another, once; all of the pair matrix or
// a block of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "alnus/all_pairs.h"
#include "core/pair_value.h"
#include "core/sorted_sequences.h"
#include "engine/call.h"
#include "engine/columns_builder.h"
#include "engine/statistics_options.h"

namespace alnus::engine {

// The value of a score, of a kind that scores suffice for.
inline double value_of_score(PairValue kind, const Scoring& scoring, std::int32_t score,
                             std::int32_t self_score) {
  const std::int64_t scaled = kind == PairValue::score ? score : std::int64_t{self_score} - score;
  return static_cast<double>(scaled) / scoring.scale;
}

// `self_score`: the lower one of both sequences' scores with themselves, for score distances.
double value_of(const MatrixValue& value, const Scoring& scoring, std::int32_t score, std::int32_t self_score,
                const AlignmentCounts& counts, std::size_t length, std::size_t other_length);

// As alnus::PairFilter, scaled.
struct ScaledFilter {
  std::optional<std::int32_t> min_score{};  // in scaled units
  std::optional<double> min_identity{};     // percent of `denominator`
  Denominator denominator = Denominator::alignment;
  std::optional<double> evalue{};        // where there are E-values
  std::optional<double> min_coverage{};  // percent of `coverage_of`
  CoverageOf coverage_of = CoverageOf::both;
  std::optional<std::uint32_t> min_length{};  // columns

  bool empty() const { return !min_score && !min_identity && !evalue && !min_coverage && !min_length; }
  // True if scores do not suffice to decide whether a pair passes.
  bool needs_alignments() const { return min_identity || min_coverage || min_length; }
};

// Which pairs are among the sparse values: those whose value passes the threshold, and that pass the filter.
struct Cutoff {
  MatrixValue value{};
  double threshold = 0;
};

// Which pairs of a row are kept, where not all are: so many of those that pass the filter, the nearest by
// this value (alnus::AllPairsOptions::top_k).
struct Nearest {
  MatrixValue value{};
  std::uint32_t count = 1;
};

// A pair by its row and column in the pair matrix, and its value.
struct SparseValue {
  SequenceSet::Index row = 0, column = 0;
  double value = 0;
};

// As alnus::AllPairsOptions, with everything resolved.
struct AllPairsOptions {
  RowFields fields{};
  bool listed = true;  // rows are wanted
  ScaledFilter filter{};
  std::vector<MatrixValue> values{};  // wanted of every pair, filtered or not
  std::optional<Cutoff> cutoff{};     // of sparse values; empty: none are wanted
  std::optional<Nearest> nearest{};   // where it is set, `values` is empty, and a cutoff is of the same value
  StatisticsOptions statistics{};
  std::uint64_t memory_bytes = 8ULL << 30;
  double stripe_cells = 1e13;  // of a stripe, about
  bool small_stripes = false;  // stripes may be small where values take longer to write than to compute

  // What is computed of every pair; of the nearest, rows are made later.
  Detail detail_of_every_pair() const {
    if (!nearest) return fields.detail;
    return filter.needs_alignments() || !is_of_scores(nearest->value.kind) ? Detail::alignment
                                                                           : Detail::score;
  }
  // True if only adjusted scores, which follow the alignments, tell the E-values that the filter looks at.
  bool filters_adjusted() const { return filter.evalue && statistics.adjusts(); }
  bool has_score_distances() const {
    constexpr PairValue kKind = PairValue::score_distance;
    return (cutoff && cutoff->value.kind == kKind) || (nearest && nearest->value.kind == kKind) ||
           std::ranges::find(values, kKind, &MatrixValue::kind) != values.end();
  }
  // True if a stripe keeps a list of pairs.
  bool collects() const { return listed || (cutoff && filters_adjusted()); }
};

// Some seconds of work at this speed, in 1e9 cells a second.
double stripe_cells(double gcups);

// All pairs of consecutive rows.
struct Stripe {
  Columns listed;                     // by row, then column; the nearest of a row from the first on
  std::vector<ValueStripe> values;    // of AllPairsOptions::values, in their order
  std::vector<SparseValue> sparse{};  // by row, then column
  IndexRange rows;
  std::uint64_t pairs = 0;  // of the stripe
  std::uint64_t empty = 0;  // local alignments of score 0 among those not listed; of the nearest none count
};

// Which pairs there are. The columns of a row are the sequences before it in its set, so that the rows of a
// set are the first rows of every longer set that begins with it; or all of another set. In a block these are
// the columns of the block, and its rows. Where the nearest of each row are wanted, the columns of a row are
// all sequences of its own set, too, but itself.
class AllPairs {
 public:
  using Index = SequenceSet::Index;
  enum class Rows : std::uint8_t { half, whole };  // of one set
  // `against` null: one set, `self`: with every sequence itself, too. Throws Error(input) for a block that
  // leaves the matrix.
  AllPairs(const SequenceSet& set, const SequenceSet* against, bool self,
           const std::optional<Block>& block = {}, Rows of_one_set = Rows::half);
  const SequenceSet& rows() const { return rows_; }
  const SequenceSet& columns() const { return columns_; }
  bool one_set() const { return one_set_; }
  // True if each pair of one set is in the row of its later sequence alone.
  bool is_half() const { return one_set_ && of_one_set_ == Rows::half; }
  bool self() const { return self_; }
  const Block& block() const { return block_; }
  bool is_whole() const { return whole_; }
  IndexRange columns_of(Index row) const;
  // False for a sequence with itself that is among the columns of its row, but no pair.
  bool has(Index row, Index column) const { return row != column || self_ || !one_set_; }
  std::uint64_t pairs_of(Index row) const;
  // Of the rows from `row` on.
  std::uint64_t pairs_from(Index row) const;
  std::uint64_t cells_from(Index row) const;

 private:
  const SequenceSet rows_, columns_;
  const bool one_set_, self_;
  const Rows of_one_set_;
  Block block_;
  bool whole_ = true;
};

// Memory that results take until they are handed over.
std::uint64_t all_pairs_bytes(const AllPairsOptions& options);

// Stripes in order, each of so many rows that it is worth the devices' while and its results fit the memory.
// Where they end depends on the input and the options, and on nothing else: what is written stripe by stripe
// is the same bytes whatever happened in between. `emit` has a stripe on this thread while the next is
// computed.
//
// A pair is aligned with the longer sequence as the query (of equal lengths the one whose residues come
// first), so that the result does not depend on the order in the file; docs/ties.md. In the rows, the query
// is the earlier sequence, or that of the first set; of the nearest, that of the row. Throws as the other
// drivers do (engine/search.h).
struct StripeState {
  SequenceSet::Index next_row = 0;
  // What part of the pairs the filter and the cutoff left in the stripe before. Of the first stripe most are
  // usually dropped; if not, it does not fit and is made again, smaller.
  double left = 0.05;
};
using EmitStripe = std::function<void(const Stripe& stripe, const StripeState& after)>;
void all_pairs(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
               StripeState state, Call& call, const EmitStripe& emit);

}  // namespace alnus::engine
