// A square of 16 rows and columns, for the traceback (traceback16.cu).
#pragma once

#include "cuda/kernels/halves.cuh"
#include "cuda/kernels/traceback16.h"

namespace alnus::cuda {

constexpr int kSquare = 16;
static_assert(kSquare == kWindow && 2 * kSquare == kTraceRows);

// The selector with which __byte_perm takes the same half of `a` and of `b`.
__device__ inline std::uint32_t same_halves(std::uint32_t half) { return half ? 0x7632 : 0x5410; }

// Byte k of `a` in the low half and of `b` in the high half, sign-extended.
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

constexpr int kLetters = 32;  // of a side of the substitution matrix

// The part of the scoring that the traceback has in shared memory. If `extended` were a kernel argument, the
// compiler would put it together anew, half by half, wherever it is used.
struct SquareScoring {
  std::int8_t matrix[kLetters][kLetters];
  std::uint32_t extended;  // Scores16::extended
};

// What the traceback needs of the square that a thread's path is in, in shared memory. Rows and columns count
// from 1; 0 is the border of the square. A cell has a byte: H modulo 128, and in the highest bit whether E is
// as high as F. The squares of threads are an odd number of words apart, so that each thread has a bank of
// its own.
class Square {
 public:
  static constexpr int kColumn = kSquare + 4,  // bytes: a column's letter, a row's, one unused, rows 0 to 16
      kBytes = (kSquare + 1) * kColumn;
  static_assert(kBytes / 4 % 2 == 1);

  __device__ Square(std::uint8_t* bytes, const SquareScoring& scoring) : bytes_(bytes), scoring_(scoring) {}

  // Until a column is computed, the bytes of its rows 1 to 4 have the H and F that enter it from above.
  __device__ void put_entering(int column, std::uint32_t H_and_F) const { word(column, 0) = H_and_F; }
  __device__ std::uint32_t entering(int column) const { return word(column, 0); }
  // Writes the cells of four rows.
  __device__ void put_cells(int column, int four, std::uint32_t cells) const { word(column, four) = cells; }
  __device__ void put_above(int column, std::uint32_t H) const {
    bytes_[column * kColumn + kRow0] = static_cast<std::uint8_t>(H & kModulus);
  }
  __device__ void put_letters(int number, std::uint32_t of_column, std::uint32_t of_row) const {
    *reinterpret_cast<std::uint16_t*>(bytes_ + number * kColumn) =
        static_cast<std::uint16_t>(of_column | of_row << 8);
  }

  static constexpr std::uint32_t kModulus = 0x7f, kFromE = 0x80;
  __device__ std::uint32_t cell(int row, int column) const { return bytes_[column * kColumn + kRow0 + row]; }
  __device__ std::uint32_t letter_of_column(int column) const { return bytes_[column * kColumn]; }
  __device__ std::uint32_t letter_of_row(int row) const { return bytes_[row * kColumn + 1]; }
  __device__ std::int32_t score(std::uint32_t of_row, std::uint32_t of_column) const {
    return scoring_.matrix[of_row][of_column];
  }
  __device__ std::uint32_t extended() const { return scoring_.extended; }

 private:
  static constexpr int kRow0 = 3;
  __device__ std::uint32_t& word(int column, int four) const {
    return *reinterpret_cast<std::uint32_t*>(bytes_ + column * kColumn + kRow0 + 1 + 4 * four);
  }

  std::uint8_t* bytes_;
  const SquareScoring& scoring_;
};

// H and E of a square's rows in the column before it: row r in the low half of a word, row r + 8 in the high
// half. `corner` is H above these rows, in the low half.
struct SquareEdge {
  std::uint32_t H[kSquare / 2], gap_right[kSquare / 2], corner;
};

}  // namespace alnus::cuda
