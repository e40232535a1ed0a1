#include "core/sorted_sequences.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/pieces.h"

namespace alnus {

SortedSequences::SortedSequences(SequenceSet set, const StopFlag& stop) : set_(std::move(set)) {
  const auto before = [&](SequenceSet::Index a, SequenceSet::Index b) {
    const std::size_t length_a = set_.length(a), length_b = set_.length(b);
    return length_a != length_b ? length_a > length_b : set_.file_ordinal(a) < set_.file_ordinal(b);
  };
  bool in_order = true;
  for (SequenceSet::Index index = 1; index < size() && in_order; ++index) {
    throw_if_requested(stop);
    in_order = !before(index, index - 1);
  }
  if (!in_order) order_ = sorted_numbers(size(), stop, before);
  add_up(stop);
}

SortedSequences::SortedSequences(SequenceSet set, std::span<const Rank> ranks, const StopFlag& stop)
    : set_(std::move(set)) {
  std::vector<std::uint64_t> keys;  // high half: the rank; low half: the index
  keys.reserve(size());
  for (SequenceSet::Index index = 0; index < size(); ++index) {
    throw_if_requested(stop);
    keys.push_back(std::uint64_t{static_cast<std::uint32_t>(ranks[index])} << 32 | index);
  }
  if (!std::ranges::is_sorted(keys)) {
    std::ranges::sort(keys, stoppable(std::less{}, stop));
    order_.reserve(size());
    for (const std::uint64_t key : keys) {
      throw_if_requested(stop);
      order_.push_back(static_cast<SequenceSet::Index>(key));
    }
  }
  add_up(stop);
}

void SortedSequences::add_up(const StopFlag& stop) {
  residues_before_.reserve(size() + std::size_t{1});
  residues_before_.push_back(0);
  for (Position position = begin(); position < end(); ++position) {
    throw_if_requested(stop);
    residues_before_.push_back(residues_before_.back() + length(position));
  }
}

bool same_sequences(const SortedSequences& a, const SortedSequences& b) {
  return &a == &b || (same_sequences(a.set_, b.set_) && a.order_ == b.order_);
}

bool same_sequences(const SequenceSet& a, const SequenceSet& b) {
  return a.size() == b.size() && a.arrays().offsets.data() == b.arrays().offsets.data() &&
         a.arrays().residues.data() == b.arrays().residues.data() &&
         a.arrays().file_ordinals.data() == b.arrays().file_ordinals.data();
}

}  // namespace alnus
