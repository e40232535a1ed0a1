#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include "alnus/text.h"
#include "cli/log.h"

namespace alnus::cli {
namespace {

constexpr double kBarPeriod = 0.2, kLinePeriod = 10;  // seconds
constexpr int kBarWidth = 20, kShortestBar = 5;       // characters between the brackets
constexpr int kUsualWidth = 80;                       // of a terminal that does not tell its own

// The columns of the terminal that shows the log: the number that the terminal tells, or else COLUMNS, or
// else kUsualWidth.
int terminal_width() {
  struct winsize size {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int width = columns == nullptr ? 0 : std::atoi(columns);
  return width > 0 ? width : kUsualWidth;
}

std::string bar_of(double fraction, int width) {
  const int filled = static_cast<int>(fraction * width);
  return fmt::format(" [{:=<{}}{: <{}}]", "", filled, "", width - filled);
}

// The text of a progress line. The percentage is of all work; the cells are those that the call's summary
// counts. No cells are shown while a call only calibrates.
struct ProgressText {
  explicit ProgressText(const Progress& progress)
      : fraction(progress.fraction), percent(fmt::format("{:.0f}%", 100 * progress.fraction)) {
    if (progress.cells_total > 0) {
      const auto done = static_cast<double>(progress.cells_done);
      cells = fmt::format(" {} of {} cells,", format_cells(done),
                          format_cells(static_cast<double>(progress.cells_total)));
      speed = fmt::format(" {},", format_speed(done, progress.seconds));
    }
    if (progress.fraction > 0) left = fmt::format(" {} left", format_seconds(progress.seconds_left));
  }

  std::string line(const std::string& bar) const {
    std::string words = cells + speed + left;
    if (words.ends_with(',')) words.pop_back();
    return percent + bar + (cells.empty() && !left.empty() ? "," : "") + words;
  }
  // The line with a bar, in fewer columns than `width`, so that it does not wrap: first the bar is shortened,
  // then left out, and then the speed, the cells and the time are.
  std::string line_within(int width) {
    const auto room = static_cast<std::size_t>(std::max(width - 1, 1));
    const std::size_t most = line(bar_of(fraction, kBarWidth)).size();
    const auto over = static_cast<int>(most > room ? most - room : 0);
    if (kBarWidth - over >= kShortestBar) return line(bar_of(fraction, kBarWidth - over));
    for (std::string* words : {&speed, &cells, &left}) {
      if (line("").size() <= room) break;
      words->clear();
    }
    return line("").substr(0, room);
  }

  double fraction;
  std::string percent, cells, speed, left;
};

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
    ProgressText text(progress);
    log.on_terminal() ? log.status(text.line_within(terminal_width())) : log.info(text.line(""));
  };
  return control;
}

}  // namespace alnus::cli
