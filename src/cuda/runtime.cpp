#include "cuda/runtime.h"

#include <atomic>
#include <fmt/format.h>
#include <string>

#include "alnus/error.h"

namespace alnus::cuda {
namespace {

// Calls and allocations left until the planned fault; 0: no fault is planned.
std::atomic<std::uint64_t> calls_to_fault, allocations_to_fault;

bool fails_now(std::atomic<std::uint64_t>& to_fault) {
  std::uint64_t left = to_fault.load(std::memory_order_relaxed);
  while (left > 0 && !to_fault.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) continue;
  return left == 1;
}

}  // namespace

void plan_faults(Faults faults) {
  calls_to_fault = faults.call;
  allocations_to_fault = faults.memory;
}

void check(cudaError_t status, std::string_view call) {
  if (fails_now(calls_to_fault)) status = cudaErrorDevicesUnavailable;
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the error, unless it is one that ends the use of the device
  int device = -1;
  cudaGetDevice(&device);
  const bool memory = status == cudaErrorMemoryAllocation;
  throw Error(memory ? ErrorKind::memory : ErrorKind::device,
              fmt::format("cuda:{}: {} failed: {} ({})", device, call, cudaGetErrorString(status),
                          cudaGetErrorName(status)));
}

void* Memory::reserve(std::uint64_t bytes) {
  if (bytes <= bytes_) return address_;
  const std::uint64_t more = kind_ == MemoryKind::pinned ? bytes : bytes / 4,
                      wanted = bytes_ > 0 ? bytes + more : bytes;
  release();
  if (fails_now(allocations_to_fault)) check(cudaErrorMemoryAllocation, "cudaMalloc");
  if (kind_ == MemoryKind::device)
    check(cudaMalloc(&address_, wanted), "cudaMalloc");
  else
    check(cudaMallocHost(&address_, wanted), "cudaMallocHost");
  bytes_ = wanted;
  return address_;
}

void Memory::release() noexcept {
  if (!address_) return;
  if (kind_ == MemoryKind::device)
    cudaFree(address_);
  else
    cudaFreeHost(address_);
  address_ = nullptr;
  bytes_ = 0;
}

}  // namespace alnus::cuda
