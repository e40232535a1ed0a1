// The CPU's FurtherAligner (core/further_aligner.h): for each pair the faster way to find its alignments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cpu/striped_further.h"
#include "cpu/window_further.h"

namespace alnus::cpu {

class FurtherChoice final : public FurtherAligner {
 public:
  FurtherChoice(const KernelSet& kernels, const MemoryLimits& limits)
      : windows_(kernels), striped_(kernels, limits) {}

  void begin(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
             std::int32_t lowest, const StopFlag& stop_flag) override {
    chosen_ = &striped_;
    if (windows_.finds_all(query, scoring, lowest)) chosen_ = &windows_;
    chosen_->begin(query, subject, scoring, lowest, stop_flag);
  }
  void bar(const Alignment& alignment) override { chosen_->bar(alignment); }
  std::optional<Alignment> next() override { return chosen_->next(); }

 private:
  WindowFurther windows_;
  StripedFurther striped_;
  FurtherAligner* chosen_ = &striped_;
};

}  // namespace alnus::cpu
