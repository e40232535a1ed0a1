// Connected components, from edges one by one or from a graph.
#pragma once

#include <span>
#include <vector>

#include "graph/graph.h"

namespace alnus::graph {

// Which component each vertex is in. Components are numbered from 0 by their first vertices: component 0 has
// vertex 0, and component 1 has the first vertex that is not in component 0.
struct ComponentMap {
  std::vector<Vertex> of;     // the component of each vertex
  std::vector<Vertex> sizes;  // the number of vertices of each component

  // The vertices of each component in increasing order.
  std::vector<std::vector<Vertex>> members() const;
};

// Joins components edge by edge, so that a caller need not keep edges (union-find with path halving; Tarjan &
// van Leeuwen 1984). It takes 4 bytes a vertex, and O(log V) steps an edge at the worst. The order of the
// edges changes nothing.
class Components {
 public:
  explicit Components(Vertex vertices);
  void join(Vertex a, Vertex b);
  bool joined(Vertex a, Vertex b) { return root(a) == root(b); }
  Vertex count() const { return count_; }  // of components
  ComponentMap map();

 private:
  Vertex root(Vertex vertex);

  std::vector<Vertex> parent_;  // a root is its own parent, and the first vertex of its component
  Vertex count_;
};

ComponentMap components(const Graph& graph);

}  // namespace alnus::graph
