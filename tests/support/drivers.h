// All drivers of the engine as one type, for tests of what must hold for each driver.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/device.h"
#include "engine/call_state.h"

namespace alnus::test {

// The input of drivers. Each driver takes what it needs.
struct Job {
  SequenceSet queries, database;
  std::vector<IndexPair> pairs;
  std::vector<std::int32_t> scores;  // of the first pairs, which z_values and identity_ranges take
  std::uint32_t shuffles = 20;
  std::uint32_t calibration_length = 200;
  std::uint64_t memory_bytes = 8ULL << 30;
};
// A job that is short even on a fake device, which computes with align_reference().
const Job& short_job();
// A job that keeps any machine busy for tenths of a second or more, so that it can be stopped while it runs.
const Job& long_job();

// Called on the driver's thread after each time it has emitted something.
using OnEmit = std::function<void()>;

struct Driver {
  std::string name;
  // Returns the results as numbers.
  std::function<std::vector<double>(const Job& job, engine::CallState& call, const OnEmit& on_emit)> run;
};
// The drivers in this order: search, align_pairs, align_all, all_pairs of one set and of two, z_values,
// identity_ranges with devices and without them, calibrate.
const std::vector<Driver>& drivers();
inline constexpr std::size_t kEmittingDrivers = 5;  // the first five; the others emit nothing

}  // namespace alnus::test
