// Score distances on devices that fail, lack memory or are stopped, and for which sequences devices compute
// scores with themselves.
#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "engine/all_pairs_driver.h"
#include "support/all_pairs_reference.h"
#include "support/all_pairs_result.h"
#include "support/blank.h"
#include "support/device_check.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::FakeBehaviour;
using test::FakeDevices;
using test::random_sequences;
using test::scoring_of;
using Values = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

AllPairsOptions score_distances() {
  AllPairsOptions options;
  options.listed = false;
  options.fields.detail = Detail::score;
  options.values = {{PairValue::score_distance}};
  return options;
}

std::int64_t reference_score(std::span<const Residue> query, std::span<const Residue> subject,
                             const Scoring& scoring) {
  return align_reference(query, subject, scoring, Detail::score).score;
}

Values expected(const AllPairs& pairs, const Scoring& scoring) {
  Values values;
  for (std::uint32_t row = pairs.block().rows.begin; row < pairs.block().rows.end; ++row)
    for (std::uint32_t column = pairs.columns_of(row).begin; column < pairs.columns_of(row).end; ++column) {
      const auto of_row = pairs.rows().residues(row), of_column = pairs.columns().residues(column);
      if (test::is_blank(of_row) || test::is_blank(of_column)) {
        values[{row, column}] = kLargestScoreDistance;
        continue;
      }
      const std::int64_t lower =
          std::min(reference_score(of_row, of_row, scoring), reference_score(of_column, of_column, scoring));
      const auto first = pairs.one_set() ? of_column : of_row, second = pairs.one_set() ? of_row : of_column;
      values[{row, column}] =
          static_cast<double>(lower - test::reference_of_all_pairs(first, second, scoring).score);
    }
  return values;
}

class SelfScores : public testing::TestWithParam<test::ModeAndEnds> {};

TEST_P(SelfScores, EqualTheReferenceOnDevicesOfEveryKind) {
  const SequenceSet set = random_sequences(1, 30, 25), other = random_sequences(2, 17, 25);
  const auto asymmetric = test::matrix_of([](int q, int s) { return q == s ? 5 : (3 * q + s) % 5 - 3; });
  const std::vector<std::vector<FakeBehaviour>> machines = {
      {{.concurrency = 2, .dawdle = true}, {.dawdle = true}},
      {{.overlaps = true, .hands_over_scores = true}},
      {{.fail_from = 0}, {.computes_on_host = true}},
      {{.most_pairs = 3}, {.standby = true}}};
  for (const Scoring& scoring : {scoring_of(GetParam(), {3, 1}), scoring_of(GetParam(), {2, 1}, asymmetric)})
    for (const AllPairs& pairs : {AllPairs(set, nullptr, true), AllPairs(set, &other, false),
                                  AllPairs(set, nullptr, false, Block{{11, 25}, {3, 14}})})
      for (const std::vector<FakeBehaviour>& machine : machines) {
        AllPairsOptions options = score_distances();
        options.memory_bytes = 1 << 16;  // several stripes
        EXPECT_EQ(test::all_pairs_on(FakeDevices(machine).pointers, pairs, scoring, options).values,
                  expected(pairs, scoring));
      }
}

INSTANTIATE_TEST_SUITE_P(Modes, SelfScores, testing::ValuesIn(test::main_modes()),
                         [](const auto& parameters) { return test::name_of(parameters.param); });

// Returns how many cells a device computes for a run, including the scores of sequences with themselves.
std::uint64_t cells_of(const AllPairs& pairs, const AllPairsOptions& options, StripeState state = {}) {
  const FakeDevices devices;
  test::all_pairs_on(devices.pointers, pairs, scoring_of({Mode::global}, {11, 1}), options, state, 1);
  std::uint64_t sum = 0;
  for (const std::uint64_t cells : devices.owned.front()->cells()) sum += cells;
  return sum;
}

TEST(SelfScoresOfPairs, AreComputedOnceOfTheSequencesThatAreInPairs) {
  const SequenceSet set = random_sequences(3, 40, 30), other = random_sequences(4, 10, 30);
  const auto own_cells = [](const SequenceSet& of, std::uint32_t begin, std::uint32_t end) {
    std::uint64_t cells = 0;
    for (std::uint32_t i = begin; i < end; ++i) cells += of.length(i) * of.length(i);
    return cells;
  };
  AllPairsOptions scores = score_distances();
  scores.values = {{PairValue::score}};
  const auto more = [&](const AllPairs& pairs, StripeState state = {}) {
    std::uint64_t cells = 0;
    for (const std::uint64_t memory : {1u << 16, 1u << 30}) {
      AllPairsOptions with = score_distances(), without = scores;
      with.memory_bytes = without.memory_bytes = memory;
      cells = cells_of(pairs, with, state) - cells_of(pairs, without, state);
    }
    return cells;
  };
  EXPECT_EQ(more(AllPairs(set, nullptr, false)), own_cells(set, 0, 40));
  EXPECT_EQ(more(AllPairs(set, &other, false)), own_cells(set, 0, 40) + own_cells(other, 0, 10));
  EXPECT_EQ(more(AllPairs(set, nullptr, false, Block{{30, 32}, {5, 7}})),
            own_cells(set, 30, 32) + own_cells(set, 5, 7));
  EXPECT_EQ(more(AllPairs(set, nullptr, false, Block{{20, 32}, {15, 25}})), own_cells(set, 15, 32));
  EXPECT_EQ(more(AllPairs(set, &other, false), {38, 1}), own_cells(set, 38, 40) + own_cells(other, 0, 10));
  EXPECT_EQ(more(AllPairs(set, nullptr, false), {40, 1}), 0u) << "no row is left";
}

TEST(SelfScoresOfPairs, AreThereFromAnyRowOn) {
  const SequenceSet set = random_sequences(6, 30, 25), other = random_sequences(7, 12, 25);
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  for (const AllPairs& pairs : {AllPairs(set, nullptr, true), AllPairs(set, &other, false)}) {
    const Values whole = expected(pairs, scoring);
    for (const std::uint32_t row : {0u, 1u, 17u, 29u, 30u}) {
      Values rest = whole;
      std::erase_if(rest, [&](const auto& value) { return value.first.first < row; });
      const FakeDevices devices;
      EXPECT_EQ(test::all_pairs_on(devices.pointers, pairs, scoring, score_distances(), {row, 1}).values,
                rest);
    }
  }
}

TEST(SelfScoresOfPairs, CanBeStopped) {
  const SequenceSet set = random_sequences(5, 60, 30);
  const FakeDevices devices;
  test::EngineCall call(devices.pointers, 1);
  std::atomic<int> ticks{0};
  call.progress().tick = [&] {
    ++ticks;
    call.progress().stop.request();
  };
  const AllPairs pairs(set, nullptr, false);
  EXPECT_THROW(all_pairs(pairs, scoring_of({Mode::local}, {11, 1}), score_distances(), {}, call,
                         [](const Stripe&, const StripeState&) { ADD_FAILURE() << "a stripe"; }),
               Interrupted);
  EXPECT_EQ(ticks, 1) << "the first tile is of sequences with themselves";
  EXPECT_GT(call.progress().extra_cells_total, 0u);
  EXPECT_EQ(call.progress().cells_done, 0u);
}

}  // namespace
}  // namespace alnus::engine
