// Uniform random permutations of a sequence, the same on every machine.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/alphabet.h"

namespace alnus::engine {

// Permutation number n depends on the seed, the residues (whatever their case) and n only: wherever a
// sequence stands, and whatever else is shuffled, its permutations are these.
class Shuffler {
 public:
  Shuffler(std::span<const Residue> residues, std::uint64_t seed);
  std::span<const Residue> residues() const { return residues_; }
  // Writes as many residues as the sequence has.
  void shuffle(std::uint32_t number, Residue* out) const;

 private:
  std::span<const Residue> residues_;
  std::uint64_t key_;
};

}  // namespace alnus::engine
