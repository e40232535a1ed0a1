// CUDA's memory, streams, events and copies as the devices use them. Objects own what they allocate, and
// every call is checked: a failure is thrown as an error that names the device and the call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <span>
#include <string_view>
#include <utility>

namespace alnus::cuda {

// Does nothing if the status is cudaSuccess. Throws Error(memory) when memory is short and Error(device) for
// any other status; the message names the current device and the call.
void check(cudaError_t status, std::string_view call);

// Faults that are planned for later calls. Only tests plan any.
struct Faults {
  // Which call of check() from now on, counted from 1, fails as if the device were lost; 0: none does.
  std::uint64_t call = 0;
  // Which allocation from now on, counted from 1, finds too little memory; 0: none does.
  std::uint64_t memory = 0;
};
// Replaces the planned faults, for all threads of the process.
void plan_faults(Faults faults);

// Where memory lies: on the current device, or pinned on the host.
enum class MemoryKind : std::uint8_t { device, pinned };

// A buffer that grows when more room is asked for. Growing loses its contents.
class Memory {
 public:
  explicit Memory(MemoryKind kind) : kind_(kind) {}
  Memory(Memory&& other) noexcept
      : kind_(other.kind_),
        address_(std::exchange(other.address_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Memory() { release(); }

  // Returns a buffer of at least `bytes` bytes. A buffer that has to grow again gets a quarter more than
  // asked for, and twice as much if it is pinned, because pinning 300 MB takes a tenth of a second. Throws
  // Error(memory) if memory is short.
  void* reserve(std::uint64_t bytes);
  void release() noexcept;
  std::uint64_t bytes() const { return bytes_; }

 private:
  MemoryKind kind_;
  void* address_ = nullptr;
  std::uint64_t bytes_ = 0;
};

template <class T, MemoryKind kind>
class Array {
 public:
  // Returns room for at least `count` elements.
  T* reserve(std::uint64_t count) {
    data_ = nullptr;  // data() is null if reserve() throws
    return data_ = static_cast<T*>(memory_.reserve(count * sizeof(T)));
  }
  T* data() const { return data_; }
  std::uint64_t bytes() const { return memory_.bytes(); }

 private:
  Memory memory_{kind};
  T* data_ = nullptr;
};
template <class T>
using DeviceArray = Array<T, MemoryKind::device>;
template <class T>
using PinnedArray = Array<T, MemoryKind::pinned>;

class Stream {
 public:
  // Streams of different priorities share no queue of the device, if the device has at least three levels of
  // priority.
  enum class Priority : std::uint8_t { usual, higher, highest };
  explicit Stream(Priority priority = Priority::usual) {
    int lowest = 0, highest = 0;  // a higher priority is a lower number
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
    const int level = priority == Priority::usual    ? lowest
                      : priority == Priority::higher ? std::min(highest + 1, lowest)
                                                     : highest;
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, level), "cudaStreamCreate");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  // Makes the work that the stream gets from now on wait for the event.
  void hold(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_), "cudaStreamWaitEvent"); }
  void wait() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
  cudaError_t query() const { return cudaEventQuery(event_); }
  double seconds_since(const Event& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

template <class T>
void copy_to_device(T* to, const T* from, std::uint64_t count, cudaStream_t stream) {
  if (count > 0)
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
}
template <class T>
void copy_to_host(T* to, const T* from, std::uint64_t count, cudaStream_t stream) {
  if (count > 0)
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
}
inline void fill(void* address, std::uint8_t byte, std::uint64_t bytes, cudaStream_t stream) {
  if (bytes > 0) check(cudaMemsetAsync(address, byte, bytes, stream), "cudaMemsetAsync");
}
inline void fill_zero(void* address, std::uint64_t bytes, cudaStream_t stream) {
  fill(address, 0, bytes, stream);
}

}  // namespace alnus::cuda
