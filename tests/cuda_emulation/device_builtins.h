// What nvcc provides to kernels without an #include. The kernels are compiled with `-include` of this file.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <type_traits>

#include "lanes.h"

// `static` in place of __global__ and __shared__ makes the shared variables of all kernels, also of those
// that are templates, belong to their file alone. CMakeLists.txt puts all variables of these files into the
// section that is shared memory (shared_memory.h).
#define __global__ static
#define __device__
#define __host__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ static

using std::max, std::min;

inline const cuda_emulation::Index& threadIdx = cuda_emulation::thread_index;
inline const cuda_emulation::Index& blockIdx = cuda_emulation::block_index;
inline const cuda_emulation::Index& blockDim = cuda_emulation::block_size;
inline const cuda_emulation::Index& gridDim = cuda_emulation::grid_size;

template <class T>
T* dynamic_shared_memory() {
  return static_cast<T*>(cuda_emulation::dynamic_shared_memory());
}
inline std::size_t __cvta_generic_to_shared(const void* address) {
  return cuda_emulation::shared_address(address);
}
inline void* __cvta_shared_to_generic(std::size_t address) {
  return cuda_emulation::at_shared_address(address);
}

inline void __syncthreads() { cuda_emulation::wait(cuda_emulation::Wait::for_block); }
inline bool __syncthreads_or(bool vote) {
  return cuda_emulation::wait(cuda_emulation::Wait::for_block, vote) != 0;
}
inline void __syncwarp() { cuda_emulation::wait(cuda_emulation::Wait::for_warp); }
inline void __nanosleep(unsigned) { cuda_emulation::wait(cuda_emulation::Wait::asleep); }
inline void __threadfence_block() {}  // does nothing, because lanes take turns
inline void __threadfence() {}

template <class T>
T emulated_shuffle(cuda_emulation::Wait kind, unsigned mask, T value, int argument, int width) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  if (mask != ~0u) cuda_emulation::fail("a shuffle is not of all lanes");
  return std::bit_cast<T>(cuda_emulation::wait(kind, std::bit_cast<std::uint32_t>(value), argument, width));
}
template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = cuda_emulation::kWarpLanes) {
  return emulated_shuffle(cuda_emulation::Wait::shuffle, mask, value, lane, width);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, int lanes, int width = cuda_emulation::kWarpLanes) {
  return emulated_shuffle(cuda_emulation::Wait::shuffle_up, mask, value, lanes, width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = cuda_emulation::kWarpLanes) {
  return emulated_shuffle(cuda_emulation::Wait::shuffle_xor, mask, value, bits, width);
}

inline bool __all_sync(unsigned mask, bool vote) {
  for (int bits = 1; bits < cuda_emulation::kWarpLanes; bits *= 2)
    vote = (__shfl_xor_sync(mask, int{vote}, bits) & int{vote}) != 0;
  return vote;
}

inline bool __any_sync(unsigned mask, bool vote) { return !__all_sync(mask, !vote); }

template <class T>
T __ldg(const T* address) {
  return *address;
}
template <class T>
T __ldcg(const T* address) {
  return *address;
}
template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  return std::exchange(*address, *address + value);
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> value) {
  return std::exchange(*address, value);
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  return std::exchange(*address, std::max(*address, value));
}

template <class T>
T atomicOr(T* address, std::type_identity_t<T> value) {
  return std::exchange(*address, *address | value);
}

inline int __clz(int value) { return std::countl_zero(static_cast<unsigned>(value)); }
inline int __popc(unsigned value) { return std::popcount(value); }
inline int __clzll(long long value) { return std::countl_zero(static_cast<unsigned long long>(value)); }
inline int __popcll(unsigned long long value) { return std::popcount(value); }
inline int __ffsll(long long value) {
  return value == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(value)) + 1;
}

inline std::uint32_t __byte_perm(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t bytes = a | std::uint64_t{b} << 32;
  std::uint32_t chosen = 0;
  for (int k = 0; k < 4; ++k)
    chosen |= static_cast<std::uint32_t>(bytes >> (selector >> (4 * k) & 7) * 8 & 0xff) << (8 * k);
  return chosen;
}

// Applies the operation to the halves of two registers, signed or unsigned. Sums wrap around.
template <class Half, class Operation>
std::uint32_t emulated_halves(std::uint32_t a, std::uint32_t b, Operation operation) {
  const auto half = [&](int shift) {
    const int result = operation(static_cast<Half>(a >> shift), static_cast<Half>(b >> shift));
    return static_cast<std::uint32_t>(static_cast<std::uint16_t>(result)) << shift;
  };
  return half(0) | half(16);
}
template <class Half>
std::uint32_t emulated_max(std::uint32_t a, std::uint32_t b) {
  return emulated_halves<Half>(a, b, [](Half x, Half y) { return max(x, y); });
}
template <class Half>
std::uint32_t emulated_sum(std::uint32_t a, std::uint32_t b) {
  return emulated_halves<Half>(a, b, [](Half x, Half y) { return x + y; });
}
inline std::uint32_t __vmaxs2(std::uint32_t a, std::uint32_t b) { return emulated_max<std::int16_t>(a, b); }
inline std::uint32_t __vmaxu2(std::uint32_t a, std::uint32_t b) { return emulated_max<std::uint16_t>(a, b); }
inline std::uint32_t __vimax3_s16x2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return __vmaxs2(__vmaxs2(a, b), c);
}
inline std::uint32_t __vimax3_u16x2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return __vmaxu2(__vmaxu2(a, b), c);
}
inline std::uint32_t __viaddmax_s16x2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return __vmaxs2(emulated_sum<std::int16_t>(a, b), c);
}
inline std::uint32_t __viaddmax_u16x2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return __vmaxu2(emulated_sum<std::uint16_t>(a, b), c);
}
