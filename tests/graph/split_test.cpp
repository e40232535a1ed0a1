// Splits of a graph: components stay whole, or vertices are removed.
#include "graph/split.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace alnus::graph {
namespace {

struct Case {
  Graph graph;
  std::vector<SplitVertex> vertices;
  std::vector<PackTarget> targets;

  Split split(bool may_remove) const {
    const ComponentMap map = components(graph);
    return graph::split({vertices, map, may_remove ? &graph : nullptr, targets, 2, 1});
  }
};

// Paths of these numbers of vertices, one behind the other.
Case paths(const std::vector<Vertex>& lengths, const std::vector<Bounds>& bounds) {
  std::vector<Edge> edges;
  Vertex count = 0;
  for (const Vertex length : lengths) {
    for (Vertex v = count + 1; v < count + length; ++v) edges.push_back({v - 1, v});
    count += length;
  }
  Case made{Graph(count, edges), std::vector<SplitVertex>(count), {}};
  for (const Bounds& one : bounds) made.targets.push_back({1, one});
  return made;
}

// Expects that the split keeps what it promises, and that it removes `removed` vertices.
void expect_split(const Case& given, const Split& split, std::size_t removed) {
  ASSERT_TRUE(split.within_bounds);
  EXPECT_EQ(split.removed.size(), removed);
  EXPECT_FALSE(split.too_large || split.conflicting);
  std::vector<std::uint64_t> sizes(given.targets.size());
  std::vector<Vertex> gone;
  for (Vertex v = 0; v < given.graph.vertices(); ++v) {
    const Subset subset = split.subset_of[v];
    if (subset == kAnySubset) {
      gone.push_back(v);
      continue;
    }
    sizes[subset] += given.vertices[v].weight;
    if (given.vertices[v].subset != kAnySubset) {
      EXPECT_EQ(subset, given.vertices[v].subset);
    }
    for (const Vertex other : given.graph.neighbours(v))
      if (split.subset_of[other] != kAnySubset) {
        EXPECT_EQ(split.subset_of[other], subset);
      }
  }
  EXPECT_EQ(gone, split.removed);
  EXPECT_EQ(sizes, split.sizes);
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    EXPECT_GE(sizes[s], given.targets[s].bounds.lowest);
    EXPECT_LE(sizes[s], given.targets[s].bounds.highest);
  }
}

TEST(GraphSplit, PacksWholeComponents) {
  const Case given = paths({4, 3, 3, 2, 1, 1}, {{7, 7}, {7, 7}});
  for (const bool may_remove : {false, true}) expect_split(given, given.split(may_remove), 0);
}

TEST(GraphSplit, SaysWhichComponentIsTooLarge) {
  const Case given = paths({1, 8, 1}, {{4, 6}, {4, 6}});
  const Split split = given.split(false);
  EXPECT_FALSE(split.within_bounds);
  EXPECT_EQ(split.too_large, 1u);
}

TEST(GraphSplit, CutsAComponentThatIsTooLarge) {
  const Case given = paths({1, 9, 1}, {{4, 6}, {4, 6}});
  const Split split = given.split(true);
  expect_split(given, split, 1);
  EXPECT_EQ(split.lower_bound, 1u);
}

TEST(GraphSplit, RemovesTheCheapestVertex) {
  Case given = paths({9}, {{3, 6}, {3, 6}});
  for (SplitVertex& vertex : given.vertices) vertex.cost = 10;
  given.vertices[5].cost = 1;
  const Split split = given.split(true);
  expect_split(given, split, 1);
  EXPECT_EQ(split.removed, std::vector<Vertex>{5});
}

TEST(GraphSplit, CutsBetweenVerticesOfDifferentSubsets) {
  Case given = paths({5, 5}, {{4, 6}, {4, 6}});
  given.vertices[0].subset = 0;
  given.vertices[4].subset = 1;
  const Split without = given.split(false);
  EXPECT_FALSE(without.within_bounds);
  EXPECT_EQ(without.conflicting, 0u);
  expect_split(given, given.split(true), 1);
}

// Three paths of four fit into no two subsets of six.
TEST(GraphSplit, CutsTheGraphIfComponentsDoNotFit) {
  const Case given = paths({4, 4, 4}, {{5, 6}, {5, 6}});
  const Split without = given.split(false);
  EXPECT_FALSE(without.within_bounds || without.too_large || without.conflicting);
  EXPECT_EQ(std::accumulate(without.sizes.begin(), without.sizes.end(), 0u), 12u);
  expect_split(given, given.split(true), 1);
}

TEST(GraphSplit, NothingMayDo) {
  Case given = paths({3}, {{2, 2}, {2, 2}});
  EXPECT_FALSE(given.split(true).within_bounds);
}

TEST(GraphSplit, CanBeStopped) {
  const Case given = paths({30, 30}, {{20, 40}, {20, 40}});
  const ComponentMap map = components(given.graph);
  StopFlag stop;
  stop.request();
  EXPECT_THROW(split({given.vertices, map, &given.graph, given.targets, 0, 1}, stop), Interrupted);
}

}  // namespace
}  // namespace alnus::graph
