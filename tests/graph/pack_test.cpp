#include "graph/pack.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <tuple>

#include "random_graphs.h"

namespace alnus::graph {
namespace {

// A problem of packing that owns its labels.
struct Problem {
  std::vector<std::vector<LabelCount>> labels;
  std::vector<PackItem> items;
  std::vector<PackTarget> targets;
  std::uint32_t label_count = 0;

  void add(std::uint64_t weight, std::vector<LabelCount> of_item, Subset subset = kAnySubset) {
    labels.push_back(std::move(of_item));
    items.push_back({weight, {}, subset});
    for (std::size_t k = 0; k < items.size(); ++k) items[k].labels = labels[k];
  }
  Packing packed(std::uint64_t seed = 1) const { return pack(items, targets, label_count, seed); }
};

using PlainCost = std::tuple<std::uint64_t, double>;

// Rates a whole packing by the definition. The numbers of the tests are so small that doubles are exact.
PlainCost plain_cost(const Problem& problem, const std::vector<Subset>& subset_of) {
  double sum = 0;
  for (const PackTarget& target : problem.targets) sum += static_cast<double>(target.fraction);
  std::uint64_t out = 0;
  double deviation = 0;
  for (Subset subset = 0; subset < problem.targets.size(); ++subset) {
    const auto& [fraction, bounds] = problem.targets[subset];
    std::vector<double> inside(problem.label_count + 1), all(problem.label_count + 1);
    std::uint64_t size = 0;
    for (std::size_t k = 0; k < problem.items.size(); ++k) {
      const bool here = subset_of[k] == subset;
      if (here) size += problem.items[k].weight;
      for (const auto& [label, count] : problem.labels[k]) {
        all[label] += count;
        if (here) inside[label] += count;
      }
      all.back() += static_cast<double>(problem.items[k].weight);
    }
    inside.back() = static_cast<double>(size);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double surplus = sum * inside[k] - static_cast<double>(fraction) * all[k];
      deviation += surplus * surplus;
    }
    out += size < bounds.lowest ? bounds.lowest - size : size > bounds.highest ? size - bounds.highest : 0;
  }
  return {out, deviation};
}

PlainCost best_cost(const Problem& problem) {
  std::vector<Subset> subset_of(problem.items.size(), 0);
  PlainCost best{~0ull, 0};
  for (;;) {
    bool allowed = true;
    for (std::size_t k = 0; k < subset_of.size(); ++k)
      allowed &= problem.items[k].subset == kAnySubset || problem.items[k].subset == subset_of[k];
    if (allowed) best = std::min(best, plain_cost(problem, subset_of));
    std::size_t k = 0;
    while (k < subset_of.size() && ++subset_of[k] == problem.targets.size()) subset_of[k++] = 0;
    if (k == subset_of.size()) return best;
  }
}

Problem random_problem(SplitMixRandom& random, std::uint32_t most_items) {
  Problem problem;
  problem.label_count = random.below(4);
  const std::uint32_t count = 1 + random.below(most_items), subsets = 1 + random.below(3);
  std::uint64_t total = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t weight = 1 + random.below(random.below(3) == 0 ? 30 : 4);
    std::vector<LabelCount> labels;
    for (std::uint32_t label = 0; label < problem.label_count; ++label)
      if (random.below(2) == 0) labels.push_back({label, 1 + random.below(weight)});
    total += weight;
    problem.add(weight, labels, random.below(8) == 0 ? random.below(subsets) : kAnySubset);
  }
  for (std::uint32_t k = 0; k < subsets; ++k) {
    const std::uint64_t share = total / subsets;
    problem.targets.push_back(
        {1 + random.below(4),
         {share - std::min<std::uint64_t>(share, random.below(6)), share + 1 + random.below(40)}});
  }
  return problem;
}

TEST(Pack, FindsTheBestPackingOfFewItems) {
  SplitMixRandom random(1);
  int rounds = 0, best = 0;
  while (rounds < 300) {
    const Problem problem = random_problem(random, 8);
    const Packing found = problem.packed();
    if (found.too_large) continue;
    ++rounds;
    const PlainCost cost = plain_cost(problem, found.subset_of), least = best_cost(problem);
    EXPECT_EQ(found.within_bounds, std::get<0>(cost) == 0);
    EXPECT_EQ(std::get<0>(cost), std::get<0>(least));
    best += cost == least ? 1 : 0;
    for (std::size_t k = 0; k < problem.items.size(); ++k)
      EXPECT_TRUE(problem.items[k].subset == kAnySubset || problem.items[k].subset == found.subset_of[k]);
    std::vector<std::uint64_t> sizes(problem.targets.size());
    for (std::size_t k = 0; k < problem.items.size(); ++k)
      sizes[found.subset_of[k]] += problem.items[k].weight;
    EXPECT_EQ(found.sizes, sizes);
  }
  EXPECT_EQ(best, rounds);
}

TEST(Pack, ReportsTheLargestItemThatIsTooLarge) {
  Problem problem;
  problem.targets = {{8, {0, 80}}, {1, {0, 10}}};
  problem.add(70, {});
  problem.add(12, {});
  EXPECT_FALSE(problem.packed().too_large);
  problem.add(11, {}, 1);  // too large for the subset that it must go to, though not for the other
  EXPECT_EQ(problem.packed().too_large, 2u);
  problem.add(81, {});
  EXPECT_EQ(problem.packed().too_large, 3u);
  problem.add(81, {});
  EXPECT_EQ(problem.packed().too_large, 3u);
  EXPECT_TRUE(problem.packed().subset_of.empty());
  EXPECT_FALSE(problem.packed().within_bounds);
}

TEST(Pack, SaysIfSizesAreOutOfBounds) {
  Problem problem;
  problem.targets = {{1, {4, 6}}, {1, {4, 6}}};
  for (int k = 0; k < 3; ++k) problem.add(3, {});  // 9 records: 3 and 6
  const Packing found = problem.packed();
  EXPECT_FALSE(found.within_bounds);
  EXPECT_FALSE(found.too_large);
  EXPECT_EQ(found.sizes[0] + found.sizes[1], 9u);
}

// Components as data sets have them: one tenth of all records in one, most components with a single record.
TEST(Pack, BalancesLabelsOfManyItems) {
  SplitMixRandom random(3);
  Problem problem;
  constexpr std::uint32_t kLabels = 6, kRecords = 20'000;
  problem.label_count = kLabels;
  std::array<std::uint32_t, kLabels> totals{};
  problem.labels.reserve(kRecords);
  std::uint32_t left = kRecords;
  for (std::uint32_t size = kRecords / 10; left > 0; size = 1 + size * 7 / 10) {
    const std::uint32_t weight = std::min(size, left);
    std::array<std::uint32_t, kLabels> counts{};
    const std::uint32_t kind = random.below(3);
    for (std::uint32_t k = 0; k < weight; ++k) {
      ++counts[random.below(2) == 0 ? kind : random.below(3)];
      ++counts[3 + (random.below(4) == 0 ? 0 : 1 + kind % 2)];  // a second column
    }
    std::vector<LabelCount> labels;
    for (std::uint32_t label = 0; label < kLabels; ++label)
      if (counts[label] > 0) labels.push_back({label, counts[label]});
    for (std::uint32_t label = 0; label < kLabels; ++label) totals[label] += counts[label];
    problem.labels.push_back(labels);
    problem.items.push_back({weight, {}});
    left -= weight;
  }
  for (std::size_t k = 0; k < problem.items.size(); ++k) problem.items[k].labels = problem.labels[k];
  problem.targets = {{800'000, {15'200, 16'800}}, {100'000, {1'900, 2'100}}, {100'000, {1'900, 2'100}}};
  const Packing found = problem.packed();
  EXPECT_TRUE(found.within_bounds);
  for (std::uint32_t label = 0; label < kLabels; ++label)
    for (Subset subset = 0; subset < 3; ++subset) {
      std::uint32_t count = 0;
      for (std::size_t k = 0; k < problem.items.size(); ++k)
        if (found.subset_of[k] == subset)
          for (const auto& [of, number] : problem.labels[k])
            if (of == label) count += number;
      EXPECT_NEAR(count, totals[label] * static_cast<double>(problem.targets[subset].fraction) / 1e6, 3)
          << label << ' ' << subset;
    }
}

TEST(Pack, GivesTheSameForTheSameArguments) {
  SplitMixRandom random(4);
  for (int round = 0; round < 20; ++round) {
    const Problem problem = random_problem(random, 40);
    EXPECT_EQ(problem.packed(7).subset_of, problem.packed(7).subset_of);
  }
}

TEST(Pack, MayHaveNothingToDo) {
  Problem problem;
  problem.targets = {{1, {0, 5}}, {1, {0, 5}}};
  EXPECT_TRUE(problem.packed().within_bounds);
  problem.add(5, {}, 1);
  EXPECT_EQ(problem.packed().subset_of, std::vector<Subset>{1});
  problem.targets = {{1, {0, 5}}};
  problem.items[0].subset = kAnySubset;
  EXPECT_EQ(problem.packed().subset_of, std::vector<Subset>{0});
}

TEST(Pack, StopsWhereThatIsRequested) {
  Problem problem;
  problem.targets = {{1, {0, 5}}, {1, {0, 5}}};
  problem.add(2, {});
  StopFlag stop;
  stop.request();
  EXPECT_THROW(pack(problem.items, problem.targets, 0, 1, 1000, stop), Interrupted);
}

}  // namespace
}  // namespace alnus::graph
