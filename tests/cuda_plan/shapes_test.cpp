// Which shapes, bins and long subjects are chosen: those that take the least time by the measurements in
// tuning.h. Plain versions of the rules tell how much time each choice takes. These tests need no GPU.
#include "cuda/shapes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "alnus/error.h"
#include "cuda/kernels/search.h"
#include "cuda/tuning.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using namespace cuda;

using Lengths = std::vector<std::uint32_t>;

constexpr std::uint32_t kLetters = 26;
constexpr std::size_t kSharedBytes = 227 << 10;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Lengths lengths_between(Random& random, std::size_t count, std::size_t shortest, std::size_t longest) {
  Lengths lengths(count);
  for (std::uint32_t& length : lengths)
    length = static_cast<std::uint32_t>(shortest + below(random, longest - shortest + 1));
  std::ranges::sort(lengths, std::greater());
  return lengths;
}

double sum(std::span<const std::uint32_t> lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), 0.0);
}

double seconds_of_step(Shape shape) {
  return (kClocksOfRow * shape.rows + kClocksOfStep) * kWarpsOfScheduler / kClock;
}

// The seconds that the queries take with subjects of `residues` residues, the longest of which has `longest`:
// the time of all cells, or that of the longest subject if it takes longer.
double seconds(const Measured& measured, const Lengths& queries, double residues, double longest) {
  const Chains chains = make_chains(queries, measured.packing, measured.shape, 1);
  const auto rows = static_cast<double>(padded_rows(chains, measured.packing, measured.shape));
  return std::max(residues * rows / (measured.tcups * 1e12),
                  longest * passes_of(chains, measured.shape) * seconds_of_step(measured.shape));
}

// The least seconds of the table's shapes that have this packing and fit the shared memory; infinite if there
// are none. `only` may leave one shape.
double least_seconds(std::span<const Measured> table, Packing packing, const Lengths& queries,
                     std::size_t shared_bytes, double residues, double longest, const Shape* only = nullptr) {
  double least = kInfinity;
  for (const Measured& measured : table)
    if (measured.packing == packing && (!only || measured.shape == *only) &&
        Scores16Kernel::shared_bytes(measured.shape, kLetters) <= shared_bytes)
      least = std::min(least, seconds(measured, queries, residues, longest));
  return least;
}

// Sets of queries, and sizes of shared memory: much, and just enough or a byte too little for each shape.
template <class Check>
void for_queries_and_memories(const Check& check) {
  Random random(91);
  std::vector<Lengths> sets = {{1}, {256}, {257}, {96, 95}, {1000, 900, 30}, {5478}, {30000, 100, 100}};
  for (int k = 0; k < 40; ++k) sets.push_back(lengths_between(random, 1 + below(random, 9), 1, 1500));
  for (const Lengths& queries : sets) check(queries, kSharedBytes);
  for (const PackedShape& shape : kShapes) {
    const std::size_t bytes = Scores16Kernel::shared_bytes(shape.shape, kLetters);
    for (const std::size_t shared_bytes : {bytes - 1, bytes})
      for (const Lengths& queries : {sets[4], sets[7], sets[8]}) check(queries, shared_bytes);
  }
}

TEST(Shapes, ThoseThatTakeTheLeastTimeAreChosen) {
  for_queries_and_memories([](const Lengths& queries, std::size_t shared_bytes) {
    const QueryKind kind{queries, kLetters, shared_bytes};
    for (const Packing packing : {Packing::two_queries, Packing::two_subjects}) {
      const double narrow = least_seconds(kNarrow, packing, queries, shared_bytes, 1, 0);
      if (narrow == kInfinity) {
        EXPECT_THROW(choose_narrow(packing, kind), Error);
      } else {
        const Shape shape = choose_narrow(packing, kind);
        EXPECT_DOUBLE_EQ(least_seconds(kNarrow, packing, queries, shared_bytes, 1, 0, &shape), narrow);
      }
      for (const double columns : {100.0, 1000.0, 9000.0}) {
        const double wide = least_seconds(kWide, packing, queries, shared_bytes, columns, columns);
        if (wide == kInfinity) {
          EXPECT_THROW(choose_wide(packing, kind, columns), Error);
        } else {
          const Shape shape = choose_wide(packing, kind, columns);
          EXPECT_DOUBLE_EQ(least_seconds(kWide, packing, queries, shared_bytes, columns, columns, &shape),
                           wide);
        }
      }
    }
  });
}

TEST(Shapes, ThePackingThatTakesTheLeastTimeIsChosen) {
  int of_subjects = 0;
  for_queries_and_memories([&](const Lengths& queries, std::size_t shared_bytes) {
    const auto least = [&](Packing packing) {
      return least_seconds(kNarrow, packing, queries, shared_bytes, 1, 0);
    };
    const double both = std::max(least(Packing::two_queries), least(Packing::two_subjects));
    if (both == kInfinity) return;
    const Packing chosen = choose_packing({queries, kLetters, shared_bytes});
    of_subjects += chosen == Packing::two_subjects;
    EXPECT_DOUBLE_EQ(least(chosen), std::min(least(Packing::two_queries), least(Packing::two_subjects)));
  });
  EXPECT_GT(of_subjects, 0);
}

// A subject is wide if a narrow warp would take more than the fraction kLongPart of the whole time for it.
TEST(Shapes, SubjectsThatTakeALargePartOfTheTimeAreWide) {
  const Measured& narrow = kNarrow[0];
  const auto rows_of_pass = static_cast<std::uint32_t>(narrow.shape.lanes * narrow.shape.rows);
  for (const std::uint32_t query : {0U, 1U, rows_of_pass - 1, rows_of_pass, rows_of_pass + 1,
                                    2 * rows_of_pass, 2 * rows_of_pass + 1, 9000U})
    for (double cells = 1e8; cells < 1e14; cells *= 1.7) {
      const std::uint32_t passes = std::max(1U, (query + rows_of_pass - 1) / rows_of_pass);
      const double columns =
          kLongPart * cells / (narrow.tcups * 1e12) / (passes * seconds_of_step(narrow.shape));
      const std::uint32_t above = wide_above(cells, query);
      if (columns <= kWideAbove) {
        EXPECT_EQ(above, kWideAbove);
      } else if (columns >= kNarrowBelow) {
        EXPECT_EQ(above, kNarrowBelow);
      } else {
        EXPECT_NEAR(above, columns - 0.5, 0.5 + 1e-6) << query << " rows, " << cells << " cells";
      }
    }
}

TEST(Shapes, CoarseVersionsOnlyInLongRuns) {
  ScoringOptions options;
  const Scoring scoring = make_scoring(options);
  EXPECT_TRUE(coarse_pays(scoring, kLongRunCells, 1'000'000, 1));
  EXPECT_FALSE(coarse_pays(scoring, std::nextafter(kLongRunCells, 0), 1'000'000, 1));
}

// The search for long subjects, with windows of `window` columns (0: there are no windows).
struct LongSearch {
  Packing packing;
  Lengths queries, subjects;
  double window;

  QueryKind kind() const { return {queries, kLetters, kSharedBytes}; }
  double columns(std::size_t subject) const {
    const double all = subjects[subject];
    return window > 0 ? std::min(all, window) : all;
  }
  double passes(Shape shape) const { return std::ceil(1.0 * queries.front() / (shape.lanes * shape.rows)); }
  // The seconds that a warp takes for a subject, or for one of its windows.
  double seconds_of(std::size_t subject, Shape shape) const {
    return columns(subject) * passes(shape) * seconds_of_step(shape);
  }
  // True if, with at least one shape, the longest subject takes longer than all cells together.
  bool is_held_up() const {
    return std::ranges::any_of(kWide, [&](const Measured& wide) {
      return wide.packing == packing &&
             seconds_of(0, wide.shape) > sum(queries) * sum(subjects) / (wide.tcups * 1e12);
    });
  }
  // The seconds of the search if score_passes scores the `count` longest subjects.
  double seconds(std::uint32_t count) const {
    const Shape shape = choose_wide(packing, kind(), columns(count));
    const auto wide = std::ranges::find_if(kWide, [&](const Measured& measured) {
      return measured.packing == packing && measured.shape == shape;
    });
    const std::span<const std::uint32_t> all(subjects);
    const double of_others = std::max(sum(queries) * sum(all.subspan(count)) / (wide->tcups * 1e12),
                                      kCrowded * seconds_of(count, shape));
    if (count == 0) return of_others;
    return of_others + sum(queries) * sum(all.first(count)) / (kPairsTcups * 1e12) +
           subjects[0] * kClocksOfPairStep / kClock;
  }
};

// score_passes is chosen if it saves a tenth of the time or more. It gets whole quads of the subjects, up to
// half of all. (With 64 subjects all numbers of quads are tried.)
TEST(Shapes, AsManyLongSubjectsAsSaveTheMostTime) {
  Random random(92);
  int chosen = 0, held_up = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    LongSearch search{round % 2 ? Packing::two_queries : Packing::two_subjects,
                      lengths_between(random, 1 + below(random, 3), 50, 4000),
                      lengths_between(random, 64, 30, 400), round % 3 ? 0.0 : 1000.0};
    for (std::size_t k = 0, count = below(random, 45); k < count; ++k)
      search.subjects[k] = static_cast<std::uint32_t>(500 + below(random, 8500));
    std::ranges::sort(search.subjects, std::greater());
    const std::uint32_t count = count_long_subjects(search.packing, search.kind(), search.subjects,
                                                    static_cast<std::uint64_t>(sum(search.subjects)),
                                                    static_cast<std::uint64_t>(search.window));
    double least = kInfinity;
    for (std::uint32_t quads = 1; quads <= 8; ++quads)
      least = std::min(least, search.seconds(quads * kSubjects));
    held_up += search.is_held_up();
    if (!search.is_held_up() || least >= 0.9 * search.seconds(0)) {
      EXPECT_EQ(count, 0U);
      continue;
    }
    ++chosen;
    ASSERT_GT(count, 0U);
    EXPECT_EQ(count % kSubjects, 0U);
    EXPECT_LE(count, 32U);
    EXPECT_NEAR(search.seconds(count), least, 1e-9 * least);
  }
  EXPECT_GT(chosen, 20);
  EXPECT_GT(held_up, chosen);
}

TEST(Shapes, NoLongSubjectsWithoutQueriesOrSubjects) {
  const Lengths none, one{3000};
  EXPECT_EQ(count_long_subjects(Packing::two_subjects, {none, kLetters, kSharedBytes}, one, 3000, 0), 0U);
  EXPECT_EQ(count_long_subjects(Packing::two_subjects, {one, kLetters, kSharedBytes}, none, 0, 0), 0U);
}

// The cost that docs and shapes.h speak of: padded rows, and on average half an item for which each thread
// block waits at the end.
double cost(const Chains& chains, Packing packing, Shape shape, double batches, double blocks) {
  const double items = batches * static_cast<double>(chains.bins.size());
  return static_cast<double>(padded_rows(chains, packing, shape)) * (1 + blocks / (2 * items));
}

TEST(Shapes, BalancedChainsHaveTheBinsThatCostLeast) {
  Random random(93);
  for (const Packing packing : {Packing::two_queries, Packing::two_subjects})
    for (const std::size_t count : {1, 2, 33, 200})
      for (const std::uint32_t batches : {1U, 3U, 64U, 5000U})
        for (const std::uint32_t blocks : {1U, 2U, 264U}) {
          const Shape shape{8, 32};
          const Lengths lengths = lengths_between(random, count, 1, 700);
          const Chains chains = balanced_chains(lengths, packing, shape, batches, blocks);
          std::size_t bins = 1;  // as many as make kItemsPerBlock items for each thread block
          while (bins * batches < std::size_t{kItemsPerBlock} * blocks) ++bins;
          double least = kInfinity;
          for (bins = std::min(bins, count); bins > 0; bins /= 2)
            least =
                std::min(least, cost(make_chains(lengths, packing, shape, static_cast<std::uint32_t>(bins)),
                                     packing, shape, batches, blocks));
          EXPECT_NEAR(cost(chains, packing, shape, batches, blocks), least, 1e-9 * least)
              << count << " queries, " << batches << " batches, " << blocks << " blocks";
        }
}

TEST(Shapes, PackedChainsHaveThePassesThatCostLeast) {
  Random random(94);
  const Shape shape{8, 32};
  for (const std::size_t count : {1, 2, 40, 300})
    for (const std::uint32_t batches : {1U, 3U, 64U, 5000U})
      for (const std::uint32_t blocks : {1U, 264U}) {
        const Lengths lengths = lengths_between(random, count, 1, 700);
        double least = kInfinity;
        for (const std::uint32_t most_passes : {1U, 3U, 5U, 9U, 16U})
          least = std::min(least, cost(pack_chains(lengths, shape, most_passes, Goal::ends),
                                       Packing::two_queries, shape, batches, blocks));
        EXPECT_NEAR(cost(packed_chains(lengths, shape, batches, blocks, Goal::ends), Packing::two_queries,
                         shape, batches, blocks),
                    least, 1e-9 * least);
      }
}

// Passes for each used half of a lane block, if queries from `next` on fill a bin of up to `passes` passes:
// each goes to the chain that is shorter so far.
double padding_of_bin(const Lengths& lengths, std::size_t next, Shape shape, std::uint32_t passes) {
  const auto rows = static_cast<std::uint32_t>(shape.rows), lanes = static_cast<std::uint32_t>(shape.lanes);
  std::uint32_t first = 0, second = 0;
  for (; next < lengths.size(); ++next) {
    std::uint32_t& shorter = second < first ? second : first;
    const std::uint32_t blocks = (lengths[next] + rows - 1) / rows;
    if (shorter + blocks > passes * lanes) break;
    shorter += blocks;
  }
  return ((std::max(first, second) + lanes - 1) / lanes) / static_cast<double>(first + second);
}

TEST(Shapes, EachPackedBinHasAsLittlePaddingAsItsPassesAllow) {
  Random random(95);
  const Shape shape{8, 32};
  for (const std::size_t count : {1, 7, 60, 300})
    for (const std::uint32_t most_passes : {1U, 2U, 5U, 16U}) {
      const Lengths lengths = lengths_between(random, count, 1, 900);
      const Chains chains = pack_chains(lengths, shape, most_passes, Goal::local);
      std::size_t next = 0;
      for (const Bin& bin : chains.bins) {
        const std::uint32_t fewest = (lengths[next] + 255) / 256;
        double least = kInfinity;
        for (std::uint32_t passes = fewest; passes <= std::max(fewest, most_passes); ++passes)
          least = std::min(least, padding_of_bin(lengths, next, shape, passes));
        std::uint32_t used = 0;
        for (std::uint32_t number = 0; number < bin.blocks; ++number)
          for (const std::uint32_t row : chains.blocks[bin.first_block + number].row) {
            if (row == kNoRow) continue;
            ++used;
            next = std::max<std::size_t>(next, row + 1);
          }
        const std::uint32_t passes = (bin.blocks + 7) / 8;
        EXPECT_LE(passes, std::max(fewest, most_passes));
        EXPECT_DOUBLE_EQ(passes / static_cast<double>(used), least);
      }
      EXPECT_EQ(next, lengths.size());
    }
}

}  // namespace
}  // namespace alnus::test
