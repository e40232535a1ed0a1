#include "cuda/stopper.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace alnus::cuda {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

}  // namespace

Stopper::Stopper() {
  word_.reserve(1);
  value_.reserve(1);
  reset();
}

void Stopper::stop() {
  set_word(1);
  throw Interrupted{};
}

void Stopper::reset() { set_word(0); }

void Stopper::set_word(std::uint32_t value) {
  *value_.data() = value;
  copy_to_device(word_.data(), value_.data(), 1, stream_);
  stream_.wait();
}

// Asks without pauses for the first 25 ms, so that short waits do not take longer. After that each pause is a
// 500th of the time that has passed, at most 1 ms.
template <class Query>
void Stopper::wait_until(Query query, const char* call) {
  constexpr microseconds kShortestPause{50}, kLongestPause{1000};
  const Clock::time_point begun = Clock::now();
  cudaError_t status;
  while ((status = query()) == cudaErrorNotReady) {
    look();
    const auto pause =
        std::min(std::chrono::duration_cast<microseconds>(Clock::now() - begun) / 500, kLongestPause);
    if (pause >= kShortestPause) std::this_thread::sleep_for(pause);
  }
  check(status, call);
}

void Stopper::wait(cudaStream_t stream) {
  wait_until([=] { return cudaStreamQuery(stream); }, "cudaStreamQuery");
}

void Stopper::wait(const Event& event) {
  wait_until([&] { return event.query(); }, "cudaEventQuery");
}

std::unique_lock<std::timed_mutex> lock_unless_stopped(std::timed_mutex& mutex, const StopFlag& flag) {
  constexpr std::chrono::milliseconds kBetweenLooks{5};
  std::unique_lock locked(mutex, std::defer_lock);
  do flag.throw_if_requested();
  while (!locked.try_lock_for(kBetweenLooks));
  return locked;
}

}  // namespace alnus::cuda
