// How the runs of a GPU end early, when nobody wants their results any more (docs/cuda-kernels.md,
// "Stopping").
#pragma once

#include <cstdint>
#include <mutex>

#include "core/stop_flag.h"
#include "cuda/runtime.h"

namespace alnus::cuda {

// Stops the runs of one GPU, one run at a time, each when the flag of its call is requested. The host looks
// at the flag while it waits and between steps of its own work; kernels look at a word in device memory
// (kernels/stop.cuh).
class Stopper {
 public:
  Stopper();

  // The stop word in device memory, for kernels only. It is not 0 once kernels are to end.
  const std::uint32_t* word() const { return word_.data(); }

  // Begins a run, which stops when the flag is requested. The flag must outlive the run.
  void begin(const StopFlag& flag) { flag_ = &flag; }
  // If the flag is requested, sets the stop word and throws Interrupted. Before the next run begins, the
  // caller must wait for the streams of the stopped run and call reset().
  void look() {
    if (flag_->requested()) stop();
  }
  // These wait until the stream has done all its work, or for the event. Meanwhile they call look(), which
  // may throw Interrupted. They throw as check() does if the device fails.
  void wait(cudaStream_t stream);
  void wait(const Event& event);
  // Sets the stop word to 0. To be called when no kernel of the stopped run is left.
  void reset();

 private:
  // Calls query() until it returns something other than cudaErrorNotReady.
  template <class Query>
  void wait_until(Query query, const char* call);
  void set_word(std::uint32_t value);
  [[noreturn]] void stop();

  const StopFlag* flag_ = &StopFlag::never();  // of the last run that has begun
  DeviceArray<std::uint32_t> word_;
  PinnedArray<std::uint32_t> value_;
  // The stream that sets the stop word. It has another priority than the streams of runs, so that it shares
  // no queue of the device with them: they may be full of work that waits for kernels.
  Stream stream_{Stream::Priority::highest};
};

// Locks the mutex. Throws Interrupted if the flag is requested before that.
std::unique_lock<std::timed_mutex> lock_unless_stopped(std::timed_mutex& mutex, const StopFlag& flag);

}  // namespace alnus::cuda
