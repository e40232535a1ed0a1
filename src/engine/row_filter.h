// Which rows pass a RowFilter.
#pragma once

#include <cstdint>

#include "alnus/alignment.h"
#include "alnus/identity.h"
#include "alnus/row_filter.h"

namespace alnus::engine {

// How far an alignment reaches over a sequence: the number of residues from the first aligned one to the
// last, and of all residues.
struct Extent {
  std::int32_t span = 0;
  std::size_t length = 0;
};

// True if the share is at least so many percent. The percentage is the decimal that it was written as: 161 of
// 250 are 64.4 percent, though no double is.
bool is_at_least(const Fraction& share, double percent);

// True if a row with this alignment passes. The counts and spans count only if the filter
// needs_alignments().
bool passes(const RowFilter& filter, const AlignmentCounts& counts, const Extent& query,
            const Extent& subject);

}  // namespace alnus::engine
