// Databases and sets that are made for measurements. Every machine makes the same residues.
#pragma once

#include <cstdint>
#include <string>

#include "alnus/sequence_set.h"
#include "core/thread_pool.h"

namespace alnus::bench {

// Throws Error(memory) if so many subjects with `residues` residues in all would take more than
// `memory_bytes`. Without this check the system might end the program for taking too much memory.
void check_memory(std::uint64_t subjects, std::uint64_t residues, std::uint64_t memory_bytes);

// The sequences that the following functions make depend only on the source's records and their order in its
// file, not on the threads. Functions with a source throw Error(database) if it has no residues. Subjects
// come in order of decreasing length, as in a database file.

// Draws sequences of the source with replacement and puts the residues of each into random order.
SequenceSet permuted_subjects(const SequenceSet& source, SequenceSet::Index subjects, ThreadPool& threads);

// Draws sequences of the source with replacement and cuts them, so that they have `residues` residues in all.
// The residues are in random order if the sequence was drawn before, or was too short and had to be repeated.
// longest: the length of the longest subject, where `residues` allows it; longer sequences of the source are
// not drawn. 0: no limit.
SequenceSet drawn_subjects(const SequenceSet& source, SequenceSet::Index subjects, std::uint64_t residues,
                           std::uint32_t longest, ThreadPool& threads);

// The shortest sequence of the source that has at least this length, cut; if there is none, the longest one,
// repeated.
SequenceSet drawn_query(const SequenceSet& source, std::uint32_t length);

// Random sequences of one length, with the composition of the source.
SequenceSet equal_subjects(const SequenceSet& source, SequenceSet::Index subjects, std::size_t length,
                           ThreadPool& threads);
// Copies of one random sequence with the composition of the source.
SequenceSet identical_subjects(const SequenceSet& source, SequenceSet::Index subjects, std::size_t length,
                               ThreadPool& threads);

// Sequences of the source, in its order. Wanted lengths are spread evenly over `shortest` to `longest`, and
// each takes the source's sequence of the nearest length; sequences of equal length take turns.
struct SpreadSet {
  SequenceSet sequences;
  SequenceSet::Index distinct = 0;  // different sequences of the source; the others repeat them
};
SpreadSet spread_lengths(const SequenceSet& source, SequenceSet::Index count, std::uint32_t shortest,
                         std::uint32_t longest);

// Sequences like the CDR3s of T-cell receptors: 11 to 20 residues. The first four or five residues are one of
// 8 words, and the last five or six one of 7.
SequenceSet receptor_sequences(SequenceSet::Index count);

// Writes FASTA with all residues of a sequence on one line; compressed if the name ends in .gz or .zst.
void write_fasta(const SequenceSet& sequences, const std::string& path, ThreadPool& threads);

}  // namespace alnus::bench
