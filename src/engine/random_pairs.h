// Random sequences, the same everywhere, and what they score with each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/call.h"
#include "stats/background.h"
#include "stats/gumbel_fit.h"

namespace alnus::engine {

// Draws letters by Walker's alias method, from numbers of SplitMix64: a few nanoseconds each.
class RandomSequences {
 public:
  RandomSequences(AlphabetKind alphabet, const Background& background);

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

// All pairs of `side` random sequences with as many others, one row after the other. With Detail::alignment
// the lengths are known.
struct PairSquare {
  std::uint32_t side = 0;
  std::vector<stats::AlignedLengths> pairs;

  double mean_score() const;
  // The variance of the scores, and which part of it is the sequences' rather than the pairs': one that has
  // much of some letter scores higher, or lower, with all others.
  struct Variance {
    double all = 0, of_sequences = 0;
  };
  Variance variance() const;
};

class RandomPairs {
 public:
  RandomPairs(const Scoring& scoring, const Background& background, Call& call);

  // Of sequences that no other square has; which, depends on how many squares there were before. Throws as
  // Scheduler does.
  PairSquare square(std::uint32_t side, std::uint32_t length, Detail detail);

 private:
  const Scoring& scoring_;
  const RandomSequences sequences_;
  Call& call_;
  std::uint64_t next_seed_ = 1;
};

}  // namespace alnus::engine
