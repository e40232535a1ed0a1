// Calls of a session that Python can follow and end: without the GIL, on a thread of their own, while the
// thread that called looks for signals.
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

// How long a thread that waits for a call looks for nothing.
inline constexpr std::chrono::milliseconds kBetweenLooks{20};

// What a caller wants to hear: `progress` is None or takes a dict, `message` takes (severity, text). What
// they raise ends the call and comes out of it.
struct Listeners {
  nb::object progress, message;
};

// What a call tells on its thread until the thread that holds the GIL passes it on.
class Mailbox {
 public:
  RunControl control(std::stop_token stop);
  // With the GIL: raises signals, and passes on messages and progress. Throws what Python raises.
  void deliver(const Listeners& listeners);

 private:
  std::mutex mutex_;
  std::vector<Message> messages_;
  std::optional<Progress> progress_;
};

// A call that is under way. When Python ends, all of them are stopped, since their threads could not go on.
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

// Lets other threads of Python run. Taking the GIL back is a part of the call: Python does not end meanwhile.
struct Unlocked {
  Unlocked() : call(std::stop_source()) {}
  explicit Unlocked(std::stop_source stop) : call(std::move(stop)) {}
  OngoingCall call;
  nb::gil_scoped_release released{};
};

// Stops all calls, waits until they have ended, and lets none begin. Without the GIL.
void end_calls();

// Calls work(run) and returns when it has ended. Throws what it threw, or what Python raised meanwhile.
void follow_work(const Listeners& listeners, const std::function<void(const RunControl&)>& work);

// The result of work(run), as follow_work has it.
template <class Work>
auto follow(const Listeners& listeners, const Work& work) {
  std::optional<decltype(work(std::declval<const RunControl&>()))> result;
  follow_work(listeners, [&](const RunControl& run) { result.emplace(work(run)); });
  return std::move(*result);
}

}  // namespace alnus::python
