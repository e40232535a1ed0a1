// Computes one tile on one thread.
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
#include "cpu/subsequence_pairs.h"
#include "cpu/tiny_pairs.h"

namespace alnus::cpu {

// The methods that --method names. All but `automatic` force one kernel on all pairs that the kernel can
// align. `snapshots` makes local alignments from snapshots of the 8-bit kernel (local_alignments.cpp), even
// of short pairs.
enum class Method { automatic, tiny, subsequence, interseq, differences, striped, snapshots };

class TileWorker {
 public:
  TileWorker(Method method, const MemoryLimits& limits) : method_(method), limits_(limits) {}

  // Computes the tile and hands its results to the sink. Throws Interrupted soon after the sink's stop flag
  // is requested, and has handed over nothing then.
  void run(const KernelSet& kernels, const Tile& tile, const Problem& problem, Sink& sink);

 private:
  // A query in the forms that kernels take.
  struct Query {
    std::span<const Residue> residues;
    std::vector<std::uint8_t> codes;    // 0..31
    std::vector<std::uint8_t> used;     // codes that occur, each once, and kPadLetter last
    std::vector<std::uint8_t> indices;  // into `used`; padded to a multiple of kRowStep
  };
  static Query prepare(std::span<const Residue> residues);

  void start(const KernelSet& kernels, const Tile& tile, const Problem& problem, Sink& sink);
  void local_scores(Position first_row, std::uint32_t row_count, std::span<const Position> columns);
  void run_batch8(Position first_row, const Batch& batch);
  // The shape of batches of local8. `exact_cell`: cost of a vector of cells in the kernel that aligns single
  // subjects, relative to local8; pack() needs no cost.
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
  // A row of the tile: the query, and the columns that it is aligned with, by decreasing length.
  struct QueryOfTile {
    Position number;
    Query query;
    std::vector<Position> columns;
  };
  // A kernel, and the plan that lays the columns of a row into its lanes.
  struct Choice {
    const LaneKernel* kernel = nullptr;
    BatchPlan plan;
    double cost = 0;  // in vectors of cells of interseq
  };
  struct ChoiceTogether;
  // The queries of a batch: one, or two. The second is not longer than the first.
  struct BatchQueries {
    Position rows[2] = {};
    std::span<const Residue> residues[2] = {};
    const Query* query = nullptr;           // with two queries: their residues one after the other
    std::vector<std::uint8_t> number_of{};  // with two queries: a subject's query, 0 or 1, by Segment::entry
  };
  void exact(Position row, const Query& query, std::span<const Position> columns);
  void exact(const QueryOfTile& row, const QueryOfTile& next);
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
  ChoiceTogether choose_together(const LaneKernel& kernel, const QueryOfTile& row, const QueryOfTile& next,
                                 const std::span<const Position> (&columns)[2]) const;
  void interseq(const LaneKernel& kernel, const Rules& rules, const BatchQueries& queries,
                const Batch& batch);
  static void walk(const LaneKernel& kernel, const InterseqJob& job, LanePath& path);
  static std::uint64_t trace_bytes(const LaneKernel& kernel, std::int64_t rows, std::int64_t columns);
  void striped(const WideKernels& kernels, Position row, const Query& query, const QueryBounds& bounds,
               Position column);
  // Replaces `columns` by those of the row that tiny_ has not done, by decreasing length. Not for
  // TileShape::list.
  void columns_left(Position row, std::vector<Position>& columns) const;
  // True if the tile has the pair and tiny_ has not done it.
  bool wanted(Position row, Position column) const {
    return tile_->columns_of(row).begin <= column && !tiny_.has_done(row, column);
  }
  [[noreturn]] void throw_too_large(Position row, Position column) const;
  // Throws Interrupted once the run's stop flag is requested. Every run of a kernel is followed by this
  // check, since a stopped kernel leaves results that mean nothing; so is every step of the loops between.
  void check_stop() const { stop_flag_->throw_if_requested(); }
  void add(Position row, Position column, const Alignment& alignment);
  bool takes_all_scores() const;
  void hand_over();
  // Hands over the scores of all pairs of the tile: at once, or as results if rows have floors.
  void hand_over(const TileScores& scores);
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
  SubsequencePairs subsequences_;
  std::vector<std::int16_t> best8_;
  // A row in local_scores().
  struct LocalRow {
    Query query;
    bool coarse = false;         // true if scores may be bounds (Problem::bounds)
    std::vector<Position> redo;  // columns to be scored exactly
  };
  std::vector<LocalRow> local_rows_;
  std::vector<PairResult> results_;
  std::vector<CigarRun> cigars_;  // the CIGARs of all results, one after the other
};

}  // namespace alnus::cpu
