#include "engine/next_stripe.h"

#include <utility>

namespace alnus::engine {

void NextStripe::begin(IndexRange rows) {
  rows_ = rows;
  task_ = call_.start([this, rows] { found_ = find_(rows); });
}

std::unique_ptr<StripeBuilder> NextStripe::take(IndexRange rows) {
  if (task_.valid() && rows == rows_) {
    task_.wait();
    return std::exchange(found_, nullptr);
  }
  task_ = {};
  found_ = nullptr;
  return find_(rows);
}

void NextStripe::abandon() {
  if (task_.valid()) call_.progress.stop.request();
}

}  // namespace alnus::engine
