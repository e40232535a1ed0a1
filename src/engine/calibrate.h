// The statistics of any local scoring, from random sequences that the devices align.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/device.h"
#include "engine/progress.h"
#include "stats/background.h"
#include "stats/gumbel.h"

namespace alnus::engine {

struct CalibrationOptions {
  double precision = 0.01;      // relative, of lambda: five standard errors or more
  std::uint32_t length = 2000;  // of the random sequences; twice that where alignments are long
};

// docs/calibration.md. The result depends on scoring, background and options, and on nothing else.
// Throws Error(input) when these scores have no such statistics: the mode is not local, no pair of letters
// scores above 0, the expected score is not below 0, or gaps are so cheap that scores grow linearly with the
// sequences. Throws as the other drivers do besides (engine/search.h).
stats::Calibration calibrate(const Scoring& scoring, const stats::Background& background,
                             const CalibrationOptions& options, std::span<Device* const> devices,
                             Progress& progress);

// The same, kept in the user's cache directory (io/calibration_cache.h). `log` takes a sentence for the user
// when something is wrong there.
stats::Calibration calibrated_parameters(const Scoring& scoring, const stats::Background& background,
                                         const CalibrationOptions& options, std::span<Device* const> devices,
                                         Progress& progress,
                                         const std::function<void(const std::string&)>& log);

}  // namespace alnus::engine
