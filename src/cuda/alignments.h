// Alignments of a tile in pinned memory, as the device writes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/device.h"
#include "cuda/kernels/packed_pair.h"
#include "cuda/runtime.h"

namespace alnus::cuda {

// The alignments of a rectangle's or staircase's pairs. RectangleAligner computes them in parts (some rows by
// some columns of the tile), and the device writes the results of each part. PairAligner computes what
// RectangleAligner could not (add()). Results are packed if all sequences of the tile are short enough
// (kLongestPacked). The device's results are valid from the return of wait() until the next
// RectangleAligner::run() with this object; added results are valid until PairAligner, which holds their
// CIGARs, runs again.
class Alignments : public PackedResults {
 public:
  // Waits until the device has written all results. Then throws Interrupted if the flag is requested.
  void wait(const StopFlag& flag) const {
    landed_.wait();
    flag.throw_if_requested();
  }
  bool packed() const { return packed_; }
  // All results. To be called only if packed() is false.
  std::span<const PairResult> results() const { return {results_.data(), count_}; }

  // Adds results of PairAligner: one for each pair whose result of the device is to be replaced (16 bits did
  // not suffice), and those of the pairs that RectangleAligner left over.
  void add(std::span<const PairResult> results);
  // Returns the pair of one of the device's results: of the result that has this number, from 0, in the array
  // of the device's results.
  PositionPair place_of(std::uint64_t number) const;

  std::uint64_t size() const override { return count_; }
  void unpack(std::uint64_t begin, std::uint64_t end, std::vector<PairResult>& results,
              std::vector<CigarRun>& runs) const override;

 private:
  friend class RectangleAligner;
  // The pairs of one row in one part. Their results lie side by side.
  struct Row {
    std::uint64_t first_result = 0;  // number of the first pair's result in the tile
    Position row, first_column;
    std::uint32_t part = 0;
  };

  // Drops all earlier results and makes room for `pairs` pairs.
  void begin(std::uint64_t pairs, bool packed);
  const Row& row_of(std::uint64_t number) const;
  // Returns the added result that replaces or follows the device's results at this number; null if the result
  // of the device counts.
  const PairResult* added(std::uint64_t number) const;

  bool packed_ = false;
  std::uint64_t count_ = 0, on_device_ = 0;  // numbers of all results, and of the device's
  std::vector<Row> rows_;                    // for packed results only; ascending by first_result
  std::vector<std::uint64_t> replaced_;  // numbers of the device's results that added ones replace, ascending
  std::vector<PairResult> added_;  // for packed results only; the first ones replace the results in replaced_
  PinnedArray<PairResult> results_;
  PinnedArray<PackedPair> packed_results_;
  std::vector<PinnedArray<CigarRun>> runs_;  // CIGARs of each part; the results point into them
  std::vector<PinnedArray<PackedRun>> packed_runs_;
  Event landed_;
};

}  // namespace alnus::cuda
