// Rows of all pairs, which Python takes batch by batch while a thread of the stream computes the next batch.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "alnus/run.h"
#include "calls.h"
#include "results.h"

namespace alnus::python {

class RowStream {
 public:
  using Take = std::function<void(Rows)>;
  // Begins work(take, run) on a new thread. The work hands over batches by take(), which waits as long as the
  // batch before has not been read. So the stream keeps one batch that the reader does not have yet.
  explicit RowStream(std::function<void(const Take& take, const RunControl& run)> work);
  // Ends the work. In a child after fork the destructor does not free what the parent's thread uses.
  ~RowStream();
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  // Waits for the next batch and returns it; empty at the end of the work. Throws what the work threw, and
  // what `listeners` raise, which also closes the stream. In a child after fork it throws Error(other).
  std::optional<Rows> next(const Listeners& listeners);
  // Stops the work and waits for its thread. A repeated call, and one in a child after fork, changes nothing.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus::python
