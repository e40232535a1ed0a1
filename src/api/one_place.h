// The note about sequences that may fit others at several places, of which one is listed.
#pragma once

#include <cstdint>

#include "alnus/database.h"
#include "alnus/scoring.h"
#include "session/call.h"

namespace alnus::api {

enum class OtherPlaces : std::uint8_t {
  by_option,  // SearchOptions::max_hsps
  in_pieces   // the call has no such option: each piece of a long sequence is a pair of its own
};

// Warns that a pair has one alignment, if at least half of the queries are far shorter than the subjects and
// may lie anywhere in them: primers and probes in genomes, peptides in proteins. For DNA it also warns if the
// subjects are the far shorter ones. It warns once for a database of subjects, whatever the queries are. "Far
// shorter" means at most a 50th of the length for DNA, so that there is no warning of reads of 100 bases
// against transcripts, and a 20th for proteins, so that there is none of domains against proteins. The length
// of the longer side is the length of the sequence that a residue is in, on average over all residues, which
// many small contigs beside a genome hardly change.
// `others`: how the user sees the other places.
void tell_one_place(const Database& queries, const Database& subjects, const Scoring& scoring,
                    OtherPlaces others, session::Call& call);

}  // namespace alnus::api
