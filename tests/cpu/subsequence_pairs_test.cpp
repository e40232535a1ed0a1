// Which tiles the kernel of common subsequences takes.
#include "cpu/subsequence_pairs.h"

#include <gtest/gtest.h>
#include <vector>

#include "core/common_subsequence.h"
#include "cpu/isa_choice.h"
#include "support/engine_call.h"
#include "support/scorings.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

class SubsequenceTiles : public testing::Test {
 protected:
  // Returns a tile of one row with one column.
  Tile tile(const SortedPtr& rows, const SortedPtr& columns) {
    Tile tile;
    tile.rows = rows.get();
    tile.columns = columns.get();
    tile.row_range = {rows->begin(), rows->end()};
    tile.column_range = {columns->begin(), columns->end()};
    return tile;
  }
  SortedPtr of_length(std::size_t length) {
    const std::vector<Residues> one = {Residues(length, Residue{1})};
    return sorted(make_set(one, AlphabetKind::dna));
  }

  const Problem problem_{subsequence_scoring(AlphabetKind::dna), Detail::score};
  const SortedPtr short_ = of_length(10), longest_ = of_length(1 << 20), longer_ = of_length((1 << 20) + 1);
};

TEST_F(SubsequenceTiles, AreOfScoresAndOfSequencesWhoseProfilesFit) {
  using cpu::SubsequencePairs;
  EXPECT_TRUE(SubsequencePairs::takes(tile(short_, longest_), problem_));
  EXPECT_TRUE(SubsequencePairs::takes(tile(longest_, short_), problem_));
  EXPECT_FALSE(SubsequencePairs::takes(tile(short_, longer_), problem_));
  EXPECT_FALSE(SubsequencePairs::takes(tile(longer_, short_), problem_));
  EXPECT_FALSE(SubsequencePairs::takes(tile(short_, short_), {problem_.scoring, Detail::alignment}));
  EXPECT_FALSE(SubsequencePairs::takes(tile(short_, short_), {dna("1", "-1", "1", "0"), Detail::score}));
  Tile list = tile(short_, short_);
  list.shape = TileShape::list;
  EXPECT_FALSE(SubsequencePairs::takes(list, problem_));
}

// The scores of a common letter times the length must stay within what alignments may score.
TEST_F(SubsequenceTiles, AreOfScoresThatMayBe) {
  const Problem large{dna("32767", "0", "0", "0"), Detail::score};
  EXPECT_TRUE(cpu::SubsequencePairs::takes(tile(short_, longest_), large));
  EXPECT_FALSE(cpu::SubsequencePairs::takes(tile(longest_, longest_), large));
}

TEST_F(SubsequenceTiles, TakeMemoryByTheLongestSequence) {
  const cpu::KernelSet& kernels = *cpu::supported_kernels().front();
  const std::uint64_t bytes = cpu::SubsequencePairs::bytes(kernels, tile(short_, longest_));
  EXPECT_EQ(bytes, cpu::SubsequencePairs::bytes(kernels, tile(longest_, short_)));
  const auto lanes = static_cast<std::uint64_t>(kernels.subsequence.lanes);
  EXPECT_GE(bytes, (std::uint64_t{1} << 20) / 64 * 32 * lanes * 8 + kernels.subsequence.workspace(1 << 11));
  EXPECT_LT(bytes, 36U << 20);
}

}  // namespace
}  // namespace alnus::test
