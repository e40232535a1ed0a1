// How far a run is, and the flag that stops it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/stop_flag.h"

namespace alnus::engine {

// What a run is worth and how far it is; shared with the progress line. Cells and pairs are those that were
// asked for, each once for each strand that is aligned. Whatever a run computes besides is extra work, in
// cells.
struct Progress {
  std::atomic<std::uint64_t> cells_done{0}, cells_total{0}, pairs_done{0}, pairs_total{0};
  std::atomic<std::uint64_t> extra_cells_done{0}, extra_cells_total{0};
  bool planned = false;           // the totals are known beforehand, of several runs
  bool short_of_threads = false;  // the user knows that the system gives fewer than were asked for
  bool told_of_memory = false;    // the user knows that one query takes more than the budget
  bool extra = false;             // what is computed now is extra work
  StopFlag stop;                  // once requested, the run throws Interrupted soon
  std::function<void()> tick;     // called after each tile, from any thread; may be empty
  std::function<void(const std::string&)>
      warn;  // takes a sentence for the user, from any thread; may be empty

  // Cells that are going to be computed now.
  std::atomic<std::uint64_t>& expected_cells() { return extra ? extra_cells_total : cells_total; }
  void expect(std::uint64_t cells, std::uint64_t pairs) {
    expected_cells() += cells;
    if (!extra) pairs_total += pairs;
  }
  void report(std::uint64_t cells, std::uint64_t pairs) {
    (extra ? extra_cells_done : cells_done) += cells;
    if (!extra) pairs_done += pairs;
  }
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

// While it lives, a run does extra work: alignments of pairs that it has scored, shuffles, a calibration.
class ExtraWork {
 public:
  explicit ExtraWork(Progress& progress)
      : progress_(progress),
        extra_before_(std::exchange(progress.extra, true)),
        planned_before_(std::exchange(progress.planned, false)) {}
  ~ExtraWork() {
    progress_.extra = extra_before_;
    progress_.planned = planned_before_;
  }
  ExtraWork(const ExtraWork&) = delete;
  ExtraWork& operator=(const ExtraWork&) = delete;

 private:
  Progress& progress_;
  const bool extra_before_, planned_before_;
};

}  // namespace alnus::engine
