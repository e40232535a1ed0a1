// How much of its work a call has done, and the flag that stops it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/stop_flag.h"

namespace alnus::engine {

// The work of a call, done and in all; the progress line reads it. Cells and pairs are those that were asked
// for, each counted once for each strand that is aligned. Whatever else is computed is extra work, in cells.
struct Progress {
  std::atomic<std::uint64_t> cells_done{0}, cells_total{0}, pairs_done{0}, pairs_total{0};
  std::atomic<std::uint64_t> extra_cells_done{0}, extra_cells_total{0};
  bool planned = false;                     // totals are not added to (PlannedProgress)
  bool short_of_threads = false;            // the user was warned that the system gives too few threads
  std::atomic<bool> told_of_memory{false};  // the user was warned that one query exceeds the memory budget
  bool extra = false;                       // what is computed now is extra work
  StopFlag stop;                            // once requested, the run throws Interrupted soon
  std::function<void()> tick;               // called after each tile, from any thread; may be empty
  std::function<void(const std::string&)>
      warn;  // takes a sentence for the user, from any thread; may be empty

  // The total of the work that is under way: of extra work, or of what was asked for.
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

// While an object of this class lives, a flag has another value.
class FlagChange {
 public:
  FlagChange(bool& flag, bool value) : flag_(flag), before_(std::exchange(flag, value)) {}
  ~FlagChange() { flag_ = before_; }
  FlagChange(const FlagChange&) = delete;
  FlagChange& operator=(const FlagChange&) = delete;

 private:
  bool& flag_;
  const bool before_;
};

// While an object of this class lives, schedulers and drivers add nothing to the totals: the object's owner
// adds all work itself.
struct PlannedProgress : FlagChange {
  explicit PlannedProgress(Progress& progress) : FlagChange(progress.planned, true) {}
};

// While an object of this class lives, all work is added to extra_cells_done and extra_cells_total, and not
// to the cells and pairs that were asked for. Such work is the alignment of pairs that were scored before,
// the shuffles of Z-values, or a calibration.
class ExtraWork {
 public:
  explicit ExtraWork(Progress& progress) : extra_(progress.extra, true), planned_(progress.planned, false) {}

 private:
  FlagChange extra_, planned_;
};

}  // namespace alnus::engine
