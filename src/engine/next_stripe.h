// Finds the pairs of the next stripe of all pairs while the stripe before it is made.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/thread_pool.h"
#include "engine/call_state.h"
#include "engine/stripe_builder.h"

namespace alnus::engine {

// One thread makes stripes, one after the other. It takes the pairs of a stripe, begins the next stripe, and
// does the rest of the first one meanwhile. The destructor waits for what was begun.
class NextStripe {
 public:
  // Makes a builder that has collected all results of these rows.
  using Find = std::function<std::unique_ptr<StripeBuilder>(IndexRange rows)>;
  // The call must outlive the object, and so must what `find` refers to.
  NextStripe(CallState& call, Find find) : call_(call), find_(std::move(find)) {}

  // Begins to find the pairs of these rows on another thread. Throws as ThreadPool::start().
  void begin(IndexRange rows);
  // Returns the pairs of these rows: those that were begun, or else pairs that are found now, on this thread.
  // If other rows were begun, waits until their work has ended, and drops them with what they threw. Throws
  // what `find` throws.
  std::unique_ptr<StripeBuilder> take(IndexRange rows);
  // To be called when the call fails: requests its stop if that is needed to end what was begun.
  void abandon();

 private:
  CallState& call_;
  const Find find_;
  IndexRange rows_;  // that were begun last
  std::unique_ptr<StripeBuilder> found_;
  ThreadPool::Task task_;  // sets found_; the last member, because its destructor waits
};

}  // namespace alnus::engine
