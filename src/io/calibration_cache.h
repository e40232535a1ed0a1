// Calibrations that were computed once, in the user's cache directory.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "alnus/scoring.h"
#include "stats/background.h"
#include "stats/gumbel.h"

namespace alnus::io {

// The file of one scoring and background: $XDG_CACHE_HOME/alnus/calibration-<digest>.json, or in ~/.cache.
// The digest is of scores and frequencies, whatever they are called. Where neither variable is set nothing is
// kept.
class CalibrationCache {
 public:
  // `log` is told of a file that cannot be used or written; nothing is thrown.
  CalibrationCache(const Scoring& scoring, const stats::Background& background,
                   std::function<void(const std::string&)> log);

  // What was kept, if it is as precise.
  std::optional<stats::Calibration> find(double precision) const;
  void store(const stats::Calibration& calibration) const;

 private:
  std::string digest_;
  std::string path_;  // empty: there is no directory
  std::function<void(const std::string&)> log_;
};

}  // namespace alnus::io
