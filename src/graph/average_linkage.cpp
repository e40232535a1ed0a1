#include "graph/average_linkage.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace alnus::graph {
namespace {

// A cluster is known by its lowest leaf. The leaves of a cluster are a list in their order.
class Clusters {
 public:
  Clusters(std::uint32_t items, std::span<float> distances) : distances_(distances), size_(items, 1) {
    next_.resize(items, kNone);
    last_.reserve(items);
    for (std::uint32_t i = 0; i < items; ++i) last_.push_back(i);
    active_ = last_;
  }

  const std::vector<std::uint32_t>& active() const { return active_; }  // in ascending order

  // The nearest cluster; of equally near ones `preferred`, else the lowest.
  std::uint32_t nearest(std::uint32_t cluster, std::uint32_t preferred) const {
    std::uint32_t best = preferred;
    float least = preferred == kNone ? std::numeric_limits<float>::infinity() : distance(cluster, preferred);
    for (const std::uint32_t other : active_) {
      if (other == cluster) continue;
      const float between = distance(cluster, other);
      if (between < least || best == kNone) {
        least = between;
        best = other;
      }
    }
    return best;
  }

  // The products are exact: a number of leaves and a float have fewer digits than a double. So fused
  // multiplications and additions give the same sums. A rounded mean is never below the lower one of its two
  // distances, so that the other links of a chain still lead to nearest clusters.
  void join(std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    const double of_a = size_[a], of_b = size_[b], of_both = of_a + of_b;
    active_.erase(std::ranges::lower_bound(active_, b));
    for (const std::uint32_t other : active_)
      if (other != a) {
        float& mean = distance(a, other);
        mean = static_cast<float>((of_a * double{mean} + of_b * double{distance(b, other)}) / of_both);
      }
    size_[a] += size_[b];
    next_[last_[a]] = b;
    last_[a] = last_[b];
  }

  std::vector<std::uint32_t> leaves() const {
    std::vector<std::uint32_t> order;
    order.reserve(next_.size());
    for (std::uint32_t leaf = next_.empty() ? kNone : 0; leaf != kNone; leaf = next_[leaf])
      order.push_back(leaf);
    return order;
  }

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

 private:
  float& distance(std::uint32_t a, std::uint32_t b) const {
    const std::size_t i = std::max(a, b), j = std::min(a, b);
    return distances_[i * (i - 1) / 2 + j];
  }

  const std::span<float> distances_;
  std::vector<std::uint32_t> size_, next_, last_, active_;
};

}  // namespace

std::vector<std::uint32_t> average_linkage_order(std::uint32_t items, std::span<float> distances,
                                                 const StopFlag& stop) {
  Clusters clusters(items, distances);
  std::vector<std::uint32_t> chain;
  while (clusters.active().size() > 1) {
    stop.throw_if_requested();
    if (chain.empty()) chain.push_back(clusters.active().front());
    const std::uint32_t last = chain.back();
    const std::uint32_t before = chain.size() < 2 ? Clusters::kNone : chain[chain.size() - 2];
    const std::uint32_t nearest = clusters.nearest(last, before);
    if (nearest != before) {
      chain.push_back(nearest);
      continue;
    }
    clusters.join(last, before);
    chain.resize(chain.size() - 2);
  }
  return clusters.leaves();
}

}  // namespace alnus::graph
