// The better strand of each pair of a staircase, whichever way devices hand over the scores.
#include "engine/strand_scores.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "support/fake_device.h"
#include "support/positions.h"

namespace alnus::engine {
namespace {

using ScoreAndStrand = std::pair<std::int32_t, Strand>;
using Better = std::map<std::pair<std::uint32_t, std::uint32_t>, ScoreAndStrand>;  // by row and column

TEST(StrandScores, KeepTheHigherScoreOfEachPair) {
  const SortedSequences rows(test::random_sequences(1, 5, 10)), columns(test::random_sequences(2, 9, 10));
  const std::vector<Position> steps{Position(0), Position(0), Position(3), Position(8), Position(9)};
  std::mt19937 random(3);
  for (int round = 0; round < 40; ++round) {
    StrandScores scores(rows, columns, steps);
    Better expected, found;
    for (const Strand strand : {Strand::plus, Strand::minus}) {
      StrandScores::Pass pass(scores, strand,
                              [](Position row) { return static_cast<std::int32_t>(row.value()) + 5; });
      EXPECT_EQ(pass.floor(Position(3)), 8);
      for (const PositionRange some_rows : {test::positions(0, 2), test::positions(2, 5)}) {
        Tile tile;
        tile.rows = &rows;
        tile.columns = &columns;
        tile.shape = TileShape::staircase;
        tile.row_range = some_rows;
        tile.column_range = columns.all();
        tile.first_columns = steps;
        const bool all_together = random() % 2 == 0;  // otherwise some results are kept back
        std::vector<PairResult> results;
        std::vector<std::int32_t> of_tile(std::size_t{some_rows.size()} * columns.size(), 99);
        for (Position row = some_rows.begin; row < some_rows.end; ++row)
          for (Position column = steps[row.value()]; column < columns.end(); ++column) {
            if (!all_together && random() % 3 == 0) continue;
            const std::int32_t score = static_cast<std::int32_t>(random() % 4) - 2;  // often equal
            of_tile[std::size_t{row - some_rows.begin} * columns.size() + column.value()] = score;
            PairResult& result = results.emplace_back();
            result.row = row;
            result.column = column;
            result.score = score;
            ScoreAndStrand& best =
                expected.try_emplace({row.value(), column.value()}, score, strand).first->second;
            if (score > best.first) best = {score, strand};
          }
        if (all_together)
          pass.accept_scores(tile, {tile.column_range, of_tile.data()});
        else
          pass.accept(tile, results);
      }
    }
    for (Position row = rows.begin(); row < rows.end(); ++row)
      scores.of_row(row, [&](Position column, std::int32_t score, Strand strand) {
        EXPECT_TRUE(
            found.emplace(std::pair(row.value(), column.value()), ScoreAndStrand(score, strand)).second);
      });
    ASSERT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace alnus::engine
