// One pair on the strands that a call asks for, by definition.
#pragma once

#include <span>

#include "alnus/alignment.h"
#include "alnus/strand.h"
#include "support/sequences.h"

namespace alnus::test {

// By a table of letters of its own.
Residues other_strand(std::span<const Residue> nucleotides);
// Every sequence of the set, under its header.
SequenceSet other_strands(const SequenceSet& set);

struct StrandedResult {
  Strand strand = Strand::plus;
  // As rows tell it: the coordinates of both sequences count as they were given, the CIGAR runs along the
  // subject. `ends` is what is left of it where only ends are asked for and rows may be on the minus strand.
  Alignment alignment, ends;
  AlignmentCounts counts;
};

// The better strand of those that are asked for, plus where both score the same.
StrandedResult reference_on_strands(std::span<const Residue> query, std::span<const Residue> subject,
                                    const Scoring& scoring, Strands strands);

// The same by the rule of all pairs: the longer sequence of the pair is aligned as the query, on the minus
// strand its reverse complement; the result is told with `first` as the query.
StrandedResult all_pairs_reference_on_strands(std::span<const Residue> first, std::span<const Residue> second,
                                              const Scoring& scoring, Strands strands);

}  // namespace alnus::test
