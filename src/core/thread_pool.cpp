#include "core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "core/stack.h"

namespace alnus {
namespace {

// The pool that this thread holds a permit of, and how many Permit objects of the thread share that permit.
struct Held {
  const void* pool = nullptr;
  int times = 0;
};
thread_local Held held;

// While this object lives, every thread that this thread starts begins with all signals blocked: handlers
// belong to the program, and run on its own threads. Signals that an instruction of the thread itself raises
// are excepted: if a thread blocks them, the system ends the process without calling the program's handler.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    for (const int signal : {SIGBUS, SIGSEGV, SIGFPE, SIGILL}) ::sigdelset(&all, signal);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

struct ThreadPool::Task::Entry {
  std::function<void()> work;
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  std::exception_ptr error;

  void run() {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    work = {};
    const std::lock_guard lock(mutex);
    ended = true;
    changed.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return ended; });
  }
};

ThreadPool::Task::Task() = default;
ThreadPool::Task::Task(Task&&) noexcept = default;
ThreadPool::Task& ThreadPool::Task::operator=(Task&& other) noexcept {
  if (entry_) entry_->wait();
  entry_ = std::exchange(other.entry_, nullptr);
  return *this;
}
ThreadPool::Task::~Task() {
  if (entry_) entry_->wait();
}

bool ThreadPool::Task::valid() const { return entry_ != nullptr; }

bool ThreadPool::Task::ended() const {
  const std::lock_guard lock(entry_->mutex);
  return entry_->ended;
}

void ThreadPool::Task::wait() {
  const std::shared_ptr<Entry> entry = std::exchange(entry_, nullptr);
  entry->wait();
  // The exception is moved out of the entry, so that this thread destroys it: ThreadSanitizer does not see
  // how threads share an exception.
  if (std::exception_ptr error = std::exchange(entry->error, nullptr))
    std::rethrow_exception(std::move(error));
}

// A call of for_each(). Its thread waits until no helper is left before it destroys the object.
struct ThreadPool::Loop {
  Loop(std::size_t count, const std::function<void(std::size_t)>& body) : count(count), body(body) {}

  bool has_work() const { return next < count; }
  // Calls the body once. Returns false if no number is left.
  bool step() {
    const std::size_t k = next++;
    if (k >= count) return false;
    try {
      body(k);
      return true;
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      return false;
    }
  }
  void work() {
    while (step()) {
    }
  }

  const std::size_t count;
  const std::function<void(std::size_t)>& body;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;  // the first that a body threw
  int helpers = 0;           // guarded by State::loop_mutex
};

struct ThreadPool::State {
  explicit State(int count) : threads(std::max(count, 1)), free_permits(threads) {}

  const int threads;
  const pid_t process = ::getpid();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Task::Entry>> entries;  // entries that no thread has taken yet
  std::size_t idle = 0;                              // threads that wait for an entry
  bool ending = false;
  std::vector<WorkThread> workers;

  std::mutex permit_mutex;
  std::condition_variable permit_changed;
  int free_permits;                 // below 0 while threads of stopped calls hold more than there are
  std::deque<const void*> waiting;  // callers that wait for a permit; the first is served first

  // Guards `loops` and Loop::helpers. A thread that holds loop_mutex may lock permit_mutex, but not the other
  // way round.
  std::mutex loop_mutex;
  std::condition_variable loop_left;  // notified when a loop has no helper left
  std::deque<Loop*> loops;            // all that may get helpers, the oldest first

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      ++idle;
      changed.wait(lock, [this] { return !entries.empty() || ending; });
      --idle;
      if (entries.empty()) return;
      const std::shared_ptr<Task::Entry> entry = std::move(entries.front());
      entries.pop_front();
      lock.unlock();
      entry->run();
      lock.lock();
    }
  }

  // Throws std::system_error if the system gives no thread.
  void add(std::shared_ptr<Task::Entry> entry) {
    const std::lock_guard lock(mutex);
    if (idle <= entries.size()) {
      const SignalsBlocked blocked;
      workers.emplace_back([this] { work(); });
    }
    entries.push_back(std::move(entry));
    changed.notify_one();
  }

  // Helps this loop until it has no work left, and then other loops. Among these the thread chooses anew
  // after each call of a body, so that a long loop does not keep all helpers of short ones. The thread has a
  // permit, and is counted in Loop::helpers.
  void help(Loop* loop) {
    loop->work();
    while (loop != nullptr) {
      {
        const std::lock_guard lock(loop_mutex);
        Loop* const before = loop;
        --before->helpers;
        loop = loop_to_help();
        // A helper that finds no other loop gives its permit back before for_each() can return, so that the
        // next call of for_each() finds the permit free.
        if (loop == nullptr)
          give_back_permit();
        else
          ++loop->helpers;
        if (before->helpers == 0) loop_left.notify_all();
      }
      if (loop != nullptr) loop->step();
    }
  }
  // Returns the loop with the fewest helpers of those that have work, and the newest of several such loops.
  // Returns null if no loop has work, or if someone waits for the permit. The caller has locked loop_mutex.
  Loop* loop_to_help() {
    if (permits_lack()) return nullptr;
    Loop* fewest = nullptr;
    for (Loop* const loop : loops)
      if (loop->has_work() && (fewest == nullptr || loop->helpers <= fewest->helpers)) fewest = loop;
    return fewest;
  }

  // Waits for a permit and takes it. Returns false if `stop` is requested first.
  bool take_permit(const StopFlag& stop) {
    // A stop request wakes no thread, so that a waiting thread looks at the flag from time to time.
    constexpr auto kLook = std::chrono::milliseconds(10);
    std::unique_lock lock(permit_mutex);
    if (free_permits <= 0 || !waiting.empty()) {
      waiting.push_back(&lock);
      while (!permit_changed.wait_for(lock, kLook,
                                      [&] { return free_permits > 0 && waiting.front() == &lock; })) {
        if (!stop.requested()) continue;
        std::erase(waiting, static_cast<const void*>(&lock));
        permit_changed.notify_all();
        return false;
      }
      waiting.pop_front();
      if (!waiting.empty()) permit_changed.notify_all();
    }
    --free_permits;
    return true;
  }
  // Takes a permit even if none is free.
  void take_permit_now() {
    const std::lock_guard lock(permit_mutex);
    --free_permits;
  }
  // Takes as many permits as are free and nobody waits for, but at most `most`. Returns how many.
  int take_free_permits(int most) {
    const std::lock_guard lock(permit_mutex);
    const int taken = waiting.empty() ? std::clamp(free_permits, 0, most) : 0;
    free_permits -= taken;
    return taken;
  }
  // Returns true if more threads wait for a permit than permits are free. (Those that get one leave the queue
  // a little later.)
  bool permits_lack() {
    const std::lock_guard lock(permit_mutex);
    return waiting.size() > static_cast<std::size_t>(std::max(free_permits, 0));
  }
  void give_back_permit() {
    {
      const std::lock_guard lock(permit_mutex);
      ++free_permits;
    }
    permit_changed.notify_all();  // only the first in the queue takes it
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>(threads)) {}

ThreadPool::~ThreadPool() {
  if (state_->process != ::getpid()) {
    static_cast<void>(state_.release());  // the pool's threads are in another process, and cannot be joined
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    state_->ending = true;
  }
  state_->changed.notify_all();
  state_->workers.clear();  // waits for the end of all threads
}

int ThreadPool::threads() const { return state_->threads; }

ThreadPool::Task ThreadPool::start(std::function<void()> work) {
  Task task;
  task.entry_ = std::make_shared<Task::Entry>();
  task.entry_->work = std::move(work);
  try {
    state_->add(task.entry_);
  } catch (const std::system_error& error) {
    task.entry_ = nullptr;  // no thread will run the entry
    const std::lock_guard lock(state_->mutex);
    throw Error(
        ErrorKind::other,
        fmt::format("The system gives no more threads than the {} that run here ({}). Lower {}, or raise "
                    "the limit (ulimit -u).",
                    state_->workers.size() + 1, error.code().message(), option("threads")));
  } catch (...) {
    task.entry_ = nullptr;
    throw;
  }
  return task;
}

ThreadPool::Permit::Permit(ThreadPool& pool, const StopFlag& stop) : pool_(pool) {
  if (held.pool != &pool) {
    if (!pool.state_->take_permit(stop)) throw Interrupted{};
    held = {&pool, 0};
  }
  ++held.times;
}

ThreadPool::Permit::~Permit() {
  if (--held.times > 0) return;
  held = {};
  pool_.state_->give_back_permit();
}

ThreadPool::Pause::Pause(ThreadPool& pool, const StopFlag& stop) : pool_(pool), stop_(stop) {
  if (held.pool != &pool) return;
  held_ = held.times;
  held = {};
  pool.state_->give_back_permit();
}

ThreadPool::Pause::~Pause() {
  if (held_ == 0) return;
  if (!pool_.state_->take_permit(stop_)) pool_.state_->take_permit_now();
  held = {&pool_, held_};
}

// Registers a loop for helpers. The destructor removes it, and waits until its last helper has left.
class ThreadPool::OpenLoop {
 public:
  OpenLoop(State& state, Loop& loop) : state_(state), loop_(loop) {
    const std::lock_guard lock(state.loop_mutex);
    state.loops.push_back(&loop);
  }
  OpenLoop(const OpenLoop&) = delete;
  OpenLoop& operator=(const OpenLoop&) = delete;
  ~OpenLoop() {
    std::unique_lock lock(state_.loop_mutex);
    std::erase(state_.loops, &loop_);
    state_.loop_left.wait(lock, [this] { return loop_.helpers == 0; });
  }

  // Starts a helper, with a permit that the caller has taken. If that fails, fewer threads do the work.
  void start_helper(ThreadPool& pool) {
    {
      const std::lock_guard lock(state_.loop_mutex);
      ++loop_.helpers;
    }
    try {
      auto entry = std::make_shared<Task::Entry>();
      entry->work = [&pool, &state = state_, &loop = loop_] {
        held = {&pool, 1};
        state.help(&loop);
        held = {};
      };
      state_.add(std::move(entry));
    } catch (const std::exception&) {
      state_.give_back_permit();
      const std::lock_guard lock(state_.loop_mutex);
      --loop_.helpers;  // needs no notice: only the destructor waits, later on this thread
    }
  }

 private:
  State& state_;
  Loop& loop_;
};

void ThreadPool::for_each(std::size_t count, const std::function<void(std::size_t)>& body) {
  Loop loop(count, body);
  if (count < 2) {
    loop.work();
  } else {
    OpenLoop open(*state_, loop);
    const auto others = static_cast<int>(std::min(count - 1, static_cast<std::size_t>(threads())));
    for (int helpers = state_->take_free_permits(others); helpers > 0; --helpers) open.start_helper(*this);
    loop.work();
  }
  if (loop.error) std::rethrow_exception(loop.error);
}

}  // namespace alnus
