// The interface between the engine and whatever computes: the CPU's vector units, or a GPU.
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

enum class DeviceKind : std::uint8_t { cpu, cuda };

struct DeviceInfo {
  std::string name;         // "cpu", "cuda:0": the name that --devices takes
  std::string description;  // "Intel Xeon, 2 threads, avx512"
  DeviceKind kind = DeviceKind::cpu;
  std::uint64_t memory_bytes = 0;  // bytes that tiles may use
  double gcups = 0;                // expected speed of the whole device, in 1e9 cells per second
  int concurrency = 1;             // slots: tiles that the device runs at a time, each on a caller's thread
  bool computes_on_host = false;   // the threads that call run() compute, and do not only wait
  bool overlaps = false;           // runs other tiles while it hands over the results of a tile
  bool standby = false;            // computes only what other devices cannot, or what failed ones left
  // The tiles that suit the device best.
  double tile_share = 1.0 / 3;  // fraction of the remaining work that the next tiles of all slots get
  // Bounds of the seconds of a tile. The upper bound is low because the progress line moves with each tile.
  double shortest_tile_seconds = 0.001, longest_tile_seconds = 0.5;
  std::uint64_t most_pairs = 1 << 18;  // most pairs of a tile
  // Largest Sink::limit() with which the device hands over only the best pairs of each row. With a larger
  // limit it hands over all pairs that reach the floor, and gets tiles of fewer pairs. By default no limit is
  // too large: tiles of most_pairs suit the device in any case.
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
// sequences in host memory derives a class from this one.
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

// A block of the pair matrix that one device computes in one go.
// rectangle: every row with every column. staircase: of the rectangle, each row has the columns from its
// entry in `first_columns` on, and these entries never fall from one row to the next; all pairs of a set are
// a staircase. list: the pairs of `pairs`, sorted by row.
struct Tile {
  // Every device gets the same two objects. Shared pointers elsewhere own them.
  const SortedSequences* rows = nullptr;
  const SortedSequences* columns = nullptr;
  // What the device that runs the tile holds of the columns. Device::estimate() does not look at it.
  const DeviceSequences* device_columns = nullptr;
  TileShape shape = TileShape::rectangle;
  PositionRange row_range, column_range;
  std::span<const Position> first_columns;  // staircase only: by position, for all rows of the set
  std::vector<PositionPair> pairs;          // list only
  std::uint64_t cells = 0;                  // without padding
  std::uint32_t ordinal = 0;                // the tile's number, from 0, among those of one engine::plan()

  // The columns that the tile has in a row. Not for a list.
  PositionRange columns_of(Position row) const {
    if (shape != TileShape::staircase) return column_range;
    return {std::clamp(first_columns[row.value()], column_range.begin, column_range.end), column_range.end};
  }
};

// The first_columns of a staircase with the pairs row < column of a set of `size` sequences.
std::vector<Position> triangle_steps(std::uint32_t size);

// The result of one pair. Valid during Sink::accept only, because the CIGAR lies in the device's memory.
struct PairResult {
  Position row, column;
  std::int32_t score = 0;
  std::int32_t slack = 0;  // with Problem::bounds: the score is between `score` and `score + slack`
  std::int32_t query_begin = -1, query_end = -1, subject_begin = -1, subject_end = -1;
  std::span<const CigarRun> cigar{};
  AlignmentCounts counts{};  // with Detail::alignment
};

// A pair of which nothing but the score is known.
struct ScoredPair {
  Position row, column;
  std::int32_t score = 0;
};

// The scores of all pairs of a rectangle or staircase. Valid during Sink::accept_scores only.
struct TileScores {
  PositionRange columns;                 // all columns that any row of the tile has
  const std::int32_t* scores = nullptr;  // of these columns, row after row from the tile's first row on

  // The scores of the row's pairs, in the order of tile.columns_of(row).
  std::span<const std::int32_t> of_row(const Tile& tile, Position row) const {
    const PositionRange wanted = tile.columns_of(row);
    const std::uint64_t rows_before = row - tile.row_range.begin;
    return {scores + rows_before * columns.size() + (wanted.begin - columns.begin), wanted.size()};
  }
};

// The results of pairs, in fewer bytes than PairResult takes. The receiver unpacks some of them at a time.
// Valid during Sink::accept_packed only.
class PackedResults {
 public:
  virtual ~PackedResults() = default;
  virtual std::uint64_t size() const = 0;
  // Unpacks the results [begin, end) of size(). Their CIGARs point into `runs`; both arrays are overwritten,
  // and `runs` may have more elements than CIGARs point to.
  // Any thread may call this, each with arrays of its own.
  virtual void unpack(std::uint64_t begin, std::uint64_t end, std::vector<PairResult>& results,
                      std::vector<CigarRun>& runs) const = 0;
};

// Takes the results of tiles, which come in any order. No pair comes twice. Every pair comes, except those
// that floor() and limit() let devices keep back. Thread-safe.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void accept(const Tile& tile, std::span<const PairResult> results) = 0;
  // Devices that score pairs faster than PairResults can be made hand over the scores alone, with
  // Detail::score: accept_pairs() takes those of some pairs, accept_scores() those of all pairs of a tile, if
  // limit() is 0 and no row has a floor. By default accept() gets the results.
  virtual void accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs);
  virtual void accept_scores(const Tile& tile, const TileScores& scores);
  // Takes ends and alignments packed, so that devices copy less. By default accept() gets them unpacked.
  virtual void accept_packed(const Tile& tile, const PackedResults& packed);
  // Devices with DeviceInfo::overlaps call this when a tile is computed and before they hand over its
  // results, because they can begin another tile then.
  virtual void computed() {}
  // The floor of a row: pairs that are known to score below it need not be handed over. The floor may rise
  // while a search goes on.
  virtual std::int32_t floor(Position /*row*/) const { return std::numeric_limits<std::int32_t>::min(); }
  // The floor of a row in these columns alone, of which there is at least one. It is not below floor(row).
  virtual std::int32_t floor_in(Position row, PositionRange /*columns*/) const { return floor(row); }
  // How many pairs of each row are wanted. Of a tile's pairs in a row the device hands over at least those
  // that score as high as the limit()-th best one; 0: all of them. Devices may hand over all pairs if the
  // limit is above DeviceInfo::largest_top_k.
  virtual std::uint32_t limit() const { return 0; }
  // True while devices may give bounds in place of the scores of this row's pairs (Problem::bounds). It
  // becomes false when bounds have left too many pairs of the row undecided. Devices ask from time to time;
  // bounds that they gave before stay valid.
  virtual bool takes_bounds(Position /*row*/) const { return true; }
  // The flag is requested when nobody wants the results any more. Devices look at the flag while they work,
  // end soon after the request and throw Interrupted.
  virtual const StopFlag& stop_flag() const { return StopFlag::never(); }
};

// Returns true if at least one of these rows has a floor.
bool has_floors(const Sink& sink, PositionRange rows);

struct Estimate {
  std::uint64_t bytes = 0;  // working memory that a run of the tile takes on the device
  double seconds = 0;       // time on one of the device's `concurrency` slots
};

// What a device has uploaded of sequences so far, and what it holds of them now.
struct DeviceCounters {
  std::uint64_t uploads = 0, uploaded_bytes = 0;  // sequences brought to the device's own memory
  std::uint64_t resident_bytes = 0;
};

// The time that a device spent on one stage of its work: upload, kernel, selection or alignment.
struct StageTime {
  std::string name;
  double seconds = 0;
};

// Contract: every device gives the same integers and the same CIGARs for the same problem. Narrow arithmetic
// is the device's own matter: no saturated score is handed over. A scheduler calls run() from up to
// info().concurrency threads at a time; if the device overlaps, from as many more whose tiles are computed
// and being handed over. Several schedulers may use a device at a time. run() calls sink.accept (or
// accept_pairs, accept_scores or accept_packed) exactly once, as its last act: a run that threw
// (alnus::Error) has handed over nothing, and the tile can be given to another device.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  // A sentence that says why the device cannot solve the problem; empty if it can.
  virtual std::string declines(const Problem& problem) const = 0;
  virtual Estimate estimate(const Tile& tile, const Problem& problem) const = 0;
  // What tiles of these sequences need on the device. A device that keeps the result returns the same object
  // for the same sequences.
  virtual std::shared_ptr<const DeviceSequences> load(std::shared_ptr<const SortedSequences> sequences) {
    return std::make_shared<const DeviceSequences>(std::move(sequences));
  }
  // Announces that runs will keep the device busy for about so long. The device may take a little of that
  // time to choose how it computes. No result and no estimate depends on the choice.
  virtual void prepare(double /*expected_seconds*/) {}
  virtual void run(const Tile& tile, const Problem& problem, Sink& sink) = 0;
  // Drops what the device keeps of these sequences for later. Tiles under way are not affected.
  virtual void forget(const std::shared_ptr<const SortedSequences>& /*sequences*/) {}
  // Drops what load() made of this object, which its owner is about to destroy. What load() made of other
  // objects with the same sequences stays.
  virtual void unload(const SortedSequences& /*sequences*/) {}
  virtual DeviceCounters counters() const { return {}; }
  // For benchmarks: the times of the stages since the last call, each stage once. Empty for devices that do
  // not measure them.
  virtual std::vector<StageTime> take_stage_times() { return {}; }
  // Makes a scorer of pairs by matrices of their own, which works during runs, too. Null for devices without
  // one.
  virtual std::unique_ptr<MatrixPairs> matrix_pairs(const MatrixPairsProblem& /*problem*/,
                                                    const StopFlag& /*stop_flag*/) {
    return nullptr;
  }
  // The short path for one pair, on the caller's thread, without loaded sequences and without a tile. Any
  // number of threads may call it at a time, also during runs. It gives the same integers and CIGAR as run(),
  // and the same errors. Empty for devices that have no such path.
  virtual std::optional<Alignment> align_pair(std::span<const Residue> /*query*/,
                                              std::span<const Residue> /*subject*/,
                                              const Scoring& /*scoring*/, Detail /*detail*/,
                                              const StopFlag& /*stop_flag*/) {
    return std::nullopt;
  }
};

}  // namespace alnus
