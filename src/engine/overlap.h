// Overlapped work: a batch of results is used while the next batch is made.
#pragma once

#include <optional>
#include <utility>

#include "alnus/error.h"
#include "engine/call_state.h"

namespace alnus::engine {

// Makes batches with `make` until `done` returns true, and hands each to `use` on this thread. The first
// batch is made on this thread; each later one is made on another thread while `use` has the batch before it.
// If `use` throws, the call's stop is requested, which ends `make`, too. If `use` throws Interrupted because
// `make` failed, the error of `make` is thrown instead.
template <typename Done, typename Make, typename Use>
void make_and_use(CallState& call, Done done, Make make, Use use) {
  if (done()) return;
  for (auto batch = std::optional(make());;) {
    std::optional<decltype(make())> next;
    ThreadPool::Task making;
    if (!done()) making = call.threads.start([&] { next.emplace(make()); });
    try {
      use(std::move(*batch));
    } catch (const Interrupted&) {
      call.progress.stop.request();
      if (making.valid()) making.wait();
      throw;
    } catch (...) {
      call.progress.stop.request();
      throw;
    }
    if (!making.valid()) return;
    making.wait();
    batch = std::move(next);
  }
}

}  // namespace alnus::engine
