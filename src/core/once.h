// Work that is done once, whichever thread comes first.
#pragma once

#include <mutex>
#include <utility>

namespace alnus {

// As std::once_flag, also where the work throws: on some systems, and under ThreadSanitizer, std::call_once
// waits forever after an exception.
class Once {
 public:
  // Runs `work` unless an earlier call has run one to its end; other threads wait meanwhile. If `work`
  // throws, the next call runs its own.
  template <typename Work>
  void run(Work&& work) {
    const std::lock_guard lock(mutex_);
    if (done_) return;
    std::forward<Work>(work)();
    done_ = true;
  }

 private:
  std::mutex mutex_;
  bool done_ = false;
};

}  // namespace alnus
