// Random sequences that are the same everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "alnus/sequence_set.h"
#include "stats/background.h"

namespace alnus::engine {

// Draws letters by Walker's alias method, from numbers of SplitMix64: a few nanoseconds each.
class RandomSequences {
 public:
  RandomSequences(AlphabetKind alphabet, const stats::Background& background);

  // `count` sequences of `length` residues, other ones for every `seed`.
  SequenceSet draw(std::uint64_t seed, std::uint32_t count, std::uint32_t length) const;

 private:
  struct Column {
    std::uint32_t below;    // a part of 2^32: the column's own letter
    Residue letter, other;  // above it
  };
  AlphabetKind alphabet_;
  std::vector<Column> columns_;
};

}  // namespace alnus::engine
