// Does one tile on one thread.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "core/device.h"
#include "cpu/batches.h"
#include "cpu/kernel_set.h"
#include "cpu/lane_value.h"

namespace alnus::cpu {

enum class Method { automatic, interseq, striped };

// Memory for vectors, grown as needed and kept.
class AlignedBuffer {
 public:
  std::uint8_t* at_least(std::uint64_t bytes);

 private:
  struct Free {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<std::uint8_t, Free> data_;
  std::uint64_t size_ = 0;
};

class TileWorker {
 public:
  // `trace_bytes`: what tracebacks may take; longer pairs are done in pieces.
  TileWorker(const KernelSet& kernels, Method method, std::uint64_t trace_bytes)
      : kernels_(kernels), method_(method), trace_limit_(trace_bytes) {}

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
  void local_scores(const Tile& tile);
  void run_batch8(const Batch& batch, const std::vector<Query>& queries);
  Local8Job job8(const Query& query);
  void local_alignments(std::uint32_t row, const Query& query, std::span<const std::uint32_t> columns);
  void align_batch8(std::uint32_t row, const Query& query, std::span<const std::uint32_t> columns);
  void trace_snapshots(const Local8Job& job, std::int32_t lane, const Query& query,
                       std::span<const Residue> residues, Alignment& alignment);
  void exact(std::uint32_t row, const Query& query, std::span<const std::uint32_t> columns);
  void interseq(const WideKernels& kernels, const Rules& rules, std::uint32_t row, const Query& query,
                std::span<const std::uint32_t> columns);
  void striped(std::uint32_t row, const Query& query, const QueryBounds& bounds, std::uint32_t column);
  void align_in_pieces(const WideKernels& kernels, const Rules& rules, const Query& query,
                       std::span<const std::uint8_t> subject, std::span<const Residue> residues,
                       Alignment& alignment);
  bool wanted(std::uint32_t row, std::uint32_t column) const {
    return tile_->shape != TileShape::triangle || row < column;
  }
  [[noreturn]] void throw_too_large(std::uint32_t row, std::uint32_t column) const;
  void add(std::uint32_t row, std::uint32_t column, const Alignment& alignment);
  void hand_over();

  const KernelSet& kernels_;
  const Method method_;
  const std::uint64_t trace_limit_;

  const Tile* tile_ = nullptr;
  const Problem* problem_ = nullptr;
  Sink* sink_ = nullptr;
  Want want_ = Want::score;
  Range8 range8_;
  std::int32_t scores32_[kLetters * kLetters];
  std::int8_t scores8_[kLetters * kLetters];
  std::int32_t best_of_letter_[kLetters];  // of a subject's letter, with any letter of a query; at least 0

  AlignedBuffer letters_, workspace_, state_, trace_, snapshots_;
  std::vector<std::int16_t> best8_;
  std::vector<std::vector<std::uint32_t>> redo_;  // per row of the tile: columns to be done exactly
  std::vector<PairResult> results_;
  std::vector<CigarRun> cigars_;  // of all results, one after the other
};

}  // namespace alnus::cpu
