#include "engine/all_pairs_driver.h"

#include <fmt/format.h>
#include <utility>

#include "core/refuse_input.h"
#include "core/strands.h"
#include "engine/overlap.h"
#include "engine/related_stripes.h"
#include "engine/stripe_maker.h"

namespace alnus::engine {

using Index = SequenceSet::Index;

double value_of(const MatrixValue& value, const Scoring& scoring, std::int32_t score, std::int32_t self_score,
                const AlignmentCounts& counts, std::size_t length, std::size_t other_length) {
  if (is_of_scores(value.kind)) return value_of_score(value.kind, scoring, score, self_score);
  const Fraction identity = identity_of(counts, length, other_length, value.denominator);
  const auto whole = static_cast<double>(identity.denominator);
  return value.kind == PairValue::identity
             ? 100 * static_cast<double>(identity.numerator) / whole
             : static_cast<double>(identity.denominator - identity.numerator) / whole;
}

AllPairs::AllPairs(const SequenceSet& set, const SequenceSet* against, bool self,
                   const std::optional<Block>& block, Rows of_one_set)
    : rows_(set),
      columns_(against ? *against : set),
      one_set_(!against),
      self_(self),
      of_one_set_(of_one_set) {
  const Block whole{{0, rows_.size()}, {0, columns_.size()}};
  block_ = block.value_or(whole);
  const auto leaves = [](IndexRange range, IndexRange all) {
    return range.begin > range.end || range.end > all.end;
  };
  if (leaves(block_.rows, whole.rows) || leaves(block_.columns, whole.columns))
    refuse_input(
        fmt::format("A block of rows {} to {} and columns {} to {} does not lie in a pair matrix of {} "
                    "rows and {} columns.",
                    block_.rows.begin, block_.rows.end, block_.columns.begin, block_.columns.end,
                    rows_.size(), columns_.size()));
  whole_ = block_ == whole;
}

double AllPairs::columns_length() const {
  return columns_.empty() ? 0 : static_cast<double>(columns_.total_residues()) / columns_.size();
}

IndexRange AllPairs::columns_of(Index row) const {
  const IndexRange all = block_.columns;
  if (!is_half()) return all;
  return {all.begin, std::clamp(self_ ? row + 1 : row, all.begin, all.end)};
}

std::uint64_t AllPairs::pairs_of(Index row) const {
  const IndexRange columns = columns_of(row);
  const bool among_them = row >= columns.begin && row < columns.end;
  return columns.size() - (among_them && !has(row, row) ? 1 : 0);
}

std::uint64_t AllPairs::pairs_from(Index row) const {
  std::uint64_t pairs = 0;
  for (row = std::max(row, block_.rows.begin); row < block_.rows.end; ++row) pairs += pairs_of(row);
  return pairs;
}

std::uint64_t AllPairs::cells_from(Index row) const {
  const std::span<const std::uint64_t> offsets = columns_.arrays().offsets;
  std::uint64_t cells = 0;
  for (row = std::max(row, block_.rows.begin); row < block_.rows.end; ++row) {
    const IndexRange columns = columns_of(row);
    if (columns.size() == 0) continue;
    cells += rows_.length(row) * (offsets[columns.end] - offsets[columns.begin]);
    if (pairs_of(row) < columns.size()) cells -= rows_.length(row) * rows_.length(row);
  }
  return cells;
}

double row_seconds(const AllPairs& pairs, const AllPairsOptions& options, double left, Index row) {
  const PairCost& cost = options.cost;
  const double count = pairs.columns_of(row).size();
  const double cells = static_cast<double>(pairs.rows().length(row)) * pairs.columns_length();  // of a pair
  double listed = options.listed_share(left) * count;
  if (options.nearest) listed = std::max(listed, std::min<double>(options.nearest->count, count));
  return count * (cells * cost.cell + cost.pair) + listed * (cells * cost.cell_if_left + cost.if_left);
}

SomeOfSet slow_rows(const AllPairs& pairs, const AllPairsOptions& options, Index first_row) {
  SomeOfSet slow;
  for (Index row = first_row; row < pairs.block().rows.end; ++row)
    if (row_seconds(pairs, options, StripeState{}.left, row) > kMostRowSeconds) slow.add(row);
  return slow;
}

void all_pairs(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
               StripeState state, CallState& call, const EmitStripe& emit) {
  Progress& progress = call.progress;
  state.next_row = std::max(state.next_row, pairs.block().rows.begin);
  const bool is_planned = progress.counting().planned;
  const PlannedProgress planned(progress);
  // Devices also compute a sequence with itself if it is within AllPairs::columns_of(), even if it is no pair
  // of the call.
  std::uint64_t cells = pairs.cells_from(state.next_row), count = pairs.pairs_from(state.next_row);
  for (Index row = state.next_row; row < pairs.block().rows.end; ++row) {
    if (pairs.pairs_of(row) == pairs.columns_of(row).size()) continue;
    const std::uint64_t length = pairs.rows().length(row);
    cells += length * length;
    ++count;
  }
  const std::uint64_t strands = strands_of_each(options.fields.strands);
  if (!is_planned) progress.expect(strands * cells, strands * count);
  const auto make_all = [&](auto maker) {
    make_and_use(
        call, [&] { return maker.done(); }, [&] { return maker.next(); },
        [&](const std::pair<Stripe, StripeState>& made) { emit(made.first, made.second); });
  };
  if (options.relations.empty())
    make_all(StripeMaker(pairs, scoring, options, state, call));
  else
    make_all(RelatedStripes(pairs, options, state, call));
}

}  // namespace alnus::engine
