#include "core/sorted_sequences.h"

#include <utility>

#include "core/pieces.h"

namespace alnus {

SortedSequences::SortedSequences(SequenceSet set, const StopFlag& stop) : set_(std::move(set)) {
  sort([this](SequenceSet::Index index) { return set_.file_ordinal(index); }, stop);
}

SortedSequences::SortedSequences(SequenceSet set, std::span<const Rank> ranks, const StopFlag& stop)
    : set_(std::move(set)) {
  sort([ranks](SequenceSet::Index index) { return ranks[index]; }, stop);
}

// `key_of_index` decides between sequences of equal length.
template <class Key>
void SortedSequences::sort(const Key& key_of_index, const StopFlag& stop) {
  const auto before = [&](SequenceSet::Index a, SequenceSet::Index b) {
    const std::size_t length_a = set_.length(a), length_b = set_.length(b);
    return length_a != length_b ? length_a > length_b : key_of_index(a) < key_of_index(b);
  };
  bool in_order = true;
  for (SequenceSet::Index index = 1; index < size() && in_order; ++index) {
    throw_if_requested(stop);
    in_order = !before(index, index - 1);
  }
  if (!in_order) order_ = sorted_numbers(size(), stop, before);
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
