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

// Sequences of the source, drawn with replacement and cut, so that they have this many residues in all; those
// of a sequence that is drawn again, or not long enough, are in random order. longest: the length of the
// longest, if so many residues allow it (none of the source's is drawn that is longer); 0: whatever comes.
SequenceSet drawn_subjects(const SequenceSet& source, SequenceSet::Index subjects, std::uint64_t residues,
                           std::uint32_t longest);

// The source's sequence that comes nearest to this length from above, cut; else its longest, again and again.
SequenceSet drawn_query(const SequenceSet& source, std::uint32_t length);

// Random sequences of one length, composed as the source is.
SequenceSet equal_subjects(const SequenceSet& source, SequenceSet::Index subjects, std::size_t length);
// One of them, again and again.
SequenceSet identical_subjects(const SequenceSet& source, SequenceSet::Index subjects, std::size_t length);

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
