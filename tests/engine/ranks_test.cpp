#include "engine/ranks.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace alnus::engine
