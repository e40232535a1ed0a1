// Databases made for measurements: the same residues on every machine.
#pragma once

#include <string>

#include "alnus/sequence_set.h"

namespace alnus::cli {

// Both depend on the source's records and their order in its file alone, and come in order of decreasing
// length, as in a database file. Throw Error(database) when the source has no residues.

// Sequences of the source, drawn with replacement, the residues of each in random order.
SequenceSet permuted_subjects(const SequenceSet& source, SequenceSet::Index subjects);

// Random sequences of one length, composed as the source is.
SequenceSet equal_subjects(const SequenceSet& source, SequenceSet::Index subjects, std::size_t length);

// A line for the header and one for the residues; compressed if the name ends in .gz or .zst.
void write_fasta(const SequenceSet& sequences, const std::string& path);

}  // namespace alnus::cli
