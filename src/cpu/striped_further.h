// Finds several alignments of any pair (core/further_aligner.h). After an alignment only the columns that it
// changes are computed again (after Huang and Miller, 1991), and the memory is linear in the length of the
// subject.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/further_aligner.h"
#include "cpu/kernel_set.h"
#include "cpu/scoring_tables.h"
#include "cpu/single_pair.h"
#include "cpu/striped_runs.h"

namespace alnus::cpu {

// The columns of the dynamic programming matrix are cut into blocks. Of each block the object keeps the state
// before it (H and E of a column), the barred cells, and the best end cell. Where an alignment is barred,
// blocks are computed again from the first one of the alignment on, until the state behind a block is what it
// was. The path of an alignment is found by computing its blocks again with their trace, last to first.
class StripedFurther final : public FurtherAligner {
 public:
  StripedFurther(const KernelSet& kernels, const MemoryLimits& limits) : kernels_(kernels), limits_(limits) {}

  void begin(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
             std::int32_t lowest, const StopFlag& stop_flag) override;
  void bar(const Alignment& alignment) override;
  std::optional<Alignment> next() override;

 private:
  struct End {  // an end cell, with the best score of a block
    std::int32_t score = 0, row = 0, column = 0;
    // Better ends come first (docs/ties.md, rule 1).
    bool operator<(const End& other) const {
      if (score != other.score) return score > other.score;
      return column != other.column ? column < other.column : row < other.row;
    }
  };
  struct Block {
    StripedRuns::State before;
    std::vector<BarredCell> barred;  // sorted
    std::optional<End> best;         // empty: no end scores lowest_ or more
  };

  std::int32_t begin_of(std::size_t block) const { return static_cast<std::int32_t>(block) * width_; }
  std::int32_t end_of(std::size_t block) const;
  // Computes the blocks from changed_begin_ up to before changed_end_ again, and further ones while their
  // states change.
  void compute_changed();
  Alignment trace_back(const End& end);

  const KernelSet& kernels_;
  const MemoryLimits limits_;
  ScoringTables tables_;
  KernelBuffers buffers_;
  std::vector<std::uint8_t> query_codes_;

  // The pair.
  std::span<const Residue> query_, subject_;
  std::int32_t lowest_ = 0;
  std::int32_t width_ = 1;  // columns of a block
  StripedJob job_;
  std::optional<StripedRuns> runs_;  // empty: no alignment scores lowest_ or more
  std::vector<Block> blocks_;
  std::set<End> ends_;  // Block::best of all blocks
  std::size_t changed_begin_ = 0, changed_end_ = 0;
};

}  // namespace alnus::cpu
