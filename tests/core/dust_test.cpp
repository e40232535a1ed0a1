#include "core/dust.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "support/sequences.h"

namespace alnus {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Region> regions(std::span<const Residue> dna) {
  Dust dust;
  const std::span<const Region> found = dust.find(dna);
  return {found.begin(), found.end()};
}

std::vector<Region> regions(std::string_view letters) {
  return regions(test::encode(letters, AlphabetKind::dna));
}

std::string times(std::size_t count, std::string_view letters) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += letters;
  return text;
}

// Returns DUST's score of a stretch of n triplets: sum(c (c - 1) / 2) / (n - 1), over all different triplets,
// where c is how often the triplet occurs in the stretch.
double score(std::span<const Residue> stretch) {
  std::array<double, 64> counts{};
  const std::size_t triplets = stretch.size() - 2;
  for (std::size_t k = 0; k < triplets; ++k) ++counts[16 * stretch[k] + 4 * stretch[k + 1] + stretch[k + 2]];
  double sum = 0;
  for (const double count : counts) sum += count * (count - 1) / 2;
  return sum / static_cast<double>(triplets - 1);
}

// Masks bases by DUST's definition: those in a stretch of 4 to 64 bases that scores more than 2, and no less
// than any stretch within it.
std::vector<bool> masked_by_definition(std::span<const Residue> dna) {
  std::vector<bool> masked(dna.size());
  std::vector<std::vector<double>> most(dna.size() + 1, std::vector<double>(dna.size() + 1));
  for (std::size_t length = 4; length <= std::min<std::size_t>(dna.size(), 64); ++length)
    for (std::size_t begin = 0, end = length; end <= dna.size(); ++begin, ++end) {
      const double own = score(dna.subspan(begin, length));
      const double within = std::max(most[begin][end - 1], most[begin + 1][end]);
      if (own > 2 && own >= within) std::fill(masked.begin() + begin, masked.begin() + end, true);
      most[begin][end] = std::max(own, within);
    }
  return masked;
}

void expect_definition(std::span<const Residue> dna) {
  std::vector<bool> masked(dna.size());
  for (const Region& region : regions(dna))
    std::fill(masked.begin() + region.begin, masked.begin() + region.end, true);
  EXPECT_EQ(masked, masked_by_definition(dna)) << test::decode(dna, AlphabetKind::dna);
}

TEST(Dust, RandomSequencesByTheDefinition) {
  test::Random random(1);
  for (int k = 0; k < 1000; ++k)
    expect_definition(test::random_sequence(random, test::below(random, 150), 1 + test::below(random, 4)));
}

TEST(Dust, RepeatsByTheDefinition) {
  test::Random random(2);
  for (int k = 0; k < 1000; ++k) {
    test::Residues dna = test::random_sequence(random, test::below(random, 30), 4);
    const test::Residues unit = test::random_sequence(random, 1 + test::below(random, 12), 4);
    for (std::size_t copies = test::below(random, 80 / unit.size()); copies > 0; --copies)
      dna = test::concatenate({dna, unit});
    dna = test::concatenate({dna, test::random_sequence(random, test::below(random, 30), 4)});
    for (Residue& base : dna)
      if (test::below(random, 20) == 0) base = static_cast<Residue>(test::below(random, 4));
    expect_definition(dna);
  }
}

TEST(Dust, HomopolymersByTheDefinition) {
  test::Random random(3);
  for (const std::size_t length : {5, 6, 7, 8, 62, 63, 64, 65, 66, 90})
    expect_definition(test::concatenate({test::random_sequence(random, 70, 4), test::Residues(length, 2),
                                         test::random_sequence(random, 70, 4)}));
}

TEST(Dust, ShortSequences) {
  EXPECT_THAT(regions(""), IsEmpty());
  for (const std::size_t length : {1, 2, 3, 6}) EXPECT_THAT(regions(std::string(length, 'A')), IsEmpty());
  EXPECT_THAT(regions("AAAAAAA"), ElementsAre(Region{0, 7}));
  EXPECT_THAT(regions("ACACACACACA"), IsEmpty());
  EXPECT_THAT(regions("ACACACACACAC"), ElementsAre(Region{0, 12}));
}

TEST(Dust, RegionsThatTouchAreOne) {
  EXPECT_THAT(regions("AAAAAAACCCCCCC"), ElementsAre(Region{0, 14}));
  EXPECT_THAT(regions("AAAAAAATCCCCCCC"), ElementsAre(Region{0, 7}, Region{8, 15}));
}

TEST(Dust, CaseMakesNoDifference) {
  test::Random random(4);
  const test::Residues upper = test::random_sequence(random, 500, 2);
  EXPECT_EQ(regions(upper), regions(test::with_random_case(random, upper)));
  EXPECT_FALSE(regions(upper).empty());
}

// The regions are those of dustmasker of NCBI BLAST 2.12, which takes letters other than A, C, G, T and N for
// A.
TEST(Dust, OtherLettersThanNAreA) {
  EXPECT_THAT(regions("CGCGTRYKMSWBDHVRGCGC"), ElementsAre(Region{5, 16}));
  EXPECT_THAT(regions("ACGTUUUUUUUUUUUUACGA"), ElementsAre(Region{3, 16}));
}

TEST(Dust, NAtAnEndIsARegion) {
  EXPECT_THAT(regions("N"), ElementsAre(Region{0, 1}));
  EXPECT_THAT(regions("NNNACGTTGCATCCAGGTCATGCANN"), ElementsAre(Region{0, 3}, Region{24, 26}));
  EXPECT_THAT(regions("nnnAAAAAAAAAANNN"), ElementsAre(Region{0, 16}));
}

TEST(Dust, NWithinASequenceIsARegionIfThereAreMoreThanAWindow) {
  const auto with = [](std::size_t n) { return regions("ACGTT" + std::string(n, 'N') + "GTAC"); };
  EXPECT_THAT(with(16), IsEmpty());
  EXPECT_THAT(with(64), ElementsAre(Region{50, 58})) << "the random bases that dustmasker reads for N";
  EXPECT_THAT(with(65), ElementsAre(Region{5, 70}));
  EXPECT_THAT(regions(std::string(10, 'A').append(100, 'N').append(10, 'A')), ElementsAre(Region{0, 120}));
}

TEST(Dust, TheSameSequenceAlwaysHasTheSameRegions) {
  test::Random random(5);
  const test::Residues dna = test::encode(times(200, "ANNCAN"), AlphabetKind::dna);
  Dust dust;
  const std::span<const Region> first = dust.find(dna);
  const std::vector<Region> expected(first.begin(), first.end());
  EXPECT_FALSE(expected.empty());
  EXPECT_TRUE(std::ranges::equal(dust.find(dna), expected));
}

}  // namespace
}  // namespace alnus
