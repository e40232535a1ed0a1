// Pairs that are ruled out before they are aligned, by common letters or by their scores: results are those
// of all pairs.
#include "engine/identity_bound.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "support/all_pairs_result.h"
#include "support/device_check.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::FakeDevices;
using Result = test::AllPairsResult;

// Relatives of a few ancestors, of many lengths, and an empty sequence. `longest`: residues of an ancestor.
SequenceSet relatives(unsigned seed, std::size_t count, std::size_t longest = 60,
                      AlphabetKind kind = AlphabetKind::protein) {
  test::Random random(seed);
  const std::size_t letters = kind == AlphabetKind::dna ? 4 : 20;
  std::vector<test::Residues> ancestors, all{{}};
  for (std::size_t k = 1; k <= 3; ++k)
    ancestors.push_back(test::random_sequence(random, longest * k / 3, letters));
  while (all.size() < count) {
    test::Residues one = ancestors[test::below(random, ancestors.size())];
    for (std::size_t changes = test::below(random, one.size()); changes > 0; --changes)
      one[test::below(random, one.size())] = static_cast<Residue>(test::below(random, letters));
    one.resize(1 + test::below(random, one.size()));
    all.push_back(std::move(one));
  }
  return test::make_set(all, kind);
}

AllPairsOptions filter_of(double percent, Denominator denominator) {
  AllPairsOptions options;
  options.filter.min_identity = percent;
  options.filter.denominator = denominator;
  return options;
}

Result results_of(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options) {
  const FakeDevices devices({{.concurrency = 2, .dawdle = true}, {}});
  return test::all_pairs_on(devices.pointers, pairs, scoring, options, {});
}

void expect_same(const Result& found, const Result& expected) {
  EXPECT_EQ(found.listed, expected.listed);
  EXPECT_EQ(found.pairs, expected.pairs);
  EXPECT_EQ(found.empty, expected.empty);
  EXPECT_EQ(found.sparse, expected.sparse);
}

// Compares runs with and without shortcuts. Returns how many rows and sparse values there are.
std::size_t compare(const AllPairs& pairs, const Scoring& scoring, AllPairsOptions options) {
  options.shortcuts = true;
  const Result found = results_of(pairs, scoring, options);
  options.shortcuts = false;
  const Result expected = results_of(pairs, scoring, options);
  expect_same(found, expected);
  EXPECT_EQ(found.values, expected.values);
  return expected.listed.size() + expected.sparse.size();
}

class Shortcuts : public testing::TestWithParam<test::ModeAndEnds> {
 protected:
  void compare_sets(const AllPairsOptions& options) {
    for (const auto& pairs :
         {AllPairs(set_, nullptr, false), AllPairs(set_, nullptr, true), AllPairs(set_, &other_, false)})
      found_ += compare(pairs, scoring_, options);
  }

  const SequenceSet set_ = relatives(1, 16), other_ = relatives(2, 10);
  const Scoring scoring_ = test::scoring_of(GetParam(), {11, 1});
  std::size_t found_ = 0;
};

TEST_P(Shortcuts, ListThePairsOfAFilter) {
  for (const auto& [word, denominator] : kWords<Denominator>)
    for (const double percent : {30.0, 65.0, 90.0}) {
      SCOPED_TRACE(testing::Message() << word << ' ' << percent);
      compare_sets(filter_of(percent, denominator));
    }
  EXPECT_GT(found_, 100U);
}

TEST_P(Shortcuts, FindThePairsOfACutoff) {
  for (const auto& [word, denominator] : kWords<Denominator>)
    for (const auto& [kind, threshold] : {std::pair(PairValue::identity, 30.0),
                                          {PairValue::identity, 60.0},
                                          {PairValue::distance, 0.7},
                                          {PairValue::distance, 0.25}}) {
      SCOPED_TRACE(testing::Message() << word << ' ' << threshold);
      AllPairsOptions options;
      options.cutoff = Cutoff{{kind, denominator}, threshold};
      for (const bool listed : {false, true}) {
        options.listed = listed;
        compare_sets(options);
      }
    }
  EXPECT_GT(found_, 100U);
}

// Few pairs pass the highest of these scores, and nearly all the lowest one.
TEST_P(Shortcuts, ListThePairsThatScoresDecide) {
  for (const std::int32_t score : {-30, 5, 40, 90})
    for (const Detail detail : {Detail::ends, Detail::alignment})
      for (const bool values : {false, true}) {
        SCOPED_TRACE(testing::Message() << score << (values ? " with values" : ""));
        AllPairsOptions options;
        options.fields.detail = detail;
        options.min_score = score;
        if (values) {
          options.values = {{PairValue::score_distance, {}}};
          options.cutoff = Cutoff{{PairValue::score, {}}, 60};
        }
        compare_sets(options);
      }
  EXPECT_GT(found_, 100U);
}

INSTANTIATE_TEST_SUITE_P(Modes, Shortcuts, testing::ValuesIn(test::all_modes()),
                         [](const auto& info) { return test::name_of(info.param); });

// So many pairs that a sample decides whether they are ruled out. Short sequences share many letters.
TEST(ShortcutsOf, ManyPairs) {
  const SequenceSet set = relatives(3, 70, 12), other = relatives(4, 40, 30);
  const Scoring scoring = test::scoring_of({Mode::global, {}}, {11, 1});
  std::size_t found = 0;
  for (const Denominator denominator : {Denominator::shorter, Denominator::longer, Denominator::mean})
    for (const double percent : {5.0, 50.0, 95.0}) {
      const AllPairsOptions options = filter_of(percent, denominator);
      found += compare(AllPairs(set, nullptr, false), scoring, options);
      found += compare(AllPairs(set, &other, false), scoring, options);
    }
  EXPECT_GT(found, 1000U);
}

TEST(ShortcutsOf, TheMinusStrandAndAnAsymmetricMatrix) {
  const SequenceSet genes = relatives(5, 20, 40, AlphabetKind::dna), proteins = relatives(6, 20);
  Scoring of_genes = make_scoring({.preset = "blastn", .alphabet = AlphabetKind::dna});
  of_genes.mode = Mode::global;
  const Scoring of_proteins =
      test::scoring_of({Mode::global, {}}, {2, 1},
                       test::matrix_of([](int q, int s) { return q == s ? 5 : (3 * q + s) % 5 - 3; }));
  AllPairsOptions options = filter_of(60, Denominator::longer);
  EXPECT_GT(compare(AllPairs(proteins, nullptr, false), of_proteins, options), 0U);
  for (const Strands strands : {Strands::plus, Strands::minus}) {
    options.fields.strands = strands;
    EXPECT_GT(compare(AllPairs(genes, nullptr, true), of_genes, options), 0U);
  }
}

TEST(ShortcutsOf, ScoresOnBothStrandsAndOfAnAsymmetricMatrix) {
  const SequenceSet genes = relatives(8, 20, 40, AlphabetKind::dna),
                    others = relatives(9, 12, 40, AlphabetKind::dna), proteins = relatives(6, 20);
  const Scoring of_genes = make_scoring({.preset = "blastn", .alphabet = AlphabetKind::dna});
  const Scoring of_proteins =
      test::scoring_of({Mode::local, {}}, {2, 1},
                       test::matrix_of([](int q, int s) { return q == s ? 5 : (3 * q + s) % 5 - 3; }));
  AllPairsOptions options;
  options.min_score = 50;
  EXPECT_GT(compare(AllPairs(proteins, nullptr, false), of_proteins, options), 0U);
  options.min_score = 8;
  for (const Strands strands : {Strands::minus, Strands::both}) {
    options.fields.strands = strands;
    EXPECT_GT(compare(AllPairs(genes, nullptr, false), of_genes, options), 0U);
    EXPECT_GT(compare(AllPairs(genes, &others, false), of_genes, options), 0U);
  }
}

// So little memory that a stripe has few rows, and that alignments take more than was planned.
TEST(ShortcutsOf, ScoresWithLittleMemory) {
  const SequenceSet set = relatives(10, 60, 50);
  AllPairsOptions options;
  options.min_score = 60;
  for (const std::uint64_t memory : {1 << 12, 1 << 16, 1 << 20}) {
    options.memory_bytes = memory;
    EXPECT_GT(compare(AllPairs(set, nullptr, false), test::scoring_of({Mode::local, {}}, {11, 1}), options),
              10U);
  }
}

TEST(ShortcutsOf, BlocksOfTheMatrix) {
  const SequenceSet set = relatives(11, 30, 50);
  AllPairsOptions options;
  options.min_score = 40;
  std::size_t found = 0;
  for (const Block& block : {Block{{0, 12}, {0, 12}}, Block{{12, 30}, {0, 12}}, Block{{5, 30}, {3, 20}}})
    found +=
        compare(AllPairs(set, nullptr, false, block), test::scoring_of({Mode::local, {}}, {11, 1}), options);
  EXPECT_GT(found, 10U);
}

// So little memory that the possible pairs are too many to keep.
TEST(ShortcutsOf, MorePairsThanFit) {
  const SequenceSet set = relatives(7, 45, 20);
  AllPairsOptions options = filter_of(10, Denominator::longer);
  for (const std::uint64_t memory : {1 << 12, 1 << 16, 1 << 20}) {
    options.memory_bytes = memory;
    EXPECT_GT(compare(AllPairs(set, nullptr, false), test::scoring_of({Mode::global, {}}, {11, 1}), options),
              100U);
  }
}

TEST(IdentityBound, RulesOutWhatNoAlignmentReaches) {
  const Scoring scoring = test::scoring_of({Mode::global, {}}, {11, 1});
  AllPairsOptions options;
  options.filter.min_identity = 40;
  options.filter.denominator = Denominator::longer;
  const IdentityBound bound(options, scoring);
  EXPECT_TRUE(bound.rules_out());
  EXPECT_TRUE(bound.may_pass(40, 100, 80));
  EXPECT_FALSE(bound.may_pass(39, 100, 80));
  EXPECT_EQ(bound.least_common(100), 40);
  options.filter.denominator = Denominator::with_end_gaps;  // no fewer columns than the longer sequence
  EXPECT_EQ(bound.least_common(100), 40);
  options.filter.denominator = Denominator::mean;  // 25 letters of 100 and 25: 50 of 125
  EXPECT_EQ(bound.least_common(100), 25);
  options.filter.denominator = Denominator::shorter;
  EXPECT_EQ(bound.least_common(100), 1);
  EXPECT_FALSE(bound.may_pass(31, 100, 80));
  options.filter.denominator = Denominator::alignment;
  EXPECT_FALSE(bound.rules_out());
}

TEST(IdentityBound, StandsBackWhereAllPairsMustBeAligned) {
  const Scoring global = test::scoring_of({Mode::global, {}}, {11, 1}),
                local = test::scoring_of({Mode::local, {}}, {11, 1});
  AllPairsOptions options;
  EXPECT_FALSE(IdentityBound(options, global).rules_out());  // nothing to pass
  options.filter.min_identity = 40;
  options.filter.denominator = Denominator::longer;
  EXPECT_TRUE(IdentityBound(options, global).rules_out());
  EXPECT_FALSE(IdentityBound(options, local).rules_out());  // pairs of score 0 are counted
  options.values = {{PairValue::identity, Denominator::longer}};
  EXPECT_FALSE(IdentityBound(options, global).rules_out());  // values of all pairs
  options.values = {};
  options.fields.detail = Detail::score;
  EXPECT_FALSE(IdentityBound(options, global).rules_out());
}

}  // namespace
}  // namespace alnus::engine
