// Rows of all pairs that Python takes batch by batch, while a thread of the stream computes the next ones.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

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
  // Ends the work.
  ~RowStream();
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  // The next batch; empty at the end. Throws what the work threw, and what `listeners` raise, which ends the
  // stream.
  std::optional<Rows> next(const Listeners& listeners);
  void close();

 private:
  void put(Rows rows);

  Mailbox mailbox_;
  std::stop_source stop_;
  std::optional<OngoingCall> call_;  // until the worker has ended
  std::mutex mutex_;                 // of what follows
  std::condition_variable changed_;
  std::optional<Rows> batch_;
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread worker_;
};

}  // namespace alnus::python
