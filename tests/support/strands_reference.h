// One pair on the strands that a call asks for, computed by definition.
#pragma once

#include <span>

#include "alnus/alignment.h"
#include "alnus/strand.h"
#include "support/sequences.h"

namespace alnus::test {

// Returns the reverse complement, by a table of letters that is not alnus's.
Residues other_strand(std::span<const Residue> nucleotides);
// Returns the reverse complements of all sequences of the set, with the same headers.
SequenceSet other_strands(const SequenceSet& set);

struct StrandedResult {
  Strand strand = Strand::plus;
  // The alignment as rows have it: the coordinates of both sequences are those of the sequences as given, and
  // the CIGAR runs along the subject. `ends` is what rows have of it at detail `ends`, with -1 for
  // coordinates that are then unknown.
  Alignment alignment, ends;
  AlignmentCounts counts;
};

// Returns the result on the better of the strands that are asked for, and on the plus strand if both score
// the same.
StrandedResult reference_on_strands(std::span<const Residue> query, std::span<const Residue> subject,
                                    const Scoring& scoring, Strands strands);

// Does the same by the rule of all pairs: the longer sequence is aligned as the query, and on the minus
// strand its reverse complement. In the result `first` is the query.
StrandedResult all_pairs_reference_on_strands(std::span<const Residue> first, std::span<const Residue> second,
                                              const Scoring& scoring, Strands strands);

}  // namespace alnus::test
