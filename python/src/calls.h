// Calls of a session that Python can follow and stop. Such a call runs without the GIL on a thread of its
// own, while the thread that made the call looks for signals.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "alnus/run.h"
#include "bindings.h"

namespace alnus::python {

// The time between two looks for signals, messages and progress while a thread waits for a call.
inline constexpr std::chrono::milliseconds kBetweenLooks{20};

// Functions of Python that follow a call. `progress` is None or takes a dict, `message` takes (severity,
// text). An exception that they raise ends the call and comes out of it.
struct Listeners {
  nb::object progress, message;
};

// Keeps the messages and the progress that the call's thread tells, until the thread that made the call
// passes them on to Python.
class Mailbox {
 public:
  // The control of a call whose messages and progress go into this mailbox.
  RunControl control(std::stop_token stop);
  // Lets Python handle signals that have come, and passes on messages and progress. The caller must hold the
  // GIL. Throws what Python raises.
  void deliver(const Listeners& listeners);

 private:
  std::mutex mutex_;
  std::vector<Message> messages_;
  std::optional<Progress> progress_;
};

// A call that is under way. end_calls() stops all of these when Python ends, since their threads could not go
// on.
class OngoingCall {
 public:
  // Throws Interrupted when Python has begun to end.
  explicit OngoingCall(std::stop_source stop);
  ~OngoingCall();
  OngoingCall(const OngoingCall&) = delete;
  OngoingCall& operator=(const OngoingCall&) = delete;

 private:
  std::stop_source stop_;
};

// Releases the GIL as long as it lives, so that other threads of Python run. The call counts as under way
// until the GIL is taken back, so that Python does not end before.
struct Unlocked {
  Unlocked() : call(std::stop_source()) {}
  explicit Unlocked(std::stop_source stop) : call(std::move(stop)) {}
  OngoingCall call;
  nb::gil_scoped_release released{};
};

// Stops all calls, waits until they have ended, and lets no new call begin. The caller must not hold the GIL.
void end_calls();

// Runs work(run) on a thread of its own and returns when it has ended. Meanwhile the thread that called looks
// for signals and passes on messages and progress. Throws what the work threw, or what Python raised.
void follow_work(const Listeners& listeners, const std::function<void(const RunControl&)>& work);

// Runs work(run) as follow_work() does, and returns its result.
template <class Work>
auto follow(const Listeners& listeners, const Work& work) {
  std::optional<decltype(work(std::declval<const RunControl&>()))> result;
  follow_work(listeners, [&](const RunControl& run) { result.emplace(work(run)); });
  return std::move(*result);
}

}  // namespace alnus::python
