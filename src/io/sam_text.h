// The letters of SAM's records: SEQ, QUAL and MD.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "alnus/alignment.h"
#include "io/row_text.h"

namespace alnus::io {

// Appends SEQ, a tab and QUAL of a read, whose residues the caller gives in the direction of the subject; "*"
// stands for an empty field. SAM allows letters only, so that the stop '*' becomes X.
void append_read(Text& text, std::span<const Residue> residues, std::string_view quality,
                 const Alphabet& alphabet);

// Returns the qualities from the last to the first: the QUAL of a read whose reverse complement is aligned.
std::string reversed(std::string_view quality);

// Appends the value of MD for an alignment that begins at the first residue of `subject`: the residues of the
// subject that are deleted or differ from the query's, and between them the numbers of equal residues. An N
// (X in proteins) equals no residue, not even another N. Returns how many columns have an N on both sides,
// which the CIGAR counts as equal.
std::int64_t append_md(Text& text, std::span<const CigarRun> cigar, std::span<const Residue> subject,
                       const Alphabet& alphabet);

}  // namespace alnus::io
