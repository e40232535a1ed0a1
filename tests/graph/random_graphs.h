// Graphs for tests, random and the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/split_mix.h"
#include "graph/components.h"
#include "graph/graph.h"

namespace alnus::test {

using graph::Edge;
using graph::Graph;
using graph::Vertex;

// `count` edges, among them loops and edges that are there twice.
inline std::vector<Edge> random_edges(Vertex vertices, std::uint32_t count, SplitMixRandom& random) {
  std::vector<Edge> edges(count);
  for (Edge& edge : edges) edge = {random.below(vertices), random.below(vertices)};
  return edges;
}

inline Graph random_graph(Vertex vertices, std::uint32_t edges, SplitMixRandom& random) {
  return {vertices, random_edges(vertices, edges, random)};
}

inline std::vector<std::uint32_t> random_numbers(std::size_t count, std::uint32_t limit,
                                                 SplitMixRandom& random) {
  std::vector<std::uint32_t> numbers(count);
  std::generate(numbers.begin(), numbers.end(), [&] { return random.below(limit); });
  return numbers;
}

inline bool has_edge(const Graph& graph, Vertex a, Vertex b) {
  const auto neighbours = graph.neighbours(a);
  return std::binary_search(neighbours.begin(), neighbours.end(), b);
}

// A connected graph like those of related sequences: groups of very different sizes, in which about half of
// the pairs are similar, and `bridges` edges between vertices of any groups. Fewer vertices than `vertices`
// if some edges that would connect them are missing.
inline Graph clustered_graph(Vertex vertices, Vertex largest, std::uint32_t bridges, SplitMixRandom& random) {
  std::vector<Edge> edges;
  for (Vertex first = 0; first < vertices;) {
    const Vertex size = std::min(vertices - first, 1 + largest / (1 + random.below(largest)));
    for (Vertex b = first + 1; b < first + size; ++b)
      for (Vertex a = first; a < b; ++a)
        if (random.below(2) == 0) edges.push_back({a, b});
    first += size;
  }
  const auto more = random_edges(vertices, bridges, random);
  edges.insert(edges.end(), more.begin(), more.end());
  const Graph whole(vertices, edges);
  const auto map = graph::components(whole);
  const auto biggest = std::max_element(map.sizes.begin(), map.sizes.end()) - map.sizes.begin();
  return whole.induced(map.members()[static_cast<std::size_t>(biggest)]);
}

}  // namespace alnus::test
