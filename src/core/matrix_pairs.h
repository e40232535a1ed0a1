// Local scores of many pairs on a device, each under a matrix of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "alnus/alphabet.h"
#include "core/pair_adjustment.h"
#include "core/pair_scorer.h"
#include "core/stop_flag.h"

namespace alnus {

// Sequences as codes without case, the frequencies of their amino acids, and how their pairs' matrices are
// made.
struct MatrixPairsProblem {
  std::span<const std::span<const Residue>> queries, subjects;
  std::span<const Frequencies> query_frequencies, subject_frequencies;  // only if the matrices are adjusted
  const PairAdjustment* adjustment = nullptr;
  std::int32_t letters = 0;  // all codes are below; at most kMaxLetters
};

// Scores of letters are rounded to units of 2^shift, half a unit up. A matrix may have rounded scores from
// the lowest to the highest.
struct MatrixRounding {
  int shift = 0;
  std::int32_t lowest = std::numeric_limits<std::int16_t>::min();
  std::int32_t highest = std::numeric_limits<std::int16_t>::max();
};

// By any number of threads at a time. What the problem shows must live as long.
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
  // pair's matrix with rounded scores; PairScorer::kUnknownScore where one of them, of any letters, is beyond
  // what the rounding allows. A gap of n residues costs open + n * extend. All pairs are among those that it
  // takes. Throws Error(memory) or Error(device) where the device cannot, Interrupted when the flag is
  // requested.
  virtual void score(std::span<const Pair> pairs, const MatrixRounding& rounding, std::int32_t open,
                     std::int32_t extend, std::span<std::int32_t> best, const StopFlag& stop) = 0;
};

}  // namespace alnus
