#include "graph/pack.h"

#include <algorithm>
#include <numeric>

#include "core/split_mix.h"

namespace alnus::graph {
namespace {

__extension__ using Wide = __int128;

// What a packing is judged by; less is better.
struct PackCost {
  std::uint64_t out_of_bounds = 0;
  Wide deviation = 0;
  bool operator<(const PackCost& other) const {
    return out_of_bounds != other.out_of_bounds ? out_of_bounds < other.out_of_bounds
                                                : deviation < other.deviation;
  }
  bool perfect() const { return out_of_bounds == 0 && deviation == 0; }
};

// A packing of some or all items, with its cost.
class PackState {
 public:
  PackState(std::span<const PackItem> items, std::span<const PackTarget> targets, std::uint32_t labels)
      : items_(items),
        targets_(targets),
        columns_(labels + std::size_t{1}),
        subset_of_(items.size(), kAnySubset),
        sizes_(targets.size()),
        surplus_(targets.size() * columns_) {
    for (const PackTarget& target : targets) whole_ += static_cast<std::int64_t>(target.fraction);
    std::vector<std::int64_t> totals(columns_);
    for (const PackItem& item : items) {
      for (const LabelCount& label : item.labels) totals[label.label] += label.count;
      totals.back() += static_cast<std::int64_t>(item.weight);
    }
    for (std::size_t subset = 0; subset < targets.size(); ++subset) {
      cost_.out_of_bounds += targets[subset].bounds.lowest;
      for (std::size_t column = 0; column < columns_; ++column) {
        std::int64_t& surplus = surplus_[subset * columns_ + column];
        surplus = -static_cast<std::int64_t>(targets[subset].fraction) * totals[column];
        cost_.deviation += Wide{surplus} * surplus;
      }
    }
  }

  const PackCost& cost() const { return cost_; }
  Subset subset_of(std::size_t item) const { return subset_of_[item]; }
  const std::vector<Subset>& subsets() const { return subset_of_; }
  const std::vector<std::uint64_t>& sizes() const { return sizes_; }

  // Moves an item from where it is, if it is anywhere, to a subset or to none.
  void move(std::size_t item, Subset to) {
    if (subset_of_[item] != kAnySubset) add(item, subset_of_[item], -1);
    if (to != kAnySubset) add(item, to, 1);
    subset_of_[item] = to;
  }

  // Records above the highest size. While items are being placed, sizes that are still too low tell nothing.
  std::uint64_t above_with(std::size_t item, Subset subset) const {
    const std::uint64_t size = sizes_[subset] + items_[item].weight,
                        highest = targets_[subset].bounds.highest;
    return size > highest ? size - std::max(highest, sizes_[subset]) : 0;
  }

 private:
  std::uint64_t out_of_bounds(Subset subset) const {
    const auto& [lowest, highest] = targets_[subset].bounds;
    const std::uint64_t size = sizes_[subset];
    return size < lowest ? lowest - size : size > highest ? size - highest : 0;
  }

  void add(std::size_t item, Subset subset, std::int64_t sign) {
    cost_.out_of_bounds -= out_of_bounds(subset);
    sizes_[subset] += static_cast<std::uint64_t>(sign) * items_[item].weight;
    cost_.out_of_bounds += out_of_bounds(subset);
    const auto add_to = [&](std::size_t column, std::uint64_t count) {
      std::int64_t& surplus = surplus_[subset * columns_ + column];
      const std::int64_t more = sign * whole_ * static_cast<std::int64_t>(count);
      cost_.deviation += Wide{more} * (more + 2 * Wide{surplus});
      surplus += more;
    };
    for (const LabelCount& label : items_[item].labels) add_to(label.label, label.count);
    add_to(columns_ - 1, items_[item].weight);
  }

  std::span<const PackItem> items_;
  std::span<const PackTarget> targets_;
  std::size_t columns_;  // the labels, and all records
  std::int64_t whole_ = 0;
  std::vector<Subset> subset_of_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::int64_t> surplus_;  // F n - f N for each subset and column
  PackCost cost_;
};

// The largest item that fits nowhere where it may go.
std::optional<std::size_t> find_too_large(std::span<const PackItem> items,
                                          std::span<const PackTarget> targets) {
  std::uint64_t widest = 0;
  for (const PackTarget& target : targets) widest = std::max(widest, target.bounds.highest);
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const std::uint64_t highest =
        items[k].subset == kAnySubset ? widest : targets[items[k].subset].bounds.highest;
    if (items[k].weight > highest && (!found || items[k].weight > items[*found].weight)) found = k;
  }
  return found;
}

void place_largest_first(std::span<const PackItem> items, Subset subsets, PackState& state,
                         const StopFlag& stop) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return items[a].weight > items[b].weight; });
  for (const std::size_t item : order)
    if (items[item].subset != kAnySubset) state.move(item, items[item].subset);
  for (const std::size_t item : order) {
    if (items[item].subset != kAnySubset) continue;
    stop.throw_if_requested();
    Subset best = 0;
    PackCost least;
    for (Subset subset = 0; subset < subsets; ++subset) {
      const std::uint64_t above = state.above_with(item, subset);
      state.move(item, subset);
      const PackCost cost{above, state.cost().deviation};
      if (subset == 0 || cost < least) {
        least = cost;
        best = subset;
      }
    }
    state.move(item, best);
  }
}

// Late acceptance from the state as it is; returns the best subsets that were found.
class PackSearch {
 public:
  PackSearch(std::span<const PackItem> items, Subset subsets, PackState& state, std::uint64_t seed)
      : items_(items), subsets_(subsets), state_(state), random_(seed), earlier_(kMemory, state.cost()) {
    for (std::size_t k = 0; k < items.size(); ++k)
      if (items[k].subset == kAnySubset) free_.push_back(k);
  }

  std::vector<Subset> run(std::uint64_t work, const StopFlag& stop) {
    std::vector<Subset> best = state_.subsets();
    if (subsets_ < 2 || free_.empty()) return best;
    PackCost least = state_.cost();
    std::vector<std::size_t> changed;  // items whose subset in `best` may be out of date
    // Without a better packing for so many steps a round ends, and the next one begins with some items
    // elsewhere.
    const std::uint64_t patience = 8'000 + std::uint64_t{free_.size()} * subsets_;
    const std::size_t most_changed = 4 * free_.size() + 1024;  // before duplicates are taken out
    std::uint64_t idle = 0;
    int rounds = 1;
    for (std::uint64_t step = 0; used_ < work && !least.perfect(); ++step, ++idle) {
      if (step % 1024 == 0) stop.throw_if_requested();
      if (idle == patience) {
        if (rounds++ == kRounds) break;
        idle = 0;
        disturb(changed);
      }
      PackCost& earlier = earlier_[step % kMemory];
      propose();
      if (state_.cost() < before_ || !(earlier < state_.cost()) || !(before_ < state_.cost())) {
        for (int k = 0; k < moved_; ++k) changed.push_back(item_[k]);
      } else {
        for (int k = 0; k < moved_; ++k) move(item_[k], from_[k]);
      }
      earlier = state_.cost();
      if (state_.cost() < least) {
        least = state_.cost();
        for (const std::size_t item : changed) best[item] = state_.subset_of(item);
        changed.clear();
        idle = 0;
        rounds = 1;
      } else if (changed.size() > most_changed) {
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
      }
    }
    return best;
  }

 private:
  static constexpr std::size_t kMemory = 512;
  static constexpr int kRounds = 12;  // without a better packing

  // Moves some items anywhere, and forgets how good earlier packings were.
  void disturb(std::vector<std::size_t>& changed) {
    for (std::uint32_t left = 1 + random_.below(8); left > 0; --left) {
      const std::size_t item = random_item();
      move(item, random_.below(subsets_));
      changed.push_back(item);
    }
    std::fill(earlier_.begin(), earlier_.end(), state_.cost());
  }

  void move(std::size_t item, Subset to) {
    state_.move(item, to);
    used_ += 2 * (items_[item].labels.size() + 1);
  }

  std::size_t random_item() { return free_[random_.below(static_cast<std::uint32_t>(free_.size()))]; }

  // Moves an item to another subset, or swaps two items of different subsets.
  void propose() {
    before_ = state_.cost();
    ++used_;
    item_[0] = random_item();
    from_[0] = state_.subset_of(item_[0]);
    if (random_.below(2) == 0) {
      moved_ = 1;
      const Subset to = random_.below(subsets_ - 1);
      move(item_[0], to + (to >= from_[0] ? 1 : 0));
      return;
    }
    item_[1] = random_item();
    from_[1] = state_.subset_of(item_[1]);
    moved_ = from_[0] == from_[1] ? 0 : 2;
    for (int k = 0; k < moved_; ++k) move(item_[k], from_[1 - k]);
  }

  std::span<const PackItem> items_;
  Subset subsets_;
  PackState& state_;
  SplitMixRandom random_;
  std::vector<PackCost> earlier_;  // costs of the last steps
  std::vector<std::size_t> free_;  // items that may move
  std::uint64_t used_ = 0;
  // The last proposal: the items that it moved, where they were, and the cost before it.
  int moved_ = 0;
  std::size_t item_[2] = {};
  Subset from_[2] = {};
  PackCost before_;
};

}  // namespace

Packing pack(std::span<const PackItem> items, std::span<const PackTarget> targets, std::uint32_t labels,
             std::uint64_t seed, std::uint64_t work, const StopFlag& stop) {
  Packing result;
  result.too_large = find_too_large(items, targets);
  if (result.too_large) return result;
  const auto subsets = static_cast<Subset>(targets.size());
  PackState state(items, targets, labels);
  place_largest_first(items, subsets, state, stop);
  result.subset_of = PackSearch(items, subsets, state, seed).run(work, stop);
  for (std::size_t item = 0; item < items.size(); ++item)
    if (state.subset_of(item) != result.subset_of[item]) state.move(item, result.subset_of[item]);
  result.sizes = state.sizes();
  result.within_bounds = state.cost().out_of_bounds == 0;
  return result;
}

}  // namespace alnus::graph
