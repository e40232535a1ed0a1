// Alignments of rectangles and staircases in 16 bits equal those of align_reference() in every field.
#include <algorithm>
#include <gtest/gtest.h>
#include <thread>
#include <utility>
#include <vector>

#include "cuda/cuda_device.h"
#include "cuda/cuda_sequences.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

const Implementations& on_gpu() {
  static const Implementations all = {{"cuda:0", [](std::uint64_t memory_bytes) {
                                         return cuda::make_cuda_device({.memory_bytes = memory_bytes});
                                       }}};
  return all;
}

// Unpacks packed results in pieces of random size.
class CollectPacked : public Collect {
 public:
  void accept_packed(const Tile& tile, const PackedResults& packed) override {
    came = true;
    Random random(1);
    std::vector<PairResult> results;
    std::vector<CigarRun> runs;
    for (std::uint64_t begin = 0; begin < packed.size();) {
      const std::uint64_t end = std::min<std::uint64_t>(packed.size(), begin + below(random, 7));
      packed.unpack(begin, end, results, runs);
      ASSERT_EQ(results.size(), end - begin);
      accept(tile, results);
      begin = end;
    }
  }
  bool came = false;
};

class Rectangles : public testing::TestWithParam<ModeAndEnds> {
 protected:
  void check(Workload work, Gaps gaps, const SubstitutionMatrix& matrix) const {
    work.details = {Detail::ends, Detail::alignment};
    EXPECT_TRUE(equals_reference(on_gpu(), work, scoring_of(GetParam(), gaps, matrix)));
  }
  void check(const Workload& work, Gaps gaps) const {
    check(work, gaps, SubstitutionMatrix::builtin("BLOSUM62"));
  }
};

// Lengths are around multiples of 16 (the sides of squares and windows, in which paths are traced) and of 32
// (the rows of a lane block); the longest queries need several passes.
TEST_P(Rectangles, LengthsAroundThoseOfSquaresAndPasses) {
  Random random(1);
  Workload work;
  for (const std::size_t length : {0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 255, 257, 300}) {
    work.queries.push_back(random_sequence(random, length));
    work.subjects.push_back(relative(random, work.queries.back(), 9, 20));
    work.subjects.push_back(random_sequence(random, length, 3));
  }
  for (const Gaps gaps : {Gaps{11, 1}, {0, 4}}) check(work, gaps);
}

// A thread block writes the CIGARs of 128 pairs of a query.
TEST_P(Rectangles, NumbersOfSubjectsAroundThoseOfThreadBlocks) {
  Random random(11);
  for (const std::size_t subjects : {127, 128, 129, 256}) {
    Workload work;
    for (const std::size_t length : {20, 33, 40}) work.queries.push_back(random_sequence(random, length, 4));
    while (work.subjects.size() < subjects)
      work.subjects.push_back(relative(random, work.queries[work.subjects.size() % 3], 5, 8));
    check(work, {5, 1});
  }
}

TEST_P(Rectangles, ManyPasses) {
  Random random(2);
  Workload work;
  for (const std::size_t length : {1100, 1030, 700, 520, 90, 3}) {
    work.queries.push_back(random_sequence(random, length));
    work.subjects.push_back(relative(random, work.queries.back(), 20, 60));
  }
  work.subjects.push_back(
      concatenate({random_sequence(random, 300), work.queries[3], random_sequence(random, 400)}));
  check(work, {11, 1});
}

// There are ties between the values H, E and F of most cells, between cells of several lane blocks in which
// the alignment may end, and between gaps across squares (16 x 16 cells).
TEST_P(Rectangles, FewLettersAndRepeats) {
  Random random(3);
  Workload work;
  for (const std::size_t letters : {1, 2, 2, 3})
    for (const std::size_t length : {9, 40, 70}) {
      work.queries.push_back(random_sequence(random, length, letters));
      work.subjects.push_back(random_sequence(random, length + 3, letters));
    }
  for (const char* same : {"A", "AC", "WWWWWWWWWWG"}) {
    work.queries.push_back(repeat(same, 75));
    work.subjects.push_back(repeat(same, 61));
  }
  const Residues one = repeat("WC", 40), other = repeat("CW", 40);
  work.queries.push_back(concatenate({one, repeat("G", 60), other}));
  work.subjects.push_back(concatenate({other, repeat("D", 50), one}));
  const SubstitutionMatrix one_or_less = matrix_of([](int q, int s) { return q == s ? 1 : -1; }),
                           zero = matrix_of([](int, int) { return 0; });
  for (const Gaps gaps : {Gaps{11, 1}, {0, 1}, {0, 0}, {3, 0}, {1, 2}}) {
    check(work, gaps, one_or_less);
    check(work, gaps);
  }
  check(work, {0, 0}, zero);
}

TEST_P(Rectangles, LongGapsAndGapsSideBySide) {
  Random random(4);
  Workload work;
  for (const std::size_t middle : {3, 17, 40, 90}) {
    const Residues head = random_sequence(random, 45), tail = random_sequence(random, 50);
    work.queries.push_back(concatenate({head, repeat("W", middle), tail}));
    work.queries.push_back(concatenate({head, tail}));
    work.subjects.push_back(concatenate({head, repeat("P", middle + 5), tail}));
    work.subjects.push_back(concatenate({head, tail}));
  }
  for (const Gaps gaps : {Gaps{11, 1}, {5, 2}, {0, 0}, {3, 0}}) check(work, gaps);
}

// The sequences also have different letters that score alike and are not equal, and letters in lower case,
// which equal those in upper case.
TEST_P(Rectangles, MatricesThatAreNotSymmetric) {
  Random random(5);
  Workload work;
  for (const std::size_t length : {20, 75, 130}) {
    const Residues ancestor = random_sequence(random, length, 27);
    work.queries.push_back(with_random_case(random, ancestor));
    work.subjects.push_back(with_random_case(random, relative(random, ancestor, 8, 9)));
    work.subjects.push_back(random_sequence(random, length, 27));
  }
  for (const int highest : {9, 127}) {
    const auto any = [&](int, int) { return static_cast<int>(below(random, 2 * highest)) - highest; };
    for (const Gaps gaps : {Gaps{highest, 1}, {0, highest}}) check(work, gaps, matrix_of(any));
  }
  for (const Gaps gaps : {Gaps{11, 1}, {60, 20}}) check(work, gaps);
}

// The traceback compares scores in seven bits. The highest score (or 0) less the lowest score plus `open` is
// 127, which fits, with the lower one of each two values of `open`, and 128 with the higher one.
TEST_P(Rectangles, MatricesAtTheLimitOfBytes) {
  Random random(10);
  Workload work;
  for (const std::size_t length : {12, 33, 60}) {
    work.queries.push_back(random_sequence(random, length, 3));
    work.subjects.push_back(relative(random, work.queries.back(), 4, 6));
    work.subjects.push_back(random_sequence(random, length + 5, 3));
  }
  const auto steep = [](int match, int mismatch) {
    return matrix_of([=](int q, int s) { return q == s ? match : mismatch; });
  };
  for (const int open : {0, 1})
    for (const int extend : {0, 1, 64, 128}) check(work, {open, extend}, steep(63, -64));
  for (const int open : {40, 41})
    for (const int extend : {0, 1, 64, 128}) check(work, {open, extend}, steep(60, -27));
  for (const int open : {126, 127}) check(work, {open, 1}, steep(1, 0));
  for (const int open : {27, 28}) check(work, {open, 1}, steep(-1, -100));
}

// Pairs for which 16 bits do not suffice, among others for which they do.
TEST_P(Rectangles, ScoresBeyond16Bits) {
  Random random(6);
  Workload work;
  for (const std::size_t length : {700, 330, 100, 20}) {
    work.queries.push_back(repeat("W", length));
    work.queries.push_back(random_sequence(random, length));
    work.subjects.push_back(repeat("W", length - 9));
    work.subjects.push_back(relative(random, work.queries.back(), 12, 6));
  }
  const SubstitutionMatrix steep = matrix_of([](int q, int s) { return q == s ? 60 : -20; });
  for (const Gaps gaps : {Gaps{40, 20}, {0, 128}}) check(work, gaps, steep);
}

// The buffers have results of other pairs from earlier tiles, and the CIGARs of one tile are taken while the
// next tile is computed.
TEST_P(Rectangles, ScoresBeyond16BitsAfterOtherTiles) {
  Random random(8);
  Workload work;
  for (std::size_t k = 0; k < 12; ++k) {
    const bool beyond = k % 6 == 0;
    work.queries.push_back(beyond ? repeat("W", 560 - k) : random_sequence(random, 60 + k));
    work.subjects.push_back(beyond ? repeat("W", 550 - k) : relative(random, work.queries.back(), 12, 6));
  }
  const SubstitutionMatrix steep = matrix_of([](int q, int s) { return q == s ? 60 : -20; });
  const Scoring scoring = scoring_of(GetParam(), {40, 20}, steep), mild = scoring_of(GetParam(), {11, 1});
  const auto device = cuda::make_cuda_device({});
  const LoadedWorkload loaded(*device, work);
  const Tile& whole = loaded.tile();
  for (int k = 0; k < 2; ++k) {
    Collect sink;
    device->run(whole, {mild, Detail::alignment}, sink);
  }
  Tile upper = whole, lower = whole;
  upper.row_range.end = lower.row_range.begin = Position(whole.row_range.size() / 2);
  Collect of_upper, of_lower;
  std::jthread beside([&] { device->run(upper, {scoring, Detail::alignment}, of_upper); });
  device->run(lower, {scoring, Detail::alignment}, of_lower);
  beside.join();
  for (const auto& [sink, tile] : {std::pair{&of_upper, &upper}, {&of_lower, &lower}})
    for (const Pair& pair : pairs_of(*tile))
      ASSERT_EQ(sink->found.at(pair), align_reference(work.queries[pair.first], work.subjects[pair.second],
                                                      scoring, Detail::alignment));
}

TEST_P(Rectangles, Staircases) {
  Random random(7);
  std::vector<Residues> all;
  for (std::size_t k = 0; k < 75; ++k) all.push_back(random_sequence(random, below(random, 60), 4));
  check(triangle_of(all), {11, 1});
  Workload work = triangle_of(all);
  for (std::uint32_t row = 0; row < all.size(); ++row) work.first_columns[row] = Position(row / 20 * 18);
  check(work, {2, 1});
}

// With little memory few columns are computed at a time, and some pairs do not fit at all.
TEST_P(Rectangles, LittleMemory) {
  Random random(8);
  Workload work{.memory_bytes = 1 << 22};
  for (std::size_t k = 0; k < 20; ++k) work.queries.push_back(random_sequence(random, 30 + 6 * k));
  for (std::size_t k = 0; k < 30; ++k)
    work.subjects.push_back(relative(random, work.queries[k % 20], 6 + k, 9));
  work.subjects.push_back(random_sequence(random, 2500));
  check(work, {11, 1});
}

// Some pairs are not aligned in 16 bits: pairs with an empty sequence, and pairs whose scores are too high.
TEST_P(Rectangles, PackedResultsComeInAnyPieces) {
  Random random(10);
  Workload work;
  for (const std::size_t length : {0, 560, 100, 64, 20, 3, 1}) {
    work.queries.push_back(length == 560 ? repeat("W", length) : random_sequence(random, length));
    work.subjects.push_back(relative(random, work.queries.back(), 12, 6));
    work.subjects.push_back(random_sequence(random, length));
  }
  const SubstitutionMatrix steep = matrix_of([](int q, int s) { return q == s ? 60 : -20; });
  for (const Detail detail : {Detail::ends, Detail::alignment}) {
    const Problem problem{scoring_of(GetParam(), {40, 20}, steep), detail};
    for_each_device(on_gpu(), problem, [&](Device& device) {
      const LoadedWorkload loaded(device, work);
      CollectPacked sink;
      device.run(loaded.tile(), problem, sink);
      EXPECT_TRUE(sink.came);
      EXPECT_TRUE(sink.repeated.empty());
      ASSERT_EQ(sink.found.size(), pairs_of(loaded.tile()).size());
      for (const auto& [pair, found] : sink.found) {
        const Residues &query = work.queries[pair.first], &subject = work.subjects[pair.second];
        EXPECT_EQ(found, align_reference(query, subject, problem.scoring, detail));
        const AlignmentCounts counts = detail == Detail::alignment
                                           ? count(found, query, subject, problem.scoring.matrix)
                                           : AlignmentCounts{};
        EXPECT_EQ(sink.counts[pair], counts);
      }
    });
  }
}

// Packed runs have lengths of 12 bits, so that sequences of up to 4,095 residues can be packed.
TEST_P(Rectangles, LongSequencesAreNotPacked) {
  Random random(11);
  const Problem problem{scoring_of(GetParam(), {11, 0}), Detail::alignment};
  for (const std::size_t longest : {4'095, 4'096}) {
    Workload work;
    work.queries = {random_sequence(random, longest), random_sequence(random, 30)};
    const auto middle = work.queries.front().begin() + 700;
    work.subjects = {concatenate({Residues(middle, middle + 20), Residues(middle + 3'000, middle + 3'040)}),
                     random_sequence(random, 9)};
    for_each_device(on_gpu(), problem, [&](Device& device) {
      const LoadedWorkload loaded(device, work);
      CollectPacked sink;
      device.run(loaded.tile(), problem, sink);
      EXPECT_EQ(sink.came, longest == 4'095);
      ASSERT_EQ(sink.found.size(), 4u);
      for (const auto& [pair, found] : sink.found)
        EXPECT_EQ(found, align_reference(work.queries[pair.first], work.subjects[pair.second],
                                         problem.scoring, Detail::alignment));
    });
  }
}

// No letters are aligned, because different letters score too low, so that the whole query may be one run.
TEST_P(Rectangles, TheLongestRunThatIsPacked) {
  const Workload work{.queries = {repeat("A", 4'095)}, .subjects = {repeat("W", 1), repeat("W", 3)}};
  const SubstitutionMatrix steep = matrix_of([](int q, int s) { return q == s ? 1 : -100; });
  const Problem problem{scoring_of(GetParam(), {3, 0}, steep), Detail::alignment};
  for_each_device(on_gpu(), problem, [&](Device& device) {
    const LoadedWorkload loaded(device, work);
    CollectPacked sink;
    device.run(loaded.tile(), problem, sink);
    EXPECT_TRUE(sink.came);
    ASSERT_EQ(sink.found.size(), 2u);
    for (const auto& [pair, found] : sink.found)
      EXPECT_EQ(found, align_reference(work.queries[pair.first], work.subjects[pair.second], problem.scoring,
                                       Detail::alignment));
  });
}

TEST_P(Rectangles, PackedResultsOfSeveralParts) {
  Random random(12);
  std::vector<Residues> all;
  for (std::size_t k = 0; k < 60; ++k) all.push_back(random_sequence(random, below(random, 90), 4));
  Workload work = triangle_of(all);
  for (std::uint32_t row = 0; row < all.size(); ++row) work.first_columns[row] = Position(row / 20 * 25);
  const Problem problem{scoring_of(GetParam(), {11, 1}), Detail::alignment};
  const auto device = cuda::make_cuda_device({.memory_bytes = 1 << 22});
  const LoadedWorkload loaded(*device, work);
  CollectPacked sink;
  device->run(loaded.tile(), problem, sink);
  EXPECT_TRUE(sink.came);
  EXPECT_TRUE(sink.repeated.empty());
  ASSERT_EQ(sink.found.size(), pairs_of(loaded.tile()).size());
  for (const auto& [pair, found] : sink.found)
    EXPECT_EQ(found, align_reference(work.queries[pair.first], work.subjects[pair.second], problem.scoring,
                                     Detail::alignment));
}

// Subjects that come to the GPU in slabs, as many at a time as its memory holds, and are computed in many
// parts. Two parts are on the GPU at the same time, while results of others are copied to the host. Another
// set takes the memory of the slabs in between.
TEST(RectanglesInParts, OfSeveralSlabs) {
  Random random(13);
  Workload many, few;
  for (int k = 0; k < 2; ++k) many.queries.push_back(random_sequence(random, 8 + below(random, 20)));
  for (int k = 0; k < 4'500; ++k)
    many.subjects.push_back(k % 3 ? random_sequence(random, 1 + below(random, 24))
                                  : relative(random, many.queries[k % 2], 4, 5));
  for (int k = 0; k < 7; ++k) few.queries.push_back(random_sequence(random, 30 + below(random, 60)));
  for (int k = 0; k < 60; ++k) few.subjects.push_back(relative(random, few.queries[k % 7], 5, 5));
  const auto device = cuda::make_cuda_device({.memory_bytes = 500'000});
  const LoadedWorkload in_slabs(*device, many), at_once(*device, few);
  EXPECT_GT(static_cast<const cuda::CudaSequences&>(in_slabs.device_columns()).slab_count(), 2u);
  Tile staircase = in_slabs.tile();
  const std::vector<Position> first_columns = {Position(100), Position(3'500)};
  staircase.shape = TileShape::staircase;
  staircase.first_columns = first_columns;
  const Problem problem{scoring_of({Mode::local}, {11, 1}), Detail::alignment};
  const auto expect_reference = [&](const Workload& work, const Tile& tile) {
    CollectPacked sink;
    device->run(tile, problem, sink);
    EXPECT_TRUE(sink.repeated.empty());
    ASSERT_EQ(sink.found.size(), pairs_of(tile).size());
    for (const auto& [pair, found] : sink.found)
      ASSERT_EQ(found, align_reference(work.queries[pair.first], work.subjects[pair.second], problem.scoring,
                                       problem.detail));
  };
  expect_reference(many, in_slabs.tile());
  expect_reference(few, at_once.tile());
  expect_reference(many, staircase);
}

// 512 rows are aligned at a time. With little memory and long subjects it is half as many, as often as
// necessary, and some pairs are left to the kernels for lists.
TEST(RectanglesInParts, MoreRowsThanAreAlignedAtATime) {
  Random random(14);
  for (const std::size_t rows : {512, 513}) {
    Workload work{.details = {Detail::alignment}};
    while (work.queries.size() < rows)
      work.queries.push_back(random_sequence(random, 1 + below(random, 4), 3));
    for (const std::size_t length : {1, 3, 5}) work.subjects.push_back(random_sequence(random, length, 3));
    EXPECT_TRUE(equals_reference(on_gpu(), work, scoring_of({Mode::global}, {3, 1})));
  }
  for (const std::size_t longest : {100, 700}) {
    Workload work{.details = {Detail::alignment}, .memory_bytes = 1 << 22};
    while (work.queries.size() < 70) work.queries.push_back(random_sequence(random, 5 + below(random, 9)));
    for (const std::size_t length : {longest, longest / 2, std::size_t{30}, std::size_t{9}})
      work.subjects.push_back(concatenate({random_sequence(random, length - 8), work.queries[length % 70]}));
    EXPECT_TRUE(equals_reference(on_gpu(), work, scoring_of({Mode::local}, {11, 1})));
  }
}

// Every set of free ends with each way to compute: rectangles, lists, and many short queries with short
// subjects. Only a few letters, so that several ends tie; one query takes two passes.
TEST(FreeEndsOnGpus, OfRectanglesListsAndShortQueries) {
  Random random(15);
  Workload rectangle{.details = {Detail::score, Detail::alignment}},
      list{.shape = TileShape::list, .details = {Detail::alignment}}, many{.details = {Detail::score}};
  for (const std::size_t length : {1, 17, 33, 262}) {
    rectangle.queries.push_back(random_sequence(random, length, 3));
    rectangle.subjects.push_back(relative(random, rectangle.queries.back(), 5, 4));
    rectangle.subjects.back().resize(std::clamp<std::size_t>(rectangle.subjects.back().size(), 1, 40));
    rectangle.subjects.push_back(random_sequence(random, 1 + length % 30, 2));
  }
  list.queries = rectangle.queries;
  list.subjects = rectangle.subjects;
  for (std::uint32_t pair = 0; pair < 16; ++pair)
    list.pairs.emplace_back(pair / 4, (pair * 3 + pair / 4) % 8);
  for (std::size_t k = 0; k < 35; ++k) many.queries.push_back(random_sequence(random, k % 18, 3));
  for (std::size_t k = 0; k < 11; ++k) many.subjects.push_back(random_sequence(random, k * k % 40, 3));
  for (const ModeAndEnds& mode : all_modes()) {
    if (mode.mode != Mode::semiglobal) continue;
    for (const Workload& work : {rectangle, list, many})
      EXPECT_TRUE(equals_reference(on_gpu(), work, scoring_of(mode, {5, 2}))) << name_of(mode);
  }
}

TEST_P(Rectangles, WithoutCigars) {
  Random random(9);
  Workload work;
  for (const std::size_t length : {0, 40, 100}) {
    work.queries.push_back(random_sequence(random, length));
    work.subjects.push_back(relative(random, work.queries.back(), 5, 8));
  }
  const Problem problem{
      .scoring = scoring_of(GetParam(), {11, 1}), .detail = Detail::alignment, .cigars = false};
  for_each_device(on_gpu(), problem, [&](Device& device) {
    const LoadedWorkload loaded(device, work);
    Collect sink;
    device.run(loaded.tile(), problem, sink);
    ASSERT_EQ(sink.found.size(), 9u);
    for (const auto& [pair, found] : sink.found) {
      const Residues &query = work.queries[pair.first], &subject = work.subjects[pair.second];
      Alignment expected = align_reference(query, subject, problem.scoring, Detail::alignment);
      EXPECT_EQ(sink.counts[pair], count(expected, query, subject, problem.scoring.matrix));
      expected.cigar = found.cigar;
      EXPECT_EQ(found, expected);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Cuda, Rectangles, testing::ValuesIn(all_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace alnus::test
