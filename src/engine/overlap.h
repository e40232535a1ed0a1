// Results are written while the next ones are computed.
#pragma once

#include <future>
#include <utility>

#include "engine/scheduler.h"

namespace alnus::engine {

// Batch after batch until `done`. The first is made on the caller's thread, every other one on a thread of
// its own while `use` has the one before on the caller's. When `use` throws, the scheduler is stopped.
template <typename Done, typename Make, typename Use>
void make_and_use(Scheduler& scheduler, Done done, Make make, Use use) {
  if (done()) return;
  for (auto batch = make();;) {
    std::future<decltype(batch)> next;
    if (!done()) next = std::async(std::launch::async, make);
    try {
      use(std::move(batch));
    } catch (...) {
      scheduler.stop();
      throw;
    }
    if (!next.valid()) return;
    batch = next.get();
  }
}

}  // namespace alnus::engine
