// A pair of a stripe of all pairs, on its way to a row of the output.
#pragma once

#include <cstdint>

#include "engine/columns_builder.h"
#include "engine/pair_list.h"

namespace alnus::engine {

// A pair that passed the filter: i before j in the set, or i in the set and j in the other one; where the
// nearest are wanted, i is the row of the pair matrix.
struct ListedPair {
  SequenceSet::Index i = 0, j = 0;
  AlignedPair aligned;           // i as the query: an insertion is a residue extra in i
  Strand strand = Strand::plus;  // minus: the reverse complement of the longer sequence was aligned
  bool mirrored = false;         // j was the query of the alignment
  double adjusted = 0;           // its adjusted score, in scaled units, once it is known
};

// Bytes that a listed pair takes besides its CIGAR: as it is collected, and in the output's Columns.
inline constexpr std::uint64_t kBytesOfListedPair = sizeof(ListedPair) + kBytesOfRow;

}  // namespace alnus::engine
