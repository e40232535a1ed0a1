// The records of a set by their ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "alnus/sequence_set.h"

namespace alnus::io {

class IdIndex {
 public:
  // The set's memory must live as long as this object; the set itself is copied.
  explicit IdIndex(const SequenceSet& sequences);

  // Throws Error(input) naming the first two records that have the same id, if there are any.
  void require_distinct() const;
  // The first record with this id; empty if there is none.
  std::optional<SequenceSet::Index> find(std::string_view id) const;
  bool is_repeated(std::string_view id) const;  // two records or more have this id
  const SequenceSet& sequences() const { return sequences_; }

 private:
  struct Entry {
    SequenceSet::Index index;
    bool repeated;
  };
  struct Repeat {
    SequenceSet::Index first, second;
  };
  SequenceSet sequences_;
  std::unordered_map<std::string_view, Entry> entries_;
  std::optional<Repeat> repeat_;  // the first record whose id an earlier record has, and that one
};

}  // namespace alnus::io
