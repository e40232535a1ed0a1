// Threads with enough stack, whatever the system's limit is (ulimit -s).
#pragma once

#include <cstddef>
#include <functional>
#include <pthread.h>

namespace alnus {

inline constexpr std::size_t kWorkStack = std::size_t{1} << 20;  // bytes of stack that suffice for all work

// Bytes that are left of this thread's stack, at the time of the first call on it. The largest
// std::size_t if the stack is not known, such as a stack that a program has switched to by itself.
std::size_t stack_left();

// A thread whose stack has at least kWorkStack bytes. The stacks of std::thread have as many bytes as
// the system's limit says (ulimit -s).
class WorkThread {
 public:
  // Throws std::system_error if the system gives no thread.
  explicit WorkThread(std::function<void()> work);
  WorkThread(WorkThread&& other) noexcept;
  WorkThread& operator=(WorkThread&&) = delete;
  ~WorkThread();  // waits for the end of the thread

 private:
  pthread_t thread_{};
  bool joinable_ = false;
};

}  // namespace alnus
