// Removal: the fewest sequences that must go so that what is left of a component can be split.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/stop_flag.h"
#include "graph/graph.h"
#include "graph/pack.h"

namespace alnus::graph {

struct RemovalProblem {
  const Graph& graph;                      // need not be connected
  std::span<const std::uint64_t> weights;  // of each vertex: its records (a folded sequence has several)
  std::span<const std::uint64_t>
      costs;                       // of removing each vertex: positive, higher for those of higher priority
  std::span<const Bounds> bounds;  // of the weight of each subset; at least one subset
  std::span<const Subset> fixed = {};  // the subset that a vertex must be in unless it is removed, or
                                       // kAnySubset; empty: no vertex must be anywhere
};

struct Removal {
  std::vector<Subset> subset_of;     // kAnySubset for removed vertices
  std::vector<Vertex> removed;       // in increasing order
  std::vector<std::uint64_t> sizes;  // weight of each subset, within its bounds
  std::uint64_t cost = 0;            // of the removed vertices
  // No less can be removed from the assignment that was found, if each removed vertex is put into the subset
  // where most of its neighbours are (by their cost), or into its fixed one: see CutCover. Another assignment
  // may need less.
  std::uint64_t lower_bound = 0;
};

// Finds an assignment of vertices to subsets, and vertices of low total cost to remove, so that no edge joins
// two subsets and the weight of every subset is within its bounds. The problem is NP-hard, and the result is
// the best that was found. Subsets grow from random vertices along edges, up to sizes where few vertices are
// between them and the rest, and the cheapest cover of the edges between them is removed. From there
// simulated annealing lets a removed vertex enter the subset where that costs least, and its neighbours in
// other subsets leave. Of 64 such starts the best four, and then the best one, are changed again and again:
// two or three of their subsets grow anew, and what comes of that is kept unless it is dearer.
// Returns nothing if no assignment within the bounds was found, which does not prove that there is none.
// `work`: visits of neighbours, some 300 million a second; 0 for an amount in proportion to the graph, 5 to
// 15 seconds on one core for 4,000 vertices and 200,000 to 500,000 edges. The result depends on the arguments
// alone. Memory: 16 bytes for each vertex and subset, and 256 bytes for each vertex.
// Weights and costs must be below 2^31, and their sums below 2^40. Without a vertex there is nothing to do.
std::optional<Removal> remove_to_split(const RemovalProblem& problem, std::uint64_t seed,
                                       std::uint64_t work = 0, const StopFlag& stop = StopFlag::never());

}  // namespace alnus::graph
