// A pool of idle workers, which keeps the memory that they have allocated for the next run.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace alnus::cpu {

template <class Worker>
class Pool {
 public:
  explicit Pool(std::size_t most_idle) : most_idle_(most_idle) {}

  // take() returns an idle worker, or the result of `make` if there is none. put_back() makes a worker idle,
  // or destroys it if `most_idle` workers are idle already. Any thread may call both.
  template <class Make>
  std::unique_ptr<Worker> take(Make make) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Worker> worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
    }
    return make();
  }
  void put_back(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < most_idle_) idle_.push_back(std::move(worker));
  }

 private:
  const std::size_t most_idle_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace alnus::cpu
