// What rows of all pairs are expected to cost, and stripes that end by it.
#include <algorithm>
#include <gtest/gtest.h>
#include <optional>

#include "engine/all_pairs_driver.h"
#include "support/all_pairs_result.h"
#include "support/device_check.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::FakeDevices;
using test::random_sequences;
using test::scoring_of;

AllPairsOptions scores_of_every_pair() {
  AllPairsOptions options;
  options.fields.detail = Detail::score;
  options.listed = false;
  options.values = {{PairValue::score}};
  return options;
}

TEST(RowCost, CountsCellsAndPairsAndWhatIsLeft) {
  SequenceSetBuilder builder(AlphabetKind::protein, "set");
  for (const std::size_t length : {10, 20, 30}) builder.add("s", test::repeat("A", length));
  const SequenceSet set = builder.finish();  // 20 residues on average
  const AllPairs pairs(set, nullptr, false);
  AllPairsOptions options = scores_of_every_pair();
  options.cost = {.cell = 1, .pair = 7, .cell_if_left = 100, .if_left = 1000};
  EXPECT_EQ(row_seconds(pairs, options, 0.5, 0), 0);
  EXPECT_EQ(row_seconds(pairs, options, 0.5, 2), 2 * (30 * 20 + 7)) << "nothing is listed";
  options.listed = true;
  const double all_left = 2 * (30 * 20 * 101 + 1007);
  EXPECT_EQ(row_seconds(pairs, options, 0.5, 2), all_left) << "without a filter every pair is";
  options.min_score = 3;
  EXPECT_EQ(row_seconds(pairs, options, 0.5, 2), 2 * (30 * 20 * 51 + 507));
  options.nearest = {{PairValue::score}, 5};
  EXPECT_EQ(row_seconds(pairs, options, 0.5, 2), all_left);
}

TEST(RowCost, StripesEndBeforeTheyTakeLong) {
  const SequenceSet set = random_sequences(3, 60, 20);
  const AllPairs pairs(set, nullptr, false);
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  const auto run = [&](const PairCost& cost) {
    AllPairsOptions options = scores_of_every_pair();
    options.cost = cost;
    return test::all_pairs_on(FakeDevices().pointers, pairs, scoring, options);
  };
  const test::AllPairsResult whole = run({}), quick = run({.pair = 1e-6}), slow = run({.pair = 0.125});
  EXPECT_EQ(whole.stripes.size(), 1u);
  EXPECT_EQ(quick.stripes.size(), 1u);
  EXPECT_GT(slow.stripes.size(), 30u);
  for (const IndexRange& stripe : slow.stripes)
    EXPECT_TRUE(stripe.size() == 1 ||
                0.125 * static_cast<double>(pairs.pairs_from(stripe.begin) - pairs.pairs_from(stripe.end)) <=
                    kStripeSeconds);
  EXPECT_EQ(slow.values, whole.values);
}

TEST(RowCost, TellsSlowRows) {
  const SequenceSet set = random_sequences(3, 60, 20);
  const AllPairs pairs(set, nullptr, false);
  AllPairsOptions options = scores_of_every_pair();
  EXPECT_EQ(slow_rows(pairs, options, 0).count, 0u);
  options.cost.pair = kMostRowSeconds / 50;
  EXPECT_EQ(slow_rows(pairs, options, 0).count, 9u) << "those with more than 50 pairs";
  EXPECT_EQ(slow_rows(pairs, options, 0).first, 51u);
  EXPECT_EQ(slow_rows(pairs, options, 58).count, 2u);
}

}  // namespace
}  // namespace alnus::engine
