// A split: which subset each vertex goes to, so that no edge joins two subsets. Components stay whole, unless
// vertices may be removed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/stop_flag.h"
#include "graph/components.h"
#include "graph/graph.h"
#include "graph/pack.h"

namespace alnus::graph {

struct SplitVertex {
  std::uint64_t weight = 1;          // records that the vertex stands for
  std::uint64_t cost = 1;            // of removing it; positive
  std::vector<LabelCount> labels{};  // of its records; each label at most once
  Subset subset = kAnySubset;        // where it must go
};

struct SplitProblem {
  std::span<const SplitVertex> vertices;
  const ComponentMap& components;
  const Graph* graph = nullptr;         // null: no vertex may be removed
  std::span<const PackTarget> targets;  // of each subset; at least one
  std::uint32_t labels = 0;             // how many there are
  std::uint64_t seed = 1;
};

struct Split {
  std::vector<Subset> subset_of;     // of each vertex; kAnySubset if it is removed
  std::vector<std::uint64_t> sizes;  // records of each subset
  std::vector<Vertex> removed;       // in increasing order
  // No less can be removed for these assignments of the components that were cut (Removal::lower_bound).
  std::uint64_t lower_bound = 0;
  // True if every subset is within its bounds. If not, subsets are as near to them as packing got, and these
  // two say why, as far as it is known:
  bool within_bounds = false;
  std::optional<Vertex> too_large;    // the largest component that exceeds each subset that it may go to
  std::optional<Vertex> conflicting;  // a component with vertices that must go to different subsets
};

// Packs whole components (pack()). If that does not do and vertices may be removed, cuts those components
// that are too large or have vertices for different subsets (remove_to_split()) and packs what is left of
// them; if that does not do, either, cuts the graph as a whole, unless it has more than 2^27 vertices times
// subsets. The result depends on the arguments alone. Throws Interrupted when `stop` is requested.
Split split(const SplitProblem& problem, const StopFlag& stop = StopFlag::never());

}  // namespace alnus::graph
