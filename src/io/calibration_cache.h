// Calibrations that were computed once, in a directory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "alnus/scoring.h"
#include "alnus/statistics.h"

namespace alnus::io {

// Identifies the scores and frequencies, whatever they are called: Calibration::digest.
std::string calibration_digest(const Scoring& scoring, const Background& background);

// The file of one scoring and background: calibration-<digest>.json in the directory, or of another length of
// sequences than usual calibration-<digest>-<length>.json.
class CalibrationCache {
 public:
  // An empty name of the directory: nothing is kept. `log` is told of a file that cannot be used or written;
  // nothing is thrown.
  CalibrationCache(const std::string& directory, const Scoring& scoring, const Background& background,
                   std::uint32_t length, std::function<void(const std::string&)> log);

  // What was kept, if it is as precise.
  std::optional<Calibration> find(double precision) const;
  void store(const Calibration& calibration) const;  // makes the directory if it is not there

 private:
  std::string digest_;
  std::string path_;  // empty: there is no directory
  std::function<void(const std::string&)> log_;
};

}  // namespace alnus::io
