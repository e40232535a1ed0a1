#include "cli/progress.h"

#include <fmt/format.h>
#include <string>

#include "alnus/text.h"

namespace alnus::cli {
namespace {

constexpr double kBarPeriod = 0.2, kLinePeriod = 10;  // seconds
constexpr int kBarWidth = 20;

std::string describe(const Progress& progress, bool with_bar) {
  const auto total = static_cast<double>(progress.cells_total);
  const auto done = static_cast<double>(progress.cells_done);
  const double part = done / total;
  const int filled = static_cast<int>(part * kBarWidth);
  const std::string bar =
      with_bar ? fmt::format(" [{:=<{}}{: <{}}]", "", filled, "", kBarWidth - filled) : std::string();
  const std::string left =
      done > 0 ? fmt::format(", {} left", format_seconds(progress.seconds_left)) : std::string();
  return fmt::format("{:.0f}%{} {} of {} cells, {}{}", 100 * part, bar, format_cells(done),
                     format_cells(total), format_speed(done, progress.seconds), left);
}

}  // namespace

RunControl follow(Log& log) {
  RunControl control;
  control.on_message = [&log](const Message& message) { log.say(message); };
  if (log.quiet()) return control;
  const double period = log.on_terminal() ? kBarPeriod : kLinePeriod;
  control.on_progress = [&log, period, next = period](const Progress& progress) mutable {
    if (progress.cells_done == progress.cells_total) return log.status({});  // still preparing, or done
    if (progress.seconds < next) return;
    next = progress.seconds + period;
    const std::string line = describe(progress, log.on_terminal());
    log.on_terminal() ? log.status(line) : log.info(line);
  };
  return control;
}

}  // namespace alnus::cli
