// How far a run is, on standard error.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "cli/log.h"
#include "engine/progress.h"

namespace alnus::cli {

// From its construction to its destruction: a bar that moves where standard error is a terminal, a line
// every ten seconds where it is not, nothing when the log is quiet.
class ProgressReport {
 public:
  ProgressReport(Log& log, const engine::Progress& progress);
  ~ProgressReport();
  ProgressReport(const ProgressReport&) = delete;
  ProgressReport& operator=(const ProgressReport&) = delete;

 private:
  void report(const std::stop_token& stop);

  Log& log_;
  const engine::Progress& progress_;
  const std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace alnus::cli
