// Results are written while the next ones are computed.
#pragma once

#include <future>
#include <optional>
#include <utility>

#include "engine/scheduler.h"

namespace alnus::engine {

// `make` returns batches until it returns none, on a thread of its own, and works on the next one while
// `use` has the last on the caller's thread. When `use` throws, the scheduler is stopped.
template <typename Make, typename Use>
void make_and_use(Scheduler& scheduler, Make make, Use use) {
  auto next = std::async(std::launch::async, make);
  while (auto batch = next.get()) {
    next = std::async(std::launch::async, make);
    try {
      use(*std::move(batch));
    } catch (...) {
      scheduler.stop();
      throw;
    }
  }
}

}  // namespace alnus::engine
