// For translation units that are compiled for one instruction set, too: no include, no function.
#pragma once

namespace alnus {

inline constexpr int kAminoAcids = 20;            // the first codes of the alphabet of proteins
inline constexpr int kMostAminoAcidScores = 210;  // that a symmetric matrix has for them

}  // namespace alnus
