// Writes sequences as FASTA.
#pragma once

#include <functional>

#include "alnus/sequence_set.h"
#include "io/output_file.h"

namespace alnus::io {

// Writes the records for which `is_wanted` is true, in the order of the set: '>' and the header, then lines
// of 60 residues as letters. Lower-case letters stay, and a header that has an id with blanks is written as
// it is.
void write_fasta(OutputFile& out, const SequenceSet& set,
                 const std::function<bool(SequenceSet::Index)>& is_wanted);

}  // namespace alnus::io
