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
#include "cpu/scoring_tables.h"
#include "cpu/single_pair.h"
#include "cpu/tiny_pairs.h"

namespace alnus::cpu {

// Other than automatic: one kernel for all pairs that it can do.
// snapshots: alignments in mode local by way of the 8-bit kernel, however short they are.
enum class Method { automatic, tiny, interseq, differences, striped, snapshots };

class TileWorker {
 public:
  TileWorker(Method method, const MemoryLimits& limits) : method_(method), limits_(limits) {}

  // Throws Interrupted soon after the sink's stop flag is requested, and has handed over nothing then.
  void run(const KernelSet& kernels, const Tile& tile, const Problem& problem, Sink& sink);

 private:
  // A query as the kernels take it.
  struct Query {
    std::span<const Residue> residues;
    std::vector<std::uint8_t> codes;    // 0..31
    std::vector<std::uint8_t> used;     // letters that occur, the padding letter last
    std::vector<std::uint8_t> indices;  // into `used`; padded to a multiple of kRowStep
  };
  static Query prepare(std::span<const Residue> residues);

  void start(const KernelSet& kernels, const Tile& tile, const Problem& problem, Sink& sink);
  void local_scores(Position first_row, std::uint32_t row_count, std::span<const Position> columns);
  void run_batch8(Position first_row, const Batch& batch);
  // `exact_cell`: cost of a cell in the kernel that does single subjects, per vector, against the 8-bit one.
  BatchShape shape8(double exact_cell = 0) const {
    return {kernels_.local8.lanes, kernels_.local8.columns, exact_cell / kernels_.local8.lanes};
  }
  std::int32_t coarse_slack() const { return kernels_.local8.coarse_steps * problem_->scoring.extend; }
  const std::uint8_t* pack8(const Batch& batch);
  Local8Job job8(const Query& query, const std::uint8_t* letters, const BatchStops& stops);
  void local_alignments(Position row, const Query& query, std::span<const Position> columns);
  void align_batch8(Position row, const Query& query, const Batch& batch);
  void trace_snapshots(const Local8Job& job8, const Segment& segment, const Notice& notice,
                       const Query& query, Alignment& alignment);
  // What is to be aligned with one query: columns by decreasing length.
  struct Row {
    Position number;
    Query query;
    std::vector<Position> columns;
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
    Position rows[2] = {};
    std::span<const Residue> residues[2] = {};
    const Query* query = nullptr;           // of two, their residues one after the other
    std::vector<std::uint8_t> number_of{};  // of two: 0 or 1 for each column that was planned
  };
  void exact(Position row, const Query& query, std::span<const Position> columns);
  void exact(const Row& row, const Row& next);
  std::span<const Position> without_empty(Position row, const Query& query,
                                          std::span<const Position> columns);
  std::int64_t padded_length(Position column) const;
  static double cost_alone(const WideKernels& kernels, const Query& query);
  double cost_of_cell(const LaneKernel& kernel) const;
  double least_cost(const LaneKernel& kernel, std::size_t rows, std::size_t columns) const;
  double cost_of_row(const LaneKernel& kernel, std::span<const Batch> batches) const;
  Choice choose(const WideKernels& kernels, const Query& query, std::span<const Position> columns) const;
  Choice choose(const LaneKernel& kernel, const WideKernels& alone, const Query& query,
                std::span<const Position> columns, std::size_t trace_rows) const;
  ChoiceTogether choose_together(const LaneKernel& kernel, const Row& row, const Row& next,
                                 const std::span<const Position> (&columns)[2]) const;
  void interseq(const LaneKernel& kernel, const Rules& rules, const BatchQueries& queries,
                const Batch& batch);
  static void walk(const LaneKernel& kernel, const InterseqJob& job, LanePath& path);
  static std::uint64_t trace_bytes(const LaneKernel& kernel, std::int64_t rows, std::int64_t columns);
  void striped(const WideKernels& kernels, Position row, const Query& query, const QueryBounds& bounds,
               Position column);
  // The columns that the tile has of a row, without those that tiny_ has done, by decreasing length.
  void columns_left(Position row, std::vector<Position>& columns) const;
  bool wanted(Position row, Position column) const {
    return tile_->columns_of(row).begin <= column && !tiny_.has_done(row, column);
  }
  [[noreturn]] void throw_too_large(Position row, Position column) const;
  // Throws Interrupted once the run's stop flag is requested. Called after every run of a kernel, whose
  // results may then mean nothing, and in the loops between.
  void check_stop() const { stop_flag_->throw_if_requested(); }
  void add(Position row, Position column, const Alignment& alignment);
  bool takes_all_scores() const;
  void hand_over();
  void add_tiny();

  const Method method_;
  const MemoryLimits limits_;

  KernelSet kernels_;
  const Tile* tile_ = nullptr;
  const Problem* problem_ = nullptr;
  Sink* sink_ = nullptr;
  const StopFlag* stop_flag_ = nullptr;  // the sink's
  Want want_ = Want::score;
  ScoringTables tables_;

  AlignedBuffer letters_, second_, snapshots_;
  KernelBuffers buffers_;
  LaneTraces lane_traces_;
  TinyPairs tiny_;
  std::vector<std::int16_t> best8_;
  // Of local_scores(), per row.
  struct LocalRow {
    Query query;
    bool coarse = false;         // whether scores may be told as bounds
    std::vector<Position> redo;  // columns to be done exactly
  };
  std::vector<LocalRow> local_rows_;
  std::vector<PairResult> results_;
  std::vector<CigarRun> cigars_;  // of all results, one after the other
};

}  // namespace alnus::cpu
