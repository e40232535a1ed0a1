// How far a run is, and the flag that stops it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/stop_flag.h"

namespace alnus::engine {

// What a run is worth and how far it is; shared with the progress line. A pair that is scored and then
// aligned counts in both passes.
struct Progress {
  std::atomic<std::uint64_t> cells_done{0}, cells_total{0}, pairs_done{0}, pairs_total{0};
  bool planned = false;        // the totals are known beforehand, of several runs
  StopFlag stop;               // once requested, the run throws Interrupted soon
  std::function<void()> tick;  // called after each tile, from any thread; may be empty
  std::function<void(const std::string&)>
      warn;  // takes a sentence for the user, from any thread; may be empty
};

// While it lives, the totals of a run are known beforehand, and its schedulers add nothing to them.
class PlannedProgress {
 public:
  explicit PlannedProgress(Progress& progress)
      : progress_(progress), before_(std::exchange(progress.planned, true)) {}
  ~PlannedProgress() { progress_.planned = before_; }
  PlannedProgress(const PlannedProgress&) = delete;
  PlannedProgress& operator=(const PlannedProgress&) = delete;

 private:
  Progress& progress_;
  const bool before_;
};

}  // namespace alnus::engine
