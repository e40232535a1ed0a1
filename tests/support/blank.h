// Blank sequences: those without a known letter.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "support/sequences.h"

namespace alnus::test {

inline bool is_blank(std::span<const Residue> residues, AlphabetKind kind = AlphabetKind::protein) {
  const std::string unknown = kind == AlphabetKind::dna ? "Nn" : "Xx";
  return std::ranges::all_of(decode(residues, kind), [&](char c) { return unknown.find(c) != unknown.npos; });
}

}  // namespace alnus::test
