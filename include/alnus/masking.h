// Masking: residues that shall align with nothing are read as X, in DNA as N. See docs/masking.md.
#pragma once

#include <cstdint>
#include <string>

#include "alnus/alphabet.h"
#include "alnus/export.h"

namespace alnus {

struct ALNUS_API Masking {
  bool lower = false;  // lower-case letters
  bool seg = false;    // regions of low complexity, of proteins
  bool dust = false;   // regions of low complexity, of DNA

  bool any() const { return lower || seg || dust; }
  std::string name() const;  // "none", or the names of those that are chosen: "lower,seg"
  // Throws Error(input) naming `origin` for seg of DNA, and for dust of proteins.
  void check(AlphabetKind alphabet, const std::string& origin) const;
};

// Residues that masking changed, and the sequences that they are in.
struct ALNUS_API MaskCounts {
  std::uint64_t residues = 0, sequences = 0;
  MaskCounts& operator+=(const MaskCounts& other);
};

}  // namespace alnus
