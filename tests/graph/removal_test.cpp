#include "graph/removal.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

#include "graph/split_growth.h"
#include "graph/split_state.h"
#include "random_graphs.h"

namespace alnus::graph {
namespace {

// A problem that owns what it is about.
struct Owned {
  Graph graph;
  std::vector<std::uint64_t> weights, costs;
  std::vector<Bounds> bounds;
  std::vector<Subset> fixed;

  RemovalProblem problem() const { return {graph, weights, costs, bounds, fixed}; }
};

Owned plain(Graph graph, std::vector<Bounds> bounds) {
  const std::vector<std::uint64_t> ones(graph.vertices(), 1);
  return {std::move(graph), ones, ones, std::move(bounds), {}};
}

bool keeps_the_rules(const Owned& owned, const std::vector<Subset>& subset_of) {
  std::vector<std::uint64_t> sizes(owned.bounds.size());
  for (Vertex vertex = 0; vertex < subset_of.size(); ++vertex) {
    if (subset_of[vertex] == kAnySubset) continue;
    sizes[subset_of[vertex]] += owned.weights[vertex];
    if (!owned.fixed.empty() && owned.fixed[vertex] != kAnySubset && owned.fixed[vertex] != subset_of[vertex])
      return false;
    for (const Vertex neighbour : owned.graph.neighbours(vertex))
      if (subset_of[neighbour] != kAnySubset && subset_of[neighbour] != subset_of[vertex]) return false;
  }
  for (std::size_t k = 0; k < sizes.size(); ++k)
    if (sizes[k] < owned.bounds[k].lowest || sizes[k] > owned.bounds[k].highest) return false;
  return true;
}

std::uint64_t cost_of(const Owned& owned, const std::vector<Subset>& subset_of) {
  std::uint64_t cost = 0;
  for (Vertex vertex = 0; vertex < subset_of.size(); ++vertex)
    if (subset_of[vertex] == kAnySubset) cost += owned.costs[vertex];
  return cost;
}

void check(const Owned& owned, const Removal& found) {
  EXPECT_TRUE(keeps_the_rules(owned, found.subset_of));
  EXPECT_EQ(found.cost, cost_of(owned, found.subset_of));
  EXPECT_LE(found.lower_bound, found.cost);
  std::vector<Vertex> removed;
  std::vector<std::uint64_t> sizes(owned.bounds.size());
  for (Vertex vertex = 0; vertex < found.subset_of.size(); ++vertex) {
    if (found.subset_of[vertex] == kAnySubset)
      removed.push_back(vertex);
    else
      sizes[found.subset_of[vertex]] += owned.weights[vertex];
  }
  EXPECT_EQ(found.removed, removed);
  EXPECT_EQ(found.sizes, sizes);
}

// By trying every assignment.
std::optional<std::uint64_t> least_cost(const Owned& owned) {
  std::vector<Subset> digits(owned.graph.vertices(), 0), subset_of(owned.graph.vertices());
  const Subset subsets = static_cast<Subset>(owned.bounds.size());
  std::optional<std::uint64_t> least;
  for (;;) {
    for (std::size_t k = 0; k < digits.size(); ++k)
      subset_of[k] = digits[k] == subsets ? kAnySubset : digits[k];
    const std::uint64_t cost = cost_of(owned, subset_of);
    if ((!least || cost < *least) && keeps_the_rules(owned, subset_of)) least = cost;
    std::size_t k = 0;
    while (k < digits.size() && ++digits[k] > subsets) digits[k++] = 0;
    if (k == digits.size()) return least;
  }
}

Owned random_problem(SplitMixRandom& random, bool plainly) {
  const Vertex vertices = 1 + random.below(8);
  const Subset subsets = 1 + random.below(3);
  Owned owned = plain(test::random_graph(vertices, random.below(16), random), {});
  if (!plainly) {
    for (auto& weight : owned.weights) weight = 1 + random.below(4);
    for (auto& cost : owned.costs) cost = 1 + random.below(6);
    for (Vertex k = 0; k < vertices; ++k)
      owned.fixed.push_back(random.below(5) == 0 ? random.below(subsets) : kAnySubset);
  }
  const auto total = std::accumulate(owned.weights.begin(), owned.weights.end(), std::uint64_t{0});
  for (Subset k = 0; k < subsets; ++k) {
    const std::uint64_t lowest = random.below(1 + static_cast<std::uint32_t>(total / subsets));
    owned.bounds.push_back({lowest, lowest + random.below(1 + static_cast<std::uint32_t>(total))});
  }
  return owned;
}

TEST(Removal, OfSmallGraphsIsTheCheapest) {
  SplitMixRandom random(1);
  int possible = 0, impossible = 0;
  for (int round = 0; round < 200; ++round) {
    const Owned owned = random_problem(random, round % 2 == 0);
    const auto found = remove_to_split(owned.problem(), 1, 300'000);
    const auto least = least_cost(owned);
    ASSERT_EQ(found.has_value(), least.has_value()) << round;
    ++(found ? possible : impossible);
    if (!found) continue;
    check(owned, *found);
    EXPECT_EQ(found->cost, *least) << round;
  }
  EXPECT_GT(possible, 100);
  EXPECT_GT(impossible, 10);
}

// Groups that only a few vertices connect: these vertices are all that must go.
TEST(Removal, FindsTheVerticesThatConnectGroups) {
  SplitMixRandom random(2);
  constexpr Vertex kGroups = 10, kSize = 30, kHubs = 7;
  std::vector<Edge> edges;
  for (Vertex group = 0; group < kGroups; ++group)
    for (Vertex b = 0; b < kSize; ++b)
      for (Vertex a = 0; a < b; ++a)
        if (random.below(2) == 0) edges.push_back({group * kSize + a, group * kSize + b});
  for (Vertex hub = 0; hub < kHubs; ++hub)
    for (Vertex k = 0; k < 60; ++k) edges.push_back({kGroups * kSize + hub, random.below(kGroups * kSize)});
  const Owned owned = plain(Graph(kGroups * kSize + kHubs, edges), std::vector<Bounds>(5, {57, 63}));
  const auto found = remove_to_split(owned.problem(), 1, 20'000'000);
  ASSERT_TRUE(found);
  check(owned, *found);
  EXPECT_EQ(found->cost, kHubs);
  EXPECT_EQ(found->lower_bound, kHubs);
}

TEST(Removal, KeepsVerticesOfHighCost) {
  // A path of five: the middle would go, but it costs more than its two neighbours.
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  Owned owned = plain(Graph(5, edges), {{2, 2}, {2, 2}});
  EXPECT_EQ(remove_to_split(owned.problem(), 1, 100'000)->removed, std::vector<Vertex>{2});
  owned.costs = {1, 1, 5, 1, 1};
  owned.bounds = {{1, 3}, {1, 3}};
  const auto found = remove_to_split(owned.problem(), 1, 100'000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cost, 1u);
  EXPECT_NE(found->subset_of[2], kAnySubset);
}

TEST(Removal, GivesTheSameOnEveryThread) {
  SplitMixRandom random(4);
  const Owned owned = plain(test::clustered_graph(400, 40, 300, random), std::vector<Bounds>(3, {60, 160}));
  std::vector<std::optional<Removal>> found(3);
  std::vector<std::thread> threads;
  for (auto& one : found) threads.emplace_back([&] { one = remove_to_split(owned.problem(), 5, 3'000'000); });
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(found[0]);
  check(owned, *found[0]);
  for (const auto& one : found) EXPECT_EQ(one->subset_of, found[0]->subset_of);
}

// What was found when the test was written: other machines, compilers and libraries must find the same.
TEST(Removal, GivesTheSameOnEveryMachine) {
  SplitMixRandom random(5);
  const Owned owned = plain(test::clustered_graph(200, 30, 120, random), std::vector<Bounds>(3, {30, 70}));
  const auto found = remove_to_split(owned.problem(), 6, 1'000'000);
  ASSERT_TRUE(found);
  std::uint64_t digest = 0;
  for (const Subset subset : found->subset_of) digest = split_mix(digest + subset + 2);
  EXPECT_EQ(digest, 15882521763066216820u);
}

TEST(Removal, MayHaveNothingToDo) {
  const Owned nothing = plain(Graph(), {{0, 5}, {0, 5}});
  EXPECT_EQ(remove_to_split(nothing.problem(), 1, 1000)->cost, 0u);
  const Owned one = plain(Graph(1, {}), {{0, 1}, {0, 1}});
  EXPECT_EQ(remove_to_split(one.problem(), 1, 1000)->cost, 0u);
  const Owned too_few = plain(Graph(3, {}), {{2, 3}, {2, 3}});
  EXPECT_FALSE(remove_to_split(too_few.problem(), 1, 1000));
}

TEST(Removal, StopsWhereThatIsRequested) {
  SplitMixRandom random(6);
  const Owned owned = plain(test::clustered_graph(300, 30, 200, random), std::vector<Bounds>(2, {1, 300}));
  StopFlag stop;
  std::thread other([&] { stop.request(); });
  EXPECT_THROW(remove_to_split(owned.problem(), 1, std::uint64_t{1} << 50, stop), Interrupted);
  other.join();
}

TEST(SplitGrowth, KeepsTheBoundsOfUnweightedGraphs) {
  SplitMixRandom random(7);
  for (int round = 0; round < 100; ++round) {
    Graph graph = test::clustered_graph(100, 20, 60, random);
    const std::uint64_t share = graph.vertices() / 3;
    const Owned owned = plain(std::move(graph), std::vector<Bounds>(3, {share - 2, share + 3}));
    std::vector<Subset> subset_of(owned.graph.vertices(), kAnySubset);
    std::uint64_t visits = 0;
    const GrowthRule rule = round % 2 == 0 ? GrowthRule::fewest_outside : GrowthRule::most_inside;
    grow_subsets(owned.problem(), {0, 1, 2}, rule, random, subset_of, visits);
    EXPECT_GT(visits, owned.graph.edges());
    for (Subset subset = 0; subset < 3; ++subset) {
      const auto size = static_cast<std::uint64_t>(std::count(subset_of.begin(), subset_of.end(), subset));
      EXPECT_GE(size, share - 2);
      EXPECT_LE(size, share + 3);
    }
    EXPECT_EQ(std::count(subset_of.begin(), subset_of.end(), kAnySubset), 0);
  }
}

TEST(SplitState, IsWhatItWouldBeIfCountedAnew) {
  SplitMixRandom random(8);
  for (int round = 0; round < 50; ++round) {
    Owned owned = random_problem(random, false);
    const auto subsets = static_cast<Subset>(owned.bounds.size());
    SplitState state(owned.problem(), std::vector<Subset>(owned.graph.vertices(), kAnySubset));
    for (int k = 0; k < 30; ++k) {
      const Vertex vertex = random.below(owned.graph.vertices());
      if (state.subset_of()[vertex] != kAnySubset && random.below(2) == 0)
        state.remove(vertex);
      else
        state.enter(vertex, random.below(subsets));
      const SplitState anew(owned.problem(), state.subset_of());
      EXPECT_EQ(state.removed_cost(), anew.removed_cost());
      EXPECT_EQ(state.out_of_bounds(), anew.out_of_bounds());
      EXPECT_TRUE(std::is_permutation(state.removed().begin(), state.removed().end(), anew.removed().begin(),
                                      anew.removed().end()));
      for (Vertex each = 0; each < owned.graph.vertices(); ++each)
        for (Subset subset = 0; subset < subsets; ++subset) {
          EXPECT_EQ(state.neighbours_in(each, subset).cost, anew.neighbours_in(each, subset).cost);
          EXPECT_EQ(state.neighbours_in(each, subset).weight, anew.neighbours_in(each, subset).weight);
        }
    }
  }
}

}  // namespace
}  // namespace alnus::graph
