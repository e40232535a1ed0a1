// The threads of a session: those that it starts, and how many of them may compute at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/stop_flag.h"

namespace alnus {

// Every task gets a thread at once; threads are kept for later tasks and block all signals. What bounds the
// use of processors are permits: a thread that computes holds one, and there are threads() of them. So a task
// that waits for a device or a file costs nothing, and no task can wait for ever for a thread.
// In a child after fork() the threads are not there: its copy of the pool can only be destroyed.
class ThreadPool {
 public:
  explicit ThreadPool(int threads);  // 1 or more
  ~ThreadPool();                     // all tasks must have been waited for
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  // Work on another thread. Waits for its end when it is destroyed, and drops what the work threw then.
  class Task {
   public:
    Task();
    ~Task();
    Task(Task&&) noexcept;
    Task& operator=(Task&&) noexcept;

    bool valid() const;  // true from start() to wait()
    bool ended() const;  // a valid task's
    void wait();         // until the work has ended; throws what the work threw

   private:
    friend class ThreadPool;
    struct Job;
    std::shared_ptr<Job> job_;
  };
  // Throws Error(other) where the system gives no thread. `on_end` runs on the task's thread when the
  // work has ended, before wait() returns.
  Task start(std::function<void()> work, std::function<void()> on_end = {});

  // The right to compute, for as long as it lives on one thread. A thread that has one gets another at once.
  class Permit {
   public:
    // Waits until there is one; who came first gets one first. Throws Interrupted when `stop` is requested
    // first.
    explicit Permit(ThreadPool& pool, const StopFlag& stop = StopFlag::never());
    ~Permit();
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;

   private:
    ThreadPool& pool_;
  };

  // While it lives, a permit that this thread holds is given back: for a thread that waits for others, which
  // may need it. Its end waits for a permit; once `stop` is requested it takes one more than there are, since
  // the thread is about to end its work.
  class Pause {
   public:
    Pause(ThreadPool& pool, const StopFlag& stop);
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    ThreadPool& pool_;
    const StopFlag& stop_;
    int held_ = 0;
  };

  // Calls body(k) once for every k below `count`, on this thread and on as many others as there are permits
  // for. Returns when all calls have ended, and throws the first exception of one, after which no more are
  // begun. This thread should hold a permit, unless the body takes one.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus
