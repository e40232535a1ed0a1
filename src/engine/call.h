// What the drivers work with while one call of the library lasts.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/device.h"
#include "core/thread_pool.h"
#include "engine/progress.h"

namespace alnus::engine {

class Call {
 public:
  Call(std::span<Device* const> chosen, ThreadPool& pool) : devices(chosen), threads(pool) {}

  std::span<Device* const> devices;
  ThreadPool& threads;
  Progress progress{};
  std::string isa = "auto";  // by which single pairs are scored on this host (engine/registry.h)
  // Told once of each device that failed, from any thread; may be empty.
  std::function<void(const Device&)> retired{};

  // A device that failed gets no more work of this call. Both from any thread.
  void retire(const Device& device) {
    {
      const std::lock_guard lock(mutex_);
      if (std::ranges::find(failed_, &device) != failed_.end()) return;
      failed_.push_back(&device);
    }
    if (retired) retired(device);
  }
  bool is_retired(const Device& device) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::find(failed_, &device) != failed_.end();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<const Device*> failed_;
};

}  // namespace alnus::engine
