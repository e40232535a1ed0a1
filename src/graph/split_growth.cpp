#include "graph/split_growth.h"

#include <algorithm>
#include <utility>

namespace alnus::graph {
namespace {

// The vertices beside a growing subset, by how much they belong to it. Entries are not taken out when a
// vertex' key changes; the entry with the key of the moment counts.
class Frontier {
 public:
  static constexpr std::uint32_t kKeys = 1024;

  explicit Frontier(Vertex vertices) : buckets_(kKeys), key_(vertices, kAbsent) {}

  void put(Vertex vertex, std::uint32_t key) {
    if (key_[vertex] == key) return;
    if (key_[vertex] == kAbsent) used_.push_back(vertex);
    key_[vertex] = key;
    buckets_[key].push_back(vertex);
    highest_ = std::max(highest_, key);
  }
  // Takes the vertex with the highest key, or the one that was put last of several. Returns false if there is
  // none.
  bool take(Vertex& vertex) {
    for (;;) {
      std::vector<Vertex>& bucket = buckets_[highest_];
      if (bucket.empty()) {
        if (highest_ == 0) return false;
        --highest_;
        continue;
      }
      vertex = bucket.back();
      bucket.pop_back();
      if (key_[vertex] != highest_) continue;
      key_[vertex] = kTaken;
      return true;
    }
  }
  void clear() {
    for (const Vertex vertex : used_) key_[vertex] = kAbsent;
    used_.clear();
    for (auto& bucket : buckets_) bucket.clear();
    highest_ = 0;
  }
  bool has(Vertex vertex) const { return key_[vertex] < kTaken; }
  const std::vector<Vertex>& used() const { return used_; }  // the vertices that were ever put since clear()

 private:
  static constexpr std::uint32_t kTaken = kKeys, kAbsent = kKeys + 1;

  std::vector<std::vector<Vertex>> buckets_;
  std::vector<std::uint32_t> key_;
  std::vector<Vertex> used_;
  std::uint32_t highest_ = 0;
};

class SubsetGrowth {
 public:
  SubsetGrowth(const RemovalProblem& problem, std::vector<Subset> growing, GrowthRule rule,
               SplitMixRandom& random, std::vector<Subset>& subset_of, std::uint64_t& visits)
      : problem_(problem),
        order_(std::move(growing)),
        rule_(rule),
        random_(random),
        subset_of_(subset_of),
        visits_(visits),
        outside_(subset_of.size()),
        inside_(subset_of.size()),
        frontier_(problem.graph.vertices()) {
    permute(std::span(order_), random_);
    for (Vertex vertex = 0; vertex < subset_of_.size(); ++vertex) {
      if (subset_of_[vertex] != kAnySubset) continue;
      seeds_.push_back(vertex);
      left_ += problem.weights[vertex];
      for (const Vertex neighbour : problem.graph.neighbours(vertex)) ++outside_[neighbour];
      visits_ += problem.graph.degree(vertex);
    }
    permute(std::span(seeds_), random_);
  }

  void run() {
    std::uint64_t lowest_later = 0, highest_later = 0;  // of the subsets that have not grown yet
    for (const Subset subset : order_) {
      lowest_later += problem_.bounds[subset].lowest;
      highest_later += problem_.bounds[subset].highest;
    }
    for (const Subset subset : order_) {
      const auto [lowest, highest] = problem_.bounds[subset];
      lowest_later -= lowest;
      highest_later -= highest;
      // What the others cannot take must be in this subset, and what they need must not.
      const std::uint64_t must = left_ - std::min(left_, highest_later),
                          may = left_ - std::min(left_, lowest_later);
      const std::uint64_t most = std::min(highest, may);
      grow(subset, std::min(std::max(lowest, must), most), most);
    }
  }

 private:
  bool may_join(Vertex vertex, Subset subset) const {
    return subset_of_[vertex] == kAnySubset && !refused_[vertex] &&
           (problem_.fixed.empty() || problem_.fixed[vertex] == kAnySubset ||
            problem_.fixed[vertex] == subset);
  }

  std::uint32_t key(Vertex vertex) const {
    constexpr std::uint32_t kHalf = Frontier::kKeys / 2;
    const std::uint64_t in = inside_[vertex], out = outside_[vertex];
    if (rule_ == GrowthRule::most_inside)
      return static_cast<std::uint32_t>(in * (Frontier::kKeys - 1) / (in + out));
    return in < out ? kHalf - static_cast<std::uint32_t>(std::min<std::uint64_t>(kHalf, out - in))
                    : kHalf + static_cast<std::uint32_t>(std::min<std::uint64_t>(kHalf - 1, in - out));
  }

  void grow(Subset subset, std::uint64_t least, std::uint64_t most) {
    std::uint64_t size = 0, best_size = 0, best_border = 0;
    std::size_t best = 0, next_seed = 0;
    refused_.assign(subset_of_.size(), false);
    const auto take_next = [&](Vertex& vertex) {
      if (frontier_.take(vertex)) {
        outer_ -= problem_.costs[vertex];
        return true;
      }
      while (next_seed < seeds_.size() && !may_join(seeds_[next_seed], subset)) ++next_seed;
      if (next_seed == seeds_.size()) return false;
      vertex = seeds_[next_seed];
      return true;
    };
    for (Vertex vertex = 0; !problem_.fixed.empty() && vertex < subset_of_.size(); ++vertex)
      if (problem_.fixed[vertex] == subset && size + problem_.weights[vertex] <= most) {
        join(vertex, subset);
        best_size = size += problem_.weights[vertex];
        best = joined_.size();
      }
    for (Vertex vertex = 0; size < most && take_next(vertex);) {
      if (!may_join(vertex, subset)) continue;
      if (size + problem_.weights[vertex] > most) {
        if (size >= least) break;
        refused_[vertex] = true;  // a lighter one may fit
        continue;
      }
      join(vertex, subset);
      size += problem_.weights[vertex];
      const std::uint64_t border = std::min(inner_, outer_);
      if (size <= least || border <= best_border) {
        best = joined_.size();
        best_size = size;
        best_border = border;
      }
    }
    while (joined_.size() > best) leave_last();
    left_ -= best_size;
    for (const Vertex vertex : frontier_.used()) inside_[vertex] = 0;
    frontier_.clear();
    joined_.clear();
    inner_ = outer_ = 0;
  }

  void join(Vertex vertex, Subset subset) {
    subset_of_[vertex] = subset;
    joined_.push_back(vertex);
    if (outside_[vertex] > 0) inner_ += problem_.costs[vertex];
    for (const Vertex neighbour : problem_.graph.neighbours(vertex)) {
      --outside_[neighbour];
      if (subset_of_[neighbour] == subset && outside_[neighbour] == 0) inner_ -= problem_.costs[neighbour];
      if (!may_join(neighbour, subset)) continue;
      ++inside_[neighbour];
      if (!frontier_.has(neighbour)) outer_ += problem_.costs[neighbour];
      frontier_.put(neighbour, key(neighbour));
    }
    visits_ += problem_.graph.degree(vertex);
  }

  void leave_last() {
    const Vertex vertex = joined_.back();
    joined_.pop_back();
    subset_of_[vertex] = kAnySubset;
    for (const Vertex neighbour : problem_.graph.neighbours(vertex)) ++outside_[neighbour];
    visits_ += problem_.graph.degree(vertex);
  }

  const RemovalProblem& problem_;
  std::vector<Subset> order_;  // the subsets in the order in which they grow
  GrowthRule rule_;
  SplitMixRandom& random_;
  std::vector<Subset>& subset_of_;
  std::uint64_t& visits_;
  std::vector<std::uint32_t> outside_;  // neighbours of each vertex in no subset
  std::vector<std::uint32_t> inside_;   // neighbours in the subset that grows, of vertices beside it
  Frontier frontier_;
  std::vector<Vertex> seeds_;   // vertices without a subset in random order
  std::vector<Vertex> joined_;  // vertices of the subset that grows, in the order in which they joined
  std::vector<bool> refused_;   // vertices that are too heavy for the subset that grows
  std::uint64_t left_ = 0;      // weight that is in no subset
  std::uint64_t inner_ = 0, outer_ = 0;  // costs of the vertices on either side of the border
};

}  // namespace

void grow_subsets(const RemovalProblem& problem, std::vector<Subset> growing, GrowthRule rule,
                  SplitMixRandom& random, std::vector<Subset>& subset_of, std::uint64_t& visits) {
  SubsetGrowth(problem, std::move(growing), rule, random, subset_of, visits).run();
}

}  // namespace alnus::graph
