// How queries and subjects are laid out for the GPU. These tests need no GPU.
#include "cuda/chains.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "cuda/shapes.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using namespace cuda;

std::vector<std::uint32_t> random_lengths(Random& random, std::size_t count, std::size_t longest) {
  std::vector<std::uint32_t> lengths(count);
  for (std::uint32_t& length : lengths) length = static_cast<std::uint32_t>(below(random, longest + 1));
  std::ranges::sort(lengths, std::greater());
  return lengths;
}

// Expects that every residue of every query is in exactly one row of one register half, in order from lane
// block to lane block; that bins follow each other; and that the padding of a query is in its last lane
// block, or with Goal::ends in its first one.
void expect_complete(const Chains& chains, const std::vector<std::uint32_t>& lengths, Packing packing,
                     Shape shape, Goal goal = Goal::local) {
  std::vector<std::uint32_t> offsets(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0U);
  std::vector<std::uint32_t> seen(lengths.size());
  std::uint32_t next_block = 0;
  for (const Bin& bin : chains.bins) {
    ASSERT_EQ(bin.first_block, next_block);
    next_block += bin.blocks;
    for (int half = 0; half < (packing == Packing::two_queries ? 2 : 1); ++half) {
      std::uint32_t row_before = kNoRow;
      for (std::uint32_t b = bin.first_block; b < next_block; ++b) {
        const LaneBlock& block = chains.blocks[b];
        const std::uint32_t row = block.row[half];
        if (packing == Packing::two_subjects) {
          EXPECT_EQ(block.row[1], kOneQuery);
          EXPECT_EQ(block.starts[0], block.starts[1]);
        }
        if (row == kNoRow) {
          EXPECT_EQ(block.count[half], 0);
          EXPECT_EQ(block.before[half], -shape.rows);
          EXPECT_TRUE(block.starts[half]);
          continue;
        }
        ASSERT_LT(row, lengths.size());
        EXPECT_EQ(block.starts[half], seen[row] == 0);
        EXPECT_EQ(block.residues[half], offsets[row] + seen[row]);
        const auto rows = static_cast<std::uint32_t>(shape.rows), there = lengths[row] % rows;
        const bool padded_first = goal == Goal::ends && seen[row] == 0 && there > 0;
        EXPECT_EQ(block.count[half], padded_first ? there : std::min(rows, lengths[row] - seen[row]));
        EXPECT_EQ(block.before[half], static_cast<std::int32_t>(padded_first ? there - rows : seen[row]));
        EXPECT_EQ(block.ends[half], seen[row] + block.count[half] == lengths[row]);
        if (seen[row] > 0) {
          EXPECT_EQ(row, row_before) << "a query goes on in the next block";
        }
        seen[row] += block.count[half];
        row_before = row;
      }
    }
  }
  EXPECT_EQ(next_block, chains.blocks.size());
  EXPECT_EQ(seen, lengths);
}

TEST(Chains, HoldEveryRowOnce) {
  Random random(81);
  for (const Packing packing : {Packing::two_queries, Packing::two_subjects})
    for (const Shape shape : {Shape{8, 32}, {16, 9}, {32, 32}, {8, 18}})
      for (const std::size_t count : {1, 2, 3, 20, 333})
        for (const std::uint32_t bins : {1U, 2U, 7U, 1000U}) {
          const auto lengths = random_lengths(random, count, 700);
          expect_complete(make_chains(lengths, packing, shape, bins), lengths, packing, shape);
          expect_complete(balanced_chains(lengths, packing, shape, 50, 264), lengths, packing, shape);
          expect_complete(make_chains(lengths, packing, shape, bins, Goal::ends), lengths, packing, shape,
                          Goal::ends);
        }
}

TEST(Chains, PackedOnesHoldEveryRowOnceInOrder) {
  Random random(82);
  for (const std::size_t count : {1, 2, 3, 20, 333})
    for (const std::uint32_t most_passes : {1U, 3U, 10U})
      for (const Goal goal : {Goal::local, Goal::ends}) {
        const auto lengths = random_lengths(random, count, 700);
        const Chains chains = pack_chains(lengths, {8, 32}, most_passes, goal);
        expect_complete(chains, lengths, Packing::two_queries, {8, 32}, goal);
        expect_complete(packed_chains(lengths, {8, 32}, 50, 264, goal), lengths, Packing::two_queries,
                        {8, 32}, goal);
        std::uint32_t next = 0;
        for (const Bin& bin : chains.bins) {
          std::uint32_t end = next;
          for (std::uint32_t number = 0; number < bin.blocks; ++number)
            for (const std::uint32_t row : chains.blocks[bin.first_block + number].row) {
              if (row == kNoRow) continue;
              EXPECT_GE(row, next);
              end = std::max(end, row + 1);
            }
          next = end;
        }
      }
}

TEST(Chains, PackedOnesOfLikeLengthsHaveLittlePadding) {
  for (const std::uint32_t length : {64U, 150U, 257U, 288U, 385U, 1103U}) {
    const std::vector<std::uint32_t> lengths(200, length);
    const auto rows = static_cast<double>(
        padded_rows(pack_chains(lengths, {8, 32}, 9, Goal::ends), Packing::two_queries, {8, 32}));
    EXPECT_LT(rows, 1.07 * 200 * ((length + 31) / 32 * 32)) << length;
  }
}

TEST(Chains, NoQueriesNoBins) {
  EXPECT_TRUE(pack_chains({}, {8, 32}, 3, Goal::local).bins.empty());
  EXPECT_TRUE(make_chains({}, Packing::two_queries, {8, 32}, 3).bins.empty());
  const std::vector<std::uint32_t> empty(4);
  EXPECT_TRUE(make_chains(empty, Packing::two_subjects, {8, 32}, 3).blocks.empty());
  EXPECT_TRUE(balanced_chains(empty, Packing::two_queries, {8, 32}, 3, 100).bins.empty());
}

TEST(Chains, TwoHalvesAreAboutAsLong) {
  const std::vector<std::uint32_t> lengths{5478, 5147, 4743, 4548, 4061, 3564, 3005, 2504, 2005, 1500,
                                           1000, 850,  729,  657,  567,  464,  375,  222,  189,  144};
  const std::uint64_t residues = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  const Chains chains = make_chains(lengths, Packing::two_queries, {8, 32}, 1);
  EXPECT_LT(static_cast<double>(padded_rows(chains, Packing::two_queries, {8, 32})), 1.02 * residues);
  EXPECT_EQ(choose_packing({lengths, 26, 200000}), Packing::two_queries);
  EXPECT_EQ(choose_packing({std::span(lengths).first(1), 26, 200000}), Packing::two_subjects);
  // One query is far longer than all others, so they cannot be split into two halves of about equal length.
  const std::vector<std::uint32_t> uneven{30000, 100, 100};
  EXPECT_EQ(choose_packing({uneven, 26, 200000}), Packing::two_subjects);
}

TEST(Shapes, FitTheSharedMemory) {
  const std::vector<std::uint32_t> lengths{1000, 900};
  for (const std::size_t shared_bytes : {48U << 10, 64U << 10, 99U << 10, 227U << 10})
    for (const Packing packing : {Packing::two_queries, Packing::two_subjects})
      for (const std::uint32_t letters : {5U, 26U, 33U}) {
        const QueryKind kind{lengths, letters, shared_bytes};
        EXPECT_LE(Scores16Kernel::shared_bytes(choose_narrow(packing, kind), letters), shared_bytes);
        EXPECT_LE(Scores16Kernel::shared_bytes(choose_wide(packing, kind, 5000), letters), shared_bytes);
      }
}

// The longest subjects, on which a single long query would have to wait, are left to score_passes, the kernel
// that gives each pass a warp. With many queries there is other work meanwhile.
TEST(Shapes, LongSubjectsThatHoldUpTheRest) {
  std::vector<std::uint32_t> subjects(20000, 450);
  std::fill_n(subjects.begin(), 8, 8000);
  const std::uint64_t residues = std::accumulate(subjects.begin(), subjects.end(), std::uint64_t{0});
  const std::vector<std::uint32_t> one{5478}, many(2000, 500);
  EXPECT_GT(count_long_subjects(Packing::two_subjects, {one, 26, 200000}, subjects, residues, 0), 0U);
  EXPECT_EQ(count_long_subjects(Packing::two_queries, {many, 26, 200000}, subjects, residues, 0), 0U);
}

// A coarse score may be too low by up to open + 3 * extend. If that is 14 or 16, few pairs need to be scored
// again. If it is 49, nearly all pairs of a query without relatives do.
TEST(Shapes, CoarseVersionsWhereTheirBoundsAreNarrow) {
  const auto pays = [](Gaps gaps, std::uint32_t columns, std::uint32_t wanted, double cells = 1e12) {
    return coarse_pays(scoring_of({Mode::local}, gaps), cells, columns, wanted);
  };
  EXPECT_TRUE(pays({11, 1}, 400000, 10));
  EXPECT_TRUE(pays({10, 2}, 400000, 10));
  EXPECT_FALSE(pays({20, 2}, 400000, 10));
  EXPECT_FALSE(pays({40, 3}, 400000, 10));
  EXPECT_TRUE(pays({20, 2}, 400000, 1));
  EXPECT_FALSE(pays({11, 1}, 20000, 10)) << "too many are wanted";
  EXPECT_FALSE(pays({11, 1}, 400000, 10, 1e10)) << "too short a run";
  EXPECT_TRUE(pays({0, 2}, 1000000, 4096));
  EXPECT_FALSE(pays({0, 2}, 1000000, 4097)) << "the floor alone decides what is scored again";
}

// What counts is how large the gap costs are compared with the scores of the matrix. With 3/-1, scores grow
// in proportion to the lengths. Then nothing is known about how many pairs will be scored again, so coarse
// versions do not pay.
TEST(Shapes, CoarseVersionsByTheScaleOfTheMatrix) {
  const auto pays = [](const SubstitutionMatrix& matrix, Gaps gaps) {
    return coarse_pays(scoring_of({Mode::local}, gaps, matrix), 1e12, 400000, 10);
  };
  SubstitutionMatrix matrix = SubstitutionMatrix::match_mismatch("1", "-3");
  EXPECT_TRUE(pays(matrix, {2, 1}));
  EXPECT_FALSE(pays(matrix, {5, 2}));
  matrix.multiply(10);
  EXPECT_TRUE(pays(matrix, {20, 10}));
  EXPECT_FALSE(pays(matrix, {50, 20}));
  EXPECT_FALSE(pays(SubstitutionMatrix::match_mismatch("3", "-1"), {5, 1}));
}

struct Columns {
  std::uint32_t begin, end;
};

TEST(Strips, WindowsHoldEverySpan) {
  Random random(82);
  for (const int lanes : {8, 16, 32})
    for (const std::uint64_t span : {0, 30, 100, 1000})
      for (const std::uint32_t begin : {0U, 3U}) {
        const auto lengths = random_lengths(random, 50, 2000);
        std::vector<std::uint64_t> places;
        for (std::uint64_t place = 160; places.size() < 13; place += 100000) places.push_back(place);
        const RangeOf<std::uint32_t> wanted{begin, 49};
        const Strips strips = make_strips({lengths, places}, wanted, 600, lanes, span);
        std::map<std::uint32_t, std::vector<Columns>> windows;  // by subject
        for (const Strip& strip : strips.strips) {
          const std::uint32_t first = begin + strip.column;
          const std::uint64_t offset = strip.offset - places[first / kSubjects] - first % kSubjects;
          ASSERT_EQ(offset % kSubjects, 0U);
          ASSERT_LE(strip.subjects, 32U / static_cast<unsigned>(lanes));
          ASSERT_EQ(first / kSubjects, (first + strip.subjects - 1) / kSubjects) << "of one four";
          const auto column = static_cast<std::uint32_t>(offset / kSubjects);
          for (std::uint32_t s = first; s < first + strip.subjects; ++s)
            windows[s].push_back({column, column + strip.length});
        }
        for (std::uint32_t s = wanted.begin; s < strips.end; ++s) {
          std::vector<Columns>& of_subject = windows[s];
          std::ranges::sort(of_subject, {}, &Columns::begin);
          ASSERT_FALSE(of_subject.empty());
          EXPECT_EQ(of_subject.front().begin, 0U);
          EXPECT_GE(of_subject.back().end, lengths[s]);
          for (std::size_t w = 1; w < of_subject.size(); ++w) {
            EXPECT_LE(of_subject[w].begin + span, of_subject[w - 1].end);
          }
        }
        EXPECT_EQ(windows.size(), strips.end - wanted.begin);
        for (std::uint32_t s = strips.end; s < wanted.end; ++s) EXPECT_LE(lengths[s], 600U);
        EXPECT_TRUE(std::ranges::is_sorted(strips.strips, std::greater(), &Strip::length));
      }
}

TEST(Strips, EndWithTheQuadOfTheLastSubjectThatIsLonger) {
  const std::vector<std::uint64_t> places(3);
  for (std::uint32_t longer = 0; longer <= 12; ++longer)
    for (const std::uint32_t begin : {0U, 1U, 4U, 7U})
      for (const std::uint32_t end : {9U, 12U}) {
        std::vector<std::uint32_t> lengths(12, 600);
        std::fill_n(lengths.begin(), longer, 601);
        const Strips strips = make_strips({lengths, places}, {begin, end}, 600, 32, 0);
        const std::uint32_t last = std::max(longer, begin);
        EXPECT_EQ(strips.end, std::min((last + 3) / 4 * 4, end)) << longer << " from " << begin;
        EXPECT_EQ(strips.strips.size(), strips.end - begin);
      }
}

TEST(Strips, OnlySubjectsLongerThanAWindowAreCut) {
  const std::vector<std::uint32_t> lengths{301, 201, 200, 199};
  const std::vector<std::uint64_t> places{0};
  std::vector<std::uint32_t> of_strips;
  for (const Strip& strip : make_strips({lengths, places}, {0, 4}, 0, 32, 100).strips)
    of_strips.push_back(strip.length);
  // The third window of the first subject, and the second one of the second subject, are what is left.
  EXPECT_EQ(of_strips, (std::vector<std::uint32_t>{200, 200, 200, 200, 199, 101, 101}));
}

// longest_span() limits how many columns of the subject an alignment of positive score can have: longer gaps
// would cost more than all matches score.
TEST(Strips, SpansOfPositiveScores) {
  EXPECT_EQ(longest_span(100, 500, 11, 1), 100U + 489 + 1);
  EXPECT_EQ(longest_span(100, 500, 10, 7), 100U + 70 + 1);
  EXPECT_EQ(longest_span(100, 5, 11, 1), 101U);
  EXPECT_EQ(longest_span(100, 500, 11, 0), 0U) << "no bound";
}

}  // namespace
}  // namespace alnus::test
