#include "graph/bipartite_cover.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace alnus::graph {
namespace {

using Node = std::uint32_t;
constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

// A flow through a bipartite graph. Nodes are the left vertices and, behind them, the right ones. What a left
// node may still send and a right node may still take is its rest. An edge passes any amount from left to
// right, and as much backwards as flows through it.
class BipartiteFlow {
 public:
  BipartiteFlow(std::span<const std::uint64_t> left_costs, std::span<const std::uint64_t> right_costs,
                std::span<const std::pair<std::uint32_t, std::uint32_t>> edges)
      : left_(static_cast<Node>(left_costs.size())),
        rest_(left_costs.begin(), left_costs.end()),
        edges_(edges),
        flow_(edges.size()) {
    rest_.insert(rest_.end(), right_costs.begin(), right_costs.end());
    begin_.resize(rest_.size() + 1);
    for (const auto& [left, right] : edges) {
      ++begin_[left + 1];
      ++begin_[left_ + right + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    arcs_.resize(begin_.back());
    std::vector<std::uint64_t> ends(begin_.begin(), begin_.end() - 1);
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      arcs_[ends[edges[edge].first]++] = edge;
      arcs_[ends[left_ + edges[edge].second]++] = edge;
    }
    level_.resize(rest_.size());
  }

  // Returns the value of the maximum flow.
  std::uint64_t maximize() {
    std::uint64_t value = 0;
    while (find_levels()) {
      next_.assign(begin_.begin(), begin_.end() - 1);
      for (Node node = 0; node < left_; ++node)
        while (rest_[node] > 0) {
          const std::uint64_t more = augment(node);
          if (more == 0) break;
          value += more;
        }
    }
    return value;
  }

  // After maximize(): true if more flow could reach the node.
  bool reached(Node node) const { return level_[node] != kUnreached; }

 private:
  Node other_end(Node node, std::size_t edge) const {
    return node < left_ ? left_ + edges_[edge].second : edges_[edge].first;
  }
  bool passable(Node from, std::size_t edge) const { return from < left_ || flow_[edge] > 0; }

  // Numbers nodes by their distance from left nodes with a rest. Returns false if no right node with a rest
  // can be reached.
  bool find_levels() {
    std::fill(level_.begin(), level_.end(), kUnreached);
    queue_.clear();
    for (Node node = 0; node < left_; ++node)
      if (rest_[node] > 0) {
        level_[node] = 0;
        queue_.push_back(node);
      }
    bool found = false;
    for (std::size_t k = 0; k < queue_.size(); ++k) {
      const Node node = queue_[k];
      found |= node >= left_ && rest_[node] > 0;
      for (std::uint64_t arc = begin_[node]; arc < begin_[node + 1]; ++arc) {
        const Node to = other_end(node, arcs_[arc]);
        if (level_[to] != kUnreached || !passable(node, arcs_[arc])) continue;
        level_[to] = level_[node] + 1;
        queue_.push_back(to);
      }
    }
    return found;
  }

  // Sends as much as one path of increasing levels passes. next_: for each node the first arc that is not
  // known to lead nowhere.
  std::uint64_t augment(Node start) {
    path_.clear();
    for (Node node = start;;) {
      if (node >= left_ && rest_[node] > 0) return send(start, node);
      std::uint64_t& arc = next_[node];
      while (arc < begin_[node + 1] &&
             (level_[other_end(node, arcs_[arc])] != level_[node] + 1 || !passable(node, arcs_[arc])))
        ++arc;
      if (arc < begin_[node + 1]) {
        path_.push_back({node, arcs_[arc]});
        node = other_end(node, arcs_[arc]);
      } else if (path_.empty()) {
        return 0;
      } else {
        node = path_.back().first;
        path_.pop_back();
        ++next_[node];
      }
    }
  }

  std::uint64_t send(Node start, Node end) {
    std::uint64_t amount = std::min(rest_[start], rest_[end]);
    for (const auto& [node, edge] : path_)
      if (node >= left_) amount = std::min(amount, flow_[edge]);
    rest_[start] -= amount;
    rest_[end] -= amount;
    for (const auto& [node, edge] : path_) flow_[edge] += node < left_ ? amount : -amount;
    return amount;
  }

  Node left_;  // number of left nodes
  std::vector<std::uint64_t> rest_;
  std::span<const std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::vector<std::uint64_t> flow_;   // through each edge, from left to right
  std::vector<std::uint64_t> begin_;  // of each node's edges in arcs_
  std::vector<std::size_t> arcs_;     // edges by node
  std::vector<std::uint32_t> level_;
  std::vector<Node> queue_;
  std::vector<std::uint64_t> next_;
  std::vector<std::pair<Node, std::size_t>> path_;  // nodes and the edges by which they are left
};

}  // namespace

BipartiteCover bipartite_cover(std::span<const std::uint64_t> left_costs,
                               std::span<const std::uint64_t> right_costs,
                               std::span<const std::pair<std::uint32_t, std::uint32_t>> edges) {
  BipartiteFlow flow(left_costs, right_costs, edges);
  BipartiteCover cover{std::vector<bool>(left_costs.size()), std::vector<bool>(right_costs.size()),
                       flow.maximize()};
  const auto left = static_cast<Node>(left_costs.size());
  for (Node node = 0; node < left; ++node) cover.left[node] = !flow.reached(node);
  for (std::size_t k = 0; k < right_costs.size(); ++k)
    cover.right[k] = flow.reached(left + static_cast<Node>(k));
  return cover;
}

}  // namespace alnus::graph
