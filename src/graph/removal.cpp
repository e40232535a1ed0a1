#include "graph/removal.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/cut_cover.h"
#include "graph/split_growth.h"
#include "graph/split_search.h"

namespace alnus::graph {
namespace {

std::uint64_t default_work(const Graph& graph) {
  return 4'000'000 + 5'000 * (graph.vertices() + 2 * graph.edges());
}

// Searches from many starts, each with a little work. The best of them are then changed again and again: some
// of their subsets grow anew, and what comes of that replaces them unless it is dearer. Half of the rest of
// the work goes to the best four, and the other half to the best of these.
class ManyStarts {
 public:
  ManyStarts(const RemovalProblem& problem, std::uint64_t seed, const StopFlag& stop)
      : problem_(problem), random_(seed), stop_(stop), subsets_(problem.bounds.size()) {
    std::iota(subsets_.begin(), subsets_.end(), Subset{0});
  }

  PricedSplit run(std::uint64_t work) {
    std::vector<PricedSplit> splits;
    const std::vector<Subset> nowhere(problem_.graph.vertices(), kAnySubset);
    for (std::size_t k = 0; k < kStarts; ++k)
      splits.push_back(grow_and_search(nowhere, subsets_, work / 3 / kStarts));
    for (const std::size_t count : {std::size_t{4}, std::size_t{1}}) {
      std::stable_sort(splits.begin(), splits.end(),
                       [](const PricedSplit& a, const PricedSplit& b) { return a.cheaper_than(b); });
      splits.resize(count);
      for (PricedSplit& split : splits)
        for (std::size_t k = 0; k < kChanges / count; ++k) change(split, work / 3 / kChanges);
    }
    return std::move(splits.front());
  }

 private:
  static constexpr std::size_t kStarts = 64, kChanges = 64;

  // Lets subsets grow, removes the cover of the edges that join subsets, and searches from there.
  PricedSplit grow_and_search(std::vector<Subset> subset_of, const std::vector<Subset>& growing,
                              std::uint64_t work) {
    stop_.throw_if_requested();
    std::uint64_t visits = 0;
    const GrowthRule rule = random_.below(2) == 0 ? GrowthRule::fewest_outside : GrowthRule::most_inside;
    grow_subsets(problem_, growing, rule, random_, subset_of, visits);
    for (const Vertex vertex : cut_cover(problem_.graph, subset_of, problem_.costs).vertices)
      subset_of[vertex] = kAnySubset;
    SplitSearch search(problem_, subset_of, random_.below(~0u));
    return search.run(work - std::min(work, visits), stop_);
  }

  // Lets two random subsets grow anew, or three one time in four.
  void change(PricedSplit& split, std::uint64_t work) {
    std::vector<Subset> growing = subsets_;
    permute(std::span(growing), random_);
    growing.resize(std::min<std::size_t>(growing.size(), random_.below(4) == 0 ? 3 : 2));
    std::vector<Subset> subset_of = split.subset_of;
    for (Subset& subset : subset_of)
      if (std::find(growing.begin(), growing.end(), subset) != growing.end()) subset = kAnySubset;
    PricedSplit changed = grow_and_search(std::move(subset_of), growing, work);
    if (!split.cheaper_than(changed)) split = std::move(changed);
  }

  const RemovalProblem& problem_;
  SplitMixRandom random_;
  const StopFlag& stop_;
  std::vector<Subset> subsets_;
};

}  // namespace

std::optional<Removal> remove_to_split(const RemovalProblem& problem, std::uint64_t seed, std::uint64_t work,
                                       const StopFlag& stop) {
  const auto sum = [](std::uint64_t so_far, const Bounds& bounds) { return so_far + bounds.lowest; };
  const std::uint64_t least =
      std::accumulate(problem.bounds.begin(), problem.bounds.end(), std::uint64_t{0}, sum);
  if (least > std::accumulate(problem.weights.begin(), problem.weights.end(), std::uint64_t{0}))
    return std::nullopt;
  const PricedSplit found =
      ManyStarts(problem, seed, stop).run(work == 0 ? default_work(problem.graph) : work);
  if (found.out_of_bounds != 0) return std::nullopt;
  Removal result;
  result.subset_of = found.subset_of;
  const SplitState state(problem, result.subset_of);
  result.removed = state.removed();
  std::sort(result.removed.begin(), result.removed.end());
  result.cost = static_cast<std::uint64_t>(state.removed_cost());
  std::vector<Subset> everywhere = result.subset_of;
  for (Subset subset = 0; subset < state.subsets(); ++subset)
    result.sizes.push_back(static_cast<std::uint64_t>(state.size(subset)));
  for (const Vertex vertex : result.removed) {
    const bool is_fixed = !problem.fixed.empty() && problem.fixed[vertex] != kAnySubset;
    everywhere[vertex] = is_fixed ? problem.fixed[vertex] : 0;
    if (is_fixed) continue;
    for (Subset subset = 1; subset < state.subsets(); ++subset)
      if (state.neighbours_in(vertex, subset).cost > state.neighbours_in(vertex, everywhere[vertex]).cost)
        everywhere[vertex] = subset;
  }
  result.lower_bound = cut_cover(problem.graph, everywhere, problem.costs).lower_bound;
  return result;
}

}  // namespace alnus::graph
