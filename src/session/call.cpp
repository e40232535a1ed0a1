#include "session/call.h"

#include <algorithm>
#include <chrono>
#include <unistd.h>
#include <utility>

#include "alnus/error.h"
#include "core/refuse_input.h"
#include "core/stack.h"
#include "session/session_core.h"

namespace alnus::session {
namespace {

// The number of callbacks that are running on this thread.
thread_local int callbacks = 0;

constexpr auto kProgressPeriod = std::chrono::milliseconds(100);

}  // namespace

void check_process(const SessionCore& session) {
  if (session.process() != ::getpid())
    throw Error(
        ErrorKind::other,
        "This process was forked, and the threads and devices of its parent's session are not here. Make "
        "a new session in the child.");
}

void check_call(const SessionCore& session) {
  check_process(session);
  if (callbacks > 0)
    refuse_input(
        "A callback (progress, messages, results) called a session. Keep what the callback gets, and "
        "call the session after the call that it belongs to has returned.");
}

Call::Call(SessionCore& session, const RunControl& run)
    : session_(session), run_(run), start_(std::chrono::steady_clock::now()), state_({}, session.threads()) {
  check_call(session);
  if (run.stop.stop_requested()) throw Interrupted{};
  on_stop_.emplace(run.stop, [this] { state_.progress.stop.request(); });
  state_.progress.warn = [this](const std::string& marked) { warn(marked); };
  state_.isa = session.options().isa;
  state_.retired = [&session](const Device& device) { session.devices().retire(device); };
  state_.used = [&session](const Device& device) { session.devices().note_use(device); };
  session.count_call();
}

void Call::choose_devices(const Work& work) {
  devices_ = session_.devices().choose(work, warning());
  state_.devices = devices_;
}

void Call::use_all_devices() {
  devices_ = session_.devices().all(warning());
  state_.devices = devices_;
}

void Call::load(const std::shared_ptr<const SortedSequences>& sequences) {
  for (Device* device : devices_) {
    if (device->info().standby) continue;
    try {
      device->load(sequences);
    } catch (const Error& error) {  // a later call will report what the device cannot do
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::memory) throw;
    }
  }
}

void Call::reserve(std::uint64_t bytes) {
  // The call gives its memory back before it waits for more, so that no two calls wait for each other.
  { const MemoryBudget::Reservation given_back = std::exchange(memory_, {}); }
  const auto callbacks_meanwhile = [this, next = start_ + kProgressPeriod]() mutable {
    tell_messages();
    if (std::chrono::steady_clock::now() >= next) {
      next = std::chrono::steady_clock::now() + kProgressPeriod;
      tell_progress();
    }
    if (failed_callback_) std::rethrow_exception(failed_callback_);
  };
  memory_ = session_.budget().reserve(
      bytes, stop(), pumped_ ? std::function<void()>() : std::function<void()>(callbacks_meanwhile));
}

void Call::run(Length length, const std::function<void()>& work) {
  std::exception_ptr failure;
  const auto do_work = [&] {
    try {
      work();
    } catch (...) {
      failure = explained(std::current_exception());
    }
  };
  if (length == Length::brief && stack_left() >= kWorkStack / 2) {
    do_work();
    tell_messages();
  } else {
    pumped_ = true;
    ThreadPool::Task task = session_.threads().start([&] {
      do_work();
      const std::lock_guard lock(mutex_);
      work_ended_ = true;
      changed_.notify_all();
    });
    pump();
    task.wait();
    pumped_ = false;
  }
  if (!failed_callback_ && !failure && !told_end_) tell_progress();
  if (failed_callback_) std::rethrow_exception(failed_callback_);
  if (failure) std::rethrow_exception(failure);
}

// Runs callbacks on the caller's thread until the work has ended: messages as they come, looks and progress
// every kProgressPeriod, and the callbacks that the work waits for.
void Call::pump() {
  auto next_progress = start_ + kProgressPeriod;
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto due = [this] { return work_ended_ || wanted_ != nullptr || !messages_.empty(); };
    const bool ticks = !failed_callback_ && !told_end_;
    if (ticks)
      changed_.wait_until(lock, next_progress, due);
    else
      changed_.wait(lock, due);
    deliver_messages(lock);
    if (wanted_ != nullptr) {
      const std::function<void()>& callback = *wanted_;
      lock.unlock();
      std::exception_ptr thrown = failed_callback_;
      try {
        if (!thrown) call_back(callback);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      thrown_ = thrown;
      wanted_ = nullptr;
      changed_.notify_all();
    }
    if (ticks && !told_end_ && std::chrono::steady_clock::now() >= next_progress) {
      next_progress = std::chrono::steady_clock::now() + kProgressPeriod;
      lock.unlock();
      look();
      tell_progress();
      lock.lock();
    }
    if (work_ended_ && messages_.empty()) return;
  }
}

void Call::watch(std::function<void()> look, std::function<void(const StopFlag&)> explain) {
  const std::lock_guard lock(mutex_);
  looks_.push_back(std::move(look));
  explanations_.push_back(std::move(explain));
}

// Returns the error about lost bytes of a file, if there are any, in place of `failure`: the zeros in their
// place may have looked like wrong input.
std::exception_ptr Call::explained_by_lost_bytes(std::exception_ptr failure) {
  try {
    for (const std::function<void()>& look : looks_) look();
  } catch (const Error&) {
    return std::current_exception();
  }
  return failure;
}

std::exception_ptr Call::explained(std::exception_ptr failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Interrupted&) {
    return failure;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input) return explained_by_lost_bytes(failure);
    if (error.kind() != ErrorKind::other) return failure;  // the error says what was wrong
  } catch (const std::exception&) {
  } catch (...) {  // no std::exception: the library throws none of these
    return failure;
  }
  // stop() may have been requested because the work failed. This flag follows the caller's request alone.
  StopFlag stop;
  const std::stop_callback on_stop(run_.stop, [&stop] { stop.request(); });
  try {
    for (const auto& explain : explanations_) explain(stop);
  } catch (const Interrupted&) {
  } catch (...) {
    return std::current_exception();
  }
  return failure;
}

void Call::look() {
  std::vector<std::function<void()>> looks;
  {
    const std::lock_guard lock(mutex_);
    if (!work_ended_) looks = looks_;
  }
  attempt([&] {
    for (const std::function<void()>& one : looks) one();
  });
}

double Call::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Call::tell_end() {
  told_end_ = true;
  on_caller([this] { tell_progress(); });
  if (failed_callback_) std::rethrow_exception(failed_callback_);
}

void Call::on_caller(const std::function<void()>& callback) {
  stop().throw_if_requested();
  std::unique_lock lock(mutex_);
  if (!pumped_) {
    lock.unlock();
    tell_messages();
    if (failed_callback_) std::rethrow_exception(failed_callback_);
    return call_back(callback);
  }
  wanted_ = &callback;
  changed_.notify_all();
  changed_.wait(lock, [this] { return wanted_ == nullptr; });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Call::say(Severity severity, std::string marked) {
  const std::lock_guard lock(mutex_);
  messages_.push_back({severity, std::move(marked)});
  changed_.notify_all();
}

void Call::tell_messages() {
  std::unique_lock lock(mutex_);
  deliver_messages(lock);
}

void Call::deliver_messages(std::unique_lock<std::mutex>& lock) {
  const auto& on_message = run_.on_message ? run_.on_message : session_.options().on_message;
  while (!messages_.empty()) {
    const Message message = std::move(messages_.front());
    messages_.pop_front();
    if (!on_message || failed_callback_) continue;
    lock.unlock();
    attempt([&] { call_back([&] { on_message(message); }); });
    lock.lock();
  }
}

void Call::tell_progress() {
  if (!run_.on_progress || failed_callback_) return;
  const engine::Progress& counted = state_.progress;
  Progress progress;
  progress.cells_total = counted.cells_total;
  progress.cells_done = std::min<std::uint64_t>(counted.cells_done, progress.cells_total);
  progress.pairs_total = counted.pairs_total;
  progress.pairs_done = std::min<std::uint64_t>(counted.pairs_done, progress.pairs_total);
  progress.seconds = seconds();
  const std::uint64_t work = progress.cells_total + counted.extra_cells_total;
  const auto done = static_cast<double>(std::min(progress.cells_done + counted.extra_cells_done, work));
  if (done > 0) {
    progress.fraction = done / static_cast<double>(work);
    progress.seconds_left = progress.seconds * (static_cast<double>(work) - done) / done;
  }
  attempt([&] { call_back([&] { run_.on_progress(progress); }); });
}

void Call::attempt(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    failed_callback_ = std::current_exception();
    state_.progress.stop.request();
  }
}

void Call::call_back(const std::function<void()>& callback) {
  ++callbacks;
  try {
    callback();
  } catch (...) {
    --callbacks;
    throw;
  }
  --callbacks;
}

}  // namespace alnus::session
