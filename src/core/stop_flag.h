// A flag by which a call tells its threads and devices that nobody wants its results any more.
#pragma once

#include "alnus/error.h"

namespace alnus {

// A requested flag stays requested. Any thread may request it, and a signal handler, too.
class StopFlag {
 public:
  StopFlag() = default;
  StopFlag(const StopFlag&) = delete;
  StopFlag& operator=(const StopFlag&) = delete;

  void request() noexcept { __atomic_store_n(&requested_, true, __ATOMIC_RELAXED); }
  bool requested() const noexcept { return __atomic_load_n(&requested_, __ATOMIC_RELAXED); }
  void throw_if_requested() const {
    if (requested()) throw Interrupted{};
  }
  // The flag for the CPU's kernels, which include no header of the standard library but <cstdint>. The
  // kernels read the flag by __atomic_load_n.
  const bool* raw() const noexcept { return &requested_; }

  // A flag that is never requested.
  static const StopFlag& never() {
    static const StopFlag flag;
    return flag;
  }

 private:
  bool requested_ = false;
};

}  // namespace alnus
