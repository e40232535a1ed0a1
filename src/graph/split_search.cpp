#include "graph/split_search.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace alnus::graph {
namespace {

constexpr int kFraction = 8;  // bits of temperatures and of random exponents behind the point

// Returns about -log2 of a uniformly random number between 0 and 1, in units of 2^-kFraction: the logarithm
// is interpolated between powers of two. Integers alone make it the same on every machine.
std::int64_t random_exponent(SplitMixRandom& random) {
  const std::uint32_t number = random.below(1u << 31);
  if (number == 0) return 31 << kFraction;
  const int zeros = std::countl_zero(number) - 1;                           // of the 31 bits
  const std::uint32_t fraction = number << zeros << 2 >> (32 - kFraction);  // behind the first one
  return ((zeros + 1) << kFraction) - static_cast<std::int64_t>(fraction);
}

std::int64_t median(std::span<const std::uint64_t> values) {
  std::vector<std::uint64_t> sorted(values.begin(), values.end());
  if (sorted.empty()) return 1;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return static_cast<std::int64_t>(std::max<std::uint64_t>(*middle, 1));
}

}  // namespace

SplitSearch::SplitSearch(const RemovalProblem& problem, const std::vector<Subset>& start, std::uint64_t seed)
    : problem_(problem),
      state_(problem, start),
      random_(seed),
      unit_(median(problem.costs)),
      penalty_(1 + 2 * unit_ / median(problem.weights)),
      least_penalty_(penalty_) {}

bool SplitSearch::may_enter(Vertex vertex, Subset subset) const {
  return problem_.fixed.empty() || problem_.fixed[vertex] == kAnySubset || problem_.fixed[vertex] == subset;
}

Vertex SplitSearch::choose_vertex() {
  const std::vector<Vertex>& removed = state_.removed();
  const auto any = [&] { return random_.below(problem_.graph.vertices()); };
  if (removed.empty()) return any();
  const Vertex vertex = removed[random_.below(static_cast<std::uint32_t>(removed.size()))];
  const std::uint32_t way = random_.below(8);
  if (way > 1) return vertex;
  const auto neighbours = problem_.graph.neighbours(vertex);
  if (way == 1 || neighbours.empty()) return any();
  return neighbours[random_.below(static_cast<std::uint32_t>(neighbours.size()))];
}

std::int64_t SplitSearch::more_out_of_bounds(Vertex vertex, Subset subset) const {
  const Subset from = state_.subset_of()[vertex];
  const auto weight = static_cast<std::int64_t>(problem_.weights[vertex]);
  if (subset == kAnySubset)
    return state_.out_of_bounds(from, state_.size(from) - weight) -
           state_.out_of_bounds(from, state_.size(from));
  std::int64_t sum = 0;
  for (Subset other = 0; other < state_.subsets(); ++other) {
    std::int64_t size = state_.size(other);
    size +=
        other == subset ? weight : -state_.neighbours_in(vertex, other).weight - (other == from ? weight : 0);
    sum += state_.out_of_bounds(other, size);
  }
  return sum - state_.out_of_bounds();
}

// Returns the visits that the step took.
std::uint64_t SplitSearch::step(std::int64_t temperature) {
  const Vertex vertex = choose_vertex();
  const Subset from = state_.subset_of()[vertex];
  const auto cost = static_cast<std::int64_t>(problem_.costs[vertex]);
  const std::int64_t allowed = temperature * random_exponent(random_) >> (2 * kFraction);
  const std::int64_t most_saved = penalty_ * state_.out_of_bounds();
  Subset best = from;
  std::int64_t least = allowed;
  std::uint32_t equal = 0;
  const auto consider = [&](Subset subset, std::int64_t price) {
    if (price - most_saved > least) return;
    price += penalty_ * more_out_of_bounds(vertex, subset);
    if (price > least) return;
    equal = price < least ? 1 : equal + 1;
    if (equal == 1 || random_.below(equal) == 0) best = subset;
    least = price;
  };
  std::int64_t all = from == kAnySubset ? -cost : 0;
  for (Subset subset = 0; subset < state_.subsets(); ++subset)
    all += state_.neighbours_in(vertex, subset).cost;
  for (Subset subset = 0; subset < state_.subsets(); ++subset)
    if (subset != from && may_enter(vertex, subset))
      consider(subset, all - state_.neighbours_in(vertex, subset).cost);
  if (from != kAnySubset) consider(kAnySubset, cost);
  const std::uint64_t visits = 1 + state_.subsets();
  if (best == from) return visits;
  return visits + (best == kAnySubset ? state_.remove(vertex) : state_.enter(vertex, best));
}

PricedSplit SplitSearch::run(std::uint64_t work, const StopFlag& stop) {
  // A step that costs a unit too much is accepted one time in four at first, and one time in a thousand at
  // last.
  const std::int64_t hottest = (unit_ << kFraction) * 50 / 100, coldest = (unit_ << kFraction) * 10 / 100;
  constexpr std::uint64_t kRounds = 64;
  PricedSplit best{state_.out_of_bounds(), state_.removed_cost(), state_.subset_of()};
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const std::int64_t temperature = hottest - (hottest - coldest) * static_cast<std::int64_t>(round) /
                                                   static_cast<std::int64_t>(kRounds - 1);
    bool in_bounds = false;
    if (best.out_of_bounds == 0 && best.removed == 0) break;
    for (std::uint64_t visits = 0, steps = 0; visits < work / kRounds; ++steps) {
      if (steps % 1024 == 0) stop.throw_if_requested();
      visits += step(temperature);
      in_bounds |= state_.out_of_bounds() == 0;
      if (std::pair(state_.out_of_bounds(), state_.removed_cost()) <
          std::pair(best.out_of_bounds, best.removed)) {
        best = {state_.out_of_bounds(), state_.removed_cost(), state_.subset_of()};
        visits += best.subset_of.size() / 16;
      }
    }
    penalty_ =
        in_bounds ? std::max(least_penalty_, penalty_ / 2) : std::min(penalty_ * 2, least_penalty_ << 16);
  }
  return best;
}

}  // namespace alnus::graph
