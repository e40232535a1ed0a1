// Proteins of extreme composition and length.
#pragma once

#include <cstdint>

#include "alnus/sequence_set.h"

namespace alnus::test {

// The kinds take turns, and so do the letters within a kind: nothing, a single letter, one letter again and
// again, two letters in all proportions, repeats, X alone, letters other than the twenty, nineteen letters,
// one letter in great excess, background composition. All 27 letters come, in both cases. Most have 1 to 40
// residues, some hundreds, and a few up to 5,000. Headers name the kind.
SequenceSet extreme_proteins(unsigned seed, std::uint32_t count);

}  // namespace alnus::test
