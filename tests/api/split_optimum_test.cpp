// Session::split on sets that are small enough to try every assignment of records to subsets.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "api/support/errors.h"
#include "api/support/similar_sets.h"

namespace alnus::test {
namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

// The least cost of all assignments that keep similar records, groups and given subsets; kNone: there is
// none.
class EveryAssignment {
 public:
  EveryAssignment(const SequenceSet& set, const SimilarSequences& similar, const SplitOptions& options)
      : options_(options), count_(set.size()), subset_of_(set.size()), sizes_(options.fractions.size()) {
    apart_.assign(count_, std::vector<bool>(count_));
    for (Index i = 0; i < count_; ++i)
      for (Index k = 0; k < count_; ++k)
        apart_[i][k] = !similar(i, k) && (options.groups.empty() || options.groups[i].empty() ||
                                          options.groups[i] != options.groups[k]);
  }
  std::uint64_t least_cost() {
    try_from(0, 0);
    return least_;
  }

 private:
  void try_from(Index i, std::uint64_t cost) {
    if (cost >= least_) return;
    if (i == count_) {
      if (std::ranges::all_of(sizes_, [&](std::uint64_t size) { return size >= options_.bounds->lowest; }))
        least_ = cost;
      return;
    }
    for (std::uint32_t subset = 0; subset < sizes_.size(); ++subset) {
      if (sizes_[subset] == options_.bounds->highest || !may_be_in(i, subset)) continue;
      subset_of_[i] = subset;
      ++sizes_[subset];
      try_from(i + 1, cost);
      --sizes_[subset];
    }
    if (!options_.allow_removal) return;
    subset_of_[i] = Split::kRemoved;
    try_from(i + 1,
             cost + 1 + (options_.priority.empty() ? 0 : static_cast<std::uint64_t>(options_.priority[i])));
  }
  bool may_be_in(Index i, std::uint32_t subset) const {
    if (!options_.fixed.empty() && !options_.fixed[i].empty() &&
        options_.fixed[i] != std::to_string(subset + 1))
      return false;
    for (Index k = 0; k < i; ++k)
      if (subset_of_[k] != Split::kRemoved && subset_of_[k] != subset && !apart_[i][k]) return false;
    return true;
  }

  const SplitOptions& options_;
  const Index count_;
  std::vector<std::vector<bool>> apart_;
  std::vector<std::uint32_t> subset_of_;
  std::vector<std::uint64_t> sizes_;
  std::uint64_t least_ = kNone;
};

SplitOptions bounded(std::size_t count, SubsetBounds bounds) {
  SplitOptions options;
  options.similarity.relations = parse_relations("part:40");
  options.fractions.assign(count, 1);
  options.bounds = bounds;
  return options;
}

TEST(ApiSplitOptimum, RemovesAtMostOneMoreThanNeeded) {
  Session session(session_options());
  int possible = 0, optimal = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const SequenceSet set = mosaic(seed, 12, 6 + seed % 3);
    const SimilarSequences similar(set, Strands::plus, "part:40");
    SplitOptions options = bounded(2 + seed % 2, seed % 2 == 0 ? SubsetBounds{3, 7} : SubsetBounds{2, 4});
    options.allow_removal = true;
    const std::uint64_t least = EveryAssignment(set, similar, options).least_cost();
    const Thrown thrown = thrown_by([&] {
      const Split split = session.split(set, default_scoring(), options);
      EXPECT_LE(split.removal_cost, least == kNone ? 0 : least + 1);
      EXPECT_GE(split.removal_cost, least);
      EXPECT_EQ(split.removed, split.removal_cost);
      EXPECT_LE(split.lower_bound, split.removal_cost);
      optimal += split.removal_cost == least ? 1 : 0;
    });
    EXPECT_EQ(thrown.error, least == kNone) << thrown.text << ", least cost " << least;
    possible += least == kNone ? 0 : 1;
  }
  EXPECT_GT(possible, 5) << "the data are no test";
  EXPECT_GE(optimal + 1, possible);
}

TEST(ApiSplitOptimum, RemovesWhatHasTheLowestPriorities) {
  Session session(session_options());
  int possible = 0, optimal = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const SequenceSet set = mosaic(100 + seed, 12, 7);
    const SimilarSequences similar(set, Strands::plus, "part:40");
    SplitOptions options = bounded(2, {2, 8});
    options.allow_removal = true;
    Random random(seed);
    for (Index i = 0; i < set.size(); ++i) options.priority.push_back(static_cast<double>(below(random, 6)));
    const std::uint64_t least = EveryAssignment(set, similar, options).least_cost();
    const Thrown thrown = thrown_by([&] {
      const Split split = session.split(set, default_scoring(), options);
      EXPECT_GE(split.removal_cost, least);
      EXPECT_LE(split.lower_bound, split.removal_cost);
      optimal += split.removal_cost == least ? 1 : 0;
    });
    EXPECT_EQ(thrown.error, least == kNone) << thrown.text << ", least cost " << least;
    possible += least == kNone ? 0 : 1;
  }
  EXPECT_GT(possible, 5) << "the data are no test";
  EXPECT_GE(optimal + 2, possible);
}

// Whole components and groups, some of them fixed: if there is a split, one is found.
TEST(ApiSplitOptimum, FindsASplitIfThereIsOne) {
  Session session(session_options());
  int possible = 0, impossible = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const SequenceSet set = mosaic(200 + seed, 14, 60);
    const SimilarSequences similar(set, Strands::plus, "part:40");
    SplitOptions options = bounded(3, {4, 6});
    Random random(seed);
    for (Index i = 0; i < set.size(); ++i) {
      options.groups.push_back(below(random, 4) == 0 ? "g" + std::to_string(below(random, 4)) : "");
      options.fixed.push_back(below(random, 7) == 0 ? std::to_string(1 + below(random, 3)) : "");
    }
    const std::uint64_t least = EveryAssignment(set, similar, options).least_cost();
    const Thrown thrown = thrown_by([&] {
      const Split split = session.split(set, default_scoring(), options);
      for (Index i = 0; i < set.size(); ++i) {
        EXPECT_TRUE(options.fixed[i].empty() || options.fixed[i] == split.subsets[split.subset_of[i]].name);
        for (Index k = 0; k < i; ++k)
          EXPECT_TRUE(
              split.subset_of[i] == split.subset_of[k] ||
              (!similar(i, k) && (options.groups[i].empty() || options.groups[i] != options.groups[k])));
      }
    });
    EXPECT_EQ(thrown.error, least == kNone) << thrown.text;
    (least == kNone ? impossible : possible) += 1;
  }
  EXPECT_GT(possible, 5) << "the data are no test";
  EXPECT_GT(impossible, 5) << "the data are no test";
}

TEST(ApiSplitOptimum, RemovesWithGivenSubsets) {
  Session session(session_options());
  int possible = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const SequenceSet set = mosaic(300 + seed, 12, 8);
    const SimilarSequences similar(set, Strands::plus, "part:40");
    SplitOptions options = bounded(2, {2, 8});
    options.allow_removal = true;
    Random random(seed);
    for (Index i = 0; i < set.size(); ++i)
      options.fixed.push_back(below(random, 6) == 0 ? std::to_string(1 + below(random, 2)) : "");
    const std::uint64_t least = EveryAssignment(set, similar, options).least_cost();
    const Thrown thrown = thrown_by([&] {
      const Split split = session.split(set, default_scoring(), options);
      EXPECT_GE(split.removal_cost, least);
      EXPECT_LE(split.removal_cost, least + 1);
      for (Index i = 0; i < set.size(); ++i) {
        if (split.subset_of[i] == Split::kRemoved) continue;
        EXPECT_TRUE(options.fixed[i].empty() || options.fixed[i] == split.subsets[split.subset_of[i]].name);
        for (Index k = 0; k < i; ++k)
          EXPECT_TRUE(split.subset_of[k] == Split::kRemoved || split.subset_of[i] == split.subset_of[k] ||
                      !similar(i, k))
              << i << " and " << k;
      }
    });
    EXPECT_EQ(thrown.error, least == kNone) << thrown.text << ", least cost " << least;
    possible += least == kNone ? 0 : 1;
  }
  EXPECT_GT(possible, 5) << "the data are no test";
}

}  // namespace
}  // namespace alnus::test
