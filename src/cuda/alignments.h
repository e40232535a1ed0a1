// Alignments of a tile in pinned memory, as the device writes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cuda/kernels/packed_pair.h"
#include "cuda/runtime.h"

namespace alnus::cuda {

// Of the pairs of a rectangle, part by part, and of others that were aligned apart. Results are packed where
// the tile's sequences are short enough. Valid once they have landed, until the next run that is given them.
class Alignments : public PackedResults {
 public:
  // Throws Interrupted when the flag is requested, but not before the device has written all.
  void wait(const StopFlag& flag) const {
    landed_.wait();
    flag.throw_if_requested();
  }
  bool packed() const { return packed_; }
  // All of them, unless they are packed.
  std::span<const PairResult> results() const { return {results_.data(), count_}; }

  // What others have found for pairs whose results are to be replaced, and for pairs that have none.
  void add(std::span<const PairResult> results);
  PositionPair place_of(std::uint64_t number) const;

  std::uint64_t size() const override { return count_; }
  void unpack(std::uint64_t begin, std::uint64_t end, std::vector<PairResult>& results,
              std::vector<CigarRun>& runs) const override;

 private:
  friend class RectangleAligner;
  // Some pairs of a row, whose results lie side by side.
  struct Row {
    std::uint64_t first_result = 0;
    Position row, first_column;
    std::uint32_t part = 0;
  };

  // Room for so many pairs; nothing is left of earlier ones.
  void begin(std::uint64_t pairs, bool packed);
  const Row& row_of(std::uint64_t number) const;
  const PairResult* added(std::uint64_t number) const;  // null: the device's result holds

  bool packed_ = false;
  std::uint64_t count_ = 0, on_device_ = 0;  // results; of these the device had so many
  std::vector<Row> rows_;                    // of packed results, in their order
  std::vector<std::uint64_t> replaced_;      // numbers of results of the device, ascending
  std::vector<PairResult> added_;            // of packed results: those for the replaced ones come first
  PinnedArray<PairResult> results_;
  PinnedArray<PackedPair> packed_results_;
  std::vector<PinnedArray<CigarRun>> runs_;  // of each part; the results point into them
  std::vector<PinnedArray<PackedRun>> packed_runs_;
  Event landed_;
};

}  // namespace alnus::cuda
