#include "graph/representatives.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <tuple>

#include "random_graphs.h"

namespace alnus::graph {
namespace {

using Rank = std::vector<std::uint32_t>;

bool similar(const Graph& graph, Vertex a, Vertex b) { return a == b || test::has_edge(graph, a, b); }

void expect_the_promise(const Graph& graph, const Representatives& found) {
  ASSERT_EQ(found.of.size(), graph.vertices());
  for (std::size_t k = 0; k < found.chosen.size(); ++k) {
    EXPECT_EQ(found.of[found.chosen[k]], found.chosen[k]);
    for (std::size_t before = 0; before < k; ++before)
      EXPECT_FALSE(similar(graph, found.chosen[before], found.chosen[k]));
  }
  for (Vertex vertex = 0; vertex < graph.vertices(); ++vertex) {
    const auto first = std::find_if(found.chosen.begin(), found.chosen.end(),
                                    [&](Vertex chosen) { return similar(graph, vertex, chosen); });
    ASSERT_NE(first, found.chosen.end());
    EXPECT_EQ(found.of[vertex], *first);
  }
}

std::vector<Vertex> order_of(const Rank& rank) {
  std::vector<Vertex> order(rank.size());
  std::iota(order.begin(), order.end(), Vertex{0});
  std::sort(order.begin(), order.end(),
            [&](Vertex a, Vertex b) { return std::tie(rank[a], a) < std::tie(rank[b], b); });
  return order;
}

// By the definitions, without any index.
std::vector<Vertex> plain_greedy(const Graph& graph, const Rank& rank) {
  std::vector<Vertex> chosen;
  for (const Vertex vertex : order_of(rank))
    if (std::none_of(chosen.begin(), chosen.end(), [&](Vertex c) { return similar(graph, vertex, c); }))
      chosen.push_back(vertex);
  return chosen;
}

std::vector<Vertex> plain_set_cover(const Graph& graph, const Rank& rank) {
  std::vector<Vertex> chosen;
  const auto covered = [&](Vertex vertex) {
    return std::any_of(chosen.begin(), chosen.end(), [&](Vertex c) { return similar(graph, vertex, c); });
  };
  for (;;) {
    std::size_t most = 0;
    Vertex best = 0;
    for (const Vertex vertex : order_of(rank)) {
      if (covered(vertex)) continue;
      const auto neighbours = graph.neighbours(vertex);
      const auto gain =
          1 + std::count_if(neighbours.begin(), neighbours.end(), [&](Vertex n) { return !covered(n); });
      if (static_cast<std::size_t>(gain) > most) {
        most = static_cast<std::size_t>(gain);
        best = vertex;
      }
    }
    if (most == 0) return chosen;
    chosen.push_back(best);
  }
}

TEST(Representatives, AreThoseOfTheDefinitions) {
  SplitMixRandom random(1);
  for (int round = 0; round < 500; ++round) {
    const Vertex vertices = 1 + random.below(25);
    const Graph graph = test::random_graph(vertices, random.below(80), random);
    const Rank rank = test::random_numbers(vertices, 10, random);  // with ties
    const Representatives greedy = greedy_representatives(graph, rank);
    EXPECT_EQ(greedy.chosen, plain_greedy(graph, rank));
    expect_the_promise(graph, greedy);
    const Representatives cover = set_cover_representatives(graph, rank);
    EXPECT_EQ(cover.chosen, plain_set_cover(graph, rank));
    expect_the_promise(graph, cover);
  }
}

TEST(Representatives, SetCoverNeedsFewer) {
  SplitMixRandom random(2);
  std::size_t greedy = 0, cover = 0;
  for (int round = 0; round < 20; ++round) {
    const Graph graph = test::clustered_graph(300, 60, 300, random);
    const Rank rank = test::random_numbers(graph.vertices(), 1000, random);
    greedy += greedy_representatives(graph, rank).chosen.size();
    cover += set_cover_representatives(graph, rank).chosen.size();
  }
  EXPECT_LT(cover * 10, greedy * 9);
}

TEST(Representatives, OfAStarDependOnTheRule) {
  std::vector<Edge> edges;
  for (Vertex leaf = 1; leaf < 6; ++leaf) edges.push_back({0, leaf});
  const Graph star(6, edges);
  const Rank centre_last = {9, 0, 1, 2, 3, 4};
  EXPECT_EQ(greedy_representatives(star, centre_last).chosen, (std::vector<Vertex>{1, 2, 3, 4, 5}));
  EXPECT_EQ(set_cover_representatives(star, centre_last).chosen, std::vector<Vertex>{0});
}

TEST(Representatives, OfNothingAreNone) {
  EXPECT_TRUE(greedy_representatives(Graph(), {}).chosen.empty());
  EXPECT_TRUE(set_cover_representatives(Graph(), {}).chosen.empty());
}

}  // namespace
}  // namespace alnus::graph
