#include "graph/representatives.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace alnus::graph {
namespace {

constexpr Vertex kUncovered = std::numeric_limits<Vertex>::max();

// The vertices in their order.
std::vector<Vertex> in_order(std::span<const std::uint32_t> rank) {
  std::vector<Vertex> order(rank.size());
  std::iota(order.begin(), order.end(), Vertex{0});
  std::stable_sort(order.begin(), order.end(), [&](Vertex a, Vertex b) { return rank[a] < rank[b]; });
  return order;
}

}  // namespace

Representatives greedy_representatives(const Graph& graph, std::span<const std::uint32_t> rank) {
  Representatives result{std::vector<Vertex>(graph.vertices(), kUncovered), {}};
  for (const Vertex vertex : in_order(rank)) {
    if (result.of[vertex] != kUncovered) continue;
    result.of[vertex] = vertex;
    result.chosen.push_back(vertex);
    for (const Vertex neighbour : graph.neighbours(vertex))
      if (result.of[neighbour] == kUncovered) result.of[neighbour] = vertex;
  }
  return result;
}

Representatives set_cover_representatives(const Graph& graph, std::span<const std::uint32_t> rank) {
  Representatives result{std::vector<Vertex>(graph.vertices(), kUncovered), {}};
  const std::vector<Vertex> order = in_order(rank);

  // A candidate lies in the bucket of the neighbours that it would have covered when it was put there. The
  // number only falls, so that each candidate is looked at when its bucket is the highest, and moves down if
  // its number has fallen meanwhile. Buckets hold places in the order.
  std::vector<std::uint64_t> uncovered(order.size());
  std::uint64_t highest = 0;
  for (Vertex vertex = 0; vertex < graph.vertices(); ++vertex)
    highest = std::max(highest, uncovered[vertex] = graph.degree(vertex));
  std::vector<std::vector<Vertex>> buckets(highest + 1);
  for (std::size_t k = 0; k < order.size(); ++k)
    buckets[uncovered[order[k]]].push_back(static_cast<Vertex>(k));

  const auto cover = [&](Vertex vertex, Vertex representative) {
    result.of[vertex] = representative;
    for (const Vertex neighbour : graph.neighbours(vertex)) --uncovered[neighbour];
  };
  for (std::size_t number = buckets.size(); number-- > 0;) {
    std::vector<Vertex> bucket = std::move(buckets[number]);
    std::sort(bucket.begin(), bucket.end());
    for (const Vertex k : bucket) {
      const Vertex vertex = order[k];
      if (result.of[vertex] != kUncovered) continue;
      if (uncovered[vertex] < number) {
        buckets[uncovered[vertex]].push_back(k);
        continue;
      }
      result.chosen.push_back(vertex);
      cover(vertex, vertex);
      for (const Vertex neighbour : graph.neighbours(vertex))
        if (result.of[neighbour] == kUncovered) cover(neighbour, vertex);
    }
  }
  return result;
}

}  // namespace alnus::graph
