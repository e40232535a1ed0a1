#include "core/seg.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "support/sequences.h"

namespace alnus {
namespace {

std::string uppercase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// The letters, in lower case in regions of low complexity. This is the format of segmasker -outfmt fasta.
std::string lowered(std::string_view letters) {
  std::string text(letters);
  const test::Residues residues = test::encode(letters);
  Seg seg;
  for (const Region& region : seg.find(residues))
    for (std::size_t i = region.begin; i < region.end; ++i)
      text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  return text;
}

// The regions are those of segmasker of NCBI BLAST 2.12, in the beginnings of human proteins.
TEST(Seg, KnownProteins) {
  const std::vector<std::string> expected = {
      // huntingtin, major prion protein
      "MATLEKLMKAFESLKSFqqqqqqqqqqqqqqqqqqqqqqqpppppppppppqlpqpppqaqpllpqpqppppppppppGPAVAEEPLHRP",
      "MANLGCWMLVLFVATWSDLGLCKKRPKPGGWNTGGSRYPGQGSPGGNRYppqggggwgqphgggwgqphgggwgqphgggwgqphgggwg"
      "qgggTHSQWNKPSKPKTNMKHMagaaaagavvgglggymlgsamsRPIIHFGSDYEDRYYRENMHRYPNQVYYRPMDEYSNQNNFVHDCV"
      "NITIKQHtvttttkgenftetDVKMMERVVEQMCITQYERESQAYYQRGSSMVLFSsppvillisfliflivG"};
  for (const std::string& protein : expected) EXPECT_EQ(lowered(uppercase(protein)), protein);
}

TEST(Seg, ShorterThanAWindow) {
  EXPECT_EQ(lowered(""), "");
  EXPECT_EQ(lowered("A"), "A");
  EXPECT_EQ(lowered(std::string(11, 'A')), std::string(11, 'A'));
  EXPECT_EQ(lowered(std::string(12, 'A')), std::string(12, 'a'));
}

TEST(Seg, OneLetterOfAnyLength) {
  for (const std::size_t length : {13, 50, 62, 63, 1000, 30'000})
    EXPECT_EQ(lowered(std::string(length, 'W')), std::string(length, 'w'));
}

TEST(Seg, AWindowHasAtMostTwoOtherLetters) {
  EXPECT_EQ(lowered("QQQQXQQQUQQQ"), "qqqqxqqquqqq");
  EXPECT_EQ(lowered("QQQXQQBQQ*QQQ"), "QQQXQQBQQ*QQQ");
  EXPECT_EQ(lowered(std::string(40, 'X')), std::string(40, 'X'));
}

TEST(Seg, CaseMakesNoDifference) {
  test::Random random(1);
  const test::Residues upper = test::random_sequence(random, 500, 6);
  const test::Residues mixed = test::with_random_case(random, upper);
  Seg seg, other;
  EXPECT_TRUE(std::ranges::equal(seg.find(upper), other.find(mixed)));
  EXPECT_FALSE(other.find(mixed).empty());
}

// The complexity of a window in bits, by SEG's definition. It is -1 if more than two letters are none of the
// twenty amino acids.
double complexity(std::span<const Residue> window) {
  std::array<double, 20> counts{};
  double n = 0;
  for (const Residue residue : window) {
    if (residue >= counts.size()) continue;
    ++counts[residue];
    ++n;
  }
  double bits = 0;
  for (const double count : counts)
    if (count > 0) bits -= count / n * std::log2(count / n);
  return window.size() - n > 2 ? -1 : bits;
}

// Every window of at most 2.2 bits has a residue in a region, and every residue of a region is in a window of
// at most 2.5 bits.
TEST(Seg, RegionsAreWhereTheWindowsAre) {
  test::Random random(7);
  std::size_t found = 0;
  Seg seg;
  for (int k = 0; k < 300; ++k) {
    const test::Residues protein = test::concatenate(
        {test::random_sequence(random, test::below(random, 60)),
         test::random_sequence(random, test::below(random, 200), 3 + test::below(random, 7)),
         test::repeat("X", test::below(random, 4)),
         test::random_sequence(random, test::below(random, 60), 4 + test::below(random, 22))});
    std::vector<bool> masked(protein.size()), allowed(protein.size());
    for (const Region& region : seg.find(protein)) {
      ASSERT_LT(region.begin, region.end);
      ASSERT_LE(region.end, protein.size());
      std::fill(masked.begin() + region.begin, masked.begin() + region.end, true);
      ++found;
    }
    for (std::size_t begin = 0; begin + 12 <= protein.size(); ++begin) {
      const double bits = complexity(std::span(protein).subspan(begin, 12));
      if (bits < 0 || bits > 2.5) continue;
      std::fill_n(allowed.begin() + begin, 12, true);
      if (bits <= 2.2) {
        EXPECT_TRUE(std::find(masked.begin() + begin, masked.begin() + begin + 12, true) !=
                    masked.begin() + begin + 12)
            << test::decode(protein) << " " << begin;
      }
    }
    for (std::size_t i = 0; i < protein.size(); ++i)
      EXPECT_LE(masked[i], allowed[i]) << test::decode(protein) << " " << i;
  }
  EXPECT_GT(found, 300u);
}

// If several regions in a row lie left of another one, segmasker drops all of them but the last, and so must
// Seg.
TEST(Seg, SeveralRegionsLeftOfAnother) {
  const std::string protein =
      "iiwwwrirrwrwrrrrrrirrwrglqglqglqglqgppppppppmaamcqaaamccppqaqpapaqmaaamaqqcpccpkpskskkkppp"
      "pkksMKXXXFSAAV";
  EXPECT_EQ(lowered(uppercase(protein)), protein);
}

}  // namespace
}  // namespace alnus
