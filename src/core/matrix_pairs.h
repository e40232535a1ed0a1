// Local scores of many pairs on a device, each under a matrix of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "alnus/alphabet.h"
#include "core/stop_flag.h"

namespace alnus {

// Sequences as codes without case.
struct MatrixPairsProblem {
  std::span<const std::span<const Residue>> queries, subjects;
  std::int32_t letters = 0;  // all codes are below; at most kMaxLetters
};

// By any number of threads at a time.
class MatrixPairs {
 public:
  // Numbers of a problem's query and subject.
  struct Pair {
    std::uint32_t query = 0, subject = 0;
  };
  static constexpr std::size_t kLongestSubject = 1 << 16;
  // Larger pairs take a device long, which does each on few of its threads.
  static bool takes(std::size_t query_length, std::size_t subject_length) {
    constexpr std::uint64_t kMostCells = 1 << 28;
    return subject_length <= kLongestSubject &&
           std::uint64_t{query_length} * std::max<std::uint64_t>(subject_length, 1) <= kMostCells;
  }

  virtual ~MatrixPairs() = default;
  MatrixPairs() = default;
  MatrixPairs(const MatrixPairs&) = delete;
  MatrixPairs& operator=(const MatrixPairs&) = delete;

  // Writes into best[k] the highest score of any local alignment of pairs[k], 0 for the empty one, by the
  // k-th of the tables, which has letters x letters scores, the subject's letter first. A gap of n residues
  // costs open + n * extend. All pairs are among those that it takes. Throws Error(memory) or Error(device)
  // where the device cannot, Interrupted when the flag is requested.
  virtual void score(std::span<const Pair> pairs, std::span<const std::int16_t> tables, std::int32_t open,
                     std::int32_t extend, std::span<std::int32_t> best, const StopFlag& stop) = 0;
};

}  // namespace alnus
