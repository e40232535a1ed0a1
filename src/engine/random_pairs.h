// Random sequences, the same on every machine, and the scores of their pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/call_state.h"
#include "stats/background.h"
#include "stats/gumbel_fit.h"

namespace alnus::engine {

// Draws letters by Walker's alias method, from numbers of SplitMix64: a few nanoseconds each.
class RandomSequences {
 public:
  RandomSequences(AlphabetKind alphabet, const Background& background);

  // Returns `count` sequences of `length` residues, different ones for every `seed`.
  SequenceSet draw(std::uint64_t seed, std::uint32_t count, std::uint32_t length) const;

 private:
  // A column of the alias table.
  struct Column {
    std::uint32_t below;    // a random 32-bit number below this draws `letter`
    Residue letter, other;  // any other draws `other`
  };
  AlphabetKind alphabet_;
  std::vector<Column> columns_;
};

// Results of all pairs of `side` random sequences with `side` others: side x side, row by row. Only
// Detail::alignment sets the lengths.
struct PairSquare {
  std::uint32_t side = 0;
  std::vector<stats::AlignedLengths> pairs;

  double mean_score() const;
  // `all`: the variance of the scores. `of_sequences`: the part of it that comes from the sequences, not from
  // the pairs: a sequence rich in some letter scores higher, or lower, with all others.
  struct Variance {
    double all = 0, of_sequences = 0;
  };
  Variance variance() const;
};

class RandomPairs {
 public:
  RandomPairs(const Scoring& scoring, const Background& background, CallState& call);

  // Aligns a square of sequences that no other square has. The sequences depend on how many squares were made
  // before. Throws as Scheduler does.
  PairSquare square(std::uint32_t side, std::uint32_t length, Detail detail);

 private:
  const Scoring& scoring_;
  const RandomSequences sequences_;
  CallState& call_;
  std::uint64_t next_seed_ = 1;
};

}  // namespace alnus::engine
