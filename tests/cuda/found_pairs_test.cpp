// Candidates on their way to the sink.
#include "cuda/found_pairs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

#include "alnus/error.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

using namespace cuda;

class Collecting : public Sink {
 public:
  using Pair = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;  // row, column, score
  void accept(const Tile&, std::span<const PairResult>) override { ADD_FAILURE(); }
  void accept_pairs(const Tile&, std::span<const ScoredPair> some) override {
    ++calls;
    for (const ScoredPair& pair : some) pairs.emplace_back(pair.row.value(), pair.column.value(), pair.score);
  }
  const StopFlag& stop_flag() const override { return stop; }

  int calls = 0;
  std::vector<Pair> pairs;
  StopFlag stop;
};

void add(FoundPairs& found, Position first_column, const std::vector<Candidate>& candidates) {
  FoundPairs::Part& part = found.add();
  std::ranges::copy(candidates, part.candidates.reserve(candidates.size()));
  part.count = static_cast<std::uint32_t>(candidates.size());
  part.first_column = first_column;
}

TEST(CudaSelection, FoundPairsAreHandedOverFromAllPartsWithinTheStaircase) {
  const std::vector<Position> steps = {Position(0), Position(0), Position(4), Position(12), Position(30)};
  Tile tile;
  tile.shape = TileShape::staircase;
  tile.row_range = {Position(1), Position(5)};
  tile.column_range = {Position(2), Position(20)};
  tile.first_columns = steps;
  FoundPairs found, others;
  for (int run = 0; run < 2; ++run) {  // the second run uses the memory of the first one
    found.clear();
    add(found, Position(2), {{0, 0, 50}, {1, 1, 51}, {1, 2, 52}, {2, 10, 53}, {2, 9, 54}});
    add(found, Position(10), {});
    add(others, Position(13), {{3, 6, 55}, {2, 0, 56}});
    EXPECT_EQ(found.size(), 5u);
    found.take(others);
    EXPECT_EQ(found.size(), 7u);
    EXPECT_EQ(others.size(), 0u);
    Collecting sink;
    found.hand_over(tile, sink);
    const std::vector<Collecting::Pair> expected = {{1, 2, 50}, {2, 4, 52}, {3, 12, 53}, {3, 13, 56}};
    EXPECT_EQ(sink.pairs, expected);
  }
}

TEST(CudaSelection, ManyFoundPairsAreHandedOverAtOnce) {
  constexpr std::uint32_t kMany = (1 << 20) + 1;
  std::vector<Candidate> candidates;
  for (std::uint32_t k = 0; k < kMany; ++k)
    candidates.push_back({k % 3, k / 3, static_cast<std::int32_t>(k)});
  Tile tile;
  tile.row_range = {Position(0), Position(3)};
  tile.column_range = {Position(0), Position(kMany)};
  FoundPairs found;
  add(found, Position(0), candidates);
  Collecting sink;
  found.hand_over(tile, sink);
  EXPECT_EQ(sink.calls, 1);
  ASSERT_EQ(sink.pairs.size(), kMany);
  for (std::uint32_t k = 0; k < kMany; ++k)
    ASSERT_EQ(sink.pairs[k], Collecting::Pair(k % 3, k / 3, static_cast<std::int32_t>(k)));
  sink.stop.request();
  EXPECT_THROW(found.hand_over(tile, sink), Interrupted);
}

}  // namespace
}  // namespace alnus::test
