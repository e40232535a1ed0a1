// Sequences in the order in which devices work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "alnus/sequence_set.h"
#include "core/index_spaces.h"
#include "core/stop_flag.h"

namespace alnus {

// A set and its order by decreasing length. A SortedSequences is immutable, and shared by those who work with
// it. The constructors throw Interrupted when `stop` is requested.
class SortedSequences : public std::enable_shared_from_this<SortedSequences> {
 public:
  // Sorts the set; sequences of equal length are in the order of the file.
  explicit SortedSequences(SequenceSet set, const StopFlag& stop = StopFlag::never());
  // Takes the order from ranks, one for each index. A longer sequence must have a lower rank.
  SortedSequences(SequenceSet set, std::span<const Rank> ranks, const StopFlag& stop = StopFlag::never());

  const SequenceSet& set() const { return set_; }
  std::uint32_t size() const { return set_.size(); }
  Position begin() const { return Position(0); }
  Position end() const { return Position(size()); }
  PositionRange all() const { return {begin(), end()}; }

  SequenceSet::Index index(Position position) const {
    return order_.empty() ? position.value() : order_[position.value()];
  }
  std::span<const Residue> residues(Position position) const { return set_.residues(index(position)); }
  std::size_t length(Position position) const { return set_.length(index(position)); }
  // The number of residues of all sequences before this position, which may be end().
  std::uint64_t residues_before(Position position) const { return residues_before_[position.value()]; }
  std::uint64_t residues(PositionRange range) const {
    return residues_before(range.end) - residues_before(range.begin);
  }

  // True if both are the same sequences in memory, in the same order.
  friend bool same_sequences(const SortedSequences& a, const SortedSequences& b);

 private:
  void add_up(const StopFlag& stop);

  SequenceSet set_;
  std::vector<SequenceSet::Index> order_;  // by position; empty: the set is sorted already
  std::vector<std::uint64_t> residues_before_;
};
using SortedPtr = std::shared_ptr<const SortedSequences>;

// True if both sets view the same memory. While one of the sets lives, no other set can be in that memory.
bool same_sequences(const SequenceSet& a, const SequenceSet& b);

}  // namespace alnus
