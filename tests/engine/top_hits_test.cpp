#include "engine/top_hits.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <random>
#include <thread>

namespace alnus::engine {
namespace {

// Subjects whose order in the file is the reverse of the order of their positions.
class Subjects {
 public:
  explicit Subjects(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) ordinals_.push_back(FileOrdinal{count - 1 - i});
    for (std::uint32_t i = 0; i <= count; ++i) offsets_.push_back(count - i);
    residues_.resize(count * (count + std::size_t{1}) / 2);
    offsets_[0] = 0;
    for (std::uint32_t i = 0; i < count; ++i) offsets_[i + 1] = offsets_[i] + (count - i);
  }
  SequenceSet set() const {
    return {AlphabetKind::protein, {residues_, offsets_, {}, {}, ordinals_}, nullptr, ""};
  }

 private:
  std::vector<FileOrdinal> ordinals_;
  std::vector<std::uint64_t> offsets_;
  std::vector<Residue> residues_;
};

constexpr std::int32_t kLowest = INT32_MIN;

std::vector<TopHit> take(TopHits& top, std::uint32_t row) {
  return top.choose(Position(row), top.candidates(Position(row)));
}

std::vector<std::uint32_t> columns_of(const std::vector<TopHit>& row) {
  std::vector<std::uint32_t> columns;
  for (const TopHit& hit : row) columns.push_back(hit.column.value());
  return columns;
}

PairResult result(std::uint32_t row, std::uint32_t column, std::int32_t score) {
  PairResult r;
  r.row = Position(row);
  r.column = Position(column);
  r.score = score;
  return r;
}

TEST(TopHits, KeepsTheBestByScoreAndThenFileOrder) {
  const Subjects subjects(6);
  const SortedSequences columns(subjects.set());
  TopHits top(columns, LowestScores({kLowest}), 3);
  const std::vector<PairResult> results{result(0, 0, 5), result(0, 1, 7), result(0, 2, 5),
                                        result(0, 3, 5), result(0, 4, 1), result(0, 5, 9)};
  top.accept({}, results);
  EXPECT_EQ(top.floor(Position(0)), 5);
  const std::vector<TopHit> row = take(top, 0);
  EXPECT_EQ(columns_of(row),
            (std::vector<std::uint32_t>{5, 1, 3}));  // 0, 2 and 3 tie, and 3 is the first in the file
}

TEST(TopHits, LeavesOutWhatIsBelowTheLowestScore) {
  const Subjects subjects(3);
  const SortedSequences columns(subjects.set());
  TopHits top(columns, LowestScores({4, 5}), 10);
  const std::vector<PairResult> results{result(0, 0, 4), result(0, 1, 3), result(1, 0, 4), result(1, 2, 5)};
  top.accept({}, results);
  EXPECT_EQ(columns_of(take(top, 0)), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(columns_of(take(top, 1)), (std::vector<std::uint32_t>{2}));
}

TEST(TopHits, KeepsWhatMayBeAmongTheBest) {
  const Subjects subjects(6);
  const SortedSequences columns(subjects.set());
  TopHits top(columns, LowestScores({4}), 2);
  const auto bounded = [](std::uint32_t column, std::int32_t score, std::int32_t slack) {
    PairResult r = result(0, column, score);
    r.slack = slack;
    return r;
  };
  // The two best hits score at least 7. Subject 3 scores 5 and 4 at most 6, so they are out. The others may
  // reach 7.
  const std::vector<PairResult> results{bounded(0, 6, 2), bounded(1, 7, 3), bounded(2, 7, 0),
                                        bounded(3, 5, 0), bounded(4, 0, 6), bounded(5, 1, 9)};
  top.accept({}, results);
  EXPECT_EQ(top.floor(Position(0)), 7);
  std::vector<TopHit> candidates = top.candidates(Position(0));
  std::vector<std::uint32_t> kept;
  for (TopHit& hit : candidates) {
    kept.push_back(hit.column.value());
    hit.score = std::array{8, 7, 7, 5, 3, 10}[hit.column.value()];
  }
  EXPECT_THAT(kept, testing::UnorderedElementsAre(0, 1, 2, 5));
  const std::vector<TopHit> row = top.choose(Position(0), candidates);
  EXPECT_EQ(columns_of(row), (std::vector<std::uint32_t>{5, 0}));
}

// Which pairs are candidates must not depend on how narrow a device's bounds are. So a pair that may be below
// its own lowest score takes no other pair's place.
TEST(TopHits, WhatMayProveTooBadTakesNoPlace) {
  const Subjects subjects(6);
  const SortedSequences columns(subjects.set());
  LowestScores lowest(1, 6, 0, {Position(0), Position(3), Position(3)});  // the second range has no columns
  lowest.at(Position(0), 0) = 9;
  lowest.at(Position(0), 2) = 5;
  TopHits top(columns, std::move(lowest), 2);
  const auto bounded = [](std::uint32_t column, std::int32_t score, std::int32_t slack) {
    PairResult r = result(0, column, score);
    r.slack = slack;
    return r;
  };
  // Subjects 0 to 2 need 9, but score only 8. They must not displace 3 and 4, which need 5 and score 5 and 6.
  const std::vector<PairResult> results{bounded(0, 8, 2), bounded(1, 8, 2), bounded(2, 7, 3),
                                        bounded(3, 5, 0), bounded(4, 6, 0), bounded(5, 4, 0)};
  top.accept({}, results);
  EXPECT_EQ(top.floor(Position(0)), 5);
  std::vector<TopHit> candidates = top.candidates(Position(0));
  for (TopHit& hit : candidates) hit.score = std::array{8, 8, 8, 5, 6, 4}[hit.column.value()];
  EXPECT_EQ(columns_of(top.choose(Position(0), candidates)), (std::vector<std::uint32_t>{4, 3}));
}

TEST(TopHits, BoundsAreNotWelcomeWhereTheyLeaveTooMuchOpen) {
  constexpr std::uint32_t kColumns = 6000;
  const Subjects subjects(kColumns);
  const SortedSequences columns(subjects.set());
  TopHits top(columns, LowestScores({0, 0}), 5);
  for (std::uint32_t column = 0; column < kColumns; ++column) {
    std::vector<PairResult> results{result(0, column, 9), result(1, column, 9)};
    results[0].slack = column % 2 ? 5 : 0;  // may be better than any other
    top.accept({}, results);
  }
  EXPECT_FALSE(top.takes_bounds(Position(0)));
  EXPECT_TRUE(top.takes_bounds(Position(1)));
  EXPECT_GE(top.candidates(Position(0)).size(), kColumns / 2);
  EXPECT_EQ(top.candidates(Position(1)).size(), 5);
}

TEST(TopHits, ManyThreadsGiveWhatSortingGives) {
  constexpr std::uint32_t kRows = 20, kColumns = 1500, kLimit = 40;
  const Subjects subjects(kColumns);
  const SortedSequences columns(subjects.set());
  std::mt19937 random(1);
  std::vector<PairResult> results;
  for (std::uint32_t row = 0; row < kRows; ++row)
    for (std::uint32_t column = 0; column < kColumns; ++column)
      results.push_back(result(row, column, static_cast<std::int32_t>(random() % 100)));
  std::shuffle(results.begin(), results.end(), random);

  TopHits top(columns, LowestScores(std::vector<std::int32_t>(kRows, 10)), kLimit);
  {
    std::vector<std::jthread> threads;
    const std::size_t share = results.size() / 4;
    for (std::size_t i = 0; i < 4; ++i)
      threads.emplace_back([&, i] { top.accept({}, std::span(results).subspan(i * share, share)); });
  }
  for (std::uint32_t row = 0; row < kRows; ++row) {
    std::vector<PairResult> expected;
    for (const PairResult& r : results)
      if (r.row == Position(row)) expected.push_back(r);
    std::sort(expected.begin(), expected.end(), [](const PairResult& a, const PairResult& b) {
      return a.score != b.score ? a.score > b.score : a.column > b.column;
    });
    std::vector<std::uint32_t> best;
    for (std::uint32_t i = 0; i < kLimit; ++i) best.push_back(expected[i].column.value());
    const std::vector<TopHit> taken = take(top, row);
    EXPECT_EQ(columns_of(taken), best);
  }
}

// The higher one of the floors of row and columns counts: no pair below it can be a hit.
TEST(TopHits, TheFloorOfColumnsIsTheLowestScoreOfAHitInThem) {
  const Subjects subjects(6);
  const SortedSequences columns(subjects.set());
  LowestScores lowest(2, 6, 0, {Position(0), Position(2), Position(4)});
  const std::array<std::int32_t, 3> of_ranges{9, 5, 7};
  for (std::uint32_t range = 0; range < 3; ++range) lowest.at(Position(1), range) = of_ranges[range];
  TopHits top(columns, std::move(lowest), 2);
  const auto floor_in = [&](std::uint32_t begin, std::uint32_t end) {
    return top.floor_in(Position(1), {Position(begin), Position(end)});
  };
  EXPECT_EQ(top.floor(Position(1)), 5);
  EXPECT_EQ(floor_in(0, 2), 9);
  EXPECT_EQ(floor_in(0, 3), 5);
  EXPECT_EQ(floor_in(4, 6), 7);
  EXPECT_EQ(floor_in(0, 6), 5);
  const std::vector<PairResult> results{result(1, 2, 8), result(1, 3, 8)};
  top.accept({}, results);
  EXPECT_EQ(top.floor(Position(1)), 8);
  EXPECT_EQ(floor_in(0, 2), 9);
  EXPECT_EQ(floor_in(4, 6), 8);
  EXPECT_EQ(top.floor_in(Position(0), columns.all()), 0);
}

}  // namespace
}  // namespace alnus::engine
