// The one interface between the engine and whatever computes: CPU vector units, a GPU, a group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/devices.h"
#include "alnus/scoring.h"
#include "core/index_spaces.h"
#include "core/matrix_pairs.h"
#include "core/sorted_sequences.h"
#include "core/stop_flag.h"

namespace alnus {

enum class DeviceKind : std::uint8_t { cpu, cuda, group };

struct DeviceInfo {
  std::string name;         // "cpu", "cuda:0": the name that --devices takes
  std::string description;  // "Intel Xeon, 2 threads, avx512"
  DeviceKind kind = DeviceKind::cpu;
  std::uint64_t memory_bytes = 0;  // what tiles may use
  double gcups = 0;                // expected speed, 1e9 cells a second, all of the device
  int concurrency = 1;             // tiles that it can run at the same time, each on a caller's thread
  bool computes_on_host = false;   // its tiles keep the threads busy that run them
  bool overlaps = false;           // runs others while it hands over what it has computed
  bool needs_rows = false;         // its tiles need the rows in the device's memory, not the columns only
  bool standby = false;            // does what the other devices cannot do, or leave when they fail
  // The tiles that suit the device best.
  double tile_share = 1.0 / 3;  // fraction of this device's remaining work that its next tile gets
  double shortest_tile_seconds = 0.001, longest_tile_seconds = 0.5;  // a progress line moves with each tile
  std::uint64_t most_pairs = 1 << 18;  // of a tile whose sink wants only the best of each row
  // Largest Sink::limit() by which the device keeps back the pairs of a row that are not among its best. With
  // a larger one it hands over all that reach the floor, and gets tiles of fewer pairs. By default the device
  // needs no such tiles: it does with most_pairs in any case.
  std::uint32_t largest_top_k = std::numeric_limits<std::uint32_t>::max();
};

// What is to be computed for every pair.
struct Problem {
  Scoring scoring;
  Detail detail = Detail::score;
  bool bounds = false;  // Detail::score only: devices may give bounds on a score (PairResult::slack)
  bool cigars = true;   // Detail::alignment only: if false, coordinates and counts suffice
  // Detail::alignment without `cigars` only: if true, the sink needs no coordinates, and of the counts only
  // columns, identical, mismatches and gap_residues.
  bool identities = false;
};

// What a device holds of sorted sequences for the tiles that it runs. A device that needs more than the
// sequences in host memory derives from it.
class DeviceSequences {
 public:
  explicit DeviceSequences(std::shared_ptr<const SortedSequences> sorted) : sorted_(std::move(sorted)) {}
  virtual ~DeviceSequences() = default;
  DeviceSequences(const DeviceSequences&) = delete;
  DeviceSequences& operator=(const DeviceSequences&) = delete;
  const SortedSequences& sorted() const { return *sorted_; }

 private:
  const std::shared_ptr<const SortedSequences> sorted_;
};

enum class TileShape : std::uint8_t { rectangle, staircase, list };

// A block of the pair matrix that one device does in one go.
// rectangle: rows x columns. staircase: of that rectangle, what each row has from `first_columns` on, which
// never fall from one row to the next: all pairs of a set are a staircase. list: `pairs`, sorted by row.
struct Tile {
  const SortedSequences* rows = nullptr;  // the same for all devices
  const SortedSequences* columns = nullptr;
  // What the device that runs the tile holds of them. Device::estimate() does not look at it.
  const DeviceSequences* device_rows = nullptr;  // DeviceInfo::needs_rows only
  const DeviceSequences* device_columns = nullptr;
  TileShape shape = TileShape::rectangle;
  PositionRange row_range, column_range;
  std::span<const Position> first_columns;  // staircase only: by position, of all rows of the set
  std::vector<PositionPair> pairs;          // list only
  std::uint64_t cells = 0;                  // of the unpadded problem
  std::uint32_t ordinal = 0;                // the tile's number in its plan

  // The columns that the tile has of a row. A list has none.
  PositionRange columns_of(Position row) const {
    if (shape != TileShape::staircase) return column_range;
    return {std::clamp(first_columns[row.value()], column_range.begin, column_range.end), column_range.end};
  }
};

// The pairs row < column of a set.
std::vector<Position> triangle_steps(std::uint32_t size);

// One finished pair. Valid during Sink::accept only (the cigar points into the device's memory).
struct PairResult {
  Position row, column;
  std::int32_t score = 0;
  std::int32_t slack = 0;  // Problem::bounds: the score is `score` to `score + slack`
  std::int32_t query_begin = -1, query_end = -1, subject_begin = -1, subject_end = -1;
  std::span<const CigarRun> cigar;
  AlignmentCounts counts;  // Detail::alignment
};

// A pair of which nothing but the score is known.
struct ScoredPair {
  Position row, column;
  std::int32_t score = 0;
};

// The scores of all pairs of a tile that is no list. Valid during Sink::accept_scores only.
struct TileScores {
  PositionRange columns;                 // all that any row has
  const std::int32_t* scores = nullptr;  // of these columns, row by row from the tile's first row on

  // The scores of tile.columns_of(row).
  std::span<const std::int32_t> of_row(const Tile& tile, Position row) const {
    const PositionRange wanted = tile.columns_of(row);
    const std::uint64_t rows_before = row - tile.row_range.begin;
    return {scores + rows_before * columns.size() + (wanted.begin - columns.begin), wanted.size()};
  }
};

// Finished pairs in fewer bytes than PairResult has; the receiver unpacks some of them at a time. Valid
// during Sink::accept_packed only.
class PackedResults {
 public:
  virtual ~PackedResults() = default;
  virtual std::uint64_t size() const = 0;
  // The results [begin, end) of size(). Their CIGARs point into `runs`; both arrays are overwritten. From any
  // thread, each with arrays of its own.
  virtual void unpack(std::uint64_t begin, std::uint64_t end, std::vector<PairResult>& results,
                      std::vector<CigarRun>& runs) const = 0;
};

// Takes finished pairs: tiles in any order, no pair twice, and every pair but those that floor() and limit()
// let devices keep back. Thread-safe.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void accept(const Tile& tile, std::span<const PairResult> results) = 0;
  // Devices that score pairs faster than results can be made of them hand over the scores alone, with
  // Detail::score: of some pairs, or of all where limit() is 0 and no row has a floor. By default accept()
  // gets the results.
  virtual void accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs);
  virtual void accept_scores(const Tile& tile, const TileScores& scores);
  // Devices may hand over ends and alignments packed, to copy less. By default accept() gets them unpacked.
  virtual void accept_packed(const Tile& tile, const PackedResults& packed);
  // Devices that overlap call it before they hand over a tile, when they could begin another one.
  virtual void computed() {}
  // Pairs of this row that are known to score below the floor need not be handed over. The floor may rise
  // while a search goes on.
  virtual std::int32_t floor(Position /*row*/) const { return std::numeric_limits<std::int32_t>::min(); }
  // The same of these columns alone, of which there is one at least: not below that of the row.
  virtual std::int32_t floor_in(Position row, PositionRange /*columns*/) const { return floor(row); }
  // How many pairs of a row are wanted: those of a tile that score as high as its `limit`-th best or higher.
  // 0: all of them. Devices may hand over all where it is above DeviceInfo::largest_top_k.
  virtual std::uint32_t limit() const { return 0; }
  // With Problem::bounds: false once bounds leave too much open in this row. Devices ask from time to time;
  // bounds that they gave before stay valid.
  virtual bool takes_bounds(Position /*row*/) const { return true; }
  // Requested when nobody wants the results any more. Devices look at it while they work, end soon after and
  // throw Interrupted.
  virtual const StopFlag& stop_flag() const { return StopFlag::never(); }
};

// Returns whether one of these rows has a floor.
bool has_floors(const Sink& sink, PositionRange rows);

struct Estimate {
  std::uint64_t bytes = 0;  // working memory that a run of the tile takes on the device
  double seconds = 0;       // on one of its `concurrency` slots
};

// What a device has got of sequences so far, and holds of them now.
struct DeviceCounters {
  std::uint64_t uploads = 0, uploaded_bytes = 0;  // to the device's own memory
  std::uint64_t resident_bytes = 0;
};

// What a device spent on one part of its work: upload, kernel, selection or alignment.
struct StageTime {
  std::string name;
  double seconds = 0;
};

// Contract: every device gives the same integers and the same CIGARs for the same problem. Narrow
// arithmetic is the device's own matter: nobody sees a saturated score. run() is called from up to
// info().concurrency threads at a time (where it overlaps: besides as many that it has computed), and calls
// sink.accept (or accept_pairs, accept_scores or accept_packed) exactly once, as its last act: a run that
// threw (alnus::Error) has handed over nothing, and the tile can be given to another device.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  // Why it cannot do this, as a sentence; empty if it can.
  virtual std::string declines(const Problem& problem) const = 0;
  virtual Estimate estimate(const Tile& tile, const Problem& problem) const = 0;
  // What tiles of these sequences need on the device; the same object for the same sequences if the device
  // keeps it.
  virtual std::shared_ptr<const DeviceSequences> load(std::shared_ptr<const SortedSequences> sequences) {
    return std::make_shared<const DeviceSequences>(std::move(sequences));
  }
  // Announces that runs will keep the device busy for about so long: it may take a little of that for
  // choosing how to compute. No result and no estimate depends on the choice.
  virtual void prepare(double /*expected_seconds*/) {}
  virtual void run(const Tile& tile, const Problem& problem, Sink& sink) = 0;
  // Drops what the device keeps of these sequences for later. Tiles under way are not affected.
  virtual void forget(const std::shared_ptr<const SortedSequences>& /*sequences*/) {}
  // Drops what load() made of this very object, which its owner is about to destroy. What was made of others
  // with the same sequences stays.
  virtual void unload(const SortedSequences& /*sequences*/) {}
  virtual DeviceCounters counters() const { return {}; }
  // For benchmarks: the stages since the last call, each once; none of devices that do not measure them.
  virtual std::vector<StageTime> take_stage_times() { return {}; }
  // Scores pairs by matrices of their own, also during runs. Nothing from devices that do not.
  virtual std::unique_ptr<MatrixPairs> matrix_pairs(const MatrixPairsProblem& /*problem*/,
                                                    const StopFlag& /*stop_flag*/) {
    return nullptr;
  }
  // The short path for one pair: on the caller's thread, without sequences that were loaded and without a
  // tile. May be called from any number of threads at a time, also during runs. The same integers and CIGAR
  // as of run(), and the same errors. Nothing from devices that have no such path.
  virtual std::optional<Alignment> align_pair(std::span<const Residue> /*query*/,
                                              std::span<const Residue> /*subject*/,
                                              const Scoring& /*scoring*/, Detail /*detail*/,
                                              const StopFlag& /*stop_flag*/) {
    return std::nullopt;
  }
};

}  // namespace alnus
