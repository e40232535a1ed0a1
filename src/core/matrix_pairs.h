// Local scores of many pairs on a device, where each pair has a substitution matrix of its own.
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

// Sequences as codes without case, the frequencies of their amino acids, and the numbers that the pairs'
// matrices are made from.
struct MatrixPairsProblem {
  std::span<const std::span<const Residue>> queries, subjects;
  std::span<const Frequencies> query_frequencies, subject_frequencies;  // only if the matrices are adjusted
  const PairAdjustment* adjustment = nullptr;
  std::int32_t letters = 0;  // all codes are below it; at most kMaxLetters
};

// How the scores of letters are rounded: a rounded score is the score divided by 2^shift, to the nearest
// integer, halves up. The rounded scores of a matrix must be in [lowest, highest].
struct MatrixRounding {
  int shift = 0;
  std::int32_t lowest = std::numeric_limits<std::int16_t>::min();
  std::int32_t highest = std::numeric_limits<std::int16_t>::max();
};

// Scores pairs of a problem. Any number of threads may use it at a time. What the problem's spans show must
// live as long as this object.
class MatrixPairs {
 public:
  // A query and a subject by their numbers in the problem.
  struct Pair {
    std::uint32_t query = 0, subject = 0;
  };
  static constexpr std::size_t kLongestSubject = 1 << 16;
  // True if the device takes a pair of these lengths. Larger pairs would take long, because a device does
  // each pair on few of its threads.
  static bool takes(std::size_t query_length, std::size_t subject_length) {
    constexpr std::uint64_t kMostCells = 1 << 28;
    return subject_length <= kLongestSubject &&
           std::uint64_t{query_length} * std::max<std::uint64_t>(subject_length, 1) <= kMostCells;
  }

  virtual ~MatrixPairs() = default;
  MatrixPairs() = default;
  MatrixPairs(const MatrixPairs&) = delete;
  MatrixPairs& operator=(const MatrixPairs&) = delete;

  // Writes into best[k] the highest score of any local alignment of pairs[k] by the pair's matrix with
  // rounded scores; the empty alignment has score 0. best[k] is PairScorer::kUnknownScore if a rounded score
  // of the matrix, of any letters, is beyond what `rounding` allows. A gap of n residues costs
  // open + n * extend. takes() must be true for all pairs. Throws Error(memory) or Error(device) if the
  // device cannot score the pairs, and Interrupted when the flag is requested.
  virtual void score(std::span<const Pair> pairs, const MatrixRounding& rounding, std::int32_t open,
                     std::int32_t extend, std::span<std::int32_t> best, const StopFlag& stop) = 0;
};

}  // namespace alnus
