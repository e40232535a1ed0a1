#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "cuda/kernels/halves.cuh"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/stop.cuh"
#include "cuda/kernels/subsequences.h"
#include "cuda/kernels/tile_pair.cuh"

namespace alnus::cuda {
namespace {

constexpr std::uint32_t kThreads = 128, kBatch = 2048;  // columns that a thread block does
constexpr std::uint32_t kWordRows = 32, kLetters = 32;

// The kernels by the words of V that a thread holds.
constexpr int kWords[] = {1,  2,  3,  4,  6,  8,  10, 12, 14,  16,  20, 24,
                          28, 32, 40, 48, 56, 64, 80, 96, 128, 160, 192};
static_assert(kWords[std::size(kWords) - 1] * kWordRows == kMostSubsequenceRows);

// V of the next column: (v + (v & m)) | (v & ~m), with `matches` as m: that of word w is at [w * kLetters].
template <int words>
__device__ void next_column(std::uint32_t (&v)[words], const std::uint32_t* matches) {
  // Each word is added and merged at once, with the carry in the carry flag, so that no array of sums takes
  // registers.
#ifdef __CUDACC__
#pragma unroll
  for (int w = 0; w < words; ++w) {
    const std::uint32_t m = matches[w * kLetters], both = v[w] & m;
    std::uint32_t sum;
    if (w == 0)
      asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(v[w]), "r"(both));
    else
      asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(v[w]), "r"(both));
    v[w] = sum | (v[w] & ~m);
  }
#else
  std::uint64_t carry = 0;
  for (int w = 0; w < words; ++w) {
    const std::uint64_t all = carry + v[w] + (v[w] & matches[w * kLetters]);
    v[w] = static_cast<std::uint32_t>(all) | (v[w] & ~matches[w * kLetters]);
    carry = all >> 32;
  }
#endif
}

template <int words>
__device__ std::int32_t length_of(const DevicePair& pair, const std::uint32_t* matches) {
  std::uint32_t v[words];
#pragma unroll
  for (int w = 0; w < words; ++w) v[w] = ~0U;
  // Four columns at a time, so that their letters are loaded together. Behind a subject are columns of the
  // pad (kPadColumns), which matches nothing.
  constexpr std::uint32_t kColumns = 4;
  static_assert(kColumns <= kPadColumns);
  const std::uint8_t* next = pair.subject.first;
  for (std::uint32_t j = 0; j < pair.subject.length; j += kColumns, next += kColumns * kSubjects) {
    std::uint32_t letters[kColumns];
#pragma unroll
    for (std::uint32_t k = 0; k < kColumns; ++k) letters[k] = load_byte(next + k * kSubjects);
#pragma unroll
    for (std::uint32_t k = 0; k < kColumns; ++k) next_column<words>(v, matches + letters[k]);
  }
  // Rows beyond the query's end match nothing, so that their bits stay 1.
  std::int32_t length = 0;
#pragma unroll
  for (int w = 0; w < words; ++w) length += __popc(~v[w]);
  return length;
}

template <int words>
__global__ void __launch_bounds__(kThreads)
    subsequences(const __grid_constant__ Subsequences work, std::uint32_t batches) {
  __shared__ std::uint32_t matches[words * kLetters];  // [word][subject's letter]: a bit for each row
  const std::uint32_t row = work.first_row + blockIdx.x / batches, begin = blockIdx.x % batches * kBatch,
                      end = min(begin + kBatch, work.columns);
  const std::uint32_t width = floor_width(work.columns);
  const std::uint32_t first = max(begin, work.first_columns[row]);
  if (first >= end || __syncthreads_or(stops(work.stop))) return;
  for (std::uint32_t i = threadIdx.x; i < words * kLetters; i += kThreads) matches[i] = 0;
  __syncthreads();
  const std::uint8_t* query = work.sequences.queries + work.sequences.query_offsets[row];
  const auto length =
      static_cast<std::uint32_t>(work.sequences.query_offsets[row + 1] - work.sequences.query_offsets[row]);
  for (std::uint32_t i = threadIdx.x; i < length; i += kThreads)
    for (std::uint32_t left = work.common[query[i]]; left != 0; left &= left - 1)
      atomicOr(&matches[i / kWordRows * kLetters + 31 -
                        static_cast<std::uint32_t>(__clz(static_cast<int>(left & (~left + 1))))],
               1U << i % kWordRows);
  __syncthreads();
  for (std::uint32_t column = first + threadIdx.x; column < end; column += kThreads) {
    const std::int32_t score = work.unit * length_of<words>(tile_pair(work.sequences, row, column), matches);
    if (work.scores != nullptr) {
      work.scores[std::size_t{row} * work.columns + column] = score;
    } else if (score >= work.floors[row * kFloorRanges + column / width]) {
      const std::uint32_t number = atomicAdd(work.found, 1U);
      if (number < work.room) work.listed[number] = {row, column, score};
    }
  }
}

using Kernel = void (*)(Subsequences, std::uint32_t);
constexpr std::size_t kCount = std::size(kWords);

template <std::size_t... number>
Kernel kernel_of(std::size_t wanted, std::index_sequence<number...>) {
  Kernel found = nullptr;
  ((number == wanted ? void(found = subsequences<kWords[number]>) : void()), ...);
  return found;
}
template <std::size_t... number>
cudaError_t load_all(std::index_sequence<number...>) {
  return load_kernels(subsequences<kWords[number]>...);
}

std::size_t number_for(std::uint32_t length) {
  const auto fits = [&](int words) { return length <= static_cast<std::uint32_t>(words) * kWordRows; };
  return static_cast<std::size_t>(std::find_if(std::begin(kWords), std::end(kWords), fits) -
                                  std::begin(kWords));
}

}  // namespace

std::uint32_t rows_of_subsequences(std::uint32_t length) {
  return static_cast<std::uint32_t>(kWords[number_for(length)]) * kWordRows;
}

cudaError_t launch_subsequences(const Subsequences& work, std::uint32_t longest, cudaStream_t stream) {
  const std::uint32_t batches = (work.columns + kBatch - 1) / kBatch;
  return launch_kernel(kernel_of(number_for(longest), std::make_index_sequence<kCount>()),
                       work.rows * batches, kThreads, 0, stream, work, batches);
}

cudaError_t load_subsequence_kernels() { return load_all(std::make_index_sequence<kCount>()); }

}  // namespace alnus::cuda
