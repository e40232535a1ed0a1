// Constants that translation units for one instruction set may use, too: this header has no include and no
// function.
#pragma once

namespace alnus {

inline constexpr int kAminoAcids = 20;            // the first codes of the alphabet of proteins
inline constexpr int kMostAminoAcidScores = 210;  // different scores that a symmetric matrix has for them

}  // namespace alnus
