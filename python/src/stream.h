// Rows of all pairs that Python takes batch by batch, while a thread of the stream computes the next ones.
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
  // Begins work(take, run), which hands over batches by take(). It waits for the reader: at most one batch
  // more than the reader has is kept.
  explicit RowStream(std::function<void(const Take& take, const RunControl& run)> work);
  // Ends the work. In a child after fork it leaves what the parent's thread had.
  ~RowStream();
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  // The next batch; empty at the end. Throws what the work threw, and what `listeners` raise, which ends the
  // stream; Error(other) in a child after fork.
  std::optional<Rows> next(const Listeners& listeners);
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alnus::python
