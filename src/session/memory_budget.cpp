#include "session/memory_budget.h"

#include <algorithm>
#include <chrono>

namespace alnus::session {

MemoryBudget::Reservation::~Reservation() {
  if (budget_ != nullptr) budget_->give_back(bytes_);
}

MemoryBudget::Reservation MemoryBudget::reserve(std::uint64_t bytes, const StopFlag& stop,
                                                const std::function<void()>& meanwhile) {
  // A stop request does not notify `changed_`, so that a waiting call looks at `stop` this often.
  constexpr auto kLook = std::chrono::milliseconds(10);
  Reservation reservation;
  bytes = std::min(bytes, total_);
  std::unique_lock lock(mutex_);
  waiting_.push_back(&reservation);
  const auto served = [&] { return waiting_.front() == &reservation && free_ >= bytes; };
  while (!changed_.wait_for(lock, kLook, served)) {
    try {
      lock.unlock();
      if (meanwhile) meanwhile();
      lock.lock();
      stop.throw_if_requested();
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      std::erase(waiting_, &reservation);
      changed_.notify_all();
      throw;
    }
  }
  waiting_.pop_front();
  free_ -= bytes;
  peak_ = std::max(peak_, total_ - free_);
  changed_.notify_all();  // enough may be free for the next waiting call, too
  reservation.budget_ = this;
  reservation.bytes_ = bytes;
  return reservation;
}

std::uint64_t MemoryBudget::reserved() const {
  const std::lock_guard lock(mutex_);
  return total_ - free_;
}

std::uint64_t MemoryBudget::peak() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

void MemoryBudget::give_back(std::uint64_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    free_ += bytes;
  }
  changed_.notify_all();
}

}  // namespace alnus::session
