// The threads that a session starts, and how many of them may compute at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/stop_flag.h"

namespace alnus {

// Every task gets a thread at once. Threads are kept for later tasks; they block all signals except SIGBUS,
// SIGSEGV, SIGFPE and SIGILL. Permits bound the use of processors: a thread that computes holds a permit, and
// there are threads() of them. A task that waits for a device or a file without a permit thus keeps no other
// thread from computing, and no task can wait for ever for a thread.
// In a child after fork() the pool's threads do not exist: the child's copy of the pool can only be
// destroyed.
class ThreadPool {
 public:
  explicit ThreadPool(int threads);  // 1 or more
  ~ThreadPool();                     // all tasks must have been waited for
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  // Work on another thread. The destructor waits for the end of the work, and drops what the work threw.
  class Task {
   public:
    Task();
    ~Task();
    Task(Task&&) noexcept;
    Task& operator=(Task&&) noexcept;

    bool valid() const;  // true from start() to wait()
    bool ended() const;  // true when the work has ended; for a valid task
    void wait();         // waits until the work has ended; throws what the work threw

   private:
    friend class ThreadPool;
    struct Entry;
    std::shared_ptr<Entry> entry_;
  };
  // Starts work on another thread. Throws Error(other) if the system gives no thread.
  Task start(std::function<void()> work);

  // The right to compute, held by the thread that made this object until it is destroyed. A thread that has a
  // permit gets another one at once.
  class Permit {
   public:
    // Waits for a permit; threads get permits in the order in which they came. Throws Interrupted if `stop`
    // is requested first.
    explicit Permit(ThreadPool& pool, const StopFlag& stop = StopFlag::never());
    ~Permit();
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;

   private:
    ThreadPool& pool_;
  };

  // While this object lives, the permit that its thread holds is given back: for a thread that waits for
  // other threads, which may need the permit. The destructor waits for a permit again. Once `stop` is
  // requested, the destructor takes one more permit than there are, since the thread is about to end its
  // work.
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

  // Calls body(k) once for every k below `count`, on this thread and on as many others as there are free
  // permits. These helpers go over to other calls of for_each() when this one has no work left. Returns when
  // all calls have ended. Throws the first exception of a call; after an exception no more calls are begun.
  // This thread should hold a permit, unless the body takes one.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body);

 private:
  struct Loop;
  class OpenLoop;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus
