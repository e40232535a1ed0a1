// A square of 16 rows and columns, for the way back (traceback16.cu).
#pragma once

#include "cuda/kernels/halves.cuh"
#include "cuda/kernels/traceback16.h"

namespace alnus::cuda {

constexpr int kSquare = 16;
static_assert(kSquare == kWindow && 2 * kSquare == kTraceRows);

using Cigar = std::span<const CigarRun>;

// Any half of `a` and any of `b` as the halves of a word.
__device__ inline std::uint32_t half_selector(std::uint32_t half_of_a, std::uint32_t half_of_b) {
  return (half_of_a ? 0x32 : 0x10) | (half_of_b ? 0x7600 : 0x5400);
}

// Byte k of `a` and of `b`, with their signs.
template <int k>
__device__ inline std::uint32_t signed_bytes(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  constexpr std::uint32_t kSelector = k | (8 + k) << 4 | (4 + k) << 8 | (12 + k) << 12;
  std::uint32_t both;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(both) : "r"(a), "r"(b), "n"(kSelector));
  return both;
#else
  const auto half = [](std::uint32_t word) {
    return static_cast<std::uint16_t>(static_cast<std::int8_t>(word >> (8 * k)));
  };
  return half(a) | static_cast<std::uint32_t>(half(b)) << 16;
#endif
}

// Of bytes 1 and 3 of `a` and of `b`: 0xff where the highest bit is set, and 0.
__device__ inline std::uint32_t signs_of_halves(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  std::uint32_t signs;
  asm("prmt.b32 %0, %1, %2, 0xfdb9;" : "=r"(signs) : "r"(a), "r"(b));
  return signs;
#else
  const auto of_word = [](std::uint32_t word) { return (word >> 15 & 1) * 0xffu | (word >> 31) * 0xff00u; };
  return of_word(a) | of_word(b) << 16;
#endif
}

constexpr int kLetters = 32;  // of a side of the matrix

// What the way back needs of a square, for both paths of each thread. Rows and columns count from 1, as in
// docs/ties.md, and in 0 is what borders the square. Where two rows share a word, each has a byte of either
// path.
struct SquareMemory {
  static constexpr int kRowWords = kSquare / 2 + 1;
  std::uint32_t H[kSquare + 1][kRowWords][kWarpThreads];  // modulo 256
  std::uint32_t from_E[kSquare][kWarpThreads];            // of a column, by column - 1
  // By row - 1 and column - 1, with one more that is 0.
  std::uint32_t query_letters[kRowWords][kWarpThreads];
  std::uint16_t subject_letters[kSquare + 1][kWarpThreads];
  std::int8_t matrix[kLetters][kLetters];
};

class Square {
 public:
  __device__ Square(SquareMemory& memory, const std::int32_t* matrix)
      : memory_(memory), thread_(threadIdx.x) {
    for (std::uint32_t i = thread_; i < kLetters * kLetters; i += kWarpThreads)
      memory_.matrix[i / kLetters][i % kLetters] = static_cast<std::int8_t>(matrix[i]);
    put_query_letters(kSquare, 0, 0);
    put_subject_letters(kSquare, 0, 0);
  }

  __device__ void put_H(int column, int row, std::uint32_t here, std::uint32_t below) const {
    memory_.H[column][row / 2][thread_] = __byte_perm(here, below, 0x6420);
  }
  // Of two rows, the upper one even.
  __device__ void put_query_letters(int number, std::uint32_t here, std::uint32_t below) const {
    memory_.query_letters[number / 2][thread_] = here | below << 16;
  }
  __device__ void put_subject_letters(int number, std::uint32_t low, std::uint32_t high) const {
    memory_.subject_letters[number][thread_] = static_cast<std::uint16_t>(low | high << 8);
  }
  __device__ void put_from_E(int number, std::uint32_t rows) const { memory_.from_E[number][thread_] = rows; }

  template <int half>
  __device__ std::uint32_t H(int column, int row) const {
    return bytes_of<half>(memory_.H[column][0])[place(row)];
  }
  template <int half>
  __device__ std::uint32_t query_letter(int number) const {
    return bytes_of<half>(memory_.query_letters[0])[place(number)];
  }
  template <int half>
  __device__ std::uint32_t subject_letter(int number) const {
    return memory_.subject_letters[number][thread_] >> (8 * half) & 0xff;
  }
  template <int half>
  __device__ bool from_E(int column_number, int row_number) const {
    return memory_.from_E[column_number][thread_] >> (row_number % 2 * 16 + 8 * half + row_number / 2) & 1;
  }
  __device__ std::int32_t score(std::uint32_t query_letter, std::uint32_t subject_letter) const {
    return memory_.matrix[query_letter][subject_letter];
  }

 private:
  static __device__ int place(int row) {
    return row / 2 * static_cast<int>(kWarpThreads * sizeof(std::uint32_t)) + row % 2 * 2;
  }
  template <int half>
  __device__ const std::uint8_t* bytes_of(const std::uint32_t (&words)[kWarpThreads]) const {
    return reinterpret_cast<const std::uint8_t*>(words + thread_) + half;
  }

  SquareMemory& memory_;
  std::uint32_t thread_;
};

// H and E of the rows of a square, as they come from the column before it, with what comes from above.
struct SquareEdge {
  std::uint32_t H[kSquare], gap_right[kSquare], corner;
};

}  // namespace alnus::cuda
