// The calibrations that a session keeps: in memory, and in a directory if CalibrationCache names one.
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

namespace alnus::session {

class Calibrations {
 public:
  explicit Calibrations(CalibrationCache cache) : cache_(std::move(cache)) {}

  using Warn = std::function<void(std::string)>;  // takes a warning of a cache file that cannot be used
  // Identifies a calibration, apart from its precision.
  struct Key {
    const Scoring& scoring;
    const Background& background;
    std::uint32_t length;  // CalibrationOptions::length, in residues
  };
  // A calibration for this key with at least this precision (CalibrationOptions::precision, a relative error:
  // smaller is more precise): one that the user gave, or one that was stored. Empty if there is none.
  std::optional<Calibration> find(const Key& key, double precision, const Warn& warn);
  void store(const Key& key, const Calibration& calibration, const Warn& warn);
  // give() takes a calibration from the user (Session::add_calibration), and given() returns it. A search
  // uses it whatever its precision.
  void give(const Scoring& scoring, const Background& background, const Calibration& calibration);
  std::optional<Calibration> given(const Scoring& scoring, const Background& background);

 private:
  const CalibrationCache cache_;
  std::mutex mutex_;
  std::map<std::string, Calibration> given_;                            // by Calibration::digest
  std::map<std::pair<std::string, std::uint32_t>, Calibration> known_;  // by digest and Key::length
};

}  // namespace alnus::session
