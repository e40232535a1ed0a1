// Results are written while the next ones are computed.
#pragma once

#include <future>
#include <utility>

namespace alnus::engine {

// Batch after batch until `done`. The first is made on the caller's thread, every other one on a thread of
// its own while `use` has the one before on the caller's. When `use` throws, `stop` ends what `make` does.
template <typename Stop, typename Done, typename Make, typename Use>
void make_and_use(Stop stop, Done done, Make make, Use use) {
  if (done()) return;
  for (auto batch = make();;) {
    std::future<decltype(batch)> next;
    if (!done()) next = std::async(std::launch::async, make);
    try {
      use(std::move(batch));
    } catch (...) {
      stop();
      throw;
    }
    if (!next.valid()) return;
    batch = next.get();
  }
}

}  // namespace alnus::engine
