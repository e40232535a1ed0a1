// Session::calibrate.
#include <fmt/format.h>
#include <vector>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/statistics.h"
#include "core/refuse_input.h"
#include "core/sorted_sequences.h"
#include "engine/calibrate_driver.h"
#include "io/calibration_cache.h"
#include "session/call.h"
#include "session/session_core.h"

namespace alnus {

namespace api {
namespace {

// Chooses devices for 4 * 10^12 cells. The sequences only stand in for those of the simulation.
void choose_devices(const Scoring& scoring, session::Call& call) {
  constexpr std::uint64_t kCells = 4'000'000'000'000;
  constexpr std::size_t kLength = 2000;
  SequenceSetBuilder builder(scoring.matrix.alphabet());
  builder.add({}, std::vector<Residue>(kLength));
  const SortedSequences sequences(builder.finish());
  const Problem problem{scoring, Detail::score};
  call.choose_devices({sequences, sequences, problem, TileShape::rectangle, kCells});
}

}  // namespace

Calibration calibrated(const Scoring& scoring, const CalibrationOptions& options, session::Call& call,
                       const std::function<void()>& begins) {
  const Background background =
      options.background.empty() ? default_background(scoring.matrix.alphabet()) : options.background;
  const auto warn = call.warning();
  session::Calibrations& kept = call.session().calibrations();
  const session::Calibrations::Key key{scoring, background, options.length};
  if (!options.anew)
    if (const auto found = kept.find(key, options.precision, warn)) return *found;
  if (begins) begins();
  choose_devices(scoring, call);
  Calibration result =
      engine::calibrate(scoring, background, options.precision, options.length, call.state());
  result.digest = io::calibration_digest(scoring, background);
  if (!options.anew) kept.store(key, result, warn);
  return result;
}

}  // namespace api

Calibration Session::calibrate(const Scoring& scoring, const CalibrationOptions& options,
                               const RunControl& run) {
  if (!(options.precision >= 0.003 && options.precision <= 0.1))
    refuse_input(
        fmt::format("{} is {}; it must be from 0.003 to 0.1.", option("precision"), options.precision));
  constexpr std::uint32_t kShortest = 100, kLongest = 100'000;
  if (options.length < kShortest || options.length > kLongest)
    refuse_input(fmt::format("{} is {}; it must be from {} to {} residues.", option("length"), options.length,
                             kShortest, kLongest));
  return session::in_call(state_->core, run, session::Call::Length::full,
                          [&](session::Call& call) { return api::calibrated(scoring, options, call); });
}

void Session::add_calibration(const Scoring& scoring, const Calibration& calibration) {
  session::check_call(state_->core);
  const Background background = default_background(scoring.matrix.alphabet());
  if (calibration.digest != io::calibration_digest(scoring, background))
    refuse_input(fmt::format("This calibration is of another scoring than {} with gap costs {}.",
                             scoring.matrix.name(), scoring.format_gaps()));
  state_->core.calibrations().give(scoring, background, calibration);
}

}  // namespace alnus
