// Overlapped work: a batch of results is used while the next batch is made.
#pragma once

#include <optional>
#include <utility>

#include "alnus/error.h"
#include "engine/call_state.h"

namespace alnus::engine {

// Does `work` on this thread while a task makes what comes next, if the task is valid. If the work throws,
// the call's stop is requested, which ends the task, too. If the work throws Interrupted because the task
// failed, the error of the task is thrown instead.
template <typename Work>
auto while_making(CallState& call, ThreadPool::Task& making, Work work) {
  try {
    return work();
  } catch (const Interrupted&) {
    call.progress.stop.request();
    if (making.valid()) making.wait();
    throw;
  } catch (...) {
    call.progress.stop.request();
    throw;
  }
}

// Makes batches with `make` until `done` returns true, and hands each to `use` on this thread. The first
// batch is made on this thread; each later one is made on another thread while `use` has the batch before it.
// Errors are as those of while_making().
template <typename Done, typename Make, typename Use>
void make_and_use(CallState& call, Done done, Make make, Use use) {
  if (done()) return;
  for (auto batch = std::optional(make());;) {
    std::optional<decltype(make())> next;
    ThreadPool::Task making;
    if (!done()) making = call.start([&] { next.emplace(make()); });
    while_making(call, making, [&] { use(std::move(*batch)); });
    if (!making.valid()) return;
    making.wait();
    batch = std::move(next);
  }
}

}  // namespace alnus::engine
