// Alignments of a tile in pinned memory, as the device writes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cuda/kernels/packed_pair.h"
#include "cuda/runtime.h"

namespace alnus::cuda {

// The alignments of a rectangle's or staircase's pairs, part by part, and those of others, which PairAligner
// made. Results are packed where the tile's sequences are short enough. They are valid once they have landed,
// until the next run that is given this object; added results until PairAligner, which has their CIGARs, runs
// again.
class Alignments : public PackedResults {
 public:
  // Throws Interrupted when the flag is requested, but not before the device has written all.
  void wait(const StopFlag& flag) const {
    landed_.wait();
    flag.throw_if_requested();
  }
  bool packed() const { return packed_; }
  // All of them; only if they are not packed.
  std::span<const PairResult> results() const { return {results_.data(), count_}; }

  // Adds results of PairAligner: one for each pair whose result is to be replaced, and those of pairs that
  // were left.
  void add(std::span<const PairResult> results);
  // The pair of a result of the device.
  PositionPair place_of(std::uint64_t number) const;

  std::uint64_t size() const override { return count_; }
  void unpack(std::uint64_t begin, std::uint64_t end, std::vector<PairResult>& results,
              std::vector<CigarRun>& runs) const override;

 private:
  friend class RectangleAligner;
  // The pairs that a part has of a row; their results lie side by side.
  struct Row {
    std::uint64_t first_result = 0;  // its number in the tile
    Position row, first_column;
    std::uint32_t part = 0;
  };

  // Room for so many pairs; nothing is left of earlier ones.
  void begin(std::uint64_t pairs, bool packed);
  const Row& row_of(std::uint64_t number) const;
  const PairResult* added(std::uint64_t number) const;  // null: the device's result holds

  bool packed_ = false;
  std::uint64_t count_ = 0, on_device_ = 0;  // results, and how many of them the device wrote
  std::vector<Row> rows_;                    // of packed results, in their order
  std::vector<std::uint64_t> replaced_;  // numbers of the device's results that others stand for, ascending
  std::vector<PairResult> added_;        // besides packed results; the first stand for the replaced ones
  PinnedArray<PairResult> results_;
  PinnedArray<PackedPair> packed_results_;
  std::vector<PinnedArray<CigarRun>> runs_;  // of each part; the results point into them
  std::vector<PinnedArray<PackedRun>> packed_runs_;
  Event landed_;
};

}  // namespace alnus::cuda
