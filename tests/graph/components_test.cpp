#include "graph/components.h"

#include <gtest/gtest.h>

#include "random_graphs.h"

namespace alnus::graph {
namespace {

// The same by the definition: each vertex takes the lowest number among its neighbours until nothing changes.
std::vector<Vertex> first_vertices(const Graph& graph) {
  std::vector<Vertex> first(graph.vertices());
  for (Vertex vertex = 0; vertex < graph.vertices(); ++vertex) first[vertex] = vertex;
  for (bool changed = true; changed;) {
    changed = false;
    for (Vertex vertex = 0; vertex < graph.vertices(); ++vertex)
      for (const Vertex neighbour : graph.neighbours(vertex))
        if (first[neighbour] < first[vertex]) {
          first[vertex] = first[neighbour];
          changed = true;
        }
  }
  return first;
}

TEST(Components, AreThoseOfTheDefinitionInTheOrderOfTheirFirstVertices) {
  SplitMixRandom random(1);
  for (int round = 0; round < 300; ++round) {
    const Vertex vertices = 1 + random.below(30);
    const Graph graph = test::random_graph(vertices, random.below(30), random);
    const ComponentMap map = components(graph);
    const auto first = first_vertices(graph);
    std::vector<Vertex> number(vertices), sizes;
    for (Vertex vertex = 0; vertex < vertices; ++vertex) {
      if (first[vertex] == vertex) {
        number[vertex] = static_cast<Vertex>(sizes.size());
        sizes.push_back(0);
      }
      ASSERT_EQ(map.of[vertex], number[first[vertex]]);
      ++sizes[map.of[vertex]];
    }
    EXPECT_EQ(map.sizes, sizes);
    const auto members = map.members();
    ASSERT_EQ(members.size(), sizes.size());
    for (Vertex k = 0; k < sizes.size(); ++k) {
      EXPECT_EQ(members[k].size(), sizes[k]);
      EXPECT_TRUE(std::is_sorted(members[k].begin(), members[k].end()));
      for (const Vertex vertex : members[k]) EXPECT_EQ(map.of[vertex], k);
    }
  }
}

TEST(Components, DoNotDependOnTheOrderOfTheEdges) {
  SplitMixRandom random(2);
  for (int round = 0; round < 100; ++round) {
    auto edges = test::random_edges(50, 40, random);
    const ComponentMap expected = components(Graph(50, edges));
    permute(std::span(edges), random);
    Components found(50);
    for (const Edge& edge : edges) {
      found.join(edge.b, edge.a);
      EXPECT_TRUE(found.joined(edge.a, edge.b));
    }
    EXPECT_EQ(found.count(), expected.sizes.size());
    EXPECT_EQ(found.map().of, expected.of);
    EXPECT_EQ(found.map().sizes, expected.sizes);
  }
}

TEST(Components, OfALongPathAreOne) {
  constexpr Vertex kVertices = 1'000'000;
  Components found(kVertices);
  for (Vertex vertex = kVertices - 1; vertex > 0; --vertex) found.join(vertex, vertex - 1);
  EXPECT_EQ(found.count(), 1u);
  EXPECT_EQ(found.map().sizes, std::vector<Vertex>{kVertices});
}

}  // namespace
}  // namespace alnus::graph
