// Results are used while the next ones are made.
#pragma once

#include <optional>
#include <utility>

#include "alnus/error.h"
#include "engine/call.h"

namespace alnus::engine {

// Batch after batch until `done`. The first is made on this thread, every other one on another while `use`
// has the one before on this thread. When `use` throws, the call is stopped, and with it what `make` does.
// Where `use` was stopped because `make` failed, the error of `make` comes out.
template <typename Done, typename Make, typename Use>
void make_and_use(Call& call, Done done, Make make, Use use) {
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
