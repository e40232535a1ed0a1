// Uniform random permutations of a sequence, the same on every machine.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/alphabet.h"

namespace alnus::engine {

// Makes numbered permutations of one sequence. Permutation n depends on the seed, the residues (whatever
// their case) and n only, not on the place of the sequence or on other sequences. The residues must outlive
// the object.
class Shuffler {
 public:
  Shuffler(std::span<const Residue> residues, std::uint64_t seed);
  std::span<const Residue> residues() const { return residues_; }
  // Writes permutation `number` to `out`, which has room for residues().size() residues.
  void shuffle(std::uint32_t number, Residue* out) const;

 private:
  std::span<const Residue> residues_;
  std::uint64_t key_;
};

}  // namespace alnus::engine
