#include "graph/split.h"

#include <algorithm>
#include <map>

#include "graph/removal.h"

namespace alnus::graph {
namespace {

// What packing needs of some vertices that stay together.
struct Bundle {
  std::vector<Vertex> vertices;
  std::uint64_t weight = 0;
  std::vector<LabelCount> labels;
  Subset subset = kAnySubset;
  bool conflicting = false;  // it has vertices for different subsets
};

Bundle bundle_of(std::vector<Vertex> members, std::span<const SplitVertex> vertices) {
  Bundle bundle{std::move(members), 0, {}, kAnySubset, false};
  std::map<std::uint32_t, std::uint32_t> counts;
  for (const Vertex v : bundle.vertices) {
    const SplitVertex& vertex = vertices[v];
    bundle.weight += vertex.weight;
    for (const LabelCount& label : vertex.labels) counts[label.label] += label.count;
    if (vertex.subset == kAnySubset) continue;
    if (bundle.subset == kAnySubset) bundle.subset = vertex.subset;
    if (bundle.subset != vertex.subset) bundle.conflicting = true;
  }
  for (const auto& [label, count] : counts) bundle.labels.push_back({label, count});
  return bundle;
}

class Splitter {
 public:
  Splitter(const SplitProblem& problem, const StopFlag& stop) : problem_(problem), stop_(stop) {
    for (std::vector<Vertex>& members : problem.components.members())
      bundles_.push_back(bundle_of(std::move(members), problem.vertices));
  }

  Split run() {
    split_.subset_of.assign(problem_.vertices.size(), kAnySubset);
    for (Vertex c = 0; c < bundles_.size(); ++c)
      if (bundles_[c].conflicting && !split_.conflicting) split_.conflicting = c;
    if (!split_.conflicting && pack_bundles()) return std::move(split_);
    if (!problem_.graph) return std::move(split_);
    if (cut_components() && pack_bundles()) return finish();
    return cut_everything() ? finish() : std::move(split_);
  }

 private:
  // Packs the bundles, and notes the subset of each vertex. Returns true if all subsets are within bounds.
  bool pack_bundles() {
    std::vector<PackItem> items;
    items.reserve(bundles_.size());
    for (const Bundle& bundle : bundles_) items.push_back({bundle.weight, bundle.labels, bundle.subset});
    Packing packing = pack(items, problem_.targets, problem_.labels, problem_.seed, kPackingWork, stop_);
    if (packing.too_large) {
      split_.too_large = static_cast<Vertex>(*packing.too_large);
      return false;
    }
    for (std::size_t b = 0; b < bundles_.size(); ++b)
      for (const Vertex v : bundles_[b].vertices) split_.subset_of[v] = packing.subset_of[b];
    split_.sizes = std::move(packing.sizes);
    split_.within_bounds = packing.within_bounds;
    return packing.within_bounds;
  }

  // The greatest weight of a subset that the bundle may go to.
  std::uint64_t most_of(const Bundle& bundle) const {
    if (bundle.subset != kAnySubset) return problem_.targets[bundle.subset].bounds.highest;
    std::uint64_t most = 0;
    for (const PackTarget& target : problem_.targets) most = std::max(most, target.bounds.highest);
    return most;
  }

  // Cuts the components that cannot stay whole. Returns false if one cannot be cut.
  bool cut_components() {
    std::vector<Bundle> whole;
    std::vector<Vertex> left;
    for (Bundle& bundle : bundles_) {
      if (!bundle.conflicting && bundle.weight <= most_of(bundle)) {
        whole.push_back(std::move(bundle));
        continue;
      }
      std::vector<Bounds> bounds;
      bounds.reserve(problem_.targets.size());
      for (const PackTarget& target : problem_.targets) bounds.push_back({0, target.bounds.highest});
      const std::optional<std::vector<Vertex>> kept = cut(bundle.vertices, bounds);
      if (!kept) return false;
      left.insert(left.end(), kept->begin(), kept->end());
    }
    // What is left of components may have come apart.
    const ComponentMap pieces = components(problem_.graph->induced(left));
    for (const std::vector<Vertex>& members : pieces.members()) {
      std::vector<Vertex> vertices;
      vertices.reserve(members.size());
      for (const Vertex v : members) vertices.push_back(left[v]);
      whole.push_back(bundle_of(std::move(vertices), problem_.vertices));
    }
    bundles_ = std::move(whole);
    return true;
  }

  // Removes vertices such that the others can be split; returns the others, or nothing if no way was found.
  // Notes the subsets of the others.
  std::optional<std::vector<Vertex>> cut(const std::vector<Vertex>& vertices,
                                         std::span<const Bounds> bounds) {
    const Graph graph = problem_.graph->induced(vertices);
    std::vector<std::uint64_t> weights, costs;
    std::vector<Subset> fixed;
    weights.reserve(vertices.size());
    costs.reserve(vertices.size());
    fixed.reserve(vertices.size());
    for (const Vertex v : vertices) {
      weights.push_back(problem_.vertices[v].weight);
      costs.push_back(problem_.vertices[v].cost);
      fixed.push_back(problem_.vertices[v].subset);
    }
    const std::optional<Removal> removal =
        remove_to_split({graph, weights, costs, bounds, fixed}, problem_.seed, 0, stop_);
    if (!removal) return std::nullopt;
    split_.lower_bound += removal->lower_bound;
    std::vector<Vertex> kept;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      split_.subset_of[vertices[k]] = removal->subset_of[k];
      (removal->subset_of[k] == kAnySubset ? split_.removed : kept).push_back(vertices[k]);
    }
    split_.sizes = removal->sizes;
    return kept;
  }

  bool cut_everything() {
    // The search keeps 16 bytes for each vertex and subset.
    constexpr std::uint64_t kMost = 1ULL << 27;
    if (problem_.vertices.size() * problem_.targets.size() > kMost) return false;
    std::vector<Vertex> all(problem_.vertices.size());
    for (Vertex v = 0; v < all.size(); ++v) all[v] = v;
    std::vector<Bounds> bounds;
    bounds.reserve(problem_.targets.size());
    for (const PackTarget& target : problem_.targets) bounds.push_back(target.bounds);
    split_.removed.clear();
    split_.lower_bound = 0;
    split_.within_bounds = cut(all, bounds).has_value();
    return split_.within_bounds;
  }

  Split finish() {
    std::ranges::sort(split_.removed);
    split_.too_large.reset();
    split_.conflicting.reset();
    return std::move(split_);
  }

  static constexpr std::uint64_t kPackingWork = 20'000'000;

  const SplitProblem& problem_;
  const StopFlag& stop_;
  std::vector<Bundle> bundles_;
  Split split_;
};

}  // namespace

Split split(const SplitProblem& problem, const StopFlag& stop) { return Splitter(problem, stop).run(); }

}  // namespace alnus::graph
