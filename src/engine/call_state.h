// The devices, threads, progress and stop that the engine's drivers share during one call of the library.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/device.h"
#include "core/thread_pool.h"
#include "engine/progress.h"

namespace alnus::engine {

// The caller owns the devices, the array that `chosen` refers to, and the pool; all must outlive the call.
class CallState {
 public:
  CallState(std::span<Device* const> chosen, ThreadPool& pool) : devices(chosen), threads(pool) {}

  std::span<Device* const> devices;
  ThreadPool& threads;
  Progress progress{};
  std::string isa = "auto";  // instruction set for make_pair_scorer() (engine/registry.h)
  // Called once for each device that failed, from any thread; may be empty.
  std::function<void(const Device&)> retired{};
  // Called once for each device that has computed something, from any thread; may be empty.
  std::function<void(const Device&)> used{};

  // True if all devices compute on the host.
  bool on_host() const {
    return std::ranges::all_of(devices, [](const Device* device) { return device->info().computes_on_host; });
  }
  // Marks a device as failed, so that it gets no more work of this call. Returns false if it was marked
  // before. retire(), is_retired() and use() may be called from any thread.
  bool retire(const Device& device) {
    const bool is_new = note(device, failed_);
    if (is_new && retired) retired(device);
    return is_new;
  }
  bool is_retired(const Device& device) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::find(failed_, &device) != failed_.end();
  }
  // Notes that a device has computed something.
  void use(const Device& device) {
    if (note(device, used_) && used) used(device);
  }

  // Starts work on another thread, where it counts as on this one (Counting). Throws as ThreadPool::start().
  ThreadPool::Task start(std::function<void()> work) {
    return threads.start([this, counting = progress.counting(), work = std::move(work)] {
      const CountedAs same(progress, counting);
      work();
    });
  }

  // Calls body(k) for every k below `count` on the threads of the call, with a permit. Throws Interrupted.
  template <class Body>
  void for_each(std::size_t count, const Body& body) {
    const ThreadPool::Permit permit(threads, progress.stop);
    threads.for_each(count, [&](std::size_t k) {
      progress.stop.throw_if_requested();
      body(k);
    });
  }
  // The same for pieces of [0, count) that have `piece` numbers: calls body(begin, end).
  template <class Body>
  void for_each_piece(std::size_t count, std::size_t piece, const Body& body) {
    for_each((count + piece - 1) / piece,
             [&](std::size_t number) { body(number * piece, std::min((number + 1) * piece, count)); });
  }
  // Calls body(k) for every k below `count`, in such pieces: for bodies that do little work.
  template <class Body>
  void for_each(std::size_t count, std::size_t piece, const Body& body) {
    for_each_piece(count, piece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) body(k);
    });
  }

 private:
  // Adds the device to the list. False: it is there already.
  bool note(const Device& device, std::vector<const Device*>& list) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(list, &device) != list.end()) return false;
    list.push_back(&device);
    return true;
  }

  mutable std::mutex mutex_;
  std::vector<const Device*> failed_, used_;
};

}  // namespace alnus::engine
