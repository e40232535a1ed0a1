#include "stream.h"

#include <utility>

#include "alnus/error.h"

namespace alnus::python {

RowStream::RowStream(std::function<void(const Take& take, const RunControl& run)> work)
    : call_(std::in_place, stop_), worker_([this, work = std::move(work)] {
        std::exception_ptr thrown;
        try {
          work([this](Rows rows) { put(std::move(rows)); }, mailbox_.control(stop_.get_token()));
        } catch (...) {
          thrown = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        error_ = thrown;
        ended_ = true;
        call_.reset();
        changed_.notify_all();
      }) {}

RowStream::~RowStream() { close(); }

void RowStream::put(Rows rows) {
  std::unique_lock lock(mutex_);
  while (batch_ && !stop_.stop_requested()) changed_.wait_for(lock, kBetweenLooks);
  if (stop_.stop_requested()) throw Interrupted{};
  batch_.emplace(std::move(rows));
  changed_.notify_all();
}

std::optional<Rows> RowStream::next(const Listeners& listeners) {
  std::optional<Rows> batch;
  std::exception_ptr error;
  for (bool ready = false; !ready;) {
    try {
      mailbox_.deliver(listeners);
    } catch (nb::python_error&) {
      close();
      throw;
    }
    const nb::gil_scoped_release released;
    std::unique_lock lock(mutex_);
    ready = changed_.wait_for(lock, kBetweenLooks, [&] { return batch_ || ended_; });
    batch = std::exchange(batch_, std::nullopt);
    if (ready && !batch) error = std::exchange(error_, nullptr);
    changed_.notify_all();
  }
  if (!batch) mailbox_.deliver(listeners);
  if (error) std::rethrow_exception(error);
  return batch;
}

void RowStream::close() {
  stop_.request_stop();
  if (!worker_.joinable()) return;
  const nb::gil_scoped_release released;
  changed_.notify_all();
  worker_.join();
}

}  // namespace alnus::python
