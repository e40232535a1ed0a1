// The labels of a matrix of pairs: a line for each of its rows or columns.
#pragma once

#include "alnus/range.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"

namespace alnus::io {

// Writes the id of each sequence of the range on a line of its own. An id is the header up to the first
// blank, or NA if that is empty.
void write_ids(OutputFile& out, const SequenceSet& sequences, IndexRange range);

}  // namespace alnus::io
