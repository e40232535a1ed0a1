// Compares all implementations of a device with align_reference(): whole alignments must be equal.
#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alnus/alignment.h"
#include "core/device.h"
#include "support/positions.h"
#include "support/sequences.h"

namespace alnus::test {

// A pair of sequences, as indices into the sets. They are not positions.
using Pair = std::pair<std::uint32_t, std::uint32_t>;

// A sink that keeps all results.
class Collect : public Sink {
 public:
  void accept(const Tile& tile, std::span<const PairResult> results) override;

  std::map<Pair, Alignment> found;
  std::map<Pair, AlignmentCounts> counts;
  std::map<Pair, std::int32_t> slack;  // of the pairs whose slack is not 0
  std::vector<Pair> repeated;          // pairs that were handed over more than once
  int calls = 0;
};

// A way to compute, with its name.
struct Implementation {
  std::string name;
  std::function<std::unique_ptr<Device>(std::uint64_t memory_bytes)> make;
  bool may_decline = false;  // true if it supports only some problems
};
using Implementations = std::vector<Implementation>;

struct Workload {
  std::vector<Residues> queries = {}, subjects = {};
  TileShape shape = TileShape::rectangle;
  std::vector<Pair> pairs = {};              // of a list only
  std::vector<Position> first_columns = {};  // of a staircase only: positions, as in Tile
  AlphabetKind alphabet = AlphabetKind::protein;
  std::vector<Detail> details = {Detail::score, Detail::ends, Detail::alignment};
  std::uint64_t memory_bytes = 1ULL << 30;
};

// Returns all pairs of a set as a workload.
Workload triangle_of(const std::vector<Residues>& sequences);

// A workload's sequences, loaded on a device. The workload's first_columns must live as long as this object.
class LoadedWorkload {
 public:
  LoadedWorkload(Device& device, const Workload& workload);
  const SortedSequences& rows() const { return *rows_; }
  const SortedSequences& columns() const { return *columns_; }
  const DeviceSequences& device_columns() const { return *device_columns_; }
  // The tile of all of the workload's pairs.
  const Tile& tile() const { return tile_; }

 private:
  std::shared_ptr<const SortedSequences> rows_, columns_;
  std::shared_ptr<const DeviceSequences> device_columns_;
  Tile tile_;
};

// Returns the pairs of the tile.
std::vector<Pair> pairs_of(const Tile& tile);
// The tile of all pairs of these sequences, which must outlive it. It has no device sequences.
Tile whole(const SortedSequences& rows, const SortedSequences& columns);

// Runs the workload on every implementation and compares all results with align_reference. The message of a
// failure names the implementation and shows the pair. It is also a failure if an implementation declines the
// problem but may not, or if all decline it.
testing::AssertionResult equals_reference(const Implementations& implementations, const Workload& workload,
                                          const Scoring& scoring);

// Calls `use` with a device of each implementation that supports the problem. Declining is a failure as in
// equals_reference().
void for_each_device(const Implementations& implementations, const Problem& problem,
                     const std::function<void(Device&)>& use);

// Runs the workload's rectangle in all slots of the device at the same time, several times, and compares the
// results with align_reference.
void check_slots(Device& device, const Workload& workload, const Problem& problem);

// Returns what a full alignment has at the given detail.
Alignment at_detail(Alignment alignment, Detail detail);

std::string describe(const Alignment& alignment);
std::string describe(const Scoring& scoring, Detail detail);

// A mode with its free ends. all_modes() has local, global, and semiglobal with each of the 16 sets of ends.
struct ModeAndEnds {
  Mode mode;
  FreeEnds free_ends = {};
};
std::vector<ModeAndEnds> all_modes();
std::vector<ModeAndEnds> main_modes();         // local, global, and semiglobal with all ends free
std::string name_of(const ModeAndEnds& mode);  // as a part of a test's name

struct Gaps {
  int open, extend;
};

Scoring scoring_of(const ModeAndEnds& mode, Gaps gaps, const SubstitutionMatrix& matrix);
Scoring scoring_of(const ModeAndEnds& mode, Gaps gaps, std::string_view matrix = "BLOSUM62");

// Returns the matrix of the alphabet's letters whose scores a function of the two codes gives.
SubstitutionMatrix matrix_of(const std::function<int(int query, int subject)>& score,
                             AlphabetKind alphabet = AlphabetKind::protein);

}  // namespace alnus::test
