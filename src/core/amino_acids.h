// Constants that translation units for one instruction set may use, too: this header has no include and no
// function.
#pragma once

namespace alnus {

inline constexpr int kAminoAcids = 20;  // the first codes of the alphabet of proteins
// The most different scores that a symmetric matrix has for the amino acids: 20 * 21 / 2.
inline constexpr int kMostAminoAcidScores = 210;

}  // namespace alnus
