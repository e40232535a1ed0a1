#include "graph/average_linkage.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace alnus::graph {
namespace {

using Leaves = std::vector<std::uint32_t>;

float distance_of(const std::vector<float>& distances, std::uint32_t a, std::uint32_t b) {
  const std::size_t i = std::max(a, b), j = std::min(a, b);
  return distances[i * (i - 1) / 2 + j];
}

double mean_distance(const std::vector<float>& distances, std::span<const std::uint32_t> a,
                     std::span<const std::uint32_t> b) {
  double sum = 0;
  for (const std::uint32_t i : a)
    for (const std::uint32_t j : b) sum += distance_of(distances, i, j);
  return sum / static_cast<double>(a.size() * b.size());
}

// The order by the definition: joins the two clusters with the lowest mean distance of their members.
Leaves order_by_definition(std::uint32_t items, const std::vector<float>& distances) {
  std::vector<Leaves> clusters;
  for (std::uint32_t i = 0; i < items; ++i) clusters.push_back({i});
  while (clusters.size() > 1) {
    std::size_t best_a = 0, best_b = 1;
    double least = 1e300;
    for (std::size_t a = 0; a < clusters.size(); ++a)
      for (std::size_t b = a + 1; b < clusters.size(); ++b) {
        const double mean = mean_distance(distances, clusters[a], clusters[b]);
        if (mean < least) {
          least = mean;
          best_a = a;
          best_b = b;
        }
      }
    // Clusters are in the order of their lowest leaves, which are first in the lists of single leaves; after
    // joins the first leaf of a list is still its lowest one.
    clusters[best_a].insert(clusters[best_a].end(), clusters[best_b].begin(), clusters[best_b].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(best_b));
  }
  return clusters.empty() ? Leaves{} : clusters.front();
}

std::vector<float> random_distances(std::uint32_t items, std::mt19937& generator, std::uint32_t values) {
  std::vector<float> distances(std::size_t{items} * (items - std::min(items, 1U)) / 2);
  for (float& distance : distances) distance = static_cast<float>(generator() % values);
  return distances;
}

// Finds out by trying all ways whether joins of mutually nearest clusters make a tree with this order of its
// leaves, in which of two branches the one with the lowest leaf comes first. Clusters are ranges of the
// order: bit k of `bounds` says that one ends before leaf k + 1.
class TreesOfOrder {
 public:
  TreesOfOrder(const Leaves& order, const std::vector<float>& distances)
      : order_(order), distances_(distances), seen_(std::size_t{1} << (order.size() - 1)) {}

  bool any() { return leads_to_one(seen_.size() - 1); }

 private:
  bool leads_to_one(std::size_t bounds) {
    if (bounds == 0) return true;
    if (seen_[bounds]) return false;
    seen_[bounds] = true;
    const std::vector<std::span<const std::uint32_t>> clusters = clusters_of(bounds);
    std::size_t end = 0;
    for (std::size_t a = 0; a + 1 < clusters.size(); ++a) {
      end += clusters[a].size();
      if (may_join(clusters, a) && leads_to_one(bounds & ~(std::size_t{1} << (end - 1)))) return true;
    }
    return false;
  }

  std::vector<std::span<const std::uint32_t>> clusters_of(std::size_t bounds) const {
    std::vector<std::span<const std::uint32_t>> clusters;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < order_.size(); ++k)
      if (k + 1 == order_.size() || (bounds >> k & 1) != 0) {
        clusters.push_back(std::span(order_).subspan(begin, k + 1 - begin));
        begin = k + 1;
      }
    return clusters;
  }

  // Cluster a and the one behind it, which are ordered and have none nearer to one of them.
  bool may_join(const std::vector<std::span<const std::uint32_t>>& clusters, std::size_t a) const {
    if (std::ranges::min(clusters[a]) > std::ranges::min(clusters[a + 1])) return false;
    constexpr double kRounding = 1e-5;
    const double between = mean_distance(distances_, clusters[a], clusters[a + 1]) - kRounding;
    for (std::size_t c = 0; c < clusters.size(); ++c)
      for (const std::size_t of : {a, a + 1})
        if (c != a && c != a + 1 && mean_distance(distances_, clusters[of], clusters[c]) < between)
          return false;
    return true;
  }

  const Leaves& order_;
  const std::vector<float>& distances_;
  std::vector<bool> seen_;
};

TEST(AverageLinkage, NoItemsAndOne) {
  EXPECT_EQ(average_linkage_order(0, {}), Leaves{});
  EXPECT_EQ(average_linkage_order(1, {}), Leaves{0});
}

TEST(AverageLinkage, TheOrderIsThatOfTheDefinition) {
  std::mt19937 generator(1);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t items = 2 + round % 23;
    const std::vector<float> distances = random_distances(items, generator, 1U << 23);  // hardly ever equal
    std::vector<float> overwritten = distances;
    EXPECT_EQ(average_linkage_order(items, overwritten), order_by_definition(items, distances)) << items;
  }
}

TEST(AverageLinkage, TheOrderOfManyItemsIsThatOfTheDefinition) {
  std::mt19937 generator(4);
  const std::vector<float> distances = random_distances(120, generator, 1U << 23);
  std::vector<float> overwritten = distances;
  EXPECT_EQ(average_linkage_order(120, overwritten), order_by_definition(120, distances));
}

TEST(AverageLinkage, EqualDistancesGiveATreeOfMutuallyNearestClusters) {
  std::mt19937 generator(6);
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t items = 2 + round % 9;
    const std::vector<float> distances = random_distances(items, generator, 1 + round % 5);
    std::vector<float> overwritten = distances;
    const Leaves order = average_linkage_order(items, overwritten);
    EXPECT_TRUE(TreesOfOrder(order, distances).any()) << round;
    Leaves others = order;
    std::ranges::reverse(others);  // the branch with the lowest leaf comes last
    EXPECT_FALSE(TreesOfOrder(others, distances).any()) << round;
  }
}

TEST(AverageLinkage, EquallyNearClustersAreJoinedFromTheLowestOn) {
  std::vector<float> equal(10, 1.0F);
  EXPECT_EQ(average_linkage_order(5, equal), (Leaves{0, 1, 2, 3, 4}));
  // Items 0 and 2 are near, and so are 1 and 3; 4 is equally far from all.
  std::vector<float> pairs = {3, 1, 3, 3, 1, 3, 3, 3, 3, 3};
  EXPECT_EQ(average_linkage_order(5, pairs), (Leaves{0, 2, 1, 3, 4}));
}

TEST(AverageLinkage, EqualDistancesGiveAPermutation) {
  std::mt19937 generator(2);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t items = 1 + round % 40;
    std::vector<float> distances = random_distances(items, generator, 1 + round % 4);
    std::vector<float> again = distances;
    const Leaves order = average_linkage_order(items, distances);
    EXPECT_EQ(order, average_linkage_order(items, again));
    Leaves sorted = order;
    std::ranges::sort(sorted);
    Leaves all(items);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(sorted, all);
    EXPECT_EQ(order.front(), 0U);
  }
}

TEST(AverageLinkage, EqualItemsStandTogether) {
  std::mt19937 generator(3);
  constexpr std::uint32_t kItems = 60;
  std::vector<float> distances;
  for (std::uint32_t i = 0; i < kItems; ++i)
    for (std::uint32_t j = 0; j < i; ++j)
      distances.push_back(i % 6 == j % 6 ? 0.0F : static_cast<float>(1 + (i % 6) * (j % 6)));
  const Leaves order = average_linkage_order(kItems, distances);
  for (std::size_t k = 0; k < kItems; ++k) EXPECT_EQ(order[k] % 6, order[k - k % 10] % 6) << k;
}

TEST(AverageLinkage, Stops) {
  StopFlag stop;
  stop.request();
  std::vector<float> distances = {1};
  EXPECT_THROW(average_linkage_order(2, distances, stop), Interrupted);
}

}  // namespace
}  // namespace alnus::graph
