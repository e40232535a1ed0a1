// The parameters of local scores of random sequences, with those of the finite-size correction.
#pragma once

#include "alnus/statistics.h"

namespace alnus::stats {

// The places of sequences of m and n residues where an alignment of this score can begin, on average.
// `first_gap`: what a gap of one residue costs. Park, Sheetlin, Ma, Madden & Spouge (2012), BMC Research
// Notes 5:286.
double finite_size_area(const GumbelParameters& parameters, double first_gap, double score, double m,
                        double n);

}  // namespace alnus::stats
