// How much time and memory a GPU is expected to take for a tile. Tiles are cut by these numbers.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "cuda/cuda_device.h"
#include "cuda/kernels/search.h"
#include "cuda/limits.h"
#include "cuda/tuning.h"
#include "support/device_check.h"
#include "support/positions.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

SortedSequences set_of(std::uint32_t count, std::size_t length) {
  const std::vector<Residues> sequences(count, Residues(length, Residue{1}));
  return SortedSequences(make_set(sequences));
}
SortedSequences set_of_lengths(const std::vector<std::size_t>& lengths) {
  std::vector<Residues> sequences;
  for (const std::size_t length : lengths) sequences.emplace_back(length, Residue{1});
  return SortedSequences(make_set(sequences));
}

Problem problem_of(Detail detail, Mode mode = Mode::local, Gaps gaps = {11, 1}) {
  return {scoring_of({mode}, gaps), detail};
}

// Cells that the device computes in a second, if the speed that was measured is `tcups` (1e12 cells a
// second).
double cells_of_second(const Device& device, double tcups) {
  return device.info().gcups / (cuda::kNarrow[0].tcups * 1000) * tcups * 1e12;
}
void expect_about(double actual, double expected) { EXPECT_NEAR(actual, expected, 1e-9 * expected); }
constexpr double kSecondsOfColumn = cuda::kClocksOfPairStep / cuda::kClock;

TEST(CudaEstimates, TilesOfTooManyPairsNeedTooMuchMemory) {
  struct Case {
    std::string method;
    Detail detail;
    std::uint32_t rows, columns;  // at the limit; with one column more there are too many pairs
  };
  for (const Case& of : {Case{"auto", Detail::alignment, 2048, cuda::kMostRectanglePairs / 2048},
                         {"auto", Detail::ends, 1024, cuda::kMostRectanglePairs / 1024},
                         {"pairs", Detail::score, 1024, cuda::kMostListedPairs / 1024},
                         {"pairs", Detail::alignment, 512, cuda::kMostListedPairs / 512},
                         {"pairalign-bits", Detail::score, 4096, cuda::kMostMethodScores / 4096},
                         {"pairalign-bits", Detail::ends, 2048, cuda::kMostMethodResults / 2048}}) {
    SCOPED_TRACE(of.method);
    const auto device = cuda::make_cuda_device({.method = of.method});
    const SortedSequences rows = set_of(of.rows, 1), columns = set_of(of.columns + 1, 1);
    Tile tile = whole(rows, columns);
    EXPECT_EQ(device->estimate(tile, problem_of(of.detail)).bytes, UINT64_MAX);
    --tile.column_range.end;
    EXPECT_LT(device->estimate(tile, problem_of(of.detail)).bytes, device->info().memory_bytes);
  }
  for (const char* method : {"auto", "pairs"}) {
    const auto device = cuda::make_cuda_device({.method = method});
    const SortedSequences one = set_of(1, 1);
    Tile tile = whole(one, one);
    tile.shape = TileShape::list;
    tile.pairs.resize(cuda::kMostListedPairs);
    EXPECT_LT(device->estimate(tile, problem_of(Detail::score)).bytes, device->info().memory_bytes);
    tile.pairs.resize(cuda::kMostListedPairs + 1);
    EXPECT_EQ(device->estimate(tile, problem_of(Detail::score)).bytes, UINT64_MAX);
  }
}

// The scores of all pairs are in device memory, and the profile of the rows: a word of 16 bits in both halves
// of a register for each residue and letter.
TEST(CudaEstimates, SearchesNeedMemoryForScoresAndProfiles) {
  const auto device = cuda::make_cuda_device({});
  const SortedSequences rows = set_of(9, 20), columns = set_of(300, 10);
  const auto bytes = [&](std::uint32_t of_rows, std::uint32_t of_columns) {
    Tile tile = whole(rows, columns);
    tile.row_range = positions(0, of_rows);
    tile.column_range = positions(0, of_columns);
    return device->estimate(tile, problem_of(Detail::score)).bytes;
  };
  const std::uint64_t of_none = bytes(0, 0);
  EXPECT_GT(of_none, 0U);
  EXPECT_LT(of_none, device->info().memory_bytes);
  for (const std::uint32_t of_rows : {0U, 1U, 9U})
    for (const std::uint32_t of_columns : {0U, 1U, 300U})
      EXPECT_EQ(bytes(of_rows, of_columns) - of_none,
                4 * of_rows * of_columns + 4 * kMaxLetters * of_rows * 20);
}

TEST(CudaEstimates, SearchesTakeTheTimeOfTheirCells) {
  const auto device = cuda::make_cuda_device({});
  const SortedSequences one = set_of(1, 1);
  Tile tile = whole(one, one);
  for (const double cells : {1e6, 1e9, 9e10, 1e12}) {
    tile.cells = static_cast<std::uint64_t>(cells);
    EXPECT_NEAR(device->estimate(tile, problem_of(Detail::score)).seconds, cells / device->info().gcups / 1e9,
                1.01 * kSecondsOfColumn);
    EXPECT_NEAR(device->estimate(tile, problem_of(Detail::score, Mode::global)).seconds,
                cells / cells_of_second(*device, cuda::kEndsTcups), 1.01 * kSecondsOfColumn);
  }
}

// In a long run, coarse versions of the kernel score narrow subjects, and wide ones take longer.
TEST(CudaEstimates, WideSubjectsOfLongRunsTakeLonger) {
  const auto device = cuda::make_cuda_device({});
  const SortedSequences row = set_of(1, 1);
  for (const std::vector<std::size_t>& wide : {std::vector<std::size_t>{}, {2049}, {5000, 3000, 2049}}) {
    std::vector<std::size_t> lengths = wide;
    lengths.insert(lengths.end(), {cuda::kNarrowBelow, 700, 3});
    const SortedSequences columns = set_of_lengths(lengths);
    Tile tile = whole(row, columns);
    double of_wide = 0;
    for (const std::size_t length : wide) of_wide += static_cast<double>(length);
    const double share = of_wide / static_cast<double>(columns.set().total_residues());
    for (const std::uint64_t cells :
         {static_cast<std::uint64_t>(cuda::kLongRunCells) - 1,
          static_cast<std::uint64_t>(cuda::kLongRunCells), std::uint64_t{1} << 42}) {
      tile.cells = cells;
      const bool is_long = static_cast<double>(cells) >= cuda::kLongRunCells;
      const double more = is_long ? share * (cuda::kCoarseFaster - 1) : 0;
      EXPECT_NEAR(device->estimate(tile, problem_of(Detail::score)).seconds,
                  static_cast<double>(cells) * (1 + more) / device->info().gcups / 1e9,
                  5000 * 1.01 * kSecondsOfColumn);
    }
  }
}

// The columns of the longest subject, or of a window of it, come in addition. Windows have twice the columns
// that an alignment with the query can span, and at least twice kShortestSpan.
TEST(CudaEstimates, TheLongestSubjectOrWindowTakesItsTime) {
  const auto device = cuda::make_cuda_device({});
  const SortedSequences columns = set_of_lengths({8000, 10});
  struct Case {
    std::size_t query;
    Mode mode;
    Gaps gaps;
    double columns;
  };
  // The highest score of BLOSUM62 is 11.
  for (const Case& of : {Case{10, Mode::local, {11, 1}, 2.0 * cuda::kShortestSpan},
                         {100, Mode::local, {11, 1}, 2 * (100 + 1100 - 11 + 1)},
                         {100, Mode::local, {100, 10}, 2.0 * cuda::kShortestSpan},
                         {1000, Mode::local, {11, 1}, 8000},
                         {10, Mode::local, {11, 0}, 8000},
                         {10, Mode::global, {11, 1}, 8000}}) {
    const SortedSequences row = set_of(1, of.query);
    Tile tile = whole(row, columns);
    const Problem problem = problem_of(Detail::score, of.mode, of.gaps);
    const auto seconds = [&](std::uint64_t cells) {
      tile.cells = cells;
      return device->estimate(tile, problem).seconds;
    };
    const double tcups = of.mode == Mode::local ? cuda::kNarrow[0].tcups : cuda::kEndsTcups;
    constexpr std::uint64_t kMany = 90'000'000'000, kFew = 1'000;
    EXPECT_NEAR(seconds(kMany), kMany / cells_of_second(*device, tcups) + of.columns * kSecondsOfColumn, 1e-9)
        << of.query;
    EXPECT_NEAR(seconds(kFew), 2 * kFew / cells_of_second(*device, tcups), 1e-12) << "no more than twice";
  }
}

TEST(CudaEstimates, AlignmentsTakeTheTimeOfTheKernelThatDoesThem) {
  const SortedSequences rows = set_of(7, 30), columns = set_of(50, 40);
  const double cells = 7.0 * 30 * 50 * 40;
  const auto seconds = [&](const Device& device, Detail detail) {
    return device.estimate(whole(rows, columns), problem_of(detail)).seconds;
  };
  const auto usual = cuda::make_cuda_device({}), pairs = cuda::make_cuda_device({.method = "pairs"});
  for (const Detail detail : {Detail::ends, Detail::alignment})
    expect_about(seconds(*usual, detail), cells / cells_of_second(*usual, cuda::kRectanglesTcups));
  expect_about(seconds(*pairs, Detail::ends), cells / cells_of_second(*pairs, cuda::kPairsTcups));
  expect_about(seconds(*pairs, Detail::alignment), cells / cells_of_second(*pairs, cuda::kTraceTcups));
}

// In a staircase the device also computes what lies outside: for scores all columns of the first row, for
// alignments those of the first of each kMostAlignedRows rows.
TEST(CudaEstimates, StaircasesTakeTheTimeOfTheRectanglesAroundThem) {
  constexpr std::uint32_t kSize = 600, kAligned = cuda::kMostAlignedRows;
  static_assert(kAligned < kSize && kSize < 2 * kAligned);
  const auto device = cuda::make_cuda_device({});
  const SortedSequences set = set_of(kSize, 7);
  const std::vector<Position> first_columns = triangle_steps(kSize);
  Tile tile = whole(set, set);
  tile.shape = TileShape::staircase;
  tile.first_columns = first_columns;
  tile.cells = std::uint64_t{kSize} * (kSize - 1) / 2 * 49;
  EXPECT_NEAR(device->estimate(tile, problem_of(Detail::score)).seconds,
              49.0 * kSize * (kSize - 1) / device->info().gcups / 1e9, 7 * 1.01 * kSecondsOfColumn);
  const double aligned = 49.0 * kAligned * (kSize - 1) + 49.0 * (kSize - kAligned) * (kSize - kAligned - 1);
  expect_about(device->estimate(tile, problem_of(Detail::alignment)).seconds,
               aligned / cells_of_second(*device, cuda::kRectanglesTcups));
}

}  // namespace
}  // namespace alnus::test
