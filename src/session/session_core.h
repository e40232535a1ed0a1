// The resources that a session owns.
#pragma once

#include <atomic>
#include <cstdint>
#include <sys/types.h>

#include "alnus/session.h"
#include "core/thread_pool.h"
#include "session/calibrations.h"
#include "session/device_set.h"
#include "session/memory_budget.h"

namespace alnus::session {

class SessionCore {
 public:
  explicit SessionCore(SessionOptions options);

  const SessionOptions& options() const { return options_; }
  ThreadPool& threads() { return threads_; }
  DeviceSet& devices() { return devices_; }
  Calibrations& calibrations() { return calibrations_; }
  // The memory for what calls keep until they hand it over: half of SessionOptions::memory_bytes. The other
  // half is for the CPU's work on pairs.
  MemoryBudget& budget() { return budget_; }
  pid_t process() const { return process_; }  // id of the process that made the session
  void count_call() { ++calls_; }
  SessionCounters counters() const;

 private:
  const SessionOptions options_;
  const pid_t process_;
  ThreadPool threads_;
  MemoryBudget budget_;
  Calibrations calibrations_;
  DeviceSet devices_;
  std::atomic<std::uint64_t> calls_{0};
};

}  // namespace alnus::session

namespace alnus {

struct Session::State {
  explicit State(SessionOptions options) : core(std::move(options)) {}
  session::SessionCore core;
};

}  // namespace alnus
