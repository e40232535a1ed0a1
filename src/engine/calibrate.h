// The statistics of any local scoring, from random sequences that the devices align.
#pragma once

#include <cstdint>

#include "alnus/scoring.h"
#include "alnus/statistics.h"
#include "engine/call.h"

namespace alnus::engine {

// docs/calibration.md. The result depends on what is given here but the call, and on nothing else.
// `length`: of the random sequences; twice that where alignments are long.
// Throws Error(input) when these scores have no such statistics: the mode is not local, no pair of letters
// scores above 0, the expected score is not below 0, or gaps are so cheap that scores grow linearly with the
// sequences. Throws as the other drivers do besides (engine/search.h).
Calibration calibrate(const Scoring& scoring, const Background& background, double precision,
                      std::uint32_t length, Call& call);

}  // namespace alnus::engine
