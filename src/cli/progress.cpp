#include "cli/progress.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/units.h"

namespace alnus::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kBarPeriod = 200ms;
constexpr auto kLinePeriod = 10s;
constexpr int kBarWidth = 20;

std::string describe(const engine::Progress& progress, double seconds, bool with_bar) {
  const auto total = static_cast<double>(progress.cells_total);
  const double done = std::min(static_cast<double>(progress.cells_done), total);
  const double part = total > 0 ? done / total : 0;
  const int filled = static_cast<int>(part * kBarWidth);
  const std::string bar =
      with_bar ? fmt::format(" [{:=<{}}{: <{}}]", "", filled, "", kBarWidth - filled) : std::string();
  const std::string left =
      done > 0 ? fmt::format(", {} left", format_seconds(seconds * (total - done) / done)) : std::string();
  return fmt::format("{:.0f}%{} {} of {} cells, {}{}", 100 * part, bar, format_cells(done),
                     format_cells(total), format_speed(done, seconds), left);
}

}  // namespace

ProgressReport::ProgressReport(Log& log, const engine::Progress& progress)
    : log_(log), progress_(progress), start_(std::chrono::steady_clock::now()) {
  if (!log.quiet()) thread_ = std::jthread([this](const std::stop_token& stop) { report(stop); });
}

ProgressReport::~ProgressReport() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  log_.status({});
}

void ProgressReport::report(const std::stop_token& stop) {
  const bool bar = log_.on_terminal();
  const auto period = bar ? std::chrono::milliseconds(kBarPeriod) : std::chrono::milliseconds(kLinePeriod);
  std::unique_lock lock(mutex_);
  for (;;) {
    stopped_.wait_for(lock, stop, period, [] { return false; });
    if (stop.stop_requested()) return;
    if (progress_.cells_total == 0) continue;  // still preparing
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    const std::string line = describe(progress_, elapsed.count(), bar);
    if (bar) {
      log_.status(line);
    } else {
      log_.info(line);
    }
  }
}

}  // namespace alnus::cli
