#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/all_pairs_driver.h"
#include "support/all_pairs_reference.h"
#include "support/all_pairs_result.h"
#include "support/device_check.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::FakeBehaviour;
using test::FakeDevices;
using test::FoundRow;
using test::random_sequences;
using test::scoring_of;
using Result = test::AllPairsResult;

Result run(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options = {},
           StripeState state = {}, const FakeBehaviour& behaviour = {.concurrency = 2, .dawdle = true}) {
  const FakeDevices devices({behaviour, behaviour});
  return test::all_pairs_on(devices.pointers, pairs, scoring, options, state);
}

void expect_alignments(const AllPairs& pairs, const Scoring& scoring, const Result& result) {
  for (const FoundRow& pair : result.listed) {
    const auto i = pairs.rows().residues(pair.query), j = pairs.columns().residues(pair.subject);
    const Alignment &actual = pair.alignment, wanted = test::reference_of_all_pairs(i, j, scoring);
    ASSERT_EQ(actual, wanted) << pair.query << ", " << pair.subject << ": " << test::describe(actual)
                              << " instead of " << test::describe(wanted);
    ASSERT_EQ(pair.counts, count(actual, i, j, scoring.matrix));
    ASSERT_EQ(rescore(actual, i, j, scoring), actual.score);
  }
}

// Sequences of letters 0 and 1 only, so that there are many ties and some sequences are equal.
SequenceSet repetitive(unsigned seed, std::uint32_t count) {
  std::mt19937 random(seed);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (std::uint32_t k = 0; k < count; ++k) {
    std::vector<Residue> residues(random() % 9);
    for (Residue& residue : residues) residue = static_cast<Residue>(random() % 2);
    builder.add("", residues);
  }
  return builder.finish();
}

class AllPairsInEveryMode : public testing::TestWithParam<test::ModeAndEnds> {};

TEST_P(AllPairsInEveryMode, OfASetEqualTheReference) {
  const auto asymmetric = test::matrix_of([](int q, int s) { return q == s ? 5 : (3 * q + s) % 5 - 3; });
  for (const SequenceSet& set : {random_sequences(1, 25, 40), repetitive(2, 40)}) {
    for (const bool self : {false, true}) {
      for (const Scoring& scoring :
           {scoring_of(GetParam(), {3, 1}), scoring_of(GetParam(), {2, 1}, asymmetric)}) {
        const AllPairs pairs(set, nullptr, self);
        const Result result = run(pairs, scoring);
        const std::uint64_t n = set.size();
        EXPECT_EQ(result.pairs, n * (n - 1) / 2 + (self ? n : 0));
        EXPECT_EQ(result.listed.size() + result.empty, result.pairs);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
        for (const FoundRow& pair : result.listed) {
          EXPECT_TRUE(pair.query < pair.subject || (self && pair.query == pair.subject));
          places.emplace_back(pair.subject, pair.query);
        }
        EXPECT_TRUE(std::ranges::is_sorted(places));
        EXPECT_EQ(std::ranges::adjacent_find(places), places.end());
        expect_alignments(pairs, scoring, result);
      }
    }
  }
}

TEST_P(AllPairsInEveryMode, OfTwoSetsEqualTheReference) {
  const SequenceSet set = random_sequences(3, 12, 40), other = random_sequences(4, 17, 40);
  const Scoring scoring = scoring_of(GetParam(), {11, 1});
  const AllPairs pairs(set, &other, false);
  const Result result = run(pairs, scoring);
  EXPECT_EQ(result.listed.size() + result.empty, 12u * 17u);
  EXPECT_TRUE(std::ranges::is_sorted(result.listed, {},
                                     [](const FoundRow& p) { return std::pair(p.query, p.subject); }));
  expect_alignments(pairs, scoring, result);
}

INSTANTIATE_TEST_SUITE_P(Modes, AllPairsInEveryMode, testing::ValuesIn(test::all_modes()),
                         [](const auto& parameters) { return test::name_of(parameters.param); });

TEST(AllPairs, StripesAreAsLargeAsTheMemoryAllows) {
  const SequenceSet set = random_sequences(5, 120, 30);
  const AllPairs pairs(set, nullptr, false);
  const Scoring scoring = scoring_of({Mode::global}, {11, 1});
  const Result whole = run(pairs, scoring);
  EXPECT_EQ(whole.stripes.size(), 1u);
  for (const std::uint64_t memory : {1u << 12, 1u << 18, 1u << 20}) {
    const Result result = run(pairs, scoring, {.memory_bytes = memory});
    EXPECT_GT(result.stripes.size(), 1u);
    ASSERT_EQ(result.listed.size(), whole.listed.size());
    for (std::size_t k = 0; k < whole.listed.size(); ++k)
      EXPECT_EQ(result.listed[k].alignment.cigar, whole.listed[k].alignment.cigar);
  }
}

TEST(AllPairs, OrderInTheFileChangesNothingButNames) {
  const SequenceSet set = repetitive(6, 50);
  SequenceSetBuilder reversed(AlphabetKind::protein);
  for (std::uint32_t k = set.size(); k-- > 0;) reversed.add("", set.residues(k));
  const SequenceSet backwards = reversed.finish();
  const Scoring scoring = scoring_of({Mode::global}, {1, 1});
  const Result forth = run(AllPairs(set, nullptr, false), scoring),
               back = run(AllPairs(backwards, nullptr, false), scoring);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> identical;
  for (const FoundRow& pair : forth.listed) identical[{pair.query, pair.subject}] = pair.counts->identical;
  for (const FoundRow& pair : back.listed)
    EXPECT_EQ(identical.at({set.size() - 1 - pair.subject, set.size() - 1 - pair.query}),
              pair.counts->identical);
}

TEST(AllPairs, GoesOnFromAnyRow) {
  const SequenceSet set = random_sequences(7, 40, 30);
  const AllPairs pairs(set, nullptr, false);
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  const Result whole = run(pairs, scoring);
  for (const std::uint32_t row : {1u, 17u, 39u, 40u}) {
    const Result rest = run(pairs, scoring, {}, {row, 1});
    const std::size_t before = whole.listed.size() - rest.listed.size();
    for (std::size_t k = 0; k < rest.listed.size(); ++k) {
      EXPECT_EQ(rest.listed[k].query, whole.listed[before + k].query);
      EXPECT_EQ(rest.listed[k].subject, whole.listed[before + k].subject);
    }
    EXPECT_EQ(rest.pairs, pairs.pairs_from(row));
  }
}

TEST(AllPairs, FiltersAndCounts) {
  const SequenceSet set = random_sequences(8, 60, 40);
  const AllPairs pairs(set, nullptr, false);
  const Scoring scoring = scoring_of({Mode::global}, {11, 1});
  const Result whole = run(pairs, scoring);
  AllPairsOptions options;
  options.min_score = -20;
  options.filter.min_identity = 12.5;
  options.filter.denominator = Denominator::shorter;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted, actual;
  for (const FoundRow& pair : whole.listed) {
    const double shorter = static_cast<double>(std::min(set.length(pair.query), set.length(pair.subject)));
    if (pair.alignment.score >= -20 && shorter > 0 && pair.counts->identical / shorter >= 0.125)
      wanted.emplace_back(pair.query, pair.subject);
  }
  const Result filtered = run(pairs, scoring, options);
  for (const FoundRow& pair : filtered.listed) actual.emplace_back(pair.query, pair.subject);
  EXPECT_EQ(actual, wanted);
  EXPECT_GT(wanted.size(), 10u);
  EXPECT_LT(wanted.size(), whole.listed.size());
}

TEST(AllPairs, ValuesOfEveryPairWhateverTheFilter) {
  const SequenceSet set = random_sequences(9, 30, 40);
  const AllPairs pairs(set, nullptr, true);
  const Scoring scoring = scoring_of({Mode::global}, {11, 1});
  const Result whole = run(pairs, scoring);
  AllPairsOptions options;
  options.min_score = 1000;
  options.memory_bytes = 1 << 16;
  options.values = {{PairValue::identity, Denominator::longer}};
  const Result identity = run(pairs, scoring, options);
  options.values = {{PairValue::distance, Denominator::longer}};
  const Result distance = run(pairs, scoring, options);
  options.values = {{PairValue::score}};
  options.fields.detail = Detail::score;
  const Result score = run(pairs, scoring, options);
  EXPECT_TRUE(score.listed.empty());
  ASSERT_EQ(identity.values.size(), whole.listed.size());
  for (const FoundRow& pair : whole.listed) {
    const double longer = static_cast<double>(std::max(set.length(pair.query), set.length(pair.subject)));
    const double share = longer > 0 ? pair.counts->identical / longer : 0;
    EXPECT_DOUBLE_EQ(identity.values.at({pair.subject, pair.query}), 100 * share);
    EXPECT_DOUBLE_EQ(distance.values.at({pair.subject, pair.query}), 1 - share);
    EXPECT_EQ(score.values.at({pair.subject, pair.query}), pair.alignment.score);
  }
}

TEST(AllPairs, SeveralValuesAreThoseOfRunsWithOneEach) {
  const SequenceSet set = random_sequences(9, 30, 40), other = random_sequences(10, 12, 40);
  const Scoring scoring = scoring_of({Mode::global}, {11, 1});
  const std::vector<MatrixValue> all = {{PairValue::distance, Denominator::mean},
                                        {PairValue::score},
                                        {PairValue::identity, Denominator::shorter}};
  for (const AllPairs& pairs : {AllPairs(set, nullptr, true), AllPairs(set, &other, false)}) {
    AllPairsOptions options;
    options.memory_bytes = 1 << 16;  // several stripes
    options.values = all;
    const FakeDevices devices({{.concurrency = 2}, {.concurrency = 2}});
    test::EngineCall call(devices.pointers, 2);
    std::vector<std::map<std::pair<std::uint32_t, std::uint32_t>, double>> together(all.size());
    all_pairs(pairs, scoring, options, {}, call, [&](const Stripe& stripe, const StripeState&) {
      for (std::size_t k = 0; k < all.size(); ++k)
        for (std::uint32_t row = stripe.rows.begin; row < stripe.rows.end; ++row)
          for (std::uint32_t column = 0; column < pairs.columns_of(row).size(); ++column)
            together[k][{row, column}] = stripe.values[k].row(row)[column];
    });
    for (std::size_t k = 0; k < all.size(); ++k) {
      options.values = {all[k]};
      EXPECT_EQ(together[k], run(pairs, scoring, options).values) << k;
    }
  }
}

// Values computed from tiles that several threads share.
class AllPairsInMainModes : public testing::TestWithParam<test::ModeAndEnds> {};

TEST_P(AllPairsInMainModes, FromScoresOfWholeTiles) {
  const SequenceSet set = random_sequences(12, 420, 6), other = random_sequences(13, 30, 6);
  const auto asymmetric = test::matrix_of([](int q, int s) { return q == s ? 5 : (3 * q + s) % 5 - 3; });
  const FakeBehaviour by_results{.tile_share = 1, .longest_tile_seconds = 1000};
  FakeBehaviour by_scores = by_results;
  by_scores.hands_over_scores = by_scores.overlaps = true;
  AllPairsOptions options;
  options.fields.detail = Detail::score;
  options.values = {{PairValue::score}};
  for (const AllPairs& pairs :
       {AllPairs(set, nullptr, true), AllPairs(set, nullptr, false), AllPairs(set, &other, false)}) {
    for (const Scoring& scoring :
         {scoring_of(GetParam(), {3, 1}), scoring_of(GetParam(), {2, 1}, asymmetric)}) {
      options.min_score = scoring.open == 3 ? std::optional(5) : std::nullopt;
      const Result expected = run(pairs, scoring, options, {}, by_results),
                   found = run(pairs, scoring, options, {}, by_scores);
      const auto place = [](const FoundRow& pair) {
        return std::tuple(pair.query, pair.subject, pair.alignment.score);
      };
      EXPECT_TRUE(std::ranges::equal(found.listed, expected.listed, {}, place, place));
      EXPECT_GT(found.listed.size(), 0u);
      EXPECT_EQ(found.listed.size() + found.empty < found.pairs, options.min_score.has_value());
      EXPECT_EQ(found.empty, expected.empty);
      EXPECT_EQ(found.values, expected.values);
    }
  }
}

TEST_P(AllPairsInMainModes, FromPackedResults) {
  const SequenceSet set = random_sequences(12, 300, 6), other = random_sequences(13, 30, 6);
  const FakeBehaviour by_results{.tile_share = 1, .longest_tile_seconds = 1000};
  FakeBehaviour packed = by_results;
  packed.packs = packed.overlaps = true;
  AllPairsOptions options;
  options.values = {{PairValue::identity}};
  const Scoring scoring = scoring_of(GetParam(), {3, 1});
  for (const AllPairs& pairs : {AllPairs(set, nullptr, true), AllPairs(set, &other, false)}) {
    const Result expected = run(pairs, scoring, options, {}, by_results),
                 found = run(pairs, scoring, options, {}, packed);
    EXPECT_GT(found.listed.size(), 1000u);
    EXPECT_EQ(found.listed, expected.listed);
    EXPECT_EQ(found.empty, expected.empty);
    EXPECT_EQ(found.values, expected.values);
  }
}

TEST_P(AllPairsInMainModes, ValuesAloneFromScoresOfWholeTiles) {
  const SequenceSet set = random_sequences(12, 150, 6), other = random_sequences(13, 30, 6);
  const auto asymmetric = test::matrix_of([](int q, int s) { return q == s ? 5 : (3 * q + s) % 5 - 3; });
  const FakeBehaviour by_results{.tile_share = 1, .longest_tile_seconds = 1000};
  FakeBehaviour by_scores = by_results;
  by_scores.hands_over_scores = true;
  AllPairsOptions options;
  options.fields.detail = Detail::score;
  options.listed = false;
  for (const AllPairs& pairs : {AllPairs(set, nullptr, true), AllPairs(set, nullptr, false),
                                AllPairs(set, &other, false), AllPairs(other, &set, false)}) {
    for (const Scoring& scoring :
         {scoring_of(GetParam(), {3, 1}), scoring_of(GetParam(), {2, 1}, asymmetric)}) {
      for (const PairValue value : {PairValue::score, PairValue::score_distance}) {
        options.values = {{value}};
        const Result expected = run(pairs, scoring, options, {}, by_results),
                     found = run(pairs, scoring, options, {}, by_scores);
        EXPECT_EQ(found.values.size(), found.pairs);
        EXPECT_EQ(found.values, expected.values);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, AllPairsInMainModes, testing::ValuesIn(test::main_modes()),
                         [](const auto& parameters) { return test::name_of(parameters.param); });

// Returns the score of every pair, row by row.
std::vector<double> scores_of(const AllPairs& pairs, const Scoring& scoring, bool computes_on_host) {
  AllPairsOptions options;
  options.fields.detail = Detail::score;
  options.listed = false;
  options.values = {{PairValue::score}};
  const FakeDevices devices({{.computes_on_host = computes_on_host, .hands_over_scores = true}});
  test::EngineCall call(devices.pointers, 1);
  std::vector<double> scores;
  all_pairs(pairs, scoring, options, {}, call, [&](const Stripe& stripe, const StripeState&) {
    for (std::uint32_t row = stripe.rows.begin; row < stripe.rows.end; ++row) {
      const auto of_row = stripe.values.front().row(row).first(pairs.columns_of(row).size());
      scores.insert(scores.end(), of_row.begin(), of_row.end());
    }
  });
  return scores;
}

// A device that computes on the host gets some columns of many short sequences at a time. Other devices get
// all columns together.
TEST(AllPairs, ManyShortSequencesHaveTheSameValuesWhateverComputes) {
  const SequenceSet set = random_sequences(14, 2100, 2), other = random_sequences(15, 1040, 2);
  const auto asymmetric = test::matrix_of([](int q, int s) { return q == s ? 5 : (3 * q + s) % 5 - 3; });
  const Scoring scoring = scoring_of({Mode::global}, {2, 1}, asymmetric);
  for (const AllPairs& pairs :
       {AllPairs(set, nullptr, true), AllPairs(set, nullptr, false, Block{{2060, 2100}, {0, 2080}}),
        AllPairs(set, &other, false, Block{{0, 1050}, {0, 1040}})}) {
    const std::vector<double> expected = scores_of(pairs, scoring, false);
    EXPECT_EQ(expected.size(), pairs.pairs_from(0));
    EXPECT_EQ(scores_of(pairs, scoring, true), expected);
  }
}

TEST(AllPairs, SmallestSets) {
  const Scoring scoring = scoring_of({Mode::global}, {11, 1});
  for (const std::uint32_t size : {0u, 1u, 2u}) {
    const SequenceSet set = random_sequences(10, size, 20);
    EXPECT_EQ(run(AllPairs(set, nullptr, false), scoring).listed.size(), size * (size - 1) / 2);
    EXPECT_EQ(run(AllPairs(set, nullptr, true), scoring).listed.size(), size * (size + 1) / 2);
    EXPECT_EQ(run(AllPairs(set, &set, false), scoring).listed.size(), size * size);
  }
}

TEST(AllPairs, AFailedEmitStopsTheRun) {
  const SequenceSet set = random_sequences(11, 60, 30);
  const AllPairs pairs(set, nullptr, false);
  const FakeDevices devices;
  test::EngineCall call(devices.pointers);
  EXPECT_THROW(all_pairs(pairs, scoring_of({Mode::global}, {11, 1}), {.memory_bytes = 1 << 14}, {}, call,
                         [](const Stripe&, const StripeState&) { throw std::runtime_error("full disk"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace alnus::engine
