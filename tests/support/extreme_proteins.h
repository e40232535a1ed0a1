// Proteins of extreme composition and length.
#pragma once

#include <cstdint>

#include "alnus/sequence_set.h"

namespace alnus::test {

// Returns proteins of several kinds in turn: empty, a single letter, a run of one letter, two letters in all
// proportions, repeats, only X, letters other than the twenty, nineteen letters, one letter in great excess,
// and background composition. Within a kind the letters take turns. All 27 letters are there, in both cases.
// Most proteins have 1 to 40 residues, some hundreds, and a few up to 5,000. Headers name the kind.
SequenceSet extreme_proteins(unsigned seed, std::uint32_t count);

}  // namespace alnus::test
