// Which values of a stripe pass a cutoff.
#include "engine/sparse_values.h"

#include <cmath>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

#include "alnus/error.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;
using Found = std::vector<std::tuple<Index, Index, double>>;

SequenceSet four_sequences() {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (const char* letters : {"A", "C", "D", "E"}) builder.add_text("s", letters);
  return builder.finish();
}

// Of all pairs of four sequences; NaN passes nothing.
template <class Value>
Found passing(const Cutoff& cutoff, const Value& value, bool self = false,
              const std::vector<char>& filter = {}) {
  const AllPairs pairs(four_sequences(), nullptr, self);
  std::vector<double> values;
  for (Index row = 0; row < 4; ++row)
    for (Index column = 0; column < 4; ++column)
      values.push_back(column <= row ? value(row, column) : std::nan(""));
  Found found;
  emit_sparse(pairs, {{0, 4}, {0, 4}, values, nullptr}, filter, cutoff, StopFlag::never(),
              [&](const SparseValues& batch) {
                EXPECT_GT(batch.size(), 0u);
                for (std::size_t k = 0; k < batch.size(); ++k)
                  found.emplace_back(batch.row[k], batch.column[k], batch.value[k]);
              });
  return found;
}

TEST(SparseValuesOfStripes, IdentitiesAtOrAboveTheCutoff) {
  // 97.3 is no float, and 97.3 - 1e-9 would be the same float.
  const auto identity = [](Index row, Index column) {
    return row == column ? 100 : row == 3 ? 97.3 : column == 0 ? 97.3 - 1e-9 : std::nan("");
  };
  EXPECT_EQ(passing({PairValue::identity, 97.3}, identity),
            (Found{{3, 0, 97.3}, {3, 1, 97.3}, {3, 2, 97.3}}));
  EXPECT_EQ(
      passing({PairValue::identity, 97.3}, identity, true),
      (Found{{0, 0, 100}, {1, 1, 100}, {2, 2, 100}, {3, 0, 97.3}, {3, 1, 97.3}, {3, 2, 97.3}, {3, 3, 100}}));
}

TEST(SparseValuesOfStripes, DistancesAtOrBelowTheCutoff) {
  const auto distance = [](Index row, Index column) {
    return row + column == 3 ? 0.25 : column == 0 ? 1.0 / 3 : 1;
  };
  EXPECT_EQ(passing({PairValue::distance, 0.25}, distance), (Found{{2, 1, 0.25}, {3, 0, 0.25}}));
  EXPECT_EQ(passing({PairValue::distance, 1}, distance).size(), 6u);
  EXPECT_EQ(passing({PairValue::score_distance, -0.5}, distance).size(), 0u);
}

TEST(SparseValuesOfStripes, PairsThatTheFilterDropsAreNotAmongThem) {
  const auto score = [](Index row, Index column) { return static_cast<double>(10 * row + column); };
  std::vector<char> filter(16, 1);
  filter[3 * 4 + 1] = 0;  // row 3, column 1
  EXPECT_EQ(passing({PairValue::score, 30}, score, false, filter), (Found{{3, 0, 30}, {3, 2, 32}}));
}

TEST(SparseValuesOfStripes, NoBatchTakesMoreThanItsShareOfTheMemory) {
  const auto score = [](Index row, Index column) { return static_cast<double>(10 * row + column); };
  EXPECT_EQ(passing({PairValue::score, 0, 1}, score).size(), 6u) << "one pair at a time";
}

}  // namespace
}  // namespace alnus::engine
