// One call of a session: its work runs beside the caller's thread, its callbacks on that thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "alnus/run.h"
#include "api/device_set.h"
#include "api/memory_budget.h"
#include "engine/call.h"

namespace alnus::api {

class SessionCore;

// Throws Error(other) in a child after fork().
void check_process(const SessionCore& session);
// Throws that, and Error(input) inside a callback of any session.
void check_call(const SessionCore& session);

class Call {
 public:
  // Throws what check_call() does, and Interrupted where a stop was requested already.
  Call(SessionCore& session, const RunControl& run);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  SessionCore& session() { return session_; }
  const StopFlag& stop() const { return state_.progress.stop; }
  // What the engine's drivers take. Its devices are those that were chosen for the call.
  engine::Call& state() { return state_; }
  // The session's devices for this work, and all of them.
  void choose_devices(const Work& work);
  void use_all_devices();
  // Gives the call's devices the sequences, so that their first work with them need not.
  void load(const std::shared_ptr<const SortedSequences>& sequences);

  // Does the work of the call. brief: there is so little of it that the caller's thread does it itself, and
  // saves the way to another one; else that thread waits, and runs callbacks meanwhile.
  enum class Length : std::uint8_t { brief, full };
  void run(Length length, const std::function<void()>& work);

  // Within the work: runs a callback on the caller's thread and waits for its end. What it throws comes out.
  // Throws Interrupted in place of it where a stop is requested.
  void on_caller(const std::function<void()>& callback);
  // Within the work, when all is computed and before files get their names: the last progress. What its
  // callback throws still leaves nothing behind.
  void tell_end();

  // Within the work: registers a periodic check of the call's inputs. `look` is called about ten times a
  // second on the caller's thread for as long as the work lasts (not of a brief call), and ends the call by
  // throwing. `explain` is called where the work throws Error(other) or what is no Error; what `explain`
  // throws comes out instead.
  void watch(std::function<void()> look, std::function<void(const StopFlag& stop)> explain);

  // From any thread: a sentence for the user, with options marked.
  void say(Severity severity, std::string marked);
  void warn(std::string marked) { say(Severity::warning, std::move(marked)); }
  void info(std::string marked) { say(Severity::info, std::move(marked)); }
  // The same as a function.
  std::function<void(std::string)> warning() {
    return [this](std::string marked) { warn(std::move(marked)); };
  }

  // Memory for what the work keeps; waits for other calls. Once in a call.
  void reserve(std::uint64_t bytes);

 private:
  void pump();
  void tell_messages();
  void deliver_messages(std::unique_lock<std::mutex>& lock);
  void tell_progress();
  void look();
  std::exception_ptr explained(std::exception_ptr failure);
  void call_back(const std::function<void()>& callback);

  SessionCore& session_;
  const RunControl& run_;
  const std::chrono::steady_clock::time_point start_;
  std::vector<Device*> devices_;
  engine::Call state_;
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
  MemoryBudget::Reservation memory_;
  bool pumped_ = false;                 // the work is on another thread
  std::atomic<bool> told_end_ = false;  // by tell_end(): nothing is told any more

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
  const std::function<void()>* wanted_ = nullptr;  // the callback that the work waits for
  std::exception_ptr thrown_;                      // by it
  bool work_ended_ = false;
  std::vector<std::function<void()>> looks_;
  std::vector<std::function<void(const StopFlag&)>> explanations_;
  std::exception_ptr failed_callback_;  // of progress, messages or looks: it ends the call
};

}  // namespace alnus::api
