// Starts for removal: subsets that grow along edges.
#pragma once

#include <vector>

#include "core/split_mix.h"
#include "graph/removal.h"

namespace alnus::graph {

// How growth chooses the next vertex among those beside the subset.
enum class GrowthRule : std::uint8_t {
  fewest_outside,  // the most neighbours inside, less those in no subset yet
  most_inside      // the largest share of neighbours inside
};

// Assigns those vertices that have kAnySubset to the subsets of a list, one subset after the other in random
// order. A subset, which must be empty, grows from a random vertex by one neighbour after the other. It ends,
// within its bounds and such that the bounds of the others can still be kept, where the vertices on the inner
// or those on the outer side of its border cost the least. The last subset gets the rest. Edges may join
// subsets. Vertices for which no subset has room keep kAnySubset. Adds to `visits` the neighbours that were
// visited.
void grow_subsets(const RemovalProblem& problem, std::vector<Subset> growing, GrowthRule rule,
                  SplitMixRandom& random, std::vector<Subset>& subset_of, std::uint64_t& visits);

}  // namespace alnus::graph
