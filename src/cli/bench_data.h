// Databases and sets made for measurements: the same residues on every machine.
#pragma once

#include <cstdint>
#include <string>

#include "alnus/sequence_set.h"

namespace alnus::cli {

// All depend on the source's records and their order in its file alone, and throw Error(database) when the
// source has no residues. Subjects come in order of decreasing length, as in a database file.

// Sequences of the source, drawn with replacement, the residues of each in random order.
SequenceSet permuted_subjects(const SequenceSet& source, SequenceSet::Index subjects);

// Random sequences of one length, composed as the source is.
SequenceSet equal_subjects(const SequenceSet& source, SequenceSet::Index subjects, std::size_t length);

// Sequences of the source, in its order, whose lengths are spread evenly over `shortest` to `longest`: for
// each of these lengths the source's nearest, and sequences of one length take turns.
struct SpreadSet {
  SequenceSet sequences;
  SequenceSet::Index distinct = 0;  // of the source: the others are repetitions
};
SpreadSet spread_lengths(const SequenceSet& source, SequenceSet::Index count, std::uint32_t shortest,
                         std::uint32_t longest);

// A line for the header and one for the residues; compressed if the name ends in .gz or .zst.
void write_fasta(const SequenceSet& sequences, const std::string& path);

}  // namespace alnus::cli
