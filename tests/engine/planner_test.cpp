#include "engine/planner.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/fake_device.h"
#include "support/positions.h"

namespace alnus::engine {
namespace {

using test::FakeDevice;
using test::position_pair;
using test::positions;
using test::random_sequences;

// Returns the pairs of all tiles. Fails if a pair is there twice, or if a tile's counts are wrong.
std::set<PositionPair> pairs_of(const std::vector<Tile>& tiles) {
  std::set<PositionPair> pairs;
  for (const Tile& tile : tiles) {
    std::uint64_t cells = 0;
    const std::vector<PositionPair> of_tile = FakeDevice::pairs_of(tile);
    EXPECT_FALSE(of_tile.empty());
    EXPECT_EQ(count_pairs(tile), of_tile.size());
    for (const PositionPair& pair : of_tile) {
      EXPECT_TRUE(pairs.insert(pair).second) << pair.row.value() << ' ' << pair.column.value() << " twice";
      cells += std::uint64_t{tile.rows->length(pair.row)} * tile.columns->length(pair.column);
    }
    EXPECT_EQ(tile.cells, cells);
  }
  return pairs;
}

std::set<PositionPair> all_pairs(const std::vector<Position>& first_columns, Position columns_end) {
  std::set<PositionPair> pairs;
  for (std::uint32_t row = 0; row < first_columns.size(); ++row)
    for (Position column = first_columns[row]; column < columns_end; ++column)
      pairs.insert({Position(row), column});
  return pairs;
}

// Returns limits with which even small matrices are cut into many tiles.
PlanLimits random_limits(std::mt19937& random) {
  PlanLimits limits;
  limits.slots = static_cast<int>(1 + random() % 20);
  limits.cells_per_second = static_cast<double>(1 + random() % 10) * 1e6;
  const std::uint64_t most = 1 + random() % 3000;
  if (random() % 2) limits.fits = [most](const Tile& tile) { return count_pairs(tile) <= most; };
  return limits;
}

TEST(Planner, CoversRectanglesOnce) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const SortedSequences rows(random_sequences(random(), random() % 60, 200));
    const SortedSequences columns(random_sequences(random(), random() % 900, 200));
    const std::vector<Tile> tiles = plan({&rows, &columns}, random_limits(random));
    EXPECT_EQ(pairs_of(tiles), all_pairs(std::vector<Position>(rows.size()), columns.end()));
  }
}

TEST(Planner, CoversTrianglesOnce) {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    const SortedSequences sequences(random_sequences(random(), random() % 300, 200));
    const std::vector<Position> steps = triangle_steps(sequences.size());
    const std::vector<Tile> tiles = plan(
        {.rows = &sequences, .columns = &sequences, .shape = TileShape::staircase, .first_columns = steps},
        random_limits(random));
    EXPECT_EQ(pairs_of(tiles), all_pairs(steps, sequences.end()));
  }
}

TEST(Planner, CoversStaircasesOnce) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const SortedSequences rows(random_sequences(random(), random() % 200, 200));
    const SortedSequences columns(random_sequences(random(), random() % 300, 200));
    std::vector<Position> steps;
    for (std::uint32_t row = 0; row < rows.size(); ++row)
      steps.emplace_back(static_cast<std::uint32_t>(random() % (columns.size() + 1)));
    std::ranges::sort(steps);
    const std::vector<Tile> tiles =
        plan({.rows = &rows, .columns = &columns, .shape = TileShape::staircase, .first_columns = steps},
             random_limits(random));
    EXPECT_EQ(pairs_of(tiles), all_pairs(steps, columns.end()));
  }
}

// The pairs that are wanted are in exactly one tile; some of the others may be in one, too.
TEST(Planner, CoversStaircasesWithEndsOnce) {
  std::mt19937 random(9);
  for (int round = 0; round < 60; ++round) {
    const SortedSequences rows(random_sequences(random(), random() % 200, 200));
    const SortedSequences columns(random_sequences(random(), random() % 300, 200));
    const bool stairs = round % 3 != 0, in_blocks = round % 2 == 0;
    std::vector<Position> steps, ends;
    for (std::uint32_t row = 0; row < rows.size(); ++row)
      steps.emplace_back(stairs ? static_cast<std::uint32_t>(random() % (columns.size() + 1)) : 0);
    std::ranges::sort(steps);
    for (std::uint32_t row = 0; row < rows.size(); ++row)
      if (in_blocks && row % 64 > 0)
        ends.push_back(ends.back());
      else
        ends.emplace_back(static_cast<std::uint32_t>(random() % (columns.size() + 1)));
    const std::set<PositionPair> tiles = pairs_of(plan({.rows = &rows,
                                                        .columns = &columns,
                                                        .shape = TileShape::staircase,
                                                        .first_columns = steps,
                                                        .end_columns = ends},
                                                       random_limits(random))),
                                 all = all_pairs(steps, columns.end());
    EXPECT_TRUE(std::ranges::includes(all, tiles)) << "tiles have pairs of the staircase alone";
    for (const PositionPair& pair : all)
      EXPECT_TRUE(pair.column >= ends[pair.row.value()] || tiles.contains(pair))
          << pair.row.value() << ' ' << pair.column.value() << " is missing";
  }
}

TEST(Planner, PlansLittleBehindTheEndsOfAStaircase) {
  const SortedSequences sequences(random_sequences(8, 1000, 400));
  const std::vector<Position> steps = triangle_steps(sequences.size());
  const auto cells = [&](const std::vector<Position>& ends) {
    std::uint64_t sum = 0;
    for (const Tile& tile : plan({.rows = &sequences,
                            .columns = &sequences,
                            .shape = TileShape::staircase,
                            .first_columns = steps,
                            .end_columns = ends},
                                 {.shortest_seconds = 1e-4}))
      sum += tile.cells;
    return sum;
  };
  const std::vector<Position> all(1000, Position(1000)), none(1000, Position(0));
  EXPECT_EQ(cells(all), cells({}));
  EXPECT_EQ(cells(none), 0u);
  EXPECT_LT(cells(steps), cells(all) / 10) << "each row ends where it begins";
  std::vector<Position> few = none;
  for (std::uint32_t row = 0; row < 64; ++row) few[row] = Position(500);
  EXPECT_LT(cells(few), cells(all) / 2);
  EXPECT_GT(cells(few), 0u);
}

TEST(Planner, StepsOfAStaircaseAreNarrow) {
  const SortedSequences sequences(random_sequences(8, 1000, 400));
  const std::vector<Position> steps = triangle_steps(sequences.size());
  std::uint64_t wanted = 0, around = 0;
  for (const Tile& tile : plan(
           {.rows = &sequences, .columns = &sequences, .shape = TileShape::staircase, .first_columns = steps},
           {.shortest_seconds = 1e-4})) {
    wanted += tile.cells;
    around += tile.shape == TileShape::list
                  ? tile.cells
                  : sequences.residues(tile.row_range) * sequences.residues(tile.column_range);
  }
  EXPECT_LT(static_cast<double>(around), 1.1 * static_cast<double>(wanted));
}

TEST(Planner, CoversListsOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    const SortedSequences rows(random_sequences(random(), 1 + random() % 50, 200));
    const SortedSequences columns(random_sequences(random(), 1 + random() % 50, 200));
    std::set<PositionPair> wanted;
    for (std::size_t i = random() % 2000; i > 0; --i)
      wanted.insert(position_pair(random() % rows.size(), random() % columns.size()));
    const std::vector<PositionPair> pairs(wanted.begin(), wanted.end());
    const std::vector<Tile> tiles = plan({&rows, &columns, TileShape::list, pairs}, random_limits(random));
    EXPECT_EQ(pairs_of(tiles), wanted);
    for (const Tile& tile : tiles) EXPECT_TRUE(std::ranges::is_sorted(tile.pairs));
  }
}

TEST(Planner, PlansNothingForNoPairs) {
  const SortedSequences none{SequenceSet{}}, one(random_sequences(1, 1, 10));
  EXPECT_TRUE(plan({&none, &one, TileShape::rectangle, {}}, {}).empty());
  EXPECT_TRUE(plan({&one, &none, TileShape::rectangle, {}}, {}).empty());
  const std::vector<Position> step = triangle_steps(1);
  EXPECT_TRUE(plan({.rows = &one, .columns = &one, .shape = TileShape::staircase, .first_columns = step}, {})
                  .empty());
  EXPECT_TRUE(plan({&one, &one, TileShape::list, {}}, {}).empty());
}

TEST(Planner, TilesFitTheMemoryDownToSinglePairs) {
  const SortedSequences rows(random_sequences(4, 7, 50)), columns(random_sequences(5, 40, 50));
  for (const std::uint64_t most : {0u, 1u, 2u, 17u}) {
    const PlanLimits limits{.fits = [most](const Tile& tile) { return count_pairs(tile) <= most; }};
    const std::vector<Position> steps = triangle_steps(rows.size());
    for (const TileShape shape : {TileShape::rectangle, TileShape::staircase})
      for (const Tile& tile :
           plan({.rows = &rows, .columns = &columns, .shape = shape, .first_columns = steps}, limits))
        EXPECT_LE(count_pairs(tile), std::max<std::uint64_t>(most, 1));
  }
}

TEST(Planner, DividesASmallMatrixAmongTheSlots) {
  // Ten queries and ten subjects of equal lengths are cut by rows.
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (int i = 0; i < 10; ++i) builder.add_text("", std::string(300, 'A'));
  const SortedSequences sequences(builder.finish());
  const std::vector<Tile> tiles =
      plan({&sequences, &sequences, TileShape::rectangle, {}}, {.slots = 2, .cells_per_second = 1e6});
  EXPECT_GE(tiles.size(), 5u);
}

TEST(Planner, DividesOneQueryWithFewSubjectsAmongTheSlots) {
  SequenceSetBuilder query(AlphabetKind::protein);
  query.add_text("", std::string(3000, 'A'));
  const SortedSequences row(query.finish());
  for (const int count : {2, 60, 100}) {
    SequenceSetBuilder subjects(AlphabetKind::protein);
    for (int i = 0; i < count; ++i) subjects.add_text("", std::string(3000, 'A'));
    const SortedSequences columns(subjects.finish());
    for (const int slots : {1, 2, 32}) {
      const std::vector<Tile> tiles =
          plan({&row, &columns, TileShape::rectangle, {}}, {.slots = slots, .cells_per_second = 1e9});
      EXPECT_GE(tiles.size(), static_cast<std::size_t>(std::min(slots, count)) * 3 / 4)
          << count << ' ' << slots;
    }
  }
}

// `share` is the fraction of the work in the first tiles, one for each slot. By the estimate these tiles take
// equally long.
TEST(Planner, SlowerTilesAreSmaller) {
  SequenceSetBuilder subjects(AlphabetKind::protein), queries(AlphabetKind::protein);
  for (int i = 0; i < 30000; ++i)
    subjects.add_text("", std::string(static_cast<std::size_t>(i < 1000 ? 1200 : 300 - i / 200), 'A'));
  for (int i = 0; i < 20; ++i) queries.add_text("", std::string(2000, 'A'));
  const SortedSequences rows(queries.finish()), columns(subjects.finish());
  // By this estimate a residue of a long subject takes twice as long as one of a short subject.
  const auto seconds = [](const Tile& tile) {
    double residues = 0;
    for (Position column = tile.column_range.begin; column < tile.column_range.end; ++column) {
      const auto length = static_cast<double>(tile.columns->length(column));
      residues += length > 1000 ? 2 * length : length;
    }
    return residues * static_cast<double>(tile.row_range.size()) * 2000;
  };
  constexpr int kSlots = 4;
  const std::vector<Tile> tiles = plan(
      {&rows, &columns, TileShape::rectangle, {}},
      {.slots = kSlots, .cells_per_second = 1e12, .share = 0.97, .most_pairs = 1 << 30, .seconds = seconds});
  ASSERT_GT(tiles.size(), std::size_t{kSlots});
  double all = 0;
  for (const Tile& tile : tiles) all += seconds(tile);
  for (int i = 0; i < kSlots; ++i)
    EXPECT_NEAR(seconds(tiles[static_cast<std::size_t>(i)]) / all, 0.97 / kSlots, 0.02)
        << i;  // the tolerance is 0.02, because 64 columns are 1.7%
  EXPECT_LT(tiles[0].cells * 1.2, tiles[1].cells);
}

TEST(Planner, NoTileAtTheEndHoldsUpTheRest) {
  // An ordinary search. Whenever a tile starts, enough work is left to keep the other slots busy until it
  // ends.
  SequenceSetBuilder subjects(AlphabetKind::protein), queries(AlphabetKind::protein);
  subjects.add_text("titin", std::string(35213, 'A'));
  for (int i = 1; i < 20000; ++i)
    subjects.add_text("", std::string(static_cast<std::size_t>(4000 / std::sqrt(i)) + 200, 'A'));
  for (int i = 0; i < 20; ++i)
    queries.add_text("", std::string(static_cast<std::size_t>(144 + 280 * i), 'A'));
  const SortedSequences rows(queries.finish()), columns(subjects.finish());
  for (const int slots : {2, 8, 32}) {
    std::vector<Tile> tiles =
        plan({&rows, &columns, TileShape::rectangle, {}}, {.slots = slots, .cells_per_second = 40e9});
    // Each slot takes the largest tile that is left when it becomes free.
    std::sort(tiles.begin(), tiles.end(), [](const Tile& a, const Tile& b) { return a.cells > b.cells; });
    std::multiset<std::uint64_t> load;
    for (int slot = 0; slot < slots; ++slot) load.insert(0);
    std::uint64_t cells = 0;
    for (const Tile& tile : tiles) {
      cells += tile.cells;
      const std::uint64_t least = *load.begin();
      load.erase(load.begin());
      load.insert(least + tile.cells);
    }
    const double mean = static_cast<double>(cells) / slots;
    EXPECT_LT(static_cast<double>(*load.rbegin()), 1.02 * mean)
        << slots << " slots, " << tiles.size() << " tiles";
    EXPECT_LT(tiles.size(), 2000u);
  }
}

// With a share of 0.99 the first tiles of the two slots have 99% of the work. What is left is too little for
// a tile.
TEST(Planner, ACrumbIsNoTile) {
  SequenceSetBuilder subjects(AlphabetKind::protein);
  for (int i = 0; i < 20000; ++i) subjects.add_text("", std::string(100, 'A'));
  SequenceSetBuilder query(AlphabetKind::protein);
  query.add_text("", std::string(1000, 'A'));
  const SortedSequences rows(query.finish()), columns(subjects.finish());
  const double cells = 1000.0 * 20000 * 100;
  const auto tiles_of = [&](double shortest_seconds) {
    return plan({&rows, &columns, TileShape::rectangle, {}}, {.slots = 2,
                                                              .cells_per_second = cells,
                                                              .share = 0.99,
                                                              .shortest_seconds = shortest_seconds,
                                                              .longest_seconds = 10,
                                                              .most_pairs = 1 << 30});
  };
  EXPECT_EQ(tiles_of(0.1).size(), 2u);
  EXPECT_GT(tiles_of(0.001).size(), 2u);
}

// Many pairs fit a tile. If there are many rows and many columns, a tile has some of both. If there are few
// columns, a tile has all of them, and many rows.
TEST(Planner, TilesHaveManyRowsOnlyIfTheyHaveAllColumns) {
  const SortedSequences many(random_sequences(5, 20'000, 12)), few(random_sequences(6, 200, 12));
  PlanLimits limits;
  limits.slots = 1;
  limits.cells_per_second = 1e12;
  limits.most_pairs = 1 << 26;
  for (const Tile& tile : plan({&many, &many}, limits)) EXPECT_LE(tile.row_range.size(), 4096u);
  const std::vector<Tile> tiles = plan({&many, &few}, limits);
  ASSERT_EQ(tiles.size(), 1u);
  EXPECT_EQ(tiles[0].row_range.size(), many.size());
  EXPECT_EQ(tiles[0].column_range.size(), few.size());
}

// A tile may have some columns more than the limits allow: whole vectors of 64, and a rest of up to 32.
TEST(Planner, TilesKeepToTheMostPairsAndToTheLongestTime) {
  const SequenceSet set = [] {
    SequenceSetBuilder builder(AlphabetKind::protein);
    for (int i = 0; i < 3000; ++i) builder.add_text("", std::string(100, 'A'));
    return builder.finish();
  }();
  const SortedSequences few(set.part(0, 40)), columns(set);
  for (const std::uint64_t most : {1u, 63u, 64u, 1000u, 5000u, 1u << 30})
    for (const double longest : {0.01, 0.1, 100.0}) {
      const std::vector<Tile> tiles = plan({&few, &columns}, {.slots = 4,
                                                              .cells_per_second = 1e9,
                                                              .shortest_seconds = 0.001,
                                                              .longest_seconds = longest,
                                                              .most_pairs = most});
      std::uint64_t pairs = 0;
      for (const Tile& tile : tiles) {
        pairs += count_pairs(tile);
        const std::uint64_t more = 96 * std::uint64_t{tile.row_range.size()};
        EXPECT_LE(count_pairs(tile), most + more);
        EXPECT_LE(static_cast<double>(tile.cells), longest * 1e9 + static_cast<double>(more) * 10'000);
      }
      EXPECT_EQ(pairs, 40u * 3000);
    }
}

// A share of columns of equal lengths is a number of columns, rounded up. If there are 128 or more, whole
// vectors of 64 are left.
TEST(CutOff, LeavesWholeVectorsIfThereAreTwo) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (int i = 0; i < 300; ++i) builder.add_text("", std::string(10, 'A'));
  const SortedSequences sequences(builder.finish());
  for (const std::uint32_t count : {1u, 2u, 3u, 63u, 64u, 65u, 127u, 128u, 129u, 191u, 192u, 193u, 290u})
    for (const double share : {1.0 / 1024, 0.25, 0.5, 0.75, 1.0}) {  // exact in binary numbers
      Tile tile;
      tile.rows = tile.columns = &sequences;
      tile.row_range = positions(3, 5);
      tile.column_range = positions(10, 10 + count);
      auto left = std::max(static_cast<std::uint32_t>(std::ceil(count * (1 - share))), 1u);
      if (count >= 128) left -= left % 64;
      const std::vector<Tile> parts = cut_off(tile, share);
      ASSERT_EQ(parts.size(), left == 0 || left == count ? 0u : 2u) << count << ' ' << share;
      if (parts.empty()) continue;
      EXPECT_EQ(parts[0].column_range, positions(10 + left, 10 + count)) << count << ' ' << share;
      EXPECT_EQ(parts[1].column_range, positions(10, 10 + left));
      for (const Tile& part : parts) {
        EXPECT_EQ(part.row_range, tile.row_range);
        EXPECT_EQ(part.cells, count_pairs(part) * 100);
      }
    }
}

// The last columns of a triangle have the most rows.
TEST(CutOff, TakesAShareOfATriangle) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (int i = 0; i < 4000; ++i) builder.add_text("", std::string(5, 'A'));
  const SortedSequences sequences(builder.finish());
  const std::vector<Position> steps = triangle_steps(sequences.size());
  Tile tile;
  tile.rows = tile.columns = &sequences;
  tile.shape = TileShape::staircase;
  tile.row_range = tile.column_range = sequences.all();
  tile.first_columns = steps;
  for (const double share : {0.1, 0.3, 0.6, 0.9}) {
    const std::vector<Tile> parts = cut_off(tile, share);
    ASSERT_EQ(parts.size(), 2u) << share;
    EXPECT_EQ(count_pairs(parts[0]) + count_pairs(parts[1]), count_pairs(tile));
    const double taken = static_cast<double>(count_pairs(parts[0])) / static_cast<double>(count_pairs(tile));
    EXPECT_GE(taken, share - 0.002);
    EXPECT_LE(taken, share + 0.035) << "64 columns more";
  }
}

TEST(CutOff, TakesAShareOfTheShortestColumns) {
  const SortedSequences rows(random_sequences(6, 4, 10)), columns(random_sequences(7, 5000, 100));
  Tile tile;
  tile.rows = &rows;
  tile.columns = &columns;
  tile.row_range = positions(0, 4);
  tile.column_range = positions(10, 5000);
  tile.cells = rows.residues(tile.row_range) * columns.residues(tile.column_range);
  for (const double share : {0.01, 0.3, 0.9}) {
    const std::vector<Tile> parts = cut_off(tile, share);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].row_range, tile.row_range);
    EXPECT_EQ(parts[1].row_range, tile.row_range);
    EXPECT_EQ(parts[0].column_range.end, tile.column_range.end);
    EXPECT_EQ(parts[0].column_range.begin, parts[1].column_range.end);
    EXPECT_EQ(parts[1].column_range.begin, tile.column_range.begin);
    EXPECT_EQ(parts[0].cells + parts[1].cells, tile.cells);
    EXPECT_NEAR(static_cast<double>(parts[0].cells) / static_cast<double>(tile.cells), share, 0.05);
  }
  tile.column_range = positions(4999, 5000);
  EXPECT_TRUE(cut_off(tile, 0.5).empty());
}

TEST(CutOff, TakesTheLastPairsOfAList) {
  const SortedSequences sequences(random_sequences(6, 10, 10));
  Tile tile;
  tile.rows = tile.columns = &sequences;
  tile.shape = TileShape::list;
  for (std::uint32_t k = 0; k < 10; ++k) tile.pairs.push_back(test::position_pair(0, k));
  const std::vector<Tile> parts = cut_off(tile, 0.3);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].pairs.size(), 3u);
  EXPECT_EQ(parts[0].pairs.back(), tile.pairs.back());
  EXPECT_EQ(parts[1].pairs.size(), 7u);
  EXPECT_EQ(parts[1].pairs.front(), tile.pairs.front());
  tile.pairs.resize(1);
  EXPECT_TRUE(cut_off(tile, 0.5).empty());
}

TEST(CutInTwo, GivesHalvesWithoutEmptyOnes) {
  const SortedSequences sequences(random_sequences(6, 4, 10));
  const std::vector<Position> steps = triangle_steps(4);
  Tile tile;
  tile.rows = tile.columns = &sequences;
  tile.shape = TileShape::staircase;
  tile.row_range = tile.column_range = positions(0, 2);
  tile.first_columns = steps;
  EXPECT_EQ(count_pairs(tile), 1u);
  const std::vector<Tile> halves = cut_in_two(tile);
  ASSERT_EQ(halves.size(), 1u);
  EXPECT_EQ(count_pairs(halves[0]), 1u);
  tile.row_range = positions(0, 1);
  tile.column_range = positions(1, 2);
  EXPECT_TRUE(cut_in_two(tile).empty());
}

TEST(CutInTwo, HalvesTheLongerSideAndColumnsIfBothAreEqual) {
  const SortedSequences sequences(random_sequences(6, 12, 10));
  for (std::uint32_t rows = 1; rows <= 5; ++rows)
    for (std::uint32_t columns = 1; columns <= 5; ++columns) {
      Tile tile;
      tile.rows = tile.columns = &sequences;
      tile.row_range = positions(2, 2 + rows);
      tile.column_range = positions(3, 3 + columns);
      tile.cells = sequences.residues(tile.row_range) * sequences.residues(tile.column_range);
      const std::vector<Tile> halves = cut_in_two(tile);
      ASSERT_EQ(halves.size(), rows * columns == 1 ? 0u : 2u);
      if (halves.empty()) continue;
      EXPECT_EQ(pairs_of(halves), pairs_of({tile}));
      const auto side = columns >= rows ? &Tile::column_range : &Tile::row_range;
      EXPECT_EQ((halves[0].*side).size(), std::max(rows, columns) / 2);
      EXPECT_EQ((halves[0].*side).begin, (tile.*side).begin);
    }
  for (std::uint32_t count = 1; count <= 5; ++count) {
    Tile list;
    list.rows = list.columns = &sequences;
    list.shape = TileShape::list;
    for (std::uint32_t k = 0; k < count; ++k) list.pairs.push_back(position_pair(k, 2 * k));
    const std::vector<Tile> halves = cut_in_two(list);
    ASSERT_EQ(halves.size(), count == 1 ? 0u : 2u);
    if (halves.empty()) continue;
    EXPECT_EQ(halves[0].pairs.size(), count / 2);
    EXPECT_EQ(pairs_of(halves), (std::set<PositionPair>(list.pairs.begin(), list.pairs.end())));
  }
}

}  // namespace
}  // namespace alnus::engine
