#include "engine/identity_bound.h"

#include <limits>
#include <utility>
#include <vector>

#include "core/pair_value.h"
#include "engine/row_filter.h"

namespace alnus::engine {
namespace {

// True if the lengths of two sequences bound the divisor of an identity from below.
bool follows_from_lengths(Denominator denominator) {
  return denominator != Denominator::alignment && denominator != Denominator::ungapped;
}

// The divisor that is known of the lengths alone. The columns of an alignment with its end gaps are at least
// the residues of the longer sequence.
Denominator known_divisor(Denominator denominator) {
  return denominator == Denominator::with_end_gaps ? Denominator::longer : denominator;
}

}  // namespace

bool IdentityBound::rules_out() const {
  // In mode local, pairs of score 0 are counted, so that all pairs are aligned.
  if (!options_.shortcuts || scoring_.mode == Mode::local || options_.fields.detail != Detail::alignment ||
      !options_.values.empty() || options_.nearest)
    return false;
  const bool by_filter = options_.filter.min_identity && follows_from_lengths(options_.filter.denominator);
  const bool by_cutoff = options_.cutoff && !options_.listed && !is_of_scores(options_.cutoff->value.kind) &&
                         follows_from_lengths(options_.cutoff->value.denominator);
  return by_filter || by_cutoff;
}

bool IdentityBound::may_pass(std::int32_t common, std::size_t length, std::size_t other) const {
  AlignmentCounts counts;
  counts.identical = common;
  return may_pass_filter(counts, length, other) && may_pass_cutoff(counts, length, other);
}

bool IdentityBound::may_pass_filter(const AlignmentCounts& counts, std::size_t length,
                                    std::size_t other) const {
  if (!options_.filter.min_identity || !follows_from_lengths(options_.filter.denominator)) return true;
  RowFilter identity;
  identity.min_identity = options_.filter.min_identity;
  identity.denominator = known_divisor(options_.filter.denominator);
  return engine::passes(identity, counts, {0, length}, {0, other});
}

bool IdentityBound::may_pass_cutoff(const AlignmentCounts& counts, std::size_t length,
                                    std::size_t other) const {
  if (!options_.cutoff || options_.listed) return true;
  MatrixValue value = options_.cutoff->value;
  if (is_of_scores(value.kind) || !follows_from_lengths(value.denominator)) return true;
  value.denominator = known_divisor(value.denominator);
  return alnus::passes(value.kind, value_of(value, scoring_, 0, 0, counts, length, other),
                       options_.cutoff->threshold);
}

std::int32_t IdentityBound::least_common(std::size_t length) const {
  // With the shortest other sequence, which is the common subsequence itself, the divisors are the least.
  std::int32_t low = 0, high = static_cast<std::int32_t>(length) + 1;
  while (low < high) {
    const std::int32_t middle = low + (high - low) / 2;
    if (may_pass(middle, length, static_cast<std::size_t>(middle)))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

ChosenPairs IdentityBound::possible_pairs(const SortedSequences& rows, const SortedSequences& columns,
                                          std::uint64_t most_bytes, CallState& call) const {
  constexpr std::size_t kRows = 64;  // rows that a thread takes at a time
  std::vector<std::int32_t> floors(rows.size());
  call.for_each(rows.size(), kRows, [&](std::size_t number) {
    const std::int32_t least = least_common(rows.length(Position(static_cast<std::uint32_t>(number))));
    // A floor that nearly all pairs reach would make GPUs list them all.
    floors[number] = least > 1 ? least : std::numeric_limits<std::int32_t>::min();
  });
  return {std::move(floors),
          [this, &rows, &columns](std::int32_t common, Position row, Position column) {
            return may_pass(common, rows.length(row), columns.length(column));
          },
          most_bytes, call};
}

}  // namespace alnus::engine
