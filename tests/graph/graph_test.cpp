#include "graph/graph.h"

#include <array>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <utility>

#include "random_graphs.h"

namespace alnus::graph {
namespace {

using Pairs = std::set<std::pair<Vertex, Vertex>>;

Pairs pairs_of(const std::vector<Edge>& edges) {
  Pairs pairs;
  for (const Edge& edge : edges)
    if (edge.a != edge.b) pairs.insert(std::minmax(edge.a, edge.b));
  return pairs;
}

// Both directions of all edges; checks that lists are sorted, without loops and duplicates, and that each
// edge is in the lists of both of its vertices.
Pairs pairs_of(const Graph& graph) {
  Pairs pairs;
  for (Vertex vertex = 0; vertex < graph.vertices(); ++vertex) {
    const auto neighbours = graph.neighbours(vertex);
    EXPECT_EQ(neighbours.size(), graph.degree(vertex));
    EXPECT_TRUE(std::is_sorted(neighbours.begin(), neighbours.end(), std::less_equal<>{}));
    for (const Vertex neighbour : neighbours) {
      EXPECT_NE(neighbour, vertex);
      EXPECT_TRUE(test::has_edge(graph, neighbour, vertex));
      pairs.insert(std::minmax(vertex, neighbour));
    }
  }
  EXPECT_EQ(pairs.size(), graph.edges());
  return pairs;
}

TEST(Graph, HasEachEdgeOnce) {
  SplitMixRandom random(1);
  for (int round = 0; round < 300; ++round) {
    const Vertex vertices = 1 + random.below(12);
    const auto edges = test::random_edges(vertices, random.below(40), random);
    const Graph graph(vertices, edges);
    EXPECT_EQ(graph.vertices(), vertices);
    EXPECT_EQ(pairs_of(graph), pairs_of(edges));
  }
}

TEST(Graph, MayBeEmpty) {
  EXPECT_EQ(Graph().vertices(), 0u);
  EXPECT_EQ(Graph(0, {}).edges(), 0u);
  const Graph graph(3, {});
  EXPECT_EQ(graph.vertices(), 3u);
  EXPECT_TRUE(graph.neighbours(2).empty());
}

TEST(Graph, RefusesEdgesOfVerticesThatDoNotExist) {
  const std::array edges = {Edge{0, 1}, Edge{1, 2}};
  EXPECT_THROW(Graph(2, edges), std::out_of_range);
}

TEST(Graph, InducedGraphsHaveTheEdgesBetweenTheirVertices) {
  SplitMixRandom random(2);
  for (int round = 0; round < 200; ++round) {
    const Graph graph = test::random_graph(12, random.below(50), random);
    std::vector<Vertex> chosen = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    permute(std::span(chosen), random);
    chosen.resize(random.below(13));
    const Graph part = graph.induced(chosen);
    ASSERT_EQ(part.vertices(), chosen.size());
    Pairs expected;
    for (Vertex b = 0; b < chosen.size(); ++b)
      for (Vertex a = 0; a < b; ++a)
        if (test::has_edge(graph, chosen[a], chosen[b])) expected.insert({a, b});
    EXPECT_EQ(pairs_of(part), expected);
  }
}

TEST(Graph, ContractedGraphsJoinTheImagesOfTheirEdges) {
  SplitMixRandom random(3);
  for (int round = 0; round < 200; ++round) {
    const auto edges = test::random_edges(12, random.below(50), random);
    const auto images = test::random_numbers(12, 5, random);
    std::vector<Edge> expected;
    for (const Edge& edge : edges) expected.push_back({images[edge.a], images[edge.b]});
    const Graph contracted = Graph(12, edges).contracted(images, 5);
    EXPECT_EQ(contracted.vertices(), 5u);
    EXPECT_EQ(pairs_of(contracted), pairs_of(expected));
  }
}

}  // namespace
}  // namespace alnus::graph
