// One call of a session: its work runs on another thread, its callbacks run on the caller's thread.
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
#include "engine/call_state.h"
#include "session/device_set.h"
#include "session/memory_budget.h"

namespace alnus::session {

class SessionCore;

// Throws Error(other) in a child after fork().
void check_process(const SessionCore& session);
// Throws what check_process() throws, and Error(input) inside a callback of any session.
void check_call(const SessionCore& session);

class Call {
 public:
  // Throws what check_call() throws, and Interrupted if a stop was requested already. `run` must outlive the
  // object.
  Call(SessionCore& session, const RunControl& run);

  SessionCore& session() { return session_; }
  const StopFlag& stop() const { return state_.progress.stop; }
  double seconds() const;  // since the call began
  // The engine's side of the call, which its drivers take. It has the devices that were chosen for the call.
  engine::CallState& state() { return state_; }
  // choose_devices() takes the session's best devices for this work, use_all_devices() all of them.
  void choose_devices(const Work& work);
  void use_all_devices();
  // Loads the sequences onto the call's devices now, which saves that time in the first search. A device that
  // has too little memory or fails is skipped.
  void load(const std::shared_ptr<const SortedSequences>& sequences);

  // Does the work of the call, and throws what the work or a callback throws. full: the work runs on a thread
  // of the pool, while the caller's thread runs callbacks. brief: the work is too little to pay for a change
  // of threads, and runs on the caller's thread if that has enough stack.
  enum class Length : std::uint8_t { brief, full };
  void run(Length length, const std::function<void()>& work);

  // Called by the work: runs a callback on the caller's thread, waits for its end, and throws what the
  // callback throws. If a stop is requested, throws Interrupted and does not run the callback.
  void on_caller(const std::function<void()>& callback);
  // Called by the work when all is computed and before output files get their names: reports the last
  // progress. If the progress callback throws here, no output file is left behind.
  void tell_end();

  // Called by the work: registers a periodic check of the call's inputs. `look` is called about ten times a
  // second on the caller's thread while the work lasts, and ends the call by throwing; a brief call does not
  // call it so. If the work throws Error(input), `look` is called once more; if the work throws Error(other)
  // or a std::exception that is no Error, `explain` is called. What they throw then replaces the exception of
  // the work.
  void watch(std::function<void()> look, std::function<void(const StopFlag& stop)> explain);

  // Sends a sentence to the user, from any thread. Options in it are marked (option() in alnus/error.h).
  void say(Severity severity, std::string marked);
  void warn(std::string marked) { say(Severity::warning, std::move(marked)); }
  void info(std::string marked) { say(Severity::info, std::move(marked)); }
  // warn() as a function object; the call must outlive it.
  std::function<void(std::string)> warning() {
    return [this](std::string marked) { warn(std::move(marked)); };
  }

  // Reserves this many bytes of the session's memory budget for the rest of the call, in place of those that
  // the call has already. Waits until other calls have given back enough.
  void reserve(std::uint64_t bytes);

 private:
  void pump();
  void tell_messages();
  void deliver_messages(std::unique_lock<std::mutex>& lock);
  void tell_progress();
  void look();
  std::exception_ptr explained(std::exception_ptr failure);
  std::exception_ptr explained_by_lost_bytes(std::exception_ptr failure);
  void call_back(const std::function<void()>& callback);
  void attempt(const std::function<void()>& work);  // ends the call if `work` throws

  SessionCore& session_;
  const RunControl& run_;
  const std::chrono::steady_clock::time_point start_;
  std::vector<Device*> devices_;
  engine::CallState state_;
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
  MemoryBudget::Reservation memory_;
  bool pumped_ = false;                 // the work runs on another thread
  std::atomic<bool> told_end_ = false;  // tell_end() was called: no more progress is reported

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
  const std::function<void()>* wanted_ = nullptr;  // the callback that the work waits for
  std::exception_ptr thrown_;                      // what that callback threw
  bool work_ended_ = false;
  std::vector<std::function<void()>> looks_;
  std::vector<std::function<void(const StopFlag&)>> explanations_;
  std::exception_ptr failed_callback_;  // what a progress, message or look callback threw: ends the call
};

// Makes a call, and returns what its work returns: work(call).
template <class Work>
auto in_call(SessionCore& session, const RunControl& run, Call::Length length, const Work& work) {
  Call call(session, run);
  decltype(work(call)) result;
  call.run(length, [&] { result = work(call); });
  return result;
}

}  // namespace alnus::session
