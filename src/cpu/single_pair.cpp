#include "cpu/single_pair.h"

#include <algorithm>
#include <cmath>

#include "cpu/traceback.h"

namespace alnus::cpu {
namespace {

// How the columns of a pair are cut for its traceback: into at most `parts` parts, each of them again into at
// most `parts` parts, and so on, down to pieces of at most `piece` columns, whose trace fits the memory.
// While a part is cut into smaller parts, the column before each of these is kept as a state.
struct Cuts {
  std::int32_t piece = 0, parts = 0;

  Cuts(std::int32_t columns, double column_bytes, double state_bytes, const MemoryLimits& limits) {
    const auto fitting = [&](double bytes, double each, std::int32_t least) {
      return std::max(least, static_cast<std::int32_t>(std::min<double>(columns, bytes / each)));
    };
    piece = fitting(static_cast<double>(limits.trace), column_bytes, 1);
    std::int32_t states = fitting(static_cast<double>(limits.states), state_bytes, 2);
    if (std::int64_t{piece} * states < columns) {  // every level costs a pass: larger pieces save passes
      piece = std::max(piece, fitting(static_cast<double>(limits.states) / 4, column_bytes, 1));
      states = fitting(static_cast<double>(limits.states) * 3 / 4, state_bytes, 2);
    }
    for (int levels = 1;; ++levels) {
      parts = std::max(2, states / levels);
      if (piece * std::pow(parts, levels) >= columns) return;
    }
  }

  // Returns how many columns each part has if `columns` columns are cut.
  std::int32_t part_of(std::int32_t columns) const {
    std::int64_t part = piece;
    while (part * parts < columns) part *= parts;
    return static_cast<std::int32_t>(part);
  }
};

// Runs of `striped` over the columns of a pair, and the traceback through them.
class StripedRuns {
 public:
  StripedRuns(const WideKernels& kernels, StripedJob& job, const Cuts& cuts, const StopFlag& stop_flag)
      : kernels_(kernels), job_(job), cuts_(cuts), stop_flag_(stop_flag) {
    job_.stop_flag = stop_flag.raw();
  }

  // Computes all columns in one pass, and keeps what `want` says.
  void whole(Want want) { run(0, job_.columns, want); }
  // Computes all columns, and keeps the states from which trace() goes on.
  void find_end() { kept_ = run_parts(0, job_.columns, cuts_.part_of(job_.columns), Want::ends); }
  void trace(Traceback& traceback) {
    trace_parts(0, std::move(kept_), cuts_.part_of(job_.columns), traceback);
  }

  // Walks from the traceback's column back to column `begin`. The last run must have kept the trace from
  // `begin` on.
  void walk(std::int32_t begin, Traceback& traceback) const {
    const std::int32_t segment = kernels_.striped_segment(job_.rows);
    traceback.walk({.column_begin = begin}, [&](TraceBit bit, std::int32_t i, std::int32_t j) {
      const std::int64_t cell = static_cast<std::int64_t>(j - 1 - begin) * segment + (i - 1) % segment;
      return trace_has(bit, kernels_, job_.trace + cell * kernels_.trace_bytes, (i - 1) / segment);
    });
  }

 private:
  struct State {  // StripedJob::state of a run with `rows` rows
    std::int32_t rows;
    std::vector<std::uint8_t> bytes;
  };
  using States = std::vector<State>;

  void run(std::int32_t begin, std::int32_t end, Want want) {
    job_.want = want;
    job_.column_begin = begin;
    job_.column_end = end;
    kernels_.striped(job_);
    stop_flag_.throw_if_requested();
  }

  // Computes the columns (begin, end] in parts from the job's state on. Returns the state before each part.
  // The last part is computed only for Want::ends.
  States run_parts(std::int32_t begin, std::int32_t end, std::int32_t part, Want want) {
    States states;
    for (std::int32_t from = begin; from < end;) {
      states.push_back({job_.rows, {job_.state, job_.state + kernels_.striped_state(job_.rows)}});
      const std::int32_t to = end - from <= part ? end : from + part;
      if (to < end || want == Want::ends) run(from, to, want);
      from = to;
    }
    return states;
  }

  void trace_parts(std::int32_t begin, States states, std::int32_t part, Traceback& traceback) {
    for (; !states.empty() && !traceback.done(); states.pop_back()) {
      const std::int32_t from = begin + static_cast<std::int32_t>(states.size() - 1) * part;
      if (traceback.column() <= from) continue;
      load(states.back(), traceback.row());
      trace_columns(from, traceback);
    }
  }

  // Makes the first `rows` rows of a state the job's state. The path lies in these rows.
  void load(const State& from, std::int32_t rows) {
    job_.rows = rows;
    if (rows == from.rows) {
      std::ranges::copy(from.bytes, job_.state);
      return;
    }
    const auto lanes = static_cast<std::size_t>(kernels_.lanes);
    const auto from_length = static_cast<std::size_t>(kernels_.striped_segment(from.rows)),
               to_length = static_cast<std::size_t>(kernels_.striped_segment(rows));
    const std::size_t value = from.bytes.size() / (2 * from_length * lanes);
    std::fill_n(job_.state, 2 * to_length * lanes * value, std::uint8_t{0});  // rows of padding
    for (const std::size_t half : {0, 1}) {                                   // H and E
      for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
        const auto at = [&](std::size_t length) {
          return ((half * length + row % length) * lanes + row / length) * value;
        };
        std::copy_n(from.bytes.data() + at(from_length), value, job_.state + at(to_length));
      }
    }
  }

  // Walks from the traceback's column back to column `begin`, of which the job has the state.
  void trace_columns(std::int32_t begin, Traceback& traceback) {
    const std::int32_t end = traceback.column();
    if (end - begin > cuts_.piece) {
      const std::int32_t part = cuts_.part_of(end - begin);
      return trace_parts(begin, run_parts(begin, end, part, Want::score), part, traceback);
    }
    run(begin, end, Want::trace);
    walk(begin, traceback);
  }

  const WideKernels& kernels_;
  StripedJob& job_;
  const Cuts cuts_;
  const StopFlag& stop_flag_;
  States kept_;
};

}  // namespace

bool fits_when_empty(const Scoring& scoring, std::size_t residues, const WideKernels& widest) {
  const std::int64_t border = std::int64_t{scoring.extend} * static_cast<std::int64_t>(residues);
  return scoring.mode == Mode::local || scoring.open + border <= widest.highest;
}

std::optional<Alignment> align_striped(const SinglePair& pair, const WideKernels& kernels,
                                       const MemoryLimits& limits, KernelBuffers& buffers,
                                       const StopFlag& stop_flag) {
  buffers.subject.resize(pair.subject.size());
  std::ranges::transform(pair.subject, buffers.subject.begin(), code_of);

  StripedJob job;
  job.rules = pair.rules;
  job.query = pair.query_codes.data();
  job.rows = static_cast<std::int32_t>(pair.query_codes.size());
  job.subject = buffers.subject.data();
  job.columns = static_cast<std::int32_t>(buffers.subject.size());
  job.scores = pair.tables->scores32();
  job.score = std::numeric_limits<std::int32_t>::min();
  job.workspace = buffers.workspace.at_least(kernels.striped_workspace(job.rows));
  job.state = buffers.state.at_least(kernels.striped_state(job.rows));

  const std::uint64_t column_bytes =
      static_cast<std::uint64_t>(kernels.striped_segment(job.rows)) * kernels.trace_bytes;
  const Cuts cuts(job.columns, static_cast<double>(column_bytes),
                  static_cast<double>(kernels.striped_state(job.rows)), limits);
  const bool trace = pair.want == Want::trace;
  if (trace) job.trace = buffers.trace.at_least(column_bytes * static_cast<std::uint64_t>(cuts.piece));
  StripedRuns runs(kernels, job, cuts, stop_flag);
  const bool at_once = !trace || cuts.piece == job.columns;
  if (at_once) {
    runs.whole(pair.want);
  } else {
    runs.find_end();
  }
  if (job.score < pair.floor) return std::nullopt;
  Alignment alignment;
  alignment.score = job.score;
  if (pair.want != Want::score) {
    alignment.query_end = job.query_end;
    alignment.subject_end = job.subject_end;
  }
  if (!trace) return alignment;
  Traceback traceback(pair.query, pair.subject, pair.tables->scoring(), alignment);
  if (at_once) {
    runs.walk(0, traceback);
  } else {
    runs.trace(traceback);
  }
  return traceback.finish();
}

}  // namespace alnus::cpu
