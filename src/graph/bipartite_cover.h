// The cheapest vertex cover of a bipartite graph.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace alnus::graph {

// Vertices are numbered from 0 on either side.
struct BipartiteCover {
  std::vector<bool> left, right;  // true for vertices of the cover
  std::uint64_t cost = 0;         // of all of them
};

// Finds vertices of the least total cost such that every edge, {left, right}, has one of them. The cost is
// that of a maximum flow from the left vertices to the right ones, in which a vertex passes no more than its
// cost (Koenig 1931 for costs of 1). The flow grows along shortest augmenting paths, all of one length at a
// time (Dinic 1970), which is the algorithm of Hopcroft & Karp (1973) if all costs are 1: O(E sqrt(V)) steps;
// at most O(V^2 E) otherwise. Costs must be positive, and their sum must be below 2^64.
BipartiteCover bipartite_cover(std::span<const std::uint64_t> left_costs,
                               std::span<const std::uint64_t> right_costs,
                               std::span<const std::pair<std::uint32_t, std::uint32_t>> edges);

}  // namespace alnus::graph
