// Compares devices with the reference: every implementation, demanding equality of whole alignments.
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

// A pair of sequences, as indices into the sets (not positions).
using Pair = std::pair<std::uint32_t, std::uint32_t>;

// Takes results and keeps them.
class Collect : public Sink {
 public:
  void accept(const Tile& tile, std::span<const PairResult> results) override;

  std::map<Pair, Alignment> found;
  std::map<Pair, AlignmentCounts> counts;
  std::map<Pair, std::int32_t> slack;  // where it is not 0
  std::vector<Pair> repeated;          // came more than once
  int calls = 0;
};

// A way to compute, by name.
struct Implementation {
  std::string name;
  std::function<std::unique_ptr<Device>(std::uint64_t memory_bytes)> make;
  bool may_decline = false;  // supports some problems only
};
using Implementations = std::vector<Implementation>;

struct Workload {
  std::vector<Residues> queries = {}, subjects = {};
  TileShape shape = TileShape::rectangle;
  std::vector<Pair> pairs = {};              // list only
  std::vector<Position> first_columns = {};  // staircase only, by position as in Tile
  AlphabetKind alphabet = AlphabetKind::protein;
  std::vector<Detail> details = {Detail::score, Detail::ends, Detail::alignment};
  std::uint64_t memory_bytes = 1ULL << 30;
};

// All pairs of a set.
Workload triangle_of(const std::vector<Residues>& sequences);

// A workload's sequences as a device has them. The workload's first_columns must live as long.
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
  std::shared_ptr<const DeviceSequences> device_rows_, device_columns_;  // rows only if the device needs them
  Tile tile_;
};

// The pairs that the tile asks for.
std::vector<Pair> pairs_of(const Tile& tile);

// Runs the workload on every implementation and compares all that comes back with align_reference. The
// message of a failure names the implementation and shows the pair. It is a failure too when one declines a
// problem though it may not, and when all decline it.
testing::AssertionResult equals_reference(const Implementations& implementations, const Workload& workload,
                                          const Scoring& scoring);

// Calls `use` with a device of each implementation that supports the problem; declining fails as above.
void for_each_device(const Implementations& implementations, const Problem& problem,
                     const std::function<void(Device&)>& use);

// Runs the workload's rectangle in all of the device's slots at a time, again and again, and compares with
// align_reference.
void check_slots(Device& device, const Workload& workload, const Problem& problem);

// What is left of a full alignment when less detail is asked for.
Alignment at_detail(Alignment alignment, Detail detail);

std::string describe(const Alignment& alignment);
std::string describe(const Scoring& scoring, Detail detail);

// local, global, and semiglobal with each of the 16 sets of free ends.
struct ModeAndEnds {
  Mode mode;
  FreeEnds free_ends = {};
};
std::vector<ModeAndEnds> all_modes();
std::vector<ModeAndEnds> main_modes();         // local, global, semiglobal with all ends free
std::string name_of(const ModeAndEnds& mode);  // fit for a test's name

struct Gaps {
  int open, extend;
};

Scoring scoring_of(const ModeAndEnds& mode, Gaps gaps, const SubstitutionMatrix& matrix);
Scoring scoring_of(const ModeAndEnds& mode, Gaps gaps, std::string_view matrix = "BLOSUM62");

// A matrix of the alphabet's letters from a function of two codes, rows the query's.
SubstitutionMatrix matrix_of(const std::function<int(int query, int subject)>& score,
                             AlphabetKind alphabet = AlphabetKind::protein);

}  // namespace alnus::test
