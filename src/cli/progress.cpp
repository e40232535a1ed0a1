#include "cli/progress.h"

#include <fmt/format.h>
#include <string>

#include "alnus/text.h"

namespace alnus::cli {
namespace {

constexpr double kBarPeriod = 0.2, kLinePeriod = 10;  // seconds
constexpr int kBarWidth = 20;

// The text of a progress line. The percentage is of all work; the cells are those that the call's summary
// counts. No cells are shown while a call only calibrates.
std::string describe(const Progress& progress, bool with_bar) {
  const int filled = static_cast<int>(progress.fraction * kBarWidth);
  std::string line = fmt::format("{:.0f}%", 100 * progress.fraction);
  if (with_bar) line += fmt::format(" [{:=<{}}{: <{}}]", "", filled, "", kBarWidth - filled);
  if (progress.cells_total > 0) {
    const auto done = static_cast<double>(progress.cells_done);
    line += fmt::format(" {} of {} cells, {}", format_cells(done),
                        format_cells(static_cast<double>(progress.cells_total)),
                        format_speed(done, progress.seconds));
  }
  if (progress.fraction > 0) line += fmt::format(", {} left", format_seconds(progress.seconds_left));
  return line;
}

}  // namespace

RunControl follow(Log& log) {
  RunControl control;
  control.on_message = [&log](const Message& message) { log.say(message); };
  if (!log.shows_progress()) return control;
  const double period = log.on_terminal() ? kBarPeriod : kLinePeriod;
  control.on_progress = [&log, period, next = period](const Progress& progress) mutable {
    const bool preparing = progress.fraction == 0 && progress.cells_total == 0;
    if (preparing || progress.fraction >= 1) return log.status({});
    if (progress.seconds < next) return;
    next = progress.seconds + period;
    const std::string line = describe(progress, log.on_terminal());
    log.on_terminal() ? log.status(line) : log.info(line);
  };
  return control;
}

}  // namespace alnus::cli
