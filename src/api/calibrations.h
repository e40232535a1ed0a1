// Where a session keeps calibrations.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "alnus/scoring.h"
#include "alnus/statistics.h"

namespace alnus::api {

class Calibrations {
 public:
  explicit Calibrations(CalibrationCache cache) : cache_(std::move(cache)) {}

  using Warn = std::function<void(std::string)>;  // of a file that cannot be used or written
  // What calibrations differ by, besides their precision.
  struct Key {
    const Scoring& scoring;
    const Background& background;
    std::uint32_t length;  // CalibrationOptions::length
  };
  // What the user gave, or was kept for this key, if it is as precise.
  std::optional<Calibration> find(const Key& key, double precision, const Warn& warn);
  void store(const Key& key, const Calibration& calibration, const Warn& warn);
  // One that the user gave serves every search, however precise it is.
  void give(const Scoring& scoring, const Background& background, const Calibration& calibration);
  std::optional<Calibration> given(const Scoring& scoring, const Background& background);

 private:
  const CalibrationCache cache_;
  std::mutex mutex_;
  std::map<std::string, Calibration> given_;                            // by digest
  std::map<std::pair<std::string, std::uint32_t>, Calibration> known_;  // by digest and length
};

}  // namespace alnus::api
