// Operations on two scores in the halves of a register, as scores16 has them.
#pragma once

#include "cuda/kernels/scores16.h"
#include "cuda/limits.h"

namespace alnus::cuda {

constexpr std::uint32_t kFloorPair = kFloor * 0x10001u;

// Loads a byte through the read-only cache. In PTX, because the compiler would mask the byte once more.
__device__ inline std::uint32_t load_byte(const std::uint8_t* address) {
#ifdef __CUDA_ARCH__
  std::uint32_t byte;
  asm("ld.global.nc.u8 %0, [%1];" : "=r"(byte) : "l"(address));
  return byte;
#else
  return *address;
#endif
}

// add_max: max(a + b, c); max_of: max(a, b, c) or max(a, b), each half by half. Scores of Goal::ends are
// unsigned, because they need room below and above 0.
template <Goal goal>
__device__ inline std::uint32_t add_max(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  if constexpr (goal == Goal::ends) return __viaddmax_u16x2(a, b, c);
  return __viaddmax_s16x2(a, b, c);
}
template <Goal goal>
__device__ inline std::uint32_t max_of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  if constexpr (goal == Goal::ends) return __vimax3_u16x2(a, b, c);
  return __vimax3_s16x2(a, b, c);
}
template <Goal goal>
__device__ inline std::uint32_t max_of(std::uint32_t a, std::uint32_t b) {
  if constexpr (goal == Goal::ends) return __vmaxu2(a, b);
  return __vmaxs2(a, b);
}

// Two values, clamped to the range of stored scores, as the halves of a register.
__device__ inline std::uint32_t both_halves(std::int32_t low, std::int32_t high) {
  const auto half = [](std::int32_t value) {
    return static_cast<std::uint32_t>(min(max(value, kFloor), kHighestEnds));
  };
  return half(low) | half(high) << 16;
}
__device__ inline std::int32_t half_of(std::uint32_t halves, int half) {
  return static_cast<std::int32_t>(half ? halves >> 16 : halves & 0xffff);
}

// The stored H(i,0). Rows i < 0 are padding before the query's first row. They begin with -above.open: since
// padding scores -above.extend with every letter, these rows then have H(0,j) in every column j.
__device__ inline std::int32_t left_border(const Borders& borders, std::int32_t i) {
  if (i == 0) return borders.zero;
  return borders.zero - (i < 0 ? borders.above.open : borders.left.open + i * borders.left.extend);
}

// The place of a lane's values among those that the 32 threads of a warp keep. The same lanes of the strip's
// four subjects lie side by side, because tracebacks go through the same rows at about the same time.
__device__ inline std::uint32_t trace_thread(std::uint32_t lane, std::uint32_t subject) {
  return lane * kSubjects + subject;
}

// Where the values of the first thread begin in the arrays of Trace16, for a strip in a pass: indexes of
// elements.
struct TracePlace {
  std::uint64_t windows, bests, last_column;

  __device__ TracePlace(const Trace16& trace, std::uint32_t pass, std::uint32_t strip, std::uint32_t strips) {
    const std::uint32_t first = trace.first_window[strip];
    windows = (std::uint64_t{pass} * trace.windows_of_pass + first) * (kWindowFours * kWarpThreads);
    bests = (std::uint64_t{pass} * (trace.windows_of_pass + strips) + first + strip) * kWarpThreads;
    last_column = (std::uint64_t{pass} * strips + strip) * (kColumnFours * kWarpThreads);
  }
};

}  // namespace alnus::cuda
