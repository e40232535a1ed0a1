// The CPU's PairScorer.
#pragma once

#include "core/pair_scorer.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Scores in 16-bit lanes first, where most scores fit. A score that reaches the end of their range is found
// again in 32-bit lanes.
class MatrixScorer final : public PairScorer {
 public:
  explicit MatrixScorer(const KernelSet& kernels) : kernels_(kernels) {}

  std::int32_t local_score(std::span<const Residue> query, std::span<const Residue> subject,
                           const PairScoring& scoring, const StopFlag& stop_flag) override;

 private:
  const KernelSet& kernels_;
  AlignedBuffer workspace_, state_;
};

}  // namespace alnus::cpu
