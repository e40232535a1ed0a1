// The short path for one pair (Device::align_pair): on the caller's thread, without a tile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alnus/alignment.h"
#include "core/stop_flag.h"
#include "cpu/kernel_set.h"
#include "cpu/scoring_tables.h"
#include "cpu/single_pair.h"

namespace alnus::cpu {

// Aligns single pairs. It keeps its buffers, and the tables of the last scoring, from pair to pair.
class PairWorker {
 public:
  explicit PairWorker(const MemoryLimits& limits) : limits_(limits) {}

  // Either sequence may be empty. Throws Error(input) if scores may pass 1,000,000,000, Interrupted when the
  // flag is requested.
  Alignment align(const KernelSet& kernels, std::span<const Residue> query, std::span<const Residue> subject,
                  const Scoring& scoring, Detail detail, const StopFlag& stop_flag);

 private:
  const MemoryLimits limits_;
  ScoringTables tables_;
  std::vector<std::uint8_t> query_codes_;
  KernelBuffers buffers_;
};

}  // namespace alnus::cpu
