// Runs of `striped` over parts of the columns of a pair, from kept states on, and the traceback through them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/stop_flag.h"
#include "cpu/kernel_set.h"
#include "cpu/single_pair.h"
#include "cpu/traceback.h"

namespace alnus::cpu {

// How the columns of a pair are cut for its traceback: into at most `parts` parts, each of them again into at
// most `parts` parts, and so on, down to pieces of at most `piece` columns, whose trace fits the memory.
// While a part is cut into smaller parts, the column before each of these is kept as a state.
struct Cuts {
  std::int32_t piece = 0, parts = 0;

  Cuts(std::int32_t columns, double column_bytes, double state_bytes, const MemoryLimits& limits);
  // Returns how many columns each part has if `columns` columns are cut.
  std::int32_t part_of(std::int32_t columns) const;
};

class StripedRuns {
 public:
  struct State {  // StripedJob::state of a run with `rows` rows
    std::int32_t rows = 0;
    std::vector<std::uint8_t> bytes{};
  };

  // All arguments but `cuts` must outlive the object.
  StripedRuns(const WideKernels& kernels, StripedJob& job, const Cuts& cuts, const StopFlag& stop_flag)
      : kernels_(kernels), job_(job), cuts_(cuts), stop_flag_(stop_flag) {
    job_.stop_flag = stop_flag.raw();
  }

  // Bars these cells, sorted by column, in the following runs. They must outlive these.
  void bar(std::span<const BarredCell> cells) { barred_ = cells; }
  // Computes the columns (begin, end] from the job's state on. Throws Interrupted when the flag is requested.
  void run(std::int32_t begin, std::int32_t end, Want want);
  // Copies the job's state.
  void save(State& state) const;
  bool is_in(const State& state) const;  // true if it is the job's state
  // Makes the first `rows` rows of a state the job's state.
  void load(const State& from, std::int32_t rows);

  // Computes all columns, and keeps the states from which trace() goes on.
  void find_end() { kept_ = run_parts(0, job_.columns, cuts_.part_of(job_.columns), Want::ends); }
  void trace(Traceback& traceback) {
    trace_parts(0, std::move(kept_), cuts_.part_of(job_.columns), traceback);
  }
  // Walks from the traceback's column back to column `begin`, of which the job has the state.
  void trace_columns(std::int32_t begin, Traceback& traceback);
  // Walks from the traceback's column back to column `begin`. The last run must have kept the trace from
  // `begin` on.
  void walk(std::int32_t begin, Traceback& traceback) const;

 private:
  using States = std::vector<State>;

  std::span<const std::uint8_t> state() const;

  // Computes the columns (begin, end] in parts from the job's state on. Returns the state before each part.
  // The last part is computed only for Want::ends.
  States run_parts(std::int32_t begin, std::int32_t end, std::int32_t part, Want want);
  void trace_parts(std::int32_t begin, States states, std::int32_t part, Traceback& traceback);

  const WideKernels& kernels_;
  StripedJob& job_;
  const Cuts cuts_;
  const StopFlag& stop_flag_;
  std::int32_t profile_rows_ = 0;  // StripedJob::rows of the run before
  std::span<const BarredCell> barred_;
  States kept_;
};

}  // namespace alnus::cpu
