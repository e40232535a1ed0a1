#include "session/calibrations.h"

#include "io/calibration_cache.h"

namespace alnus::session {

using Place = CalibrationCache::Place;

std::optional<Calibration> Calibrations::find(const Key& key, double precision, const Warn& warn) {
  auto known = given(key.scoring, key.background);
  // A simulation may double the length. Parameters without simulated pairs are exact, whatever the length is.
  const bool of_length =
      known && (known->length == key.length || known->length == 2 * key.length || known->pairs == 0);
  if (of_length && known->precision <= precision) return known;
  if (cache_.place == Place::none) return std::nullopt;
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find({io::calibration_digest(key.scoring, key.background), key.length});
    if (found != known_.end() && found->second.precision <= precision) return found->second;
  }
  if (cache_.place != Place::directory) return std::nullopt;
  return io::CalibrationCache(cache_.directory, key.scoring, key.background, key.length, warn)
      .find(precision);
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

void Calibrations::store(const Key& key, const Calibration& calibration, const Warn& warn) {
  if (cache_.place == Place::none) return;
  {
    const std::lock_guard lock(mutex_);
    known_[{io::calibration_digest(key.scoring, key.background), key.length}] = calibration;
  }
  if (cache_.place == Place::directory)
    io::CalibrationCache(cache_.directory, key.scoring, key.background, key.length, warn).store(calibration);
}

}  // namespace alnus::session
