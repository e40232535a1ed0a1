// The vertices that must be removed so that an assignment to subsets separates all similar sequences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/pack.h"

namespace alnus::graph {

struct CutCover {
  std::vector<Vertex> vertices;   // in increasing order; without them no edge joins two subsets
  std::uint64_t cost = 0;         // of these vertices
  std::uint64_t lower_bound = 0;  // no vertices of lower cost do the same for this assignment
};

// Covers the edges that join two subsets. Vertices with kAnySubset are in no subset, and their edges do not
// count. `costs`: what removing a vertex costs, positive; their sum must be below 2^63. If the edges join two
// subsets in all, the cover is the cheapest one, and the lower bound is its cost. If they join more subsets,
// the problem is NP-hard. The lower bound is then the optimum of the relaxation in which half a vertex covers
// half of its edges' need, which is half the cheapest cover of the bipartite double graph (each vertex once
// on either side). Some cheapest cover has all vertices that the relaxation takes wholly, and none that it
// leaves wholly (Nemhauser & Trotter 1975); of the halves those are left out that are not needed, dearest
// first. So the cost is at most twice the lower bound. Time: that of bipartite_cover().
CutCover cut_cover(const Graph& graph, std::span<const Subset> subset_of,
                   std::span<const std::uint64_t> costs);

}  // namespace alnus::graph
