// How the runs of a GPU end early, when nobody wants their results any more (docs/cuda-kernels.md,
// "Stopping").
#pragma once

#include <cstdint>
#include <mutex>

#include "core/stop_flag.h"
#include "cuda/runtime.h"

namespace alnus::cuda {

// One run after the other is told to stop by the flag of its call. The host looks at the flag while it waits
// and between steps of its own work; kernels look at a word in device memory (kernels/stop.cuh).
class Stopper {
 public:
  Stopper();

  // For kernels only: not 0 once they are to end.
  const std::uint32_t* word() const { return word_.data(); }

  // The run that begins stops when the flag is requested. The flag must live as long as the run.
  void begin(const StopFlag& flag) { flag_ = &flag; }
  // If the flag is requested: sets the word and throws Interrupted. The streams of the run must be waited for
  // then, and reset() called, before the next run begins.
  void look() {
    if (flag_->requested()) stop();
  }
  // Wait for what has been given to the stream, or for the event; they look all the time.
  void wait(cudaStream_t stream);
  void wait(const Event& event);
  // Makes the word 0, when no kernel of the stopped run is left.
  void reset();

 private:
  // `query` tells whether what is waited for has come.
  template <class Query>
  void wait_until(Query query, const char* call);
  void set_word(std::uint32_t value);
  [[noreturn]] void stop();

  const StopFlag* flag_ = &StopFlag::never();  // of the last run that has begun
  DeviceArray<std::uint32_t> word_;
  PinnedArray<std::uint32_t> value_;
  // Other streams may be full of work that waits for kernels. Streams of another priority share no queue of
  // the device with this one.
  Stream stream_{Stream::Priority::high};
};

// Locks the mutex. Throws Interrupted if the flag is requested before that.
std::unique_lock<std::timed_mutex> lock_unless_stopped(std::timed_mutex& mutex, const StopFlag& flag);

}  // namespace alnus::cuda
