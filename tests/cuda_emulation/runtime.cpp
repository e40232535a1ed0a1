// Implements the calls of cuda_runtime_api.h, for one GPU.
#include <algorithm>
#include <array>
#include <cstring>
#include <cuda_runtime_api.h>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "lanes.h"
#include "memory.h"
#include "streams.h"

using namespace cuda_emulation;

namespace {

// Few multiprocessors, because threads take time here even if there is no work for them.
constexpr int kMultiprocessors = 2, kBlocksOfMultiprocessor = 2;
constexpr int kSharedBytes = 227 << 10, kSharedBytesUnasked = 48 << 10;

// Threads of the host that call the runtime take turns.
std::recursive_mutex& mutex = *new std::recursive_mutex;
using Lock = std::lock_guard<std::recursive_mutex>;

Stream& null_stream = *new Stream;
Stream& stream_of(cudaStream_t stream) { return stream ? *stream : null_stream; }

// The bytes of shared memory that kernels have asked for. All others get kSharedBytesUnasked.
std::map<const void*, int>& most_shared_bytes = *new std::map<const void*, int>;

thread_local cudaError_t last_error = cudaSuccess;
cudaError_t returning(cudaError_t status) {
  if (status != cudaSuccess) last_error = status;
  return status;
}

void require(bool is_so, std::string_view otherwise) {
  if (!is_so) fail(otherwise);
}

}  // namespace

namespace cuda_emulation {

cudaError_t launch(Grid grid, Stream* stream) {
  const Lock lock(mutex);
  constexpr unsigned kMostThreads = 1024;
  if (grid.blocks == 0 || grid.threads == 0 || grid.threads > kMostThreads)
    return returning(cudaErrorInvalidConfiguration);
  require(grid.threads % kWarpLanes == 0, "a block has a part of a warp");
  const auto asked = most_shared_bytes.find(grid.kernel);
  const int most = asked == most_shared_bytes.end() ? kSharedBytesUnasked : asked->second;
  if (grid.shared_bytes > static_cast<std::size_t>(most)) return returning(cudaErrorInvalidValue);
  give(stream_of(stream),
       {nullptr, [running = std::make_shared<RunningGrid>(std::move(grid))] { return running->advance(); }});
  return cudaSuccess;
}

cudaError_t set_most_shared_bytes(const void* kernel, int bytes) {
  const Lock lock(mutex);
  if (bytes > kSharedBytes) return returning(cudaErrorInvalidValue);
  most_shared_bytes[kernel] = bytes;
  return cudaSuccess;
}

cudaError_t blocks_of_multiprocessor(int* blocks, std::size_t shared_bytes) {
  const std::size_t fit = kSharedBytes / std::max<std::size_t>(shared_bytes, 1);
  *blocks = static_cast<int>(std::min<std::size_t>(fit, kBlocksOfMultiprocessor));
  return cudaSuccess;
}

}  // namespace cuda_emulation

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
const char* cudaGetErrorName(cudaError_t error) {
  constexpr std::array kNames = {"cudaSuccess",
                                 "cudaErrorInvalidValue",
                                 "cudaErrorMemoryAllocation",
                                 "cudaErrorInvalidConfiguration",
                                 "cudaErrorInsufficientDriver",
                                 "cudaErrorDevicesUnavailable",
                                 "cudaErrorInvalidDevice",
                                 "cudaErrorInvalidResourceHandle",
                                 "cudaErrorNotReady"};
  return kNames.at(error);
}
const char* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }

cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : returning(cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {"emulated GPU", kDeviceMemory, 9, 0, kMultiprocessors};
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrMultiProcessorCount ? kMultiprocessors : kSharedBytes;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const Lock lock(mutex);
  *free = kDeviceMemory - device_bytes();
  *total = kDeviceMemory;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** address, std::size_t bytes) {
  const Lock lock(mutex);
  return returning(allocate(address, bytes, Place::device));
}
cudaError_t cudaMallocHost(void** address, std::size_t bytes) {
  const Lock lock(mutex);
  return returning(allocate(address, bytes, Place::pinned));
}
cudaError_t cudaFree(void* address) {
  const Lock lock(mutex);
  work_until_all_is_done();
  release(address, Place::device);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* address) {
  const Lock lock(mutex);
  work_until_all_is_done();
  release(address, Place::pinned);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* address, int value, std::size_t bytes, cudaStream_t stream) {
  const Lock lock(mutex);
  if (bytes == 0) return cudaSuccess;
  give(stream_of(stream), {nullptr, [=] {
                             require(is_allocated(address, bytes, Place::device), "cudaMemset goes too far");
                             std::memset(address, value, bytes);
                             return true;
                           }});
  return cudaSuccess;
}
cudaError_t cudaMemset(void* address, int value, std::size_t bytes) {
  const Lock lock(mutex);
  cudaMemsetAsync(address, value, bytes, nullptr);
  work_until_done(null_stream);
  return cudaSuccess;
}

// Copies from or to pinned memory are made when their turn in the stream comes. Other memory of the host is
// read at once, and written before the call returns.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const Lock lock(mutex);
  if (bytes == 0) return cudaSuccess;
  const bool upwards = kind == cudaMemcpyHostToDevice;
  const void* const host = upwards ? from : to;
  const void* const device = upwards ? to : from;
  const bool pinned = is_allocated(host, 1, Place::pinned);
  std::vector<unsigned char> kept;
  if (upwards && !pinned)
    kept.assign(static_cast<const unsigned char*>(from), static_cast<const unsigned char*>(from) + bytes);
  give(stream_of(stream),
       {nullptr, [=, kept = std::move(kept)] {
          require(is_allocated(device, bytes, Place::device), "cudaMemcpy goes too far on the device");
          require(!pinned || is_allocated(host, bytes, Place::pinned), "cudaMemcpy goes too far on the host");
          std::memcpy(to, kept.empty() ? from : kept.data(), bytes);
          return true;
        }});
  if (!upwards && !pinned) work_until_done(stream_of(stream));
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Lock lock(mutex);
  cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  work_until_done(null_stream);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  *lowest = *highest = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  const Lock lock(mutex);
  *stream = new Stream;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const Lock lock(mutex);
  if (!stream) return returning(cudaErrorInvalidResourceHandle);
  work_until_done(*stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const Lock lock(mutex);
  work_until_done(stream_of(stream));
  return cudaSuccess;
}
// Does some work of the streams, as if time had passed.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const Lock lock(mutex);
  const bool done = work_towards([&] { return stream_of(stream).work.empty(); });
  return done ? cudaSuccess : returning(cudaErrorNotReady);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) {
  const Lock lock(mutex);
  const auto progress = event->progress;
  give(stream_of(stream),
       {[progress, number = progress->recorded] { return progress->reached >= number; }, nullptr});
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new Event;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Lock lock(mutex);
  if (!event) return returning(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Lock lock(mutex);
  const auto progress = event->progress;
  const std::uint64_t number = ++progress->recorded;
  give(stream_of(stream), {nullptr, [=] {
                             progress->reached = std::max(progress->reached, number);
                             return true;
                           }});
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Lock lock(mutex);
  const std::uint64_t number = event->progress->recorded;
  work_until([&] { return event->progress->reached >= number; });
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const Lock lock(mutex);
  const std::uint64_t number = event->progress->recorded;
  const bool done = work_towards([&] { return event->progress->reached >= number; });
  return done ? cudaSuccess : returning(cudaErrorNotReady);
}
// Returns 0 milliseconds, but checks that both events have been recorded and reached.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const Lock lock(mutex);
  *milliseconds = 0;
  for (const Event* event : {start, end}) {
    if (event->progress->recorded == 0) return returning(cudaErrorInvalidResourceHandle);
    if (event->progress->reached < event->progress->recorded) return returning(cudaErrorNotReady);
  }
  return cudaSuccess;
}
