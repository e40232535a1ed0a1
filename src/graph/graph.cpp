#include "graph/graph.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace alnus::graph {

Graph::Graph(Vertex vertices, std::span<const Edge> edges) : begin_(std::uint64_t{vertices} + 1) {
  for (const Edge& edge : edges) {
    if (edge.a >= vertices || edge.b >= vertices)
      throw std::out_of_range("an edge of a vertex that does not exist");
    if (edge.a == edge.b) continue;
    ++begin_[edge.a + 1];
    ++begin_[edge.b + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  neighbours_.resize(begin_.back());
  std::vector<std::uint64_t> ends(begin_.begin(), begin_.end() - 1);
  for (const Edge& edge : edges) {
    if (edge.a == edge.b) continue;
    neighbours_[ends[edge.a]++] = edge.b;
    neighbours_[ends[edge.b]++] = edge.a;
  }
  tidy(ends);
}

void Graph::tidy(std::span<const std::uint64_t> ends) {
  std::uint64_t to = 0;
  for (std::size_t vertex = 0; vertex < ends.size(); ++vertex) {
    const auto first = neighbours_.begin() + static_cast<std::ptrdiff_t>(begin_[vertex]);
    auto last = neighbours_.begin() + static_cast<std::ptrdiff_t>(ends[vertex]);
    std::sort(first, last);
    last = std::unique(first, last);
    begin_[vertex] = to;
    std::copy(first, last, neighbours_.begin() + static_cast<std::ptrdiff_t>(to));
    to += static_cast<std::uint64_t>(last - first);
  }
  begin_.back() = to;
  neighbours_.resize(to);
}

Graph Graph::induced(std::span<const Vertex> chosen) const {
  constexpr Vertex kAbsent = std::numeric_limits<Vertex>::max();
  std::vector<Vertex> number(vertices(), kAbsent);
  for (std::size_t k = 0; k < chosen.size(); ++k) number[chosen[k]] = static_cast<Vertex>(k);
  Graph result;
  result.begin_.reserve(chosen.size() + 1);
  for (const Vertex vertex : chosen) {
    for (const Vertex neighbour : neighbours(vertex))
      if (number[neighbour] != kAbsent) result.neighbours_.push_back(number[neighbour]);
    std::sort(result.neighbours_.begin() + static_cast<std::ptrdiff_t>(result.begin_.back()),
              result.neighbours_.end());
    result.begin_.push_back(result.neighbours_.size());
  }
  return result;
}

Graph Graph::contracted(std::span<const Vertex> images, Vertex vertices) const {
  Graph result;
  result.begin_.assign(std::uint64_t{vertices} + 1, 0);
  const auto each_direction = [&](auto&& use) {
    for (std::size_t vertex = 0; vertex < images.size(); ++vertex)
      for (const Vertex neighbour : neighbours(static_cast<Vertex>(vertex)))
        if (images[neighbour] != images[vertex]) use(images[vertex], images[neighbour]);
  };
  each_direction([&](Vertex from, Vertex) { ++result.begin_[from + 1]; });
  std::partial_sum(result.begin_.begin(), result.begin_.end(), result.begin_.begin());
  result.neighbours_.resize(result.begin_.back());
  std::vector<std::uint64_t> ends(result.begin_.begin(), result.begin_.end() - 1);
  each_direction([&](Vertex from, Vertex to) { result.neighbours_[ends[from]++] = to; });
  result.tidy(ends);
  return result;
}

}  // namespace alnus::graph
