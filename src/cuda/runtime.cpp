#include "cuda/runtime.h"

#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

#include "alnus/error.h"

namespace alnus::cuda {
namespace {

// The number in ALNUS_CUDA_FAIL behind `word`; 0 where there is none.
std::uint64_t failing(std::string_view word) {
  const char* const text = std::getenv("ALNUS_CUDA_FAIL");
  if (!text || !std::string_view(text).starts_with(word)) return 0;
  return std::strtoull(text + word.size(), nullptr, 10);
}

bool fails_now(std::string_view word, std::atomic<std::uint64_t>& calls) {
  const std::uint64_t wanted = failing(word);
  return wanted > 0 && ++calls == wanted;
}

std::atomic<std::uint64_t> checked_calls, allocations;

}  // namespace

void check(cudaError_t status, std::string_view call) {
  if (fails_now("call:", checked_calls)) status = cudaErrorDevicesUnavailable;
  if (status == cudaSuccess) return;
  cudaGetLastError();  // forgets it, where it is not the device's end
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
  if (fails_now("memory:", allocations)) check(cudaErrorMemoryAllocation, "cudaMalloc");
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
