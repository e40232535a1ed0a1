#include "graph/cut_cover.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "graph/bipartite_cover.h"
#include "random_graphs.h"

namespace alnus::graph {
namespace {

using Costs = std::vector<std::uint64_t>;

Costs random_costs(std::size_t count, std::uint32_t highest, SplitMixRandom& random) {
  Costs costs(count);
  for (auto& cost : costs) cost = 1 + random.below(highest);
  return costs;
}

std::vector<Edge> cut_edges(const Graph& graph, const std::vector<Subset>& subset_of) {
  std::vector<Edge> edges;
  for (Vertex a = 0; a < graph.vertices(); ++a)
    for (const Vertex b : graph.neighbours(a))
      if (a < b && subset_of[a] != kAnySubset && subset_of[b] != kAnySubset && subset_of[a] != subset_of[b])
        edges.push_back({a, b});
  return edges;
}

// The least cost of a cover, and of one in which vertices count in halves, by trying all of them.
std::uint64_t least_cost(const std::vector<Edge>& edges, const Costs& costs) {
  std::uint64_t least = ~0ull;
  for (std::uint32_t chosen = 0; chosen < 1u << costs.size(); ++chosen) {
    if (!std::all_of(edges.begin(), edges.end(),
                     [&](const Edge& edge) { return (chosen >> edge.a | chosen >> edge.b) & 1; }))
      continue;
    std::uint64_t cost = 0;
    for (std::size_t k = 0; k < costs.size(); ++k) cost += (chosen >> k & 1) * costs[k];
    least = std::min(least, cost);
  }
  return least;
}

std::uint64_t least_twice_in_halves(const std::vector<Edge>& edges, const Costs& costs) {
  std::vector<std::uint8_t> halves(costs.size());
  std::uint64_t least = ~0ull;
  for (;;) {
    if (std::all_of(edges.begin(), edges.end(),
                    [&](const Edge& edge) { return halves[edge.a] + halves[edge.b] >= 2; }))
      least =
          std::min(least, std::inner_product(costs.begin(), costs.end(), halves.begin(), std::uint64_t{0}));
    std::size_t k = 0;
    while (k < halves.size() && ++halves[k] == 3) halves[k++] = 0;
    if (k == halves.size()) return least;
  }
}

TEST(BipartiteCover, IsTheCheapest) {
  SplitMixRandom random(1);
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t left = 1 + random.below(7), right = 1 + random.below(7);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::vector<Edge> edges;
    for (std::uint32_t k = random.below(25); k > 0; --k) {
      pairs.push_back({random.below(left), random.below(right)});
      edges.push_back({pairs.back().first, left + pairs.back().second});
    }
    const Costs costs = random_costs(left + right, round % 2 == 0 ? 1 : 9, random);
    const auto [of_left, of_right, cost] =
        bipartite_cover(std::span(costs).first(left), std::span(costs).subspan(left), pairs);
    EXPECT_EQ(cost, least_cost(edges, costs));
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < left; ++k) sum += of_left[k] ? costs[k] : 0;
    for (std::uint32_t k = 0; k < right; ++k) sum += of_right[k] ? costs[left + k] : 0;
    EXPECT_EQ(sum, cost);
    for (const auto& [a, b] : pairs) EXPECT_TRUE(of_left[a] || of_right[b]);
  }
}

// A path of a million edges: neither recursion nor a number of rounds that grows with the length.
TEST(BipartiteCover, OfALongPath) {
  constexpr std::uint32_t kSide = 500'000;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t k = 0; k < kSide; ++k) {
    pairs.push_back({k, k});
    if (k > 0) pairs.push_back({k, k - 1});
  }
  std::reverse(pairs.begin(), pairs.end());
  const Costs costs(kSide, 1);
  EXPECT_EQ(bipartite_cover(costs, costs, pairs).cost, kSide);
}

void check_cover(const Graph& graph, const std::vector<Subset>& subset_of, const Costs& costs,
                 const CutCover& found) {
  std::uint64_t cost = 0;
  for (const Vertex vertex : found.vertices) cost += costs[vertex];
  EXPECT_EQ(found.cost, cost);
  const auto removed = [&](Vertex vertex) {
    return std::binary_search(found.vertices.begin(), found.vertices.end(), vertex);
  };
  for (const Edge& edge : cut_edges(graph, subset_of)) EXPECT_TRUE(removed(edge.a) || removed(edge.b));
}

TEST(CutCover, OfTwoSubsetsIsTheCheapest) {
  SplitMixRandom random(2);
  for (int round = 0; round < 300; ++round) {
    const Vertex vertices = 1 + random.below(14);
    const Graph graph = test::random_graph(vertices, random.below(60), random);
    std::vector<Subset> subset_of(vertices);
    for (Subset& subset : subset_of) subset = random.below(6) == 0 ? kAnySubset : 3 + 4 * random.below(2);
    const Costs costs = random_costs(vertices, round % 2 == 0 ? 1 : 9, random);
    const CutCover found = cut_cover(graph, subset_of, costs);
    check_cover(graph, subset_of, costs, found);
    EXPECT_EQ(found.cost, least_cost(cut_edges(graph, subset_of), costs));
    EXPECT_EQ(found.cost, found.lower_bound);
  }
}

TEST(CutCover, OfMoreSubsetsIsBoundedByTheRelaxation) {
  SplitMixRandom random(3);
  int equal = 0, more_than_two = 0;
  for (int round = 0; round < 150; ++round) {
    const Vertex vertices = 4 + random.below(6);
    const Graph graph = test::random_graph(vertices, random.below(40), random);
    const auto subset_of = test::random_numbers(vertices, 4, random);
    const Costs costs = random_costs(vertices, round % 2 == 0 ? 1 : 9, random);
    const CutCover found = cut_cover(graph, subset_of, costs);
    check_cover(graph, subset_of, costs, found);
    const auto edges = cut_edges(graph, subset_of);
    const std::uint64_t least = least_cost(edges, costs), twice = least_twice_in_halves(edges, costs);
    EXPECT_GE(found.cost, least);
    EXPECT_LE(found.cost, 2 * found.lower_bound);
    EXPECT_TRUE(found.lower_bound == least || found.lower_bound == (twice + 1) / 2);
    EXPECT_LE(found.lower_bound, least);
    EXPECT_GE(found.lower_bound, (twice + 1) / 2);
    equal += found.cost == least ? 1 : 0;
    more_than_two += found.lower_bound < least ? 1 : 0;
  }
  EXPECT_GT(equal, 120);
  EXPECT_GT(more_than_two, 10);  // else the test shows nothing about halves
}

TEST(CutCover, OfNoCutIsEmpty) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}};
  const Graph graph(3, edges);
  const Costs costs(3, 1);
  EXPECT_TRUE(cut_cover(graph, std::vector<Subset>{2, 2, 2}, costs).vertices.empty());
  EXPECT_EQ(cut_cover(graph, std::vector<Subset>{0, kAnySubset, 1}, costs).cost, 0u);
}

}  // namespace
}  // namespace alnus::graph
