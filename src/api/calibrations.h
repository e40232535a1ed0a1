// Where a session keeps calibrations.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "alnus/scoring.h"
#include "alnus/statistics.h"

namespace alnus::api {

class Calibrations {
 public:
  explicit Calibrations(CalibrationCache cache) : cache_(std::move(cache)) {}

  using Warn = std::function<void(std::string)>;  // of a file that cannot be used or written
  // What was kept for this scoring and background, if it is as precise.
  std::optional<Calibration> find(const Scoring& scoring, const Background& background, double precision,
                                  const Warn& warn);
  void store(const Scoring& scoring, const Background& background, const Calibration& calibration,
             const Warn& warn);
  // One that the user gave serves every search, however precise it is.
  void give(const Scoring& scoring, const Background& background, const Calibration& calibration);
  std::optional<Calibration> given(const Scoring& scoring, const Background& background);

 private:
  const CalibrationCache cache_;
  std::mutex mutex_;
  std::map<std::string, Calibration> given_;  // by digest
  std::map<std::string, Calibration> known_;  // by digest
};

}  // namespace alnus::api
