#include "cpu/striped_runs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

namespace alnus::cpu {

Cuts::Cuts(std::int32_t columns, double column_bytes, double state_bytes, const MemoryLimits& limits) {
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

std::int32_t Cuts::part_of(std::int32_t columns) const {
  std::int64_t part = piece;
  while (part * parts < columns) part *= parts;
  return static_cast<std::int32_t>(part);
}

void StripedRuns::run(std::int32_t begin, std::int32_t end, Want want) {
  job_.want = want;
  job_.column_begin = begin;
  job_.column_end = end;
  job_.has_profile = job_.letters != 0 && job_.rows == profile_rows_;
  profile_rows_ = job_.rows;
  const auto first = std::ranges::upper_bound(barred_, begin, {}, &BarredCell::column);
  job_.barred_count = std::ranges::upper_bound(first, barred_.end(), end, {}, &BarredCell::column) - first;
  job_.barred = std::to_address(first);
  kernels_.striped(job_);
  stop_flag_.throw_if_requested();
}

std::span<const std::uint8_t> StripedRuns::state() const {
  return {job_.state, static_cast<std::size_t>(kernels_.striped_state(job_.rows))};
}

void StripedRuns::save(State& state) const {
  const auto bytes = this->state();
  state.rows = job_.rows;
  state.bytes.assign(bytes.begin(), bytes.end());
}

bool StripedRuns::is_in(const State& state) const {
  return state.rows == job_.rows && std::ranges::equal(state.bytes, this->state());
}

namespace {

// Copies the first `rows` rows of H or E of a column from segments of `from_length` rows to segments of
// `to_length` rows. A value is in lane row / length of vector row % length.
template <class Value>
void copy_rows(const std::uint8_t* from, std::size_t from_length, std::uint8_t* to, std::size_t to_length,
               std::size_t lanes, std::size_t rows) {
  std::size_t from_vector = 0, from_lane = 0, to_vector = 0, to_lane = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::memcpy(to + (to_vector * lanes + to_lane) * sizeof(Value),
                from + (from_vector * lanes + from_lane) * sizeof(Value), sizeof(Value));
    if (++from_vector == from_length) from_vector = 0, ++from_lane;
    if (++to_vector == to_length) to_vector = 0, ++to_lane;
  }
}

}  // namespace

void StripedRuns::load(const State& from, std::int32_t rows) {
  job_.rows = rows;
  if (rows == from.rows) {
    std::ranges::copy(from.bytes, job_.state);
    return;
  }
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  const auto from_length = static_cast<std::size_t>(kernels_.striped_segment(from.rows)),
             to_length = static_cast<std::size_t>(kernels_.striped_segment(rows));
  const std::size_t from_half = from.bytes.size() / 2, value = from_half / (from_length * lanes),
                    to_half = to_length * lanes * value;
  std::fill_n(job_.state, 2 * to_half, std::uint8_t{0});  // rows of padding
  const auto copy = value == 2 ? copy_rows<std::uint16_t> : copy_rows<std::uint32_t>;
  for (const std::size_t half : {0, 1})  // H and E
    copy(from.bytes.data() + half * from_half, from_length, job_.state + half * to_half, to_length, lanes,
         static_cast<std::size_t>(rows));
}

StripedRuns::States StripedRuns::run_parts(std::int32_t begin, std::int32_t end, std::int32_t part,
                                           Want want) {
  States states;
  for (std::int32_t from = begin; from < end;) {
    save(states.emplace_back());
    const std::int32_t to = end - from <= part ? end : from + part;
    if (to < end || want == Want::ends) run(from, to, want);
    from = to;
  }
  return states;
}

void StripedRuns::trace_parts(std::int32_t begin, States states, std::int32_t part, Traceback& traceback) {
  for (; !states.empty() && !traceback.done(); states.pop_back()) {
    const std::int32_t from = begin + static_cast<std::int32_t>(states.size() - 1) * part;
    if (traceback.column() <= from) continue;
    load(states.back(), traceback.row());
    trace_columns(from, traceback);
  }
}

void StripedRuns::trace_columns(std::int32_t begin, Traceback& traceback) {
  const std::int32_t end = traceback.column();
  if (end - begin > cuts_.piece) {
    const std::int32_t part = cuts_.part_of(end - begin);
    return trace_parts(begin, run_parts(begin, end, part, Want::score), part, traceback);
  }
  run(begin, end, Want::trace);
  walk(begin, traceback);
}

void StripedRuns::walk(std::int32_t begin, Traceback& traceback) const {
  const std::int32_t segment = kernels_.striped_segment(job_.rows);
  traceback.walk({.column_begin = begin}, [&](TraceBit bit, std::int32_t i, std::int32_t j) {
    const std::int64_t cell = static_cast<std::int64_t>(j - 1 - begin) * segment + (i - 1) % segment;
    return trace_has(bit, kernels_, job_.trace + cell * kernels_.trace_bytes, (i - 1) / segment);
  });
}

}  // namespace alnus::cpu
