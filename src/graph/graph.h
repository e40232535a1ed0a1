// Undirected graphs. A vertex is a sequence, and an edge joins two sequences that are similar.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace alnus::graph {

// Number of a vertex, from 0.
using Vertex = std::uint32_t;

// An edge in either direction: {1, 2} and {2, 1} are the same edge.
struct Edge {
  Vertex a, b;
  bool operator==(const Edge&) const = default;
};

// A graph in compressed form: the neighbours of each vertex, one list behind the other. It takes 8 bytes a
// vertex and 4 bytes for each direction of an edge.
class Graph {
 public:
  Graph() = default;
  // Loops are left out, and an edge counts once however often and in whatever direction it is given. Besides
  // the graph nothing is allocated that grows with the number of edges. Time: O(V + E log D), where D is the
  // largest number of neighbours. Throws std::out_of_range for an edge of a vertex that does not exist.
  Graph(Vertex vertices, std::span<const Edge> edges);

  Vertex vertices() const { return static_cast<Vertex>(begin_.size() - 1); }
  std::uint64_t edges() const { return neighbours_.size() / 2; }
  // The neighbours of a vertex in increasing order.
  std::span<const Vertex> neighbours(Vertex vertex) const {
    return std::span(neighbours_).subspan(begin_[vertex], degree(vertex));
  }
  std::uint64_t degree(Vertex vertex) const { return begin_[vertex + 1] - begin_[vertex]; }

  // The graph of some vertices, which must differ, and of the edges between them. The vertex `vertices[k]`
  // becomes vertex k.
  Graph induced(std::span<const Vertex> vertices) const;
  // The graph in which vertices with the same image are one vertex. Vertex v becomes `images[v]`, which is
  // below `vertices`; edges between vertices with the same image disappear.
  Graph contracted(std::span<const Vertex> images, Vertex vertices) const;

 private:
  // Moves lists that were written with room for more neighbours than are left together, sorted and without
  // duplicates. `ends`: the ends of the lists, which begin at begin_.
  void tidy(std::span<const std::uint64_t> ends);

  std::vector<std::uint64_t> begin_ = {0};
  std::vector<Vertex> neighbours_;
};

}  // namespace alnus::graph
