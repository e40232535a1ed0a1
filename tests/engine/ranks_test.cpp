#include "engine/ranks.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "alnus/error.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

using test::make_set;
using test::Residues;
using Ranks = std::vector<Rank>;

Ranks ranks(const std::vector<std::uint32_t>& numbers) {
  Ranks result;
  for (const std::uint32_t number : numbers) result.push_back(Rank{number});
  return result;
}

TEST(Ranks, AreByLengthThenResiduesThenPlace) {
  const std::vector<Residues> rows = {{1}, {3, 2}, {}, {2, 9}, {3, 2}, {0, 0, 0}};
  EXPECT_EQ(ranks_of(make_set(rows), nullptr, StopFlag::never()), ranks({4, 2, 5, 1, 3, 0}));
}

TEST(Ranks, DoNotDependOnMasking) {
  const std::vector<Residues> rows = {{2, 3}, {2, 1 | kLowerCase}, {2 | kLowerCase, 3}};
  EXPECT_EQ(ranks_of(make_set(rows), nullptr, StopFlag::never()), ranks({1, 0, 2}));
}

TEST(Ranks, OfTwoSetsFollowEachOther) {
  const std::vector<Residues> rows = {{1}, {2, 2}}, columns = {{2, 2}, {0}, {1, 7}};
  const SequenceSet of_columns = make_set(columns);
  EXPECT_EQ(ranks_of(make_set(rows), &of_columns, StopFlag::never()), ranks({4, 1, 2, 3, 0}));
}

TEST(Ranks, LookAtEveryResidueOfLongSequences) {
  constexpr std::size_t kLength = (1 << 20) + 5;
  std::vector<Residues> rows(3, Residues(kLength, 1));
  rows[0].back() = 2;
  rows[2].back() = 0;
  EXPECT_EQ(ranks_of(make_set(rows), nullptr, StopFlag::never()), ranks({2, 1, 0}));
}

TEST(Ranks, EndWhenAStopIsRequested) {
  StopFlag stop;
  stop.request();
  const std::vector<Residues> rows = {{1}, {2}};
  const SequenceSet set = make_set(rows);
  EXPECT_THROW(ranks_of(set, nullptr, stop), Interrupted);
  EXPECT_THROW(ranks_of(set, &set, stop), Interrupted);
}

// Few letters and lengths around eight, so that many sequences have a long common begin, or are equal.
TEST(Ranks, AreThoseOfSortingTheSequences) {
  test::Random random(1);
  const auto some = [&](std::size_t count) {
    std::vector<Residues> sequences;
    for (std::size_t k = 0; k < count; ++k) {
      Residues one(test::below(random, 4) == 0 ? test::below(random, 12) : 7 + test::below(random, 4), 1);
      if (!one.empty()) one[test::below(random, one.size())] = static_cast<Residue>(test::below(random, 3));
      if (!one.empty() && test::below(random, 2)) one.back() |= kLowerCase;
      sequences.push_back(one);
    }
    return sequences;
  };
  for (const std::size_t columns : {0, 40}) {
    const std::vector<Residues> of_rows = some(60), of_columns = some(columns);
    std::vector<Residues> all;
    for (const auto* side : {&of_rows, &of_columns})
      for (const Residues& one : *side) all.push_back(test::without_case(one));
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return all[a].size() != all[b].size() ? all[a].size() > all[b].size() : all[a] < all[b];
    });
    std::vector<std::uint32_t> expected(all.size());
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) expected[order[rank]] = rank;
    const SequenceSet set = make_set(of_columns);
    EXPECT_EQ(ranks_of(make_set(of_rows), columns > 0 ? &set : nullptr, StopFlag::never()), ranks(expected));
  }
}

}  // namespace
}  // namespace alnus::engine
