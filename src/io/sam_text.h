// The letters of SAM's records: SEQ, QUAL and MD.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "alnus/alignment.h"
#include "io/text.h"

namespace alnus::io {

// SEQ, a tab and QUAL of a read as it lies on the reference; what is empty is written as "*". SAM allows
// letters only: the stop '*' becomes X.
void append_read(Text& text, std::span<const Residue> residues, std::string_view quality,
                 const Alphabet& alphabet);

// QUAL of a read whose reverse complement is aligned.
std::string reversed(std::string_view quality);

// The value of MD, for an alignment that begins where the subject does: the residues of the subject that are
// deleted, or differ from the query's, with the number of equal ones between them. An N (X) equals nothing,
// not even another one. Returns how many residues are N (X) on both sides, which the CIGAR has among the
// equal ones.
std::int64_t append_md(Text& text, std::span<const CigarRun> cigar, std::span<const Residue> subject,
                       const Alphabet& alphabet);

}  // namespace alnus::io
