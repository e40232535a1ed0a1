// A pair of a stripe of all pairs, on its way to a row of the output.
#pragma once

#include <cstdint>

#include "engine/align_list.h"
#include "engine/columns_builder.h"

namespace alnus::engine {

// A pair that passed the filter. i and j are indices: of one set, with i before j; of two sets, i in the
// first and j in the second. If only the nearest of each row are wanted, i is the row of the pair matrix and
// j its column.
struct ListedPair {
  SequenceSet::Index i = 0, j = 0;
  AlignedPair aligned;           // with i as the query: an insertion is an extra residue of i
  Strand strand = Strand::plus;  // minus: the reverse complement of the longer sequence was aligned
  bool mirrored = false;         // j was the query of the alignment
  double adjusted = 0;           // adjusted score in units of 1/scale, once it is known
};

// Bytes that a listed pair takes besides its CIGAR: as it is collected, and in the output's Columns.
inline constexpr std::uint64_t kBytesOfListedPair = sizeof(ListedPair) + kBytesOfRow;

}  // namespace alnus::engine
