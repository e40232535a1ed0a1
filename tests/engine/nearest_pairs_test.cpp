// The nearest pairs of each row, also if devices keep back all results that the limits let them keep back.
#include "engine/nearest_pairs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/all_pairs_driver.h"
#include "support/device_check.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeBehaviour;
using test::FakeDevices;
using test::FoundRow;
using test::random_sequences;
using test::scoring_of;

std::vector<FoundRow> nearest(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
                              const FakeBehaviour& behaviour) {
  const FakeDevices devices({behaviour});
  EngineCall call(devices.pointers);
  std::vector<FoundRow> rows;
  all_pairs(pairs, scoring, options, {}, call,
            [&](const Stripe& stripe, const StripeState&) { test::append(rows, stripe.listed); });
  return rows;
}

TEST(Nearest, DevicesKeepBackTheOthers) {
  // Short sequences, so that many scores are equal.
  const SequenceSet set = random_sequences(5, 60, 5), other = random_sequences(6, 45, 5);
  constexpr auto kWhole = AllPairs::Rows::whole;
  const AllPairs kinds[] = {{set, nullptr, false, {}, kWhole},
                            {set, nullptr, true, {}, kWhole},
                            {set, nullptr, false, Block{{7, 40}, {3, 33}}, kWhole},
                            {set, &other, false, {}, kWhole}};
  for (const Mode mode : {Mode::local, Mode::global})
    for (const AllPairs& pairs : kinds)
      for (const PairValue value : {PairValue::score, PairValue::score_distance, PairValue::identity})
        for (const std::uint32_t count : {1u, 4u, 200u})
          for (const std::optional<std::int32_t> min_score : {std::optional<std::int32_t>(), {4}}) {
            AllPairsOptions options;
            options.min_score = min_score;
            options.nearest = {{value}, count};
            const Scoring scoring = scoring_of({mode}, {3, 1});
            const auto all = nearest(pairs, scoring, options, {});
            EXPECT_EQ(nearest(pairs, scoring, options, {.keeps_to_the_limit = true}), all)
                << "value " << static_cast<int>(value) << ", " << count << " of a row";
            EXPECT_GT(all.size(), 5u);
          }
}

// With both strands, a pair has the score of its better strand. So a device may not keep back a result
// because it is not among the best of one strand: it may be among the best of both.
TEST(Nearest, OfBothStrandsNothingIsKeptBack) {
  SequenceSetBuilder builder(AlphabetKind::dna, "dna");
  test::Random random(7);
  for (int k = 0; k < 40; ++k)
    builder.add("d" + std::to_string(k), test::random_sequence(random, 6 + k % 3, 4));
  const SequenceSet set = builder.finish();
  const Scoring scoring = scoring_of({Mode::local}, {3, 1}, SubstitutionMatrix::builtin("NUC44"));
  for (const Strands strands : {Strands::plus, Strands::minus, Strands::both}) {
    AllPairsOptions options;
    options.fields.strands = strands;
    options.nearest = {{PairValue::score}, 3};
    const AllPairs pairs(set, nullptr, false, {}, AllPairs::Rows::whole);
    const auto all = nearest(pairs, scoring, options, {});
    EXPECT_EQ(nearest(pairs, scoring, options, {.keeps_to_the_limit = true}), all);
    EXPECT_GT(all.size(), 80u);
  }
}

TEST(Nearest, TheFirstAreNearestThenScoreHigherThenComeEarlier) {
  NearestPairs nearest({10, 12}, 3);
  const auto pair = [](std::uint32_t i, double nearness, std::int32_t score, std::uint32_t j) {
    NearPair near{nearness, {}};
    near.pair.i = i;
    near.pair.j = j;
    near.pair.aligned.score = score;
    return near;
  };
  std::vector<NearPair> all = {pair(11, 1, 5, 1)};
  for (std::uint32_t j = 0; j < 500; ++j) all.push_back(pair(10, j % 7, static_cast<std::int32_t>(j % 5), j));
  nearest.take(all);
  EXPECT_EQ(nearest.least(10), 6) << "there are more than three of these";
  EXPECT_EQ(nearest.least(11), -std::numeric_limits<double>::infinity());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  const FakeDevices devices({FakeBehaviour{}});
  EngineCall call(devices.pointers, 2);
  for (const ListedPair& listed : nearest.finish(call)) places.emplace_back(listed.i, listed.j);
  // The nearest columns of row 10 are those that are 6 modulo 7. Of these, 34, 69, 104 and so on score
  // highest.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {
      {10, 34}, {10, 69}, {10, 104}, {11, 1}};
  EXPECT_EQ(places, expected);
}

TEST(Nearest, ManyThreadsAddAtATime) {
  constexpr std::uint32_t kRows = 1000, kColumns = 200;
  NearestPairs nearest({0, kRows}, 7);
  const FakeDevices devices({FakeBehaviour{}});
  EngineCall call(devices.pointers, 4);
  call->threads.for_each(kColumns, [&](std::size_t k) {
    const auto j = static_cast<std::uint32_t>(k);
    for (std::uint32_t i = 0; i < kRows; ++i) {
      NearPair near{static_cast<double>((i + j * 3) % kColumns), {}};
      near.pair.i = i;
      near.pair.j = j;
      nearest.take({&near, 1});
    }
  });
  const std::vector<ListedPair> kept = nearest.finish(call);
  ASSERT_EQ(kept.size(), kRows * 7);
  for (std::uint32_t k = 0; k < kept.size(); ++k) {
    EXPECT_EQ(kept[k].i, k / 7);
    EXPECT_EQ((kept[k].i + kept[k].j * 3) % kColumns, kColumns - 1 - k % 7);
  }
}

// Nearness, scores and columns tie often. Rows are around a piece of 256 rows.
TEST(Nearest, AreThoseOfSortingTheRow) {
  test::Random random(8);
  const auto rank = [](const NearPair& one) {
    return std::tuple(-one.nearness, -one.pair.aligned.score, one.pair.j);
  };
  for (const std::uint32_t rows : {1u, 255u, 256u, 257u})
    for (const std::uint32_t count : {1u, 2u, 5u, 100u}) {
      constexpr std::uint32_t kFirst = 7, kColumns = 60;
      NearestPairs nearest({kFirst, kFirst + rows}, count);
      std::vector<std::vector<NearPair>> expected(rows);
      std::vector<NearPair> all;
      for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < kColumns; ++column) {
          NearPair& one = all.emplace_back();
          one.nearness = static_cast<double>(test::below(random, 6)) - 3;
          one.pair.i = kFirst + row;
          one.pair.j = column;
          one.pair.aligned.score = static_cast<std::int32_t>(test::below(random, 3));
          expected[row].push_back(one);
        }
      std::ranges::shuffle(all, random);
      EXPECT_EQ(nearest.least(kFirst), -std::numeric_limits<double>::infinity());
      for (std::size_t begin = 0; begin < all.size(); begin += 31)
        nearest.take(std::span(all).subspan(begin, std::min<std::size_t>(31, all.size() - begin)));
      std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted, found;
      for (std::uint32_t row = 0; row < rows; ++row) {
        std::ranges::sort(expected[row], {}, rank);
        if (expected[row].size() > count) expected[row].resize(count);
        EXPECT_LE(nearest.least(kFirst + row), expected[row].back().nearness) << "it may still be kept";
        EXPECT_TRUE(count > 1 || nearest.least(kFirst + row) > -4) << "60 pairs tell something";
        for (const NearPair& one : expected[row]) wanted.emplace_back(one.pair.i, one.pair.j);
      }
      const FakeDevices devices;
      EngineCall call(devices.pointers);
      for (const ListedPair& pair : nearest.finish(call)) found.emplace_back(pair.i, pair.j);
      ASSERT_EQ(found, wanted) << rows << " rows, " << count << " of each";
    }
}

}  // namespace
}  // namespace alnus::engine
