// Local search for removal, from one start.
#pragma once

#include <cstdint>
#include <vector>

#include "core/split_mix.h"
#include "core/stop_flag.h"
#include "graph/split_state.h"

namespace alnus::graph {

// An assignment and its price: the weight out of bounds, summed over subsets, and then the cost of the
// removed vertices.
struct PricedSplit {
  std::int64_t out_of_bounds = 0, removed = 0;
  std::vector<Subset> subset_of;
  bool cheaper_than(const PricedSplit& other) const {
    return out_of_bounds != other.out_of_bounds ? out_of_bounds < other.out_of_bounds
                                                : removed < other.removed;
  }
};

// Simulated annealing over assignments. A step chooses a vertex, mostly a removed one, and the subset that it
// enters at the lowest price: the costs of the neighbours elsewhere that must leave, less what is saved if
// the vertex was removed, and a penalty for weight out of bounds. A vertex that is in a subset may also be
// removed. What a step may cost more than it saves is random and falls with the temperature. The penalty
// grows while the assignment stays out of bounds.
class SplitSearch {
 public:
  SplitSearch(const RemovalProblem& problem, const std::vector<Subset>& start, std::uint64_t seed);

  // Searches for `work` visits of neighbours, while the temperature falls. Returns the best assignment found,
  // which is no dearer than the start. It may be out of bounds, if none within them was found.
  PricedSplit run(std::uint64_t work, const StopFlag& stop);

 private:
  Vertex choose_vertex();
  bool may_enter(Vertex vertex, Subset subset) const;
  // How much more weight is out of bounds if a vertex enters a subset, or is removed (kAnySubset).
  std::int64_t more_out_of_bounds(Vertex vertex, Subset subset) const;
  std::uint64_t step(std::int64_t temperature);

  RemovalProblem problem_;
  SplitState state_;
  SplitMixRandom random_;
  std::int64_t unit_;     // a typical cost
  std::int64_t penalty_;  // for each unit of weight out of bounds, in cost
  std::int64_t least_penalty_;
};

}  // namespace alnus::graph
