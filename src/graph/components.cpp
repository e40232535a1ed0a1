#include "graph/components.h"

#include <numeric>
#include <utility>

namespace alnus::graph {

std::vector<std::vector<Vertex>> ComponentMap::members() const {
  std::vector<std::vector<Vertex>> result(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) result[k].reserve(sizes[k]);
  for (std::size_t vertex = 0; vertex < of.size(); ++vertex)
    result[of[vertex]].push_back(static_cast<Vertex>(vertex));
  return result;
}

Components::Components(Vertex vertices) : parent_(vertices), count_(vertices) {
  std::iota(parent_.begin(), parent_.end(), Vertex{0});
}

Vertex Components::root(Vertex vertex) {
  while (parent_[vertex] != vertex) {
    parent_[vertex] = parent_[parent_[vertex]];
    vertex = parent_[vertex];
  }
  return vertex;
}

void Components::join(Vertex a, Vertex b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  if (b < a) std::swap(a, b);
  parent_[b] = a;
  --count_;
}

ComponentMap Components::map() {
  ComponentMap result;
  result.of.resize(parent_.size());
  result.sizes.reserve(count_);
  for (std::size_t vertex = 0; vertex < parent_.size(); ++vertex) {
    const Vertex first =
        root(static_cast<Vertex>(vertex));  // its component has a number before `vertex` has one
    if (first == vertex) {
      result.of[vertex] = static_cast<Vertex>(result.sizes.size());
      result.sizes.push_back(0);
    } else {
      result.of[vertex] = result.of[first];
    }
    ++result.sizes[result.of[vertex]];
  }
  return result;
}

ComponentMap components(const Graph& graph) {
  Components found(graph.vertices());
  for (Vertex vertex = 0; vertex < graph.vertices(); ++vertex)
    for (const Vertex neighbour : graph.neighbours(vertex)) {
      if (neighbour >= vertex) break;
      found.join(vertex, neighbour);
    }
  return found.map();
}

}  // namespace alnus::graph
