// The memory that all calls of a session share.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include "core/stop_flag.h"

namespace alnus::api {

// Calls reserve what they are going to need before they begin, and wait for others where there is not enough,
// in the order in which they came. A call that holds a reservation never asks for another one, so that no two
// wait for each other.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes) : total_(bytes), free_(bytes) {}

  // Given back when it is destroyed.
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

  // All of the budget at most, however much is asked for. Throws Interrupted when `stop` is requested first.
  // While it waits it calls `meanwhile` every few milliseconds.
  Reservation reserve(std::uint64_t bytes, const StopFlag& stop, const std::function<void()>& meanwhile = {});

  std::uint64_t total() const { return total_; }
  std::uint64_t reserved() const;
  std::uint64_t peak() const;  // at most so far

 private:
  void give_back(std::uint64_t bytes);

  const std::uint64_t total_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t free_, peak_ = 0;
  std::deque<const void*> waiting_;  // the first is served first
};

}  // namespace alnus::api
