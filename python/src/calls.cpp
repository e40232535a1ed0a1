#include "calls.h"

#include <condition_variable>
#include <exception>
#include <nanobind/stl/string.h>
#include <pthread.h>
#include <thread>

#include "alnus/error.h"
#include "lost_pages.h"

namespace alnus::python {

RunControl Mailbox::control(std::stop_token stop) {
  RunControl run;
  run.stop = std::move(stop);
  run.on_message = [this](const Message& message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
  };
  run.on_progress = [this](const Progress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
  };
  return run;
}

void Mailbox::deliver(const Listeners& listeners) {
  std::vector<Message> messages;
  std::optional<Progress> progress;
  {
    const std::lock_guard lock(mutex_);
    messages = std::exchange(messages_, {});
    progress = std::exchange(progress_, std::nullopt);
  }
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  for (const Message& message : messages)
    listeners.message(message.severity == Severity::warning ? "warning" : "info",
                      message.text(argument_name));
  if (!progress || listeners.progress.is_none()) return;
  nb::dict fields;
  fields["cells_done"] = progress->cells_done;
  fields["cells_total"] = progress->cells_total;
  fields["pairs_done"] = progress->pairs_done;
  fields["pairs_total"] = progress->pairs_total;
  fields["fraction"] = progress->fraction;
  fields["seconds"] = progress->seconds;
  fields["seconds_left"] = progress->seconds_left;
  listeners.progress(fields);
}

namespace {

// All calls of the process that are under way.
struct Ongoing {
  std::mutex mutex;
  std::condition_variable changed;             // notified when a call has ended
  std::vector<const std::stop_source*> stops;  // one for each call
  bool closed = false;                         // true: no call may begin
};

// This object is never destroyed, because threads may use it until the process ends. A child after fork gets
// a new one: the threads of the parent's calls do not exist there.
Ongoing* calls_of_process = new Ongoing;
const int watching_forks = ::pthread_atfork(nullptr, nullptr, [] { calls_of_process = new Ongoing; });

Ongoing& ongoing() { return *calls_of_process; }

}  // namespace

OngoingCall::OngoingCall(std::stop_source stop) : stop_(std::move(stop)) {
  keep_watching_lost_pages();
  Ongoing& calls = ongoing();
  const std::lock_guard lock(calls.mutex);
  if (calls.closed) throw Interrupted{};
  calls.stops.push_back(&stop_);
}

OngoingCall::~OngoingCall() {
  Ongoing& calls = ongoing();
  const std::lock_guard lock(calls.mutex);
  std::erase(calls.stops, &stop_);
  calls.changed.notify_all();
}

void end_calls() {
  Ongoing& calls = ongoing();
  std::unique_lock lock(calls.mutex);
  calls.closed = true;
  for (const std::stop_source* stop : calls.stops) std::stop_source(*stop).request_stop();
  calls.changed.wait(lock, [&] { return calls.stops.empty(); });
}

void follow_work(const Listeners& listeners, const std::function<void(const RunControl&)>& work) {
  Mailbox mailbox;
  std::stop_source stop;
  const OngoingCall call(stop);  // counts as under way until this thread holds the GIL again
  std::mutex mutex;              // guards `ended` and `error`
  std::condition_variable changed;
  bool ended = false;
  std::exception_ptr error, raised;  // what the work threw, and what Python raised
  const auto deliver = [&] {
    if (raised) return;
    try {
      mailbox.deliver(listeners);
    } catch (...) {
      raised = std::current_exception();
      stop.request_stop();
    }
  };
  {
    const nb::gil_scoped_release released;
    std::thread worker([&] {
      std::exception_ptr thrown;
      try {
        work(mailbox.control(stop.get_token()));
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      error = thrown;
      ended = true;
      changed.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, kBetweenLooks, [&] { return ended; })) {
      lock.unlock();
      {
        const nb::gil_scoped_acquire acquired;
        deliver();
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  deliver();
  if (raised) std::rethrow_exception(raised);
  if (error) std::rethrow_exception(error);
}

}  // namespace alnus::python
