// The memory that all calls of a session share.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include "core/stop_flag.h"

namespace alnus::session {

// A call reserves the memory that its results will need before it computes. If too little is free, it waits
// for other calls; waiting calls are served in order of arrival. A call that holds a reservation must not
// make another one, so that no two calls wait for each other.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes) : total_(bytes), free_(bytes) {}

  // Reserved memory; the destructor gives it back.
  class Reservation {
   public:
    Reservation() = default;
    Reservation(Reservation&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Reservation& operator=(Reservation&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Reservation();
    std::uint64_t bytes() const { return bytes_; }

   private:
    friend class MemoryBudget;
    MemoryBudget* budget_ = nullptr;
    std::uint64_t bytes_ = 0;
  };

  // Reserves `bytes`, but never more than the whole budget. Throws Interrupted if `stop` is requested before
  // the memory is free. While waiting, calls `meanwhile` about every 10 ms.
  Reservation reserve(std::uint64_t bytes, const StopFlag& stop, const std::function<void()>& meanwhile = {});

  std::uint64_t total() const { return total_; }
  std::uint64_t reserved() const;
  std::uint64_t peak() const;  // the most bytes that were reserved at one time

 private:
  void give_back(std::uint64_t bytes);

  const std::uint64_t total_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t free_, peak_ = 0;
  std::deque<const void*> waiting_;  // addresses of the waiting calls' reservations, in order of arrival
};

}  // namespace alnus::session
