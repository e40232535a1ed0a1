#include "api/calibrations.h"

#include <utility>

#include "alnus/error.h"
#include "io/calibration_cache.h"

namespace alnus::api {

using Place = CalibrationCache::Place;

std::optional<Calibration> Calibrations::find(const Scoring& scoring, const Background& background,
                                              double precision, const Warn& warn) {
  if (cache_.place == Place::none) return std::nullopt;
  const std::string digest = io::calibration_digest(scoring, background);
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(digest);
    if (known != known_.end() && known->second.precision <= precision) return known->second;
  }
  if (cache_.place != Place::directory) return std::nullopt;
  return io::CalibrationCache(cache_.directory, scoring, background, warn).find(precision);
}

void Calibrations::give(const Scoring& scoring, const Background& background,
                        const Calibration& calibration) {
  const std::lock_guard lock(mutex_);
  given_[io::calibration_digest(scoring, background)] = calibration;
}

std::optional<Calibration> Calibrations::given(const Scoring& scoring, const Background& background) {
  const std::lock_guard lock(mutex_);
  const auto found = given_.find(io::calibration_digest(scoring, background));
  return found == given_.end() ? std::nullopt : std::optional(found->second);
}

void Calibrations::store(const Scoring& scoring, const Background& background, const Calibration& calibration,
                         const Warn& warn) {
  if (cache_.place == Place::none) return;
  {
    const std::lock_guard lock(mutex_);
    known_[io::calibration_digest(scoring, background)] = calibration;
  }
  if (cache_.place == Place::directory)
    io::CalibrationCache(cache_.directory, scoring, background, warn).store(calibration);
}

}  // namespace alnus::api
