// Masking: residues that shall align with nothing are read as X, in dna as N. See docs/masking.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "alnus/sequence_set.h"

namespace alnus {

struct Masking {
  bool lower = false;  // lower-case letters
  bool seg = false;    // regions of low complexity, of proteins

  bool any() const { return lower || seg; }
  std::string name() const;  // "none", "lower", "seg" or "lower,seg"
  // Throws Error(input) naming `origin` for seg of dna.
  void check(AlphabetKind alphabet, const std::string& origin) const;
};

struct MaskCounts {
  std::uint64_t residues = 0, sequences = 0;  // that are not as they were
  MaskCounts& operator+=(const MaskCounts& other);
};

// Where they lie; `offsets` as those of a SequenceSet.
MaskCounts mask(std::span<Residue> residues, std::span<const std::uint64_t> offsets, AlphabetKind alphabet,
                Masking masking);

// The sequences with residues of their own; everything else is shared. `counts` is added to.
SequenceSet masked_copy(const SequenceSet& sequences, Masking masking, MaskCounts& counts);

}  // namespace alnus
