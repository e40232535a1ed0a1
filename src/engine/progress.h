// How much of its work a call has done, and the flag that stops it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/stop_flag.h"

namespace alnus::engine {

// How work counts. Each thread of a call has its own way of counting (CountedAs), so that threads may do work
// of different kinds at the same time.
struct Counting {
  bool planned = false;  // its cells are in the totals already (PlannedProgress)
  bool extra = false;    // it is extra work (ExtraWork)
  bool operator==(const Counting&) const = default;
};

// The work of a call, done and in all; the progress line reads it. Cells and pairs are those that were asked
// for, each counted once for each strand that is aligned. Whatever else is computed is extra work, in cells.
class Progress {
 public:
  std::atomic<std::uint64_t> cells_done{0}, cells_total{0}, pairs_done{0}, pairs_total{0};
  std::atomic<std::uint64_t> extra_cells_done{0}, extra_cells_total{0};
  std::atomic<bool> short_of_threads{false};  // the user was warned that the system gives too few threads
  std::atomic<bool> told_of_memory{false};    // the user was warned that one query exceeds the memory budget
  StopFlag stop;                              // once requested, the run throws Interrupted soon
  std::function<void()> tick;                 // called after each tile, from any thread; may be empty
  std::function<void(const std::string&)>
      warn;  // takes a sentence for the user, from any thread; may be empty

  // How the work of this thread counts.
  Counting counting() const { return of_thread().progress == this ? of_thread().counting : Counting{}; }
  // The total of the work that this thread does: of extra work, or of what was asked for.
  std::atomic<std::uint64_t>& expected_cells() { return counting().extra ? extra_cells_total : cells_total; }
  void expect(std::uint64_t cells, std::uint64_t pairs) {
    expected_cells() += cells;
    if (!counting().extra) pairs_total += pairs;
  }
  void report(std::uint64_t cells, std::uint64_t pairs) {
    const bool extra = counting().extra;
    (extra ? extra_cells_done : cells_done) += cells;
    if (!extra) pairs_done += pairs;
  }

 private:
  friend class CountedAs;
  // What was last set on this thread, and for which call: a callback of one call may make another call.
  struct OfThread {
    const Progress* progress = nullptr;
    Counting counting;
  };
  static OfThread& of_thread() {
    thread_local OfThread one;
    return one;
  }
};

// While an object of this class lives, the work of its thread counts so. Objects of one thread must end in
// the opposite order of their beginnings.
class CountedAs {
 public:
  CountedAs(const Progress& progress, Counting counting)
      : before_(std::exchange(Progress::of_thread(), {&progress, counting})) {}
  ~CountedAs() { Progress::of_thread() = before_; }
  CountedAs(const CountedAs&) = delete;
  CountedAs& operator=(const CountedAs&) = delete;

 private:
  const Progress::OfThread before_;
};

// While an object of this class lives, schedulers and drivers that its thread calls add nothing to the
// totals: the object's owner adds all work itself.
struct PlannedProgress : CountedAs {
  explicit PlannedProgress(const Progress& progress)
      : CountedAs(progress, {.planned = true, .extra = progress.counting().extra}) {}
};

// While an object of this class lives, all work of its thread is added to extra_cells_done and
// extra_cells_total, and not to the cells and pairs that were asked for. Such work is the alignment of pairs
// that were scored before, the shuffles of Z-values, or a calibration.
struct ExtraWork : CountedAs {
  explicit ExtraWork(const Progress& progress) : CountedAs(progress, {.planned = false, .extra = true}) {}
};

}  // namespace alnus::engine
