// Finds the statistics' parameters of any local scoring, from random sequences that the devices align.
#pragma once

#include <cstdint>

#include "alnus/scoring.h"
#include "alnus/statistics.h"
#include "engine/call_state.h"

namespace alnus::engine {

// Simulates random pairs and fits the parameters to them (docs/calibration.md). `precision`: the wanted
// relative error of lambda. `length`: residues of each random sequence; it is doubled where alignments are
// long. All of the result but its `seconds` depends on the arguments other than `call` alone. Throws
// Error(input) when these scores have no such statistics: the mode is not local, no pair of letters scores
// above 0, the expected score is not below 0, or gaps are so cheap that scores grow linearly with the
// sequences. Otherwise throws as the other drivers do (engine/search_driver.h).
Calibration calibrate(const Scoring& scoring, const Background& background, double precision,
                      std::uint32_t length, CallState& call);

// The cells that calibrate() computes with the precision and the length of these options; up to twice as many
// if alignments are long.
std::uint64_t expected_cells(const CalibrationOptions& options);

}  // namespace alnus::engine
