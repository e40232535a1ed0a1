// Work that is done once, whichever thread comes first.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/stop_flag.h"

namespace alnus {

// Does what std::once_flag is for, for work that may throw: on some systems, and under ThreadSanitizer,
// std::call_once waits forever after an exception. A child of fork() does not wait for a thread of its
// parent.
class Once {
 public:
  // Runs `work` unless an earlier call has run one to its end; other threads wait meanwhile, by polling. If
  // `work` throws, the next call runs its own. Throws Interrupted if `stop` is requested before the work
  // begins or while another thread does it.
  template <typename Work>
  void run(Work&& work, const StopFlag& stop = StopFlag::never()) {
    const pid_t self = ::getpid();
    while (!done_.load(std::memory_order_acquire)) {
      stop.throw_if_requested();
      pid_t worker = working_.load();
      if (worker == self || !working_.compare_exchange_strong(worker, self)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      if (!done_.load(std::memory_order_acquire)) do_now(std::forward<Work>(work));
      working_ = 0;
      return;
    }
  }

 private:
  template <typename Work>
  void do_now(Work&& work) {
    try {
      std::forward<Work>(work)();
    } catch (...) {
      working_ = 0;
      throw;
    }
    done_.store(true, std::memory_order_release);
  }

  // The id of the process that does the work; 0: none does. After fork() a child sees its parent's id, and
  // does the work itself.
  std::atomic<pid_t> working_{0};
  std::atomic<bool> done_{false};
};

}  // namespace alnus
