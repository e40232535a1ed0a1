// --pairs: the pairs to align, by the ids of their sequences.
#pragma once

#include <string>
#include <vector>

#include "core/device.h"

namespace alnus::cli {

// The pairs of the file (- is standard input), in its order. A line is a query's id and a subject's id,
// with a tab or blanks between them; further columns, empty lines and lines that begin with # are ignored.
// Throws Error(input) naming the line: an id missing, unknown, or of several records.
std::vector<PairIndex> read_pair_list(const std::string& path, const SequenceSet& queries,
                                      const SequenceSet& subjects);

}  // namespace alnus::cli
