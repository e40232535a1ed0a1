// Calibrations that are kept in a directory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "alnus/scoring.h"
#include "alnus/statistics.h"

namespace alnus::io {

// Returns Calibration::digest: a hash of the alphabet, the mode, the scores, the gap costs and the
// frequencies, but not of the matrix' name.
std::string calibration_digest(const Scoring& scoring, const Background& background);

// The file of one scoring and background in the directory: calibration-<digest>.json, or
// calibration-<digest>-<length>.json if the sequences do not have the default length. A file is used only if
// the digest of its values is right, if the scoring may have these values, and if none but those whom the
// user trusts may have written it (io/kept_file.h).
class CalibrationCache {
 public:
  // If the directory's name is empty, nothing is kept. `log` gets a message about a file that cannot be used
  // or written; no function throws for that.
  CalibrationCache(const std::string& directory, const Scoring& scoring, const Background& background,
                   std::uint32_t length, std::function<void(const std::string&)> log);

  // Returns the kept calibration if its CalibrationOptions::precision was `precision` or less (a relative
  // error of lambda); empty if there is none, or none that can be used.
  std::optional<Calibration> find(double precision) const;
  void store(const Calibration& calibration) const;  // makes the directory if it is missing

 private:
  std::string digest_;
  std::string directory_;
  Scoring scoring_;
  Background background_;
  std::string path_;  // of the calibration's file; empty: nothing is kept
  std::function<void(const std::string&)> log_;
};

}  // namespace alnus::io
