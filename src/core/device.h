// The one interface between the engine and whatever computes: CPU vector units, a GPU, a group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"

namespace alnus {

enum class DeviceKind : std::uint8_t { cpu, cuda, group };

struct DeviceInfo {
  std::string name;         // "cpu", "cuda:0": the name that --devices takes
  std::string description;  // "Intel Xeon, 2 threads, avx512"
  DeviceKind kind = DeviceKind::cpu;
  std::uint64_t memory_bytes = 0;  // what tiles may use
  double gcups = 0;                // expected speed, 1e9 cells a second, all of the device
  int concurrency = 1;             // tiles that it can run at the same time, each on a caller's thread
  bool overlaps = false;           // runs others while it hands over what it has computed
  bool standby = false;            // does what the other devices cannot do, or leave when they fail
  // Tiles of which it makes best use: which part of what is left for it its next one is, the shortest worth
  // handing out, the longest (a progress line moves with each), and the pairs of one whose sink wants the
  // best of each row only.
  double tile_share = 1.0 / 3;
  double shortest_tile_seconds = 0.001, longest_tile_seconds = 0.5;
  std::uint64_t most_pairs = 1 << 18;
};

// A way to compute that is a published one, kept as a reference (docs/papers).
struct PaperMethod {
  std::string_view name;    // that --method takes
  std::string_view paper;   // docs/papers/<paper>.md, data/papers/<paper>.json
  std::string_view system;  // what the paper calls it
};

// What is to be computed for every pair.
struct Problem {
  Scoring scoring;
  Detail detail = Detail::score;
  // Scores may be told as bounds (PairResult::slack). Detail::score only.
  bool bounds = false;
  // Detail::alignment: CIGARs are wanted; without, coordinates and counts suffice.
  bool cigars = true;
};

// Sequences that a device holds ready, in order of decreasing length (equal lengths in file order).
// Tiles name sequences by their position in that order; `index` leads back into the SequenceSet.
class Resident {
 public:
  explicit Resident(SequenceSet sequences);
  virtual ~Resident() = default;
  const SequenceSet& sequences() const { return sequences_; }
  std::uint32_t size() const { return sequences_.size(); }
  SequenceSet::Index index(std::uint32_t position) const {
    return order_.empty() ? position : order_[position];
  }
  std::span<const Residue> residues(std::uint32_t position) const {
    return sequences_.residues(index(position));
  }
  std::size_t length(std::uint32_t position) const { return sequences_.length(index(position)); }
  // Of all positions before this one, which may be size().
  std::uint64_t residues_before(std::uint32_t position) const { return residues_before_[position]; }

 private:
  SequenceSet sequences_;
  std::vector<SequenceSet::Index> order_;  // empty: already sorted
  std::vector<std::uint64_t> residues_before_;
};

// Whether both are the same place in memory. While one of them lives nothing else can be there.
bool same_sequences(const SequenceSet& a, const SequenceSet& b);

enum class TileShape : std::uint8_t { rectangle, staircase, list };

struct Range {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

struct PairIndex {
  std::uint32_t row, column;  // positions
  bool operator==(const PairIndex&) const = default;
};

// A block of the pair matrix that one device does in one go.
// rectangle: rows x columns. staircase: of that rectangle, what each row has from `first_columns` on, which
// never fall from one row to the next: all pairs of a set are a staircase. list: `pairs`, sorted by row.
struct Tile {
  const Resident* rows = nullptr;
  const Resident* columns = nullptr;
  TileShape shape = TileShape::rectangle;
  Range row_range, column_range;
  std::span<const std::uint32_t> first_columns;  // staircase only: by position, of all rows of the set
  std::vector<PairIndex> pairs;                  // list only
  std::uint64_t cells = 0;                       // of the unpadded problem
  std::uint32_t ordinal = 0;                     // the tile's number in its plan

  // The part of a row that it holds. Not of a list.
  Range columns_of(std::uint32_t row) const {
    if (shape != TileShape::staircase) return column_range;
    return {std::clamp(first_columns[row], column_range.begin, column_range.end), column_range.end};
  }
};

// The pairs row < column of a set.
std::vector<std::uint32_t> triangle_steps(std::uint32_t size);

// One finished pair. Valid during Sink::accept only (the cigar points into the device's memory).
struct PairResult {
  std::uint32_t row = 0, column = 0;  // positions, as in the tile
  std::int32_t score = 0;
  std::int32_t slack = 0;  // Problem::bounds: the score is `score` to `score + slack`
  std::int32_t query_begin = -1, query_end = -1, subject_begin = -1, subject_end = -1;
  std::span<const CigarRun> cigar;
  AlignmentCounts counts;  // Detail::alignment
};

// The scores of all pairs of a tile that is no list. Valid during Sink::accept_scores only.
struct TileScores {
  Range columns;                         // all that any row has
  const std::int32_t* scores = nullptr;  // of these columns, row by row from the tile's first row on

  // Of tile.columns_of(row).
  std::span<const std::int32_t> of_row(const Tile& tile, std::uint32_t row) const {
    const Range wanted = tile.columns_of(row);
    const std::uint64_t rows_before = row - tile.row_range.begin;
    return {scores + rows_before * columns.size() + (wanted.begin - columns.begin), wanted.size()};
  }
};

// Takes finished pairs, tiles in any order, none twice; all but those that floor() and limit() let devices
// keep back. Thread-safe.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void accept(const Tile& tile, std::span<const PairResult> results) = 0;
  // The same from devices that score faster than a result can be made of each pair: where limit() is 0, with
  // Detail::score. A sink that knows no better gets the results.
  virtual void accept_scores(const Tile& tile, const TileScores& scores);
  // Told by devices that overlap, before they hand over a tile with which they need not wait for the sink:
  // they could begin another one.
  virtual void computed() {}
  // Pairs of this row that are known to score below it are of no interest and need not be handed over. May
  // rise while a search goes on.
  virtual std::int32_t floor(std::uint32_t /*row*/) const { return std::numeric_limits<std::int32_t>::min(); }
  // How many of a row's pairs are of interest: those of a tile that score as high as its `limit`-th best or
  // higher. 0: all of them. (Devices may hand over all where it is above 1024.)
  virtual std::uint32_t limit() const { return 0; }
  // With Problem::bounds: whether bounds are still welcome in this row, or leave too much open by now. Asked
  // from time to time; what was told before stays valid.
  virtual bool takes_bounds(std::uint32_t /*row*/) const { return true; }
};

struct Estimate {
  std::uint64_t bytes = 0;  // working memory that a run of the tile takes on the device
  double seconds = 0;       // on one of its `concurrency` slots
};

// What a device spent on one part of its work: upload, kernel, selection or alignment.
struct StageTime {
  std::string name;
  double seconds = 0;
};

// Contract: every device gives the same integers and the same CIGARs for the same problem. Narrow
// arithmetic is the device's own matter: nobody sees a saturated score. run() is called from up to
// info().concurrency threads at a time (where it overlaps: besides as many that it has computed), and calls
// sink.accept (or accept_scores) exactly once, as its last act: a run that threw (alnus::Error) has handed
// over nothing, and the tile can be given to another device.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  // Why it cannot do this, as a sentence; empty if it can.
  virtual std::string declines(const Problem& problem) const = 0;
  virtual Estimate estimate(const Tile& tile, const Problem& problem) const = 0;
  virtual std::shared_ptr<const Resident> load(const SequenceSet& sequences) = 0;
  virtual void run(const Tile& tile, const Problem& problem, Sink& sink) = 0;
  // For benchmarks: the stages since the last call, each once; none of devices that do not measure them.
  virtual std::vector<StageTime> take_stage_times() { return {}; }
};

}  // namespace alnus
