// The note about sequences that may fit others at several places, of which one is listed.
#pragma once

#include "alnus/database.h"
#include "alnus/scoring.h"

namespace alnus::session {
class Call;
}

namespace alnus::api {

// Warns that a pair has one alignment, if at least half of the queries are far shorter than the subjects and
// may lie anywhere in them: primers and probes in genomes, peptides in proteins. Told once for a database of
// subjects, whatever the queries; and of DNA, too, if the subjects are the far shorter ones. "Far shorter" is
// a 50th for DNA, so that reads of 100 bases against transcripts are no case of it, and a 20th for proteins,
// so that domains against proteins are none. The length of the longer side is the average over their
// residues, which many small contigs beside a genome hardly change.
void tell_one_place(const Database& queries, const Database& subjects, const Scoring& scoring,
                    session::Call& call);

}  // namespace alnus::api
