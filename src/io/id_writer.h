// The labels of a pair matrix: a line for each of its rows or columns.
#pragma once

#include "alnus/range.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"

namespace alnus::io {

// Writes the id of each sequence of the range on a line of its own, or NA for an empty id.
void write_ids(OutputFile& out, const SequenceSet& sequences, IndexRange range);

}  // namespace alnus::io
