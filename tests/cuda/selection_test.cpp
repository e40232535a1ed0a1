// The selection of the pairs that a sink may want from the scores of a slab, called directly: which pairs are
// found, and room for many of them.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <span>
#include <vector>

#include "cuda/hit_selector.h"
#include "cuda/limits.h"
#include "cuda/on_device.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using namespace cuda;

struct Asked {
  std::uint32_t columns, most;
};

// Numbers of columns are around the ranges of columns with floors of their own (32) and the threads of a row
// (1,024). With up to 1,024 wanted pairs a thread keeps the best score of its columns, and with up to 4,096
// the four best ones. So the wanted scores are known exactly if no thread has more columns than that.
std::vector<Asked> all_asked() {
  std::vector<Asked> all;
  for (const std::uint32_t columns : {1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 2500})
    for (const std::uint32_t most : {0, 1, 2, 32}) all.push_back({columns, most});
  all.insert(
      all.end(),
      {{1024, 1023}, {1024, 1024}, {1025, 1024}, {1030, 1025}, {4096, 4095}, {4096, 4096}, {4097, 4097}});
  return all;
}

TEST(CudaSelection, FindsThePairsThatAreWanted) {
  constexpr std::uint32_t kRows = 2, kGap = 3;  // scores of a row lie kGap places apart from the next ones
  Random random(101);
  for (const auto [columns, most] : all_asked()) {
    const std::uint32_t stride = columns + kGap;
    const auto range = static_cast<std::int32_t>(below(random, 2) ? 4 : 1000);
    const auto any = [&] {
      return static_cast<std::int32_t>(below(random, static_cast<std::size_t>(range)));
    };
    const auto any_column = [&] { return static_cast<std::uint32_t>(below(random, columns + 1)); };
    std::vector<std::int32_t> scores(kRows * stride), floors(kRows * kFloorRanges);
    std::ranges::generate(scores, any);
    const std::int32_t highest_floor = below(random, 2) ? 1 : range;
    for (std::int32_t& floor : floors) floor = any() % highest_floor;
    std::vector<KnownColumns> known(kRows, {0, columns});
    if (below(random, 2)) known[1] = {any_column() / 2, columns - any_column() / 3};
    const std::uint32_t coarse_from = below(random, 2) ? any_column() : columns;
    const std::int32_t slack = range / 50 + 1, overflow = below(random, 2) ? range - 1 : INT32_MAX;

    const OnDevice<std::int32_t> scores_there(scores), floors_there(floors);
    const OnDevice<KnownColumns> known_there(known);
    const std::uint32_t room = below(random, 3) ? kRows * columns : columns / 2;
    const OnDevice<Candidate> candidates(room + 1);
    const OnDevice<std::uint32_t> found(std::vector{0U});
    require(launch_selection({.scores = scores_there.data(),
                              .rows = kRows,
                              .columns = columns,
                              .stride = stride,
                              .floors = floors_there.data(),
                              .known = known_there.data(),
                              .most = most,
                              .coarse_from = coarse_from,
                              .slack = slack,
                              .overflow = overflow,
                              .candidates = candidates.data(),
                              .found = found.data(),
                              .room = room},
                             nullptr));

    // Whether each pair is wanted, and whether it may be found.
    std::vector<bool> wanted(kRows * columns), allowed(kRows * columns);
    const bool is_exact = columns <= (most <= 1024 ? 1024U : 4096U) || most > kMostSelected;
    const std::uint32_t width = std::max(1U, (columns + kFloorRanges - 1) / kFloorRanges);
    for (std::uint32_t row = 0; row < kRows; ++row) {
      const auto score = [&](std::uint32_t column) { return scores[row * stride + column]; };
      const auto floor = [&](std::uint32_t column) { return floors[row * kFloorRanges + column / width]; };
      const auto is_known = [&](std::uint32_t column) {
        return column >= known[row].begin && column < known[row].end;
      };
      std::vector<std::int32_t> best;
      for (std::uint32_t column = 0; column < columns; ++column)
        if (is_known(column) && score(column) >= floor(column)) best.push_back(score(column));
      std::ranges::sort(best, std::greater());
      const bool chooses = most > 0 && most <= kMostSelected && best.size() >= most;
      const std::int32_t threshold = chooses ? best[most - 1] : INT32_MIN;
      for (std::uint32_t column = 0; column < columns; ++column) {
        const auto reaches = [&](std::int32_t least) {
          return !is_known(column) || score(column) >= overflow ||
                 score(column) + (column >= coarse_from ? slack : 0) >= std::max(least, floor(column));
        };
        wanted[row * columns + column] = reaches(threshold);
        allowed[row * columns + column] = reaches(is_exact ? threshold : INT32_MIN);
      }
    }
    SCOPED_TRACE(testing::Message() << "the " << most << " best of " << columns << " columns, " << room
                                    << " have room");
    const std::uint32_t number = found.read()[0];
    const std::vector<Candidate> all = candidates.read();
    std::vector<bool> seen(kRows * columns);
    for (const Candidate& candidate : std::span(all).first(std::min(number, room))) {
      ASSERT_LT(candidate.row, kRows);
      ASSERT_LT(candidate.column, columns);
      const std::size_t pair = candidate.row * columns + candidate.column;
      EXPECT_FALSE(seen[pair]);
      EXPECT_TRUE(allowed[pair]);
      EXPECT_EQ(candidate.score, scores[candidate.row * stride + candidate.column]);
      seen[pair] = true;
    }
    EXPECT_EQ(all[room].row, 0xa5a5a5a5U) << "nothing is written beyond the room";
    EXPECT_LE(number, std::ranges::count(allowed, true));
    EXPECT_GE(number, std::ranges::count(wanted, true));
    for (std::size_t pair = 0; number <= room && pair < wanted.size(); ++pair)
      EXPECT_TRUE(!wanted[pair] || seen[pair]) << "pair " << pair;
  }
}

// A slab all of whose pairs have score 7 and reach their floors. Numbers of pairs are around those that are
// copied at once, and those for which there is room at first.
TEST(CudaSelection, AllCandidatesComeHoweverManyThereAre) {
  Stopper stopper;
  const Stream stream;
  HitSelector selector(2, 1 << 20, stopper);
  PinnedArray<Candidate> into;
  struct Size {
    std::uint32_t rows, columns, wanted;
  };
  for (const auto [rows, columns, wanted] : {Size{1, 1, 0},
                                             {1, 511, 1},
                                             {1, 512, 1},
                                             {1, 515, 1},
                                             {3, 172, 1},
                                             {1, kMostFirstFound - 1, 0},
                                             {1, kMostFirstFound, 0},
                                             {1, kMostFirstFound + 1, 0},
                                             {2, kCandidateRoom / 2, 0},
                                             {2, kCandidateRoom / 2 + 1, 0},
                                             {1, 600, 2}}) {
    SCOPED_TRACE(testing::Message() << rows << " x " << columns << ", " << wanted << " are wanted");
    const std::size_t pairs = std::size_t{rows} * columns;
    const OnDevice<std::int32_t> scores(std::vector<std::int32_t>(pairs, 7)),
        floors(std::vector<std::int32_t>(rows * kFloorRanges, 7));
    const OnDevice<KnownColumns> known(std::vector<KnownColumns>(rows, {0, columns}));
    ScoredSlab slab{};
    slab.scores = scores.data();
    slab.rows = rows;
    slab.columns = columns;
    slab.floors = floors.data();
    slab.known = known.data();
    slab.wanted = wanted;
    slab.has_floors = true;
    slab.coarse_from = columns;
    slab.overflow = 8;
    slab.exact = true;
    selector.prepare(slab);
    selector.start(slab, stream);
    const std::span<const Candidate> found = selector.finish(slab, stream, into);
    ASSERT_EQ(found.size(), pairs);
    std::vector<bool> seen(pairs);
    for (const Candidate& candidate : found) {
      ASSERT_EQ(candidate.score, 7);
      ASSERT_TRUE(candidate.row < rows && candidate.column < columns);
      seen[std::size_t{candidate.row} * columns + candidate.column] = true;
    }
    EXPECT_EQ(std::ranges::count(seen, false), 0);
  }
}

}  // namespace
}  // namespace alnus::test
