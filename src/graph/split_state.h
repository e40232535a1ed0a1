// An assignment to subsets that removal works on.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/removal.h"

namespace alnus::graph {

// Vertices are in a subset or removed. What the neighbours of each vertex cost and weigh in each subset is
// kept up to date, so that a move's price is known before the move: each change takes time in proportion to
// the vertex' degree.
class SplitState {
 public:
  // What some vertices cost, and weigh.
  struct Total {
    std::int64_t cost = 0, weight = 0;
  };

  // `subset_of`: kAnySubset for removed vertices. What the problem refers to must outlive the state.
  SplitState(const RemovalProblem& problem, std::vector<Subset> subset_of);

  const std::vector<Subset>& subset_of() const { return subset_of_; }
  const std::vector<Vertex>& removed() const { return removed_; }  // in no particular order
  std::int64_t removed_cost() const { return removed_cost_; }
  std::int64_t size(Subset subset) const { return sizes_[subset]; }
  Subset subsets() const { return static_cast<Subset>(sizes_.size()); }
  // Weight that is missing in subsets or too much in them, summed over subsets.
  std::int64_t out_of_bounds() const { return out_of_bounds_; }
  // What subsets would be out of bounds with another weight.
  std::int64_t out_of_bounds(Subset subset, std::int64_t size) const;
  // The neighbours of a vertex that are in a subset.
  const Total& neighbours_in(Vertex vertex, Subset subset) const {
    return neighbours_in_[std::size_t{vertex} * sizes_.size() + subset];
  }

  // Moves a vertex to a subset, and removes its neighbours in other subsets. Returns the neighbours visited.
  std::uint64_t enter(Vertex vertex, Subset subset);
  // Removes a vertex that is in a subset. Returns the neighbours visited.
  std::uint64_t remove(Vertex vertex);

 private:
  void count(Vertex vertex, Subset subset, std::int64_t sign);

  RemovalProblem problem_;
  std::vector<Subset> subset_of_;
  std::vector<Total> neighbours_in_;  // by vertex and subset
  std::vector<std::int64_t> sizes_;
  std::vector<Vertex> removed_, place_;  // place_: of a removed vertex in removed_
  std::vector<Vertex> leaving_;
  std::int64_t removed_cost_ = 0, out_of_bounds_ = 0;
};

}  // namespace alnus::graph
