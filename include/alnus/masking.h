// Masking: residues that must align with nothing are read as X, in DNA as N. See docs/masking.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "alnus/alphabet.h"
#include "alnus/export.h"
#include "alnus/words.h"

namespace alnus {

struct ALNUS_API Masking {
  bool lower = false;  // masks lower-case letters
  bool seg = false;    // masks regions of low complexity in proteins (SEG)
  bool dust = false;   // masks regions of low complexity in DNA (DUST)

  bool any() const { return lower || seg || dust; }
  std::string name() const;  // "none", or the names of the chosen kinds: "lower,seg"
  // Throws Error(input) naming `origin` if seg is chosen for DNA, or dust for proteins.
  void check(AlphabetKind alphabet, const std::string& origin) const;
};
template <>
inline constexpr std::array kWords<bool Masking::*> = {
    Word{"lower", &Masking::lower}, Word{"seg", &Masking::seg}, Word{"dust", &Masking::dust}};

// How many residues masking changed, and how many sequences have such residues.
struct ALNUS_API MaskCounts {
  std::uint64_t residues = 0, sequences = 0;
  MaskCounts& operator+=(const MaskCounts& other);
};

}  // namespace alnus
