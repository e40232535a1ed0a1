// Sparse values of all pairs: which scores pass a cutoff, which pairs a run finds, and the batches of values.
#include "engine/sparse_values.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/pair_value.h"
#include "support/all_pairs_result.h"
#include "support/device_check.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::FakeBehaviour;
using test::FakeDevices;
using test::random_sequences;
using test::scoring_of;
using Index = SequenceSet::Index;
using FoundValues = std::vector<std::tuple<Index, Index, double>>;

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max(),
                       kAll = std::numeric_limits<std::int32_t>::min();

TEST(SparseValues, TheLowestScoreThatPassesACutoff) {
  Scoring scoring = scoring_of({Mode::global}, {11, 1});
  const auto score = [&](double threshold) {
    return lowest_passing({{PairValue::score}, threshold}, scoring, 0);
  };
  const auto distance = [&](double threshold) {
    return lowest_passing({{PairValue::score_distance}, threshold}, scoring, 50);
  };
  EXPECT_EQ(score(30), 30);
  EXPECT_EQ(score(29.5), 30);
  EXPECT_EQ(score(-7.5), -7);
  EXPECT_EQ(score(-INFINITY), kAll);
  EXPECT_EQ(score(INFINITY), kNone);
  EXPECT_EQ(distance(20), 30);
  EXPECT_EQ(distance(20.5), 30);
  EXPECT_EQ(distance(-1), 51);
  EXPECT_EQ(distance(INFINITY), kAll);
  EXPECT_EQ(distance(-INFINITY), kNone);
  scoring.scale = 10;
  EXPECT_EQ(score(2.35), 24);
  EXPECT_EQ(score(2.4), 24);
  EXPECT_EQ(distance(2.4), 26);
}

// Returns the sparse values of a run. Expects at least `stripes` stripes.
FoundValues sparse_of(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
                      const FakeBehaviour& behaviour, int stripes = 1) {
  const FakeDevices devices({behaviour, behaviour});
  test::EngineCall call(devices.pointers, 2);
  FoundValues found;
  int count = 0;
  all_pairs(pairs, scoring, options, {}, call, [&](const Stripe& stripe, const StripeState&) {
    ++count;
    for (const SparseValue& one : stripe.sparse) {
      EXPECT_GE(one.row, stripe.rows.begin);
      EXPECT_LT(one.row, stripe.rows.end);
      found.emplace_back(one.row, one.column, one.value);
    }
  });
  EXPECT_GE(count, stripes);
  return found;
}

// Computes the values of all pairs without a cutoff, and returns those that pass it.
FoundValues passing_of(const AllPairs& pairs, const Scoring& scoring, AllPairsOptions options,
                       const FakeBehaviour& behaviour) {
  const Cutoff cutoff = *std::exchange(options.cutoff, std::nullopt);
  options.values = {cutoff.value};
  options.listed = true;
  const FakeDevices devices({behaviour, behaviour});
  const test::AllPairsResult dense = test::all_pairs_on(devices.pointers, pairs, scoring, options);
  std::map<std::pair<Index, Index>, bool> listed;
  for (const test::FoundRow& pair : dense.listed)
    listed[pairs.one_set() ? std::pair(pair.subject, pair.query) : std::pair(pair.query, pair.subject)] =
        true;
  FoundValues found;
  for (const auto& [place, value] : dense.values)
    if (passes(cutoff.value.kind, value, cutoff.threshold) && (!options.min_score || listed.contains(place)))
      found.emplace_back(place.first, place.second, value);
  return found;
}

class SparseValuesInMainModes : public testing::TestWithParam<test::ModeAndEnds> {};

TEST_P(SparseValuesInMainModes, AreThoseOfAllValuesThatPass) {
  const SequenceSet set = random_sequences(12, 50, 12), other = random_sequences(13, 16, 12);
  const auto asymmetric = test::matrix_of([](int q, int s) { return q == s ? 5 : (3 * q + s) % 5 - 3; });
  const FakeBehaviour by_results{.tile_share = 1, .longest_tile_seconds = 1000};
  FakeBehaviour by_scores = by_results;
  by_scores.hands_over_scores = true;
  const std::vector<Cutoff> cutoffs = {{{PairValue::score}, 3},
                                       {{PairValue::score_distance}, 30},
                                       {{PairValue::identity, Denominator::shorter}, 25},
                                       {{PairValue::distance, Denominator::longer}, 0.8}};
  for (const AllPairs& pairs : {AllPairs(set, nullptr, true), AllPairs(set, nullptr, false),
                                AllPairs(set, nullptr, false, Block{{15, 35}, {10, 30}}),
                                AllPairs(set, &other, false), AllPairs(other, &set, false)}) {
    for (const Scoring& scoring :
         {scoring_of(GetParam(), {3, 1}), scoring_of(GetParam(), {2, 1}, asymmetric)}) {
      for (const Cutoff& cutoff : cutoffs) {
        AllPairsOptions options;
        options.cutoff = cutoff;
        options.fields.detail = is_of_scores(cutoff.value.kind) ? Detail::score : Detail::alignment;
        for (const std::optional<std::int32_t> min_score : {std::optional<std::int32_t>(), {4}}) {
          options.min_score = min_score;
          const FoundValues expected = passing_of(pairs, scoring, options, by_results);
          EXPECT_LT(expected.size(), pairs.pairs_from(0));
          EXPECT_GT(expected.size(), 0u);
          for (const bool listed : {true, false}) {
            options.listed = listed;
            EXPECT_EQ(sparse_of(pairs, scoring, options, by_results), expected);
            EXPECT_EQ(sparse_of(pairs, scoring, options, by_scores), expected);
          }
          options.values = {{PairValue::score}};
          EXPECT_EQ(sparse_of(pairs, scoring, options, by_scores), expected) << "beside values of all pairs";
          options.values.clear();
          options.memory_bytes = 1 << 12;
          EXPECT_EQ(sparse_of(pairs, scoring, options, by_scores, 2), expected);
          options.memory_bytes = 8ULL << 30;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, SparseValuesInMainModes, testing::ValuesIn(test::main_modes()),
                         [](const auto& parameters) { return test::name_of(parameters.param); });

// No pair of the first 200 rows passes the cutoff, so the next stripe gets many rows. Then all pairs of the
// later 200 sequences pass, which are too many for the memory of such a stripe.
TEST(SparseValues, MoreThanExpectedAreFoundInSmallerStripes) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (int k = 0; k < 200; ++k) builder.add_text("", std::string(1 + k % 7, 'G'));
  for (int k = 0; k < 200; ++k) builder.add_text("", "WWWWWWWW");
  const SequenceSet set = builder.finish();
  const AllPairs pairs(set, nullptr, false);
  AllPairsOptions options;
  options.cutoff = Cutoff{{PairValue::score}, 75};
  options.fields.detail = Detail::score;
  options.listed = false;
  options.memory_bytes = 1 << 18;
  const Scoring scoring =
      scoring_of({Mode::local}, {11, 1}, test::matrix_of([](int q, int s) { return q == s ? 10 : -4; }));
  FoundValues expected;
  for (Index row = 200; row < 400; ++row)
    for (Index column = 200; column < row; ++column) expected.emplace_back(row, column, 80);
  EXPECT_EQ(sparse_of(pairs, scoring, options, {.hands_over_scores = true}, 4), expected);
}

// The first stripe is planned as if one pair in ten would pass, and so has few rows. No pair passes, so that
// the next stripe has room for all other rows.
TEST(SparseValues, IfFewAreFoundTheNextStripeIsLarge) {
  const SequenceSet set = random_sequences(8, 500, 8);
  const AllPairs pairs(set, nullptr, false);
  AllPairsOptions options;
  options.cutoff = Cutoff{{PairValue::score}, 1000};
  options.fields.detail = Detail::score;
  options.listed = false;
  options.memory_bytes = 1 << 18;
  const FakeBehaviour behaviour{.hands_over_scores = true};
  const FakeDevices devices({behaviour, behaviour});
  test::EngineCall call(devices.pointers, 2);
  std::vector<Index> ends;
  all_pairs(pairs, scoring_of({Mode::local}, {11, 1}), options, {}, call,
            [&](const Stripe& stripe, const StripeState&) { ends.push_back(stripe.rows.end); });
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_GT(ends[0], 0u);
  EXPECT_LT(ends[0], 200u);
  EXPECT_EQ(ends[1], 500u);
}

// Pairs of score 0 are among the values if 0 passes the cutoff.
TEST(SparseValues, LocalPairsOfScore0) {
  const SequenceSet set = random_sequences(5, 30, 3);
  const AllPairs pairs(set, nullptr, false);
  AllPairsOptions options;
  options.fields.detail = Detail::score;
  options.listed = false;
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  for (const double threshold : {-1.0, 0.0, 1.0}) {
    options.cutoff = Cutoff{{PairValue::score}, threshold};
    const FoundValues found = sparse_of(pairs, scoring, options, {.hands_over_scores = true});
    EXPECT_EQ(found, passing_of(pairs, scoring, options, {}));
    EXPECT_EQ(found.size() == pairs.pairs_from(0), threshold <= 0);
  }
}

TEST(SparseValues, NoBatchTakesMoreThanItsShareOfTheMemory) {
  const std::vector<SparseValue> values = {{1, 0, 0.5}, {2, 0, 1}, {2, 1, 3}, {3, 2, 8}, {4, 0, 9}};
  const auto batches_of = [&](std::uint64_t memory) {
    std::vector<std::size_t> sizes;
    FoundValues found;
    emit_sparse(values, memory, StopFlag::never(), [&](const SparseValues& batch) {
      sizes.push_back(batch.size());
      for (std::size_t k = 0; k < batch.size(); ++k)
        found.emplace_back(batch.row[k], batch.column[k], batch.value[k]);
    });
    EXPECT_EQ(found, (FoundValues{{1, 0, 0.5}, {2, 0, 1}, {2, 1, 3}, {3, 2, 8}, {4, 0, 9}}));
    return sizes;
  };
  EXPECT_EQ(batches_of(1), (std::vector<std::size_t>{1, 1, 1, 1, 1}));
  EXPECT_EQ(batches_of(2 * 17 * 16), (std::vector<std::size_t>{2, 2, 1}));
  EXPECT_EQ(batches_of(8ULL << 30), (std::vector<std::size_t>{5}));
  emit_sparse({}, 8ULL << 30, StopFlag::never(), [](const SparseValues&) { ADD_FAILURE() << "nothing"; });
}

}  // namespace
}  // namespace alnus::engine
