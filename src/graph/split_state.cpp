#include "graph/split_state.h"

#include <utility>

namespace alnus::graph {

SplitState::SplitState(const RemovalProblem& problem, std::vector<Subset> subset_of)
    : problem_(problem),
      subset_of_(std::move(subset_of)),
      neighbours_in_(subset_of_.size() * problem.bounds.size()),
      sizes_(problem.bounds.size()),
      place_(subset_of_.size()) {
  for (const Bounds& bounds : problem.bounds) out_of_bounds_ += static_cast<std::int64_t>(bounds.lowest);
  for (Vertex vertex = 0; vertex < subset_of_.size(); ++vertex) {
    if (subset_of_[vertex] != kAnySubset) {
      count(vertex, subset_of_[vertex], 1);
    } else {
      place_[vertex] = static_cast<Vertex>(removed_.size());
      removed_.push_back(vertex);
      removed_cost_ += static_cast<std::int64_t>(problem.costs[vertex]);
    }
  }
}

std::int64_t SplitState::out_of_bounds(Subset subset, std::int64_t size) const {
  const auto lowest = static_cast<std::int64_t>(problem_.bounds[subset].lowest);
  const auto highest = static_cast<std::int64_t>(problem_.bounds[subset].highest);
  return size < lowest ? lowest - size : size > highest ? size - highest : 0;
}

void SplitState::count(Vertex vertex, Subset subset, std::int64_t sign) {
  const std::int64_t cost = sign * static_cast<std::int64_t>(problem_.costs[vertex]);
  const std::int64_t weight = sign * static_cast<std::int64_t>(problem_.weights[vertex]);
  out_of_bounds_ -= out_of_bounds(subset, sizes_[subset]);
  sizes_[subset] += weight;
  out_of_bounds_ += out_of_bounds(subset, sizes_[subset]);
  Total* of_subset = neighbours_in_.data() + subset;
  for (const Vertex neighbour : problem_.graph.neighbours(vertex)) {
    Total& total = of_subset[std::size_t{neighbour} * sizes_.size()];
    total.cost += cost;
    total.weight += weight;
  }
}

std::uint64_t SplitState::remove(Vertex vertex) {
  count(vertex, subset_of_[vertex], -1);
  subset_of_[vertex] = kAnySubset;
  place_[vertex] = static_cast<Vertex>(removed_.size());
  removed_.push_back(vertex);
  removed_cost_ += static_cast<std::int64_t>(problem_.costs[vertex]);
  return problem_.graph.degree(vertex);
}

std::uint64_t SplitState::enter(Vertex vertex, Subset subset) {
  std::uint64_t visits = 2 * problem_.graph.degree(vertex);
  if (subset_of_[vertex] != kAnySubset) {
    visits += remove(vertex);
  }
  leaving_.clear();
  for (const Vertex neighbour : problem_.graph.neighbours(vertex))
    if (subset_of_[neighbour] != kAnySubset && subset_of_[neighbour] != subset) leaving_.push_back(neighbour);
  for (const Vertex neighbour : leaving_) visits += remove(neighbour);
  removed_[place_[vertex]] = removed_.back();
  place_[removed_.back()] = place_[vertex];
  removed_.pop_back();
  removed_cost_ -= static_cast<std::int64_t>(problem_.costs[vertex]);
  subset_of_[vertex] = subset;
  count(vertex, subset, 1);
  return visits;
}

}  // namespace alnus::graph
