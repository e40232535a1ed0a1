// Null databases: random orders of residues are equally probable, and keep what they are meant to keep.
#include "bench/nulls.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "support/sequences.h"

namespace alnus::test {
namespace {

using bench::Null;

const Residue kX = Alphabet::protein().encode('X');

std::string permuted(const std::string& letters, SplitMixRandom& random) {
  Residues residues = encode(letters);
  bench::permute_known(residues, kX, random);
  return decode(residues);
}

std::string with_the_same_pairs(const std::string& letters, SplitMixRandom& random) {
  Residues residues = encode(letters, AlphabetKind::dna);
  bench::shuffle_dinucleotides(residues, random);
  return decode(residues, AlphabetKind::dna);
}

std::string sorted_letters(std::string letters) {
  std::ranges::sort(letters);
  return letters;
}

std::map<std::string, int> pairs_of(const std::string& letters) {
  std::map<std::string, int> counts;
  for (std::size_t k = 1; k < letters.size(); ++k) ++counts[letters.substr(k - 1, 2)];
  return counts;
}

std::set<std::string> orders_with_the_same_pairs(const std::string& letters) {
  std::set<std::string> orders;
  std::string order = sorted_letters(letters);
  do {
    if (pairs_of(order) == pairs_of(letters)) orders.insert(order);
  } while (std::ranges::next_permutation(order).found);
  return orders;
}

// Draws `each` times as many sequences as `all` has, and returns the chi-square statistic of the numbers of
// times that each was drawn.
template <typename Draw>
double chi_square(const std::set<std::string>& all, int each, const Draw& draw) {
  std::map<std::string, int> counts;
  for (const std::string& one : all) counts[one] = 0;
  for (std::size_t i = 0; i < each * all.size(); ++i) ++counts[draw()];
  EXPECT_EQ(counts.size(), all.size());
  double sum = 0;
  for (const auto& [one, count] : counts) sum += (count - each) * (count - each) / static_cast<double>(each);
  return sum;
}

TEST(Nulls, EveryOrderIsEquallyProbable) {
  SplitMixRandom random(1);
  std::set<std::string> all;
  std::string letters = "ACDE";
  do all.insert(letters);
  while (std::ranges::next_permutation(letters).found);
  const double of_orders = chi_square(all, 1000, [&] { return permuted("EDCA", random); });
  EXPECT_LT(of_orders, 50);  // with 23 degrees of freedom 1 value of 1000 is higher
  EXPECT_GT(of_orders, 6);
}

TEST(Nulls, UnknownResiduesKeepTheirPlaces) {
  SplitMixRandom random(1);
  const std::string letters = "XXMKVLAxHEAGAXWGHBZ*UX";
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string order = permuted(letters, random);
    EXPECT_EQ(sorted_letters(order), sorted_letters(letters));
    for (std::size_t k = 0; k < letters.size(); ++k)
      EXPECT_EQ(order[k] == 'X' || order[k] == 'x', letters[k] == 'X' || letters[k] == 'x') << order;
    seen.insert(order);
  }
  EXPECT_GT(seen.size(), 95u);
  EXPECT_EQ(permuted("", random), "");
  EXPECT_EQ(permuted("A", random), "A");
  EXPECT_EQ(permuted("XX", random), "XX");
}

TEST(Nulls, EverySequenceWithTheSamePairsIsEquallyProbable) {
  struct Case {
    const char* letters;
    std::size_t orders;
    double likely;  // with so many orders, chi square is higher in 1 case of 1000
  };
  for (const Case& tried : {Case{"ACAGATA", 6, 20.5},      // the first letter is the last
                            Case{"AACAGGCATC", 18, 40.8},  // a letter follows itself
                            Case{"ACGTACGGNA", 4, 16.3}}) {
    SCOPED_TRACE(tried.letters);
    const std::set<std::string> all = orders_with_the_same_pairs(tried.letters);
    EXPECT_EQ(all.size(), tried.orders);
    SplitMixRandom random(1);
    const auto draw = [&] { return with_the_same_pairs(tried.letters, random); };
    const double of_orders = chi_square(all, 2000, draw);
    EXPECT_LT(of_orders, tried.likely);
    EXPECT_GT(of_orders, 0.02);
  }
}

TEST(Nulls, DinucleotidesKeepPairsAndEnds) {
  SplitMixRandom random(1);
  Random letters_random(1);
  for (const std::size_t length : {1, 2, 3, 10, 100, 1000})
    for (const std::size_t letters : {1, 2, 4, 15}) {
      const std::string before = decode(random_sequence(letters_random, length, letters), AlphabetKind::dna);
      const std::string after = with_the_same_pairs(before, random);
      EXPECT_EQ(pairs_of(after), pairs_of(before)) << before;
      EXPECT_EQ(after.front(), before.front());
      EXPECT_EQ(after.back(), before.back());
      if (length >= 100 && letters > 1) {
        EXPECT_NE(after, before);
      }
    }
  for (const char* letters : {"", "A", "AC", "AA", "NR"})
    EXPECT_EQ(with_the_same_pairs(letters, random), letters);
  EXPECT_EQ(with_the_same_pairs("aAcC", random), "AACC");  // a and A are one letter
}

TEST(Nulls, LongRunsOfOneLetter) {
  SplitMixRandom random(1);
  const std::string letters = "ACGT" + std::string(1'000'000, 'N') + "ACGT";
  const std::string after = with_the_same_pairs(letters, random);
  EXPECT_EQ(pairs_of(after), pairs_of(letters));
}

class NullDatabase : public ::testing::Test {
 protected:
  std::vector<std::string> made(Null null, std::uint64_t seed, std::uint32_t permutation,
                                int threads = 1) const {
    ThreadPool pool(threads);
    const SequenceSet set = bench::null_database(source_, null, seed, permutation, pool);
    EXPECT_EQ(set.origin(), source_.origin());
    std::vector<std::string> letters;
    for (SequenceSet::Index i = 0; i < set.size(); ++i) {
      EXPECT_EQ(set[i].header, source_[i].header);
      EXPECT_EQ(set.file_ordinal(i), source_.file_ordinal(i));
      letters.push_back(decode(set.residues(i), set.alphabet()));
    }
    return letters;
  }

  static SequenceSet make_source() {
    SequenceSetBuilder builder(AlphabetKind::dna, "source.fa");
    builder.add_text("s0", "ACGTTGCAAGGCTTACCA");
    builder.add_text("s1", "");
    builder.add_text("s2", "ACGTTGCAAGGCTTACCA");
    for (int i = 3; i < 1000; ++i) builder.add_text("more", "GATTACAGATTACA");
    return builder.finish();
  }
  const SequenceSet source_ = make_source();
};

TEST_F(NullDatabase, DependsOnSeedOrdinalAndNumber) {
  for (const Null null : {Null::permuted, Null::dinucleotides}) {
    const std::vector<std::string> first = made(null, 1, 1);
    EXPECT_EQ(made(null, 1, 1, 3), first);
    EXPECT_NE(made(null, 1, 2), first);
    EXPECT_NE(made(null, 2, 1), first);
    EXPECT_NE(first[0], first[2]);
    EXPECT_EQ(first[1], "");
  }
}

// Reports have been made with these residues. If the generator changes, all figures in reports change.
TEST_F(NullDatabase, IsTheSameOnEveryMachine) {
  EXPECT_EQ(made(Null::permuted, 1, 1)[0], "TTGAAACCCATACCTGGG");
  EXPECT_EQ(made(Null::dinucleotides, 1, 1)[0], "ACTTTACGCAAGTGGCCA");
  EXPECT_EQ(made(Null::reversed, 1, 1)[0], "ACCATTCGGAACGTTGCA");
  EXPECT_EQ(made(Null::none, 1, 1)[0], "ACGTTGCAAGGCTTACCA");
}

TEST_F(NullDatabase, OrdinalsDecideNotTheOrderInMemory) {
  const SequenceSet part = source_.part(2, 4);
  ThreadPool pool(1);
  const SequenceSet set = bench::null_database(part, Null::permuted, 1, 1, pool);
  EXPECT_EQ(decode(set.residues(0), set.alphabet()), made(Null::permuted, 1, 1)[2]);
}

}  // namespace
}  // namespace alnus::test
