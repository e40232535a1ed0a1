// The finite-size correction of the scores of random sequences.
#pragma once

#include "alnus/statistics.h"

namespace alnus::stats {

// Returns the area: the expected number of cells in which an alignment of this score can begin, for sequences
// of m and n residues. `score` and `first_gap`, the cost of a gap of one residue, are in the score units of
// the parameters. Park, Sheetlin, Ma, Madden & Spouge (2012), BMC Research Notes 5:286; docs/calibration.md
// has the formula.
double finite_size_area(const GumbelParameters& parameters, double first_gap, double score, double m,
                        double n);

}  // namespace alnus::stats
