#include "graph/cut_cover.h"

#include <algorithm>
#include <utility>

#include "graph/bipartite_cover.h"

namespace alnus::graph {
namespace {

// Calls use(vertex, neighbour) for each edge between two subsets, in both directions.
template <typename Use>
void each_cut_edge(const Graph& graph, std::span<const Subset> subset_of, Use&& use) {
  for (Vertex vertex = 0; vertex < graph.vertices(); ++vertex) {
    if (subset_of[vertex] == kAnySubset) continue;
    for (const Vertex neighbour : graph.neighbours(vertex))
      if (subset_of[neighbour] != kAnySubset && subset_of[neighbour] != subset_of[vertex])
        use(vertex, neighbour);
  }
}

// The subset of the first vertex of a cut edge, if the cut edges join it to one other subset alone; else
// kAnySubset.
Subset one_side(const Graph& graph, std::span<const Subset> subset_of) {
  Subset first = kAnySubset, second = kAnySubset;
  bool two = true;
  each_cut_edge(graph, subset_of, [&](Vertex a, Vertex b) {
    if (first == kAnySubset) {
      first = subset_of[a];
      second = subset_of[b];
    }
    two = two && (subset_of[a] == first || subset_of[a] == second);
  });
  return two ? first : kAnySubset;
}

// Takes those vertices out of the cover that are marked and not needed, dearest first.
void drop_unneeded(const Graph& graph, std::span<const Subset> subset_of,
                   std::span<const std::uint64_t> costs, std::vector<Vertex> marked,
                   std::vector<bool>& in_cover) {
  std::stable_sort(marked.begin(), marked.end(), [&](Vertex a, Vertex b) { return costs[a] > costs[b]; });
  for (const Vertex vertex : marked) {
    const auto neighbours = graph.neighbours(vertex);
    in_cover[vertex] = std::any_of(neighbours.begin(), neighbours.end(), [&](Vertex other) {
      return subset_of[other] != kAnySubset && subset_of[other] != subset_of[vertex] && !in_cover[other];
    });
  }
}

}  // namespace

CutCover cut_cover(const Graph& graph, std::span<const Subset> subset_of,
                   std::span<const std::uint64_t> costs) {
  // Every vertex is on both sides of the bipartite graph. With two subsets an edge is in it in one direction
  // only.
  const Subset side = one_side(graph, subset_of);
  std::vector<std::pair<Vertex, Vertex>> edges;
  each_cut_edge(graph, subset_of, [&](Vertex a, Vertex b) {
    if (side == kAnySubset || subset_of[a] == side) edges.push_back({a, b});
  });
  CutCover result;
  if (edges.empty()) return result;
  const BipartiteCover cover = bipartite_cover(costs, costs, edges);
  std::vector<bool> in_cover(graph.vertices());
  if (side != kAnySubset) {
    result.lower_bound = cover.cost;
    for (const auto& [a, b] : edges) {
      if (cover.left[a]) in_cover[a] = true;
      if (cover.right[b]) in_cover[b] = true;
    }
  } else {
    result.lower_bound = cover.cost / 2 + cover.cost % 2;
    std::vector<Vertex> halves;
    for (const auto& [a, b] : edges) {  // each vertex with a cut edge is first in one of them
      if (!in_cover[a] && cover.left[a] != cover.right[a]) halves.push_back(a);
      in_cover[a] = cover.left[a] || cover.right[a];
    }
    drop_unneeded(graph, subset_of, costs, halves, in_cover);
  }
  for (Vertex vertex = 0; vertex < graph.vertices(); ++vertex)
    if (in_cover[vertex]) {
      result.vertices.push_back(vertex);
      result.cost += costs[vertex];
    }
  return result;
}

}  // namespace alnus::graph
