// The CPU's PairScorer (core/pair_scorer.h): local scores of pairs, each under a matrix of its own.
#pragma once

#include <vector>

#include "core/coarse_scores.h"
#include "core/pair_scorer.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Subjects lie side by side in 16-bit lanes, which hold most scores. Subjects whose scores do not fit are
// aligned one after the other, and so are all if they are few.
class MatrixScorer final : public PairScorer {
 public:
  explicit MatrixScorer(const KernelSet& kernels) : kernels_(kernels) {}

  std::size_t side_by_side() const override { return static_cast<std::size_t>(kernels_.wide16.lanes); }
  void local_scores(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                    std::int32_t open, std::int32_t extend, std::span<std::int32_t> best,
                    const StopFlag& stop_flag) override;

  std::size_t side_by_side_coarse() const override { return static_cast<std::size_t>(kernels_.local8.lanes); }
  void coarse_scores(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                     std::int32_t open, std::int32_t extend, std::span<std::int32_t> best,
                     const StopFlag& stop_flag) override;

 private:
  // Bounds on the values that a kernel computes for a subject.
  struct Bounds {
    std::int64_t lowest = 0, highest = 0;  // scores of two letters
    std::int64_t below = 0;  // how far values fall below score 0: cost of a gap of 3, or -lowest
  };
  Bounds bounds(const ScoredSubject& subject, std::int32_t open, std::int32_t extend) const;
  // True if a query of `rows` residues takes less time with these subjects in shared lanes than one by one.
  bool together(std::size_t rows, std::span<const std::size_t> numbers) const;
  void score_together(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                      std::span<const std::size_t> numbers, std::int32_t open, std::int32_t extend,
                      std::span<std::int32_t> best, const StopFlag& stop_flag);
  void score_coarsely(std::span<const Residue> query, std::span<const ScoredSubject> subjects,
                      std::span<const std::size_t> numbers, const CoarseScores& coarse,
                      std::span<std::int32_t> best, const StopFlag& stop_flag);
  // Writes the letters of these subjects side by side into letters_, in whole blocks of `block_columns`
  // columns, filled up with kPadLetter. Returns the number of blocks.
  std::int32_t pack(std::span<const ScoredSubject> subjects, std::span<const std::size_t> numbers,
                    std::int32_t lanes, std::int32_t block_columns);
  std::int32_t score_alone(std::span<const Residue> query, const ScoredSubject& subject, std::int32_t open,
                           std::int32_t extend, const StopFlag& stop_flag);

  const KernelSet& kernels_;
  AlignedBuffer workspace_, state_, letters_, tables_;
};

}  // namespace alnus::cpu
