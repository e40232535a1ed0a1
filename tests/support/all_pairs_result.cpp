#include "support/all_pairs_result.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/strands.h"

namespace alnus::test {

AllPairsResult all_pairs_on(std::span<Device* const> devices, const engine::AllPairs& pairs,
                            const Scoring& scoring, const engine::AllPairsOptions& options,
                            engine::StripeState state, int threads) {
  EngineCall call(devices, threads);
  AllPairsResult result;
  const std::uint32_t first_row = std::max(state.next_row, pairs.block().rows.begin);
  std::uint32_t next_row = first_row;
  engine::all_pairs(pairs, scoring, options, state, call,
                    [&](const engine::Stripe& stripe, const engine::StripeState& after) {
                      EXPECT_EQ(stripe.rows.begin, next_row);
                      EXPECT_EQ(after.next_row, stripe.rows.end);
                      next_row = after.next_row;
                      result.stripes.push_back(stripe.rows);
                      result.pairs += stripe.pairs;
                      result.empty += stripe.empty;
                      append(result.listed, stripe.listed);
                      result.sparse.insert(result.sparse.end(), stripe.sparse.begin(), stripe.sparse.end());
                      ASSERT_EQ(stripe.values.size(), options.values.size());
                      if (options.values.empty()) return;
                      const ValueStripe& values = stripe.values.front();
                      EXPECT_EQ(values.rows, stripe.rows);
                      for (std::uint32_t row = stripe.rows.begin; row < stripe.rows.end; ++row) {
                        const IndexRange columns = pairs.columns_of(row);
                        for (std::uint32_t column = columns.begin; column < columns.end; ++column)
                          result.values[{row, column}] = values.row(row)[column - values.columns.begin];
                      }
                    });
  EXPECT_EQ(next_row, pairs.block().rows.end);
  EXPECT_EQ(call.progress().pairs_total,
            pairs.pairs_from(first_row) * strands_of_each(options.fields.strands));
  // Pairs that were done of a stripe that is made again, with fewer rows, count twice.
  EXPECT_GE(call.progress().pairs_done, call.progress().pairs_total);
  return result;
}

}  // namespace alnus::test
