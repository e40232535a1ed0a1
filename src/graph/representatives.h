// Clusters around representatives: every vertex is a representative or similar to its own one, and no two
// representatives are similar to each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace alnus::graph {

struct Representatives {
  std::vector<Vertex> of;      // the representative of each vertex; a representative has itself
  std::vector<Vertex> chosen;  // the representatives in the order in which they were chosen
};

// In both functions `rank` has a number for each vertex: vertices of lower rank come first, and of two
// vertices of the same rank the one with the lower number. A member that is similar to several
// representatives belongs to the one that was chosen first.

// Goes through the vertices in their order. A vertex that is similar to no representative yet becomes one, as
// in CD-HIT (Li & Godzik 2006). Time: O(V log V + E).
Representatives greedy_representatives(const Graph& graph, std::span<const std::uint32_t> rank);

// Chooses again and again the vertex that covers the most vertices which have no representative yet: the
// vertex itself and its neighbours. Only vertices without a representative are candidates, so that no two
// representatives are similar; this is the greedy rule for set cover (Chvatal 1979) with that restriction.
// The first vertex in the order wins ties. There are mostly fewer representatives than by the other rule.
// Time: O(V log V + E) and a sort of the candidates that are equally good; a million vertices take about a
// second.
Representatives set_cover_representatives(const Graph& graph, std::span<const std::uint32_t> rank);

}  // namespace alnus::graph
