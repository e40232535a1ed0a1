#include "stream.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <utility>

#include "alnus/error.h"

namespace alnus::python {

struct RowStream::State {
  const pid_t process = ::getpid();
  Mailbox mailbox;
  std::stop_source stop;
  std::optional<OngoingCall> call{std::in_place, stop};  // empty when the work has ended
  std::mutex mutex;                                      // guards all members below but `worker`
  std::condition_variable changed;                       // notified when `batch` or `ended` changes
  std::optional<Rows> batch;                             // the batch that nobody has taken yet
  bool ended = false;                                    // true: the work has ended
  std::exception_ptr error;                              // what the work threw
  std::thread worker;                                    // used only by threads that have the GIL

  void put(Rows rows);
  void work_on(const std::function<void(const Take& take, const RunControl& run)>& work);
};

void RowStream::State::put(Rows rows) {
  std::unique_lock lock(mutex);
  while (batch && !stop.stop_requested()) changed.wait_for(lock, kBetweenLooks);
  if (stop.stop_requested()) throw Interrupted{};
  batch.emplace(std::move(rows));
  changed.notify_all();
}

void RowStream::State::work_on(const std::function<void(const Take& take, const RunControl& run)>& work) {
  std::exception_ptr thrown;
  try {
    work([this](Rows rows) { put(std::move(rows)); }, mailbox.control(stop.get_token()));
  } catch (...) {
    thrown = std::current_exception();
  }
  const std::lock_guard lock(mutex);
  error = thrown;
  ended = true;
  call.reset();
  changed.notify_all();
}

RowStream::RowStream(std::function<void(const Take& take, const RunControl& run)> work)
    : state_(std::make_unique<State>()) {
  state_->worker = std::thread([state = state_.get(), work = std::move(work)] { state->work_on(work); });
}

RowStream::~RowStream() {
  if (state_->process == ::getpid())
    close();
  else
    static_cast<void>(state_.release());  // the worker is not in this process: waiting for it would never end
}

std::optional<Rows> RowStream::next(const Listeners& listeners) {
  State& state = *state_;
  if (state.process != ::getpid())
    throw Error(ErrorKind::other, "The stream belongs to the process that this one was forked from.");
  std::optional<Rows> batch;
  std::exception_ptr error;
  for (bool ready = false; !ready;) {
    try {
      state.mailbox.deliver(listeners);
    } catch (...) {
      close();
      throw;
    }
    const Unlocked unlocked(state.stop);
    std::unique_lock lock(state.mutex);
    ready = state.changed.wait_for(lock, kBetweenLooks, [&] { return state.batch || state.ended; });
    batch = std::exchange(state.batch, std::nullopt);
    if (ready && !batch) error = std::exchange(state.error, nullptr);
    state.changed.notify_all();
  }
  if (!batch) state.mailbox.deliver(listeners);
  if (error) std::rethrow_exception(error);
  return batch;
}

void RowStream::close() {
  State& state = *state_;
  if (state.process != ::getpid()) return;
  state.stop.request_stop();
  std::thread worker = std::exchange(state.worker, {});
  std::optional<Unlocked> unlocked;
  try {
    unlocked.emplace(state.stop);
  } catch (const Interrupted&) {
    // Python ends, and this thread might not get the GIL back if it released the GIL. The worker ends without
    // the GIL.
  }
  if (worker.joinable()) return worker.join();
  std::unique_lock lock(state.mutex);  // another thread closes the stream and joins the worker
  state.changed.wait(lock, [&] { return state.ended; });
}

}  // namespace alnus::python
