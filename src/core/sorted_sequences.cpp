#include "core/sorted_sequences.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace alnus {

SortedSequences::SortedSequences(SequenceSet set) : set_(std::move(set)) {
  sort([this](SequenceSet::Index index) { return set_.file_ordinal(index); });
}

SortedSequences::SortedSequences(SequenceSet set, std::span<const Rank> ranks) : set_(std::move(set)) {
  sort([ranks](SequenceSet::Index index) { return ranks[index]; });
}

// `key_of_index` decides between sequences of equal length.
template <class Key>
void SortedSequences::sort(const Key& key_of_index) {
  const auto before = [&](SequenceSet::Index a, SequenceSet::Index b) {
    const std::size_t length_a = set_.length(a), length_b = set_.length(b);
    return length_a != length_b ? length_a > length_b : key_of_index(a) < key_of_index(b);
  };
  order_.resize(size());
  std::iota(order_.begin(), order_.end(), SequenceSet::Index{0});
  if (std::is_sorted(order_.begin(), order_.end(), before)) {
    order_ = {};
  } else {
    std::sort(order_.begin(), order_.end(), before);
  }
  residues_before_.resize(size() + std::size_t{1});
  for (Position position = begin(); position < end(); ++position)
    residues_before_[position.value() + 1] = residues_before_[position.value()] + length(position);
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
