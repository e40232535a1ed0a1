#include "engine/dense_columns.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "core/device.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::random_sequences;

TEST(BlocksInTiles, TakeTheLeastTime) {
  EXPECT_EQ(blocks_in_tiles({}, 20), 0u);
  const std::vector<ColumnBlock> sparse = {{100, 4}, {100, 4}};
  EXPECT_EQ(blocks_in_tiles(sparse, 20), 0u);
  const std::vector<ColumnBlock> dense = {{100, 50}, {100, 6}, {100, 1}};
  EXPECT_EQ(blocks_in_tiles(dense, 20), 2u);
  const std::vector<ColumnBlock> gap = {{100, 0}, {100, 90}, {100, 0}};
  EXPECT_EQ(blocks_in_tiles(gap, 20), 2u);
  const std::vector<ColumnBlock> late = {{1000, 0}, {100, 10}};
  EXPECT_EQ(blocks_in_tiles(late, 20), 0u);
}

class DenseEnds : public testing::Test {
 protected:
  // The ends where the sieve leaves the pairs whose column is less than `width` behind their row's step.
  std::vector<Position> ends(std::span<const Position> steps, std::uint32_t width) {
    const auto sieve = [&](const std::vector<PositionPair>& pairs) {
      EXPECT_LE(pairs.size(), 32768u);
      EXPECT_TRUE(std::ranges::is_sorted(pairs));
      EXPECT_EQ(std::ranges::adjacent_find(pairs), pairs.end()) << "a pair comes twice";
      std::vector<PositionPair> left;
      for (const PositionPair& pair : pairs) {
        EXPECT_GE(pair.column, steps[pair.row.value()]);
        if (pair.column - steps[pair.row.value()] < width) left.push_back(pair);
      }
      ++sieved_;
      return left;
    };
    return dense_ends(*rows_, *columns_, steps, sieve, stop_);
  }

  const SortedPtr rows_ = test::sorted(random_sequences(1, 3000, 5)),
                  columns_ = test::sorted(random_sequences(2, 2000, 5));
  StopFlag stop_;
  int sieved_ = 0;
};

TEST_F(DenseEnds, AreThoseOfTheSieve) {
  std::vector<Position> steps(rows_->size());
  for (std::uint32_t row = 0; row < steps.size(); ++row) steps[row] = Position(row / 2);
  const std::vector<Position> found = ends(steps, 300);
  EXPECT_EQ(sieved_, 1);
  ASSERT_EQ(found.size(), steps.size());
  EXPECT_TRUE(std::ranges::is_sorted(found));
  for (std::uint32_t row = 0; row < 2500; ++row)
    EXPECT_NEAR(found[row].value(), steps[row].value() + 300, 130) << row;
}

TEST_F(DenseEnds, AreTheStepsIfTheSieveLeavesNothing) {
  const std::vector<Position> steps(rows_->size());
  EXPECT_EQ(ends(steps, 0), steps);
  EXPECT_EQ(ends(steps, 2000), std::vector(steps.size(), columns_->end()));
}

TEST_F(DenseEnds, FewPairsAreNotSampled) {
  const std::vector<Position> steps(rows_->size(), Position(1900));
  EXPECT_EQ(ends(steps, 300), steps);
  EXPECT_EQ(sieved_, 0);
}

}  // namespace
}  // namespace alnus::engine
