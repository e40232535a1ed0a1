// Does one tile on one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cpu/aligned_buffer.h"
#include "cpu/batches.h"
#include "cpu/kernel_set.h"
#include "cpu/lane_traces.h"
#include "cpu/lane_value.h"

namespace alnus::cpu {

// Other than automatic: one kernel for all pairs that it can do.
enum class Method { automatic, interseq, differences, striped };

// Bytes that one worker's tracebacks may take.
struct MemoryLimits {
  std::uint64_t trace = 0;   // a batch's or a pair's trace, or what stands for it
  std::uint64_t states = 0;  // of a pair whose trace is longer: what it keeps to be done again in pieces
};

class TileWorker {
 public:
  TileWorker(const KernelSet& kernels, Method method, const MemoryLimits& limits)
      : kernels_(kernels), method_(method), limits_(limits) {}

  void run(const Tile& tile, const Problem& problem, Sink& sink);

 private:
  // A query as the kernels take it.
  struct Query {
    std::span<const Residue> residues;
    std::vector<std::uint8_t> codes;    // 0..31
    std::vector<std::uint8_t> used;     // letters that occur, the padding letter last
    std::vector<std::uint8_t> indices;  // into `used`; padded to a multiple of kRowStep
  };
  static Query prepare(std::span<const Residue> residues);

  void start(const Tile& tile, const Problem& problem, Sink& sink);
  void local_scores(std::uint32_t first_row, std::uint32_t row_count, std::span<const std::uint32_t> columns);
  void run_batch8(std::uint32_t first_row, const Batch& batch);
  // `exact_cell`: cost of a cell in the kernel that does single subjects, per vector, against the 8-bit one.
  BatchShape shape8(double exact_cell = 0) const {
    return {kernels_.lanes8, kernels_.columns8, exact_cell / kernels_.lanes8};
  }
  std::int32_t coarse_slack() const { return kernels_.coarse_steps8 * problem_->scoring.extend; }
  const std::uint8_t* pack8(const Batch& batch);
  Local8Job job8(const Query& query, const std::uint8_t* letters, const BatchStops& stops);
  void local_alignments(std::uint32_t row, const Query& query, std::span<const std::uint32_t> columns);
  void align_batch8(std::uint32_t row, const Query& query, const Batch& batch);
  void trace_snapshots(const Local8Job& job8, const Segment& segment, const Notice& notice,
                       const Query& query, Alignment& alignment);
  // What is to be aligned with one query: columns by decreasing length.
  struct Row {
    std::uint32_t number = 0;
    Query query;
    std::vector<std::uint32_t> columns;
  };
  // A kernel, and how columns are laid into its lanes.
  struct Choice {
    const LaneKernel* kernel = nullptr;
    BatchPlan plan;
    double cost = 0;  // in cells of interseq, per vector
  };
  struct ChoiceTogether;
  // The queries of a batch: one, or two of which the second is not longer.
  struct BatchQueries {
    std::uint32_t rows[2] = {};
    std::span<const Residue> residues[2] = {};
    const Query* query = nullptr;           // of two, their residues one after the other
    std::vector<std::uint8_t> number_of{};  // of two: 0 or 1 for each column that was planned
  };
  void exact(std::uint32_t row, const Query& query, std::span<const std::uint32_t> columns);
  void exact(const Row& row, const Row& next);
  std::span<const std::uint32_t> without_empty(std::uint32_t row, const Query& query,
                                               std::span<const std::uint32_t> columns);
  std::int64_t padded_length(std::uint32_t column) const;
  static double cost_alone(const WideKernels& kernels, const Query& query);
  double cost_of_cell(const LaneKernel& kernel) const;
  double cost_of_row(const LaneKernel& kernel, std::span<const Batch> batches) const;
  Choice choose(const WideKernels& kernels, const Query& query, std::span<const std::uint32_t> columns) const;
  Choice choose(const LaneKernel& kernel, const WideKernels& alone, const Query& query,
                std::span<const std::uint32_t> columns, std::size_t trace_rows) const;
  ChoiceTogether choose_together(const LaneKernel& kernel, const Row& row, const Row& next,
                                 const std::span<const std::uint32_t> (&columns)[2]) const;
  void interseq(const LaneKernel& kernel, const Rules& rules, const BatchQueries& queries,
                const Batch& batch);
  static void walk(const LaneKernel& kernel, const InterseqJob& job, LanePath& path);
  static std::uint64_t trace_bytes(const LaneKernel& kernel, std::int64_t rows, std::int64_t columns);
  void striped(const WideKernels& kernels, std::uint32_t row, const Query& query, const QueryBounds& bounds,
               std::uint32_t column);
  bool wanted(std::uint32_t row, std::uint32_t column) const {
    return tile_->columns_of(row).begin <= column;
  }
  [[noreturn]] void throw_too_large(std::uint32_t row, std::uint32_t column) const;
  void add(std::uint32_t row, std::uint32_t column, const Alignment& alignment);
  void hand_over();

  const KernelSet& kernels_;
  const Method method_;
  const MemoryLimits limits_;

  const Tile* tile_ = nullptr;
  const Problem* problem_ = nullptr;
  Sink* sink_ = nullptr;
  Want want_ = Want::score;
  Range8 range8_;
  bool differences_fit_ = false;
  std::int32_t scores32_[kLetters * kLetters];
  std::int8_t scores8_[kLetters * kLetters];
  std::int32_t best_of_letter_[kLetters];  // of a subject's letter, with any letter of a query; at least 0

  AlignedBuffer letters_, second_, workspace_, state_, trace_, snapshots_;
  LaneTraces lane_traces_;
  std::vector<std::int16_t> best8_;
  // Of local_scores(), per row.
  struct LocalRow {
    Query query;
    bool coarse = false;              // whether scores may be told as bounds
    std::vector<std::uint32_t> redo;  // columns to be done exactly
  };
  std::vector<LocalRow> local_rows_;
  std::vector<PairResult> results_;
  std::vector<CigarRun> cigars_;  // of all results, one after the other
};

}  // namespace alnus::cpu
