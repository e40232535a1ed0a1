// A device that computes with align_reference(). It fails, waits or lacks memory if a test wants it. It
// checks the stop flag before each pair.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "core/device.h"
#include "support/matrix_score.h"

namespace alnus::test {

struct FakeBehaviour {
  int concurrency = 1;
  double gcups = 1;       // the speed that it expects of itself
  double real_gcups = 0;  // it waits so that it is no faster than this; 0: it does not wait
  double tile_share = 1.0 / 3, longest_tile_seconds = 0.5;  // as in DeviceInfo
  std::uint64_t memory_bytes = 1ULL << 30;                  // the memory that it claims to have
  std::uint64_t bytes_per_pair = 1;               // its estimates are this times the pairs of a tile
  std::uint64_t most_pairs = UINT64_MAX;          // a tile with more pairs fails with Error(memory)
  std::uint64_t most_cells_of_pair = UINT64_MAX;  // a pair with more cells fails with Error(memory)
  int fail_from = -1;                             // the first run that fails, from 0; all later ones fail
  ErrorKind fail_kind = ErrorKind::device;        // the kind of the error
  bool fail_load = false;
  std::shared_ptr<std::atomic_flag> failure{};    // set when the device fails
  std::shared_ptr<std::atomic_flag> waits_for{};  // runs wait until this is set
  bool dawdle = false;                            // runs wait for random times
  std::string declines{};
  bool standby = false, overlaps = false, computes_on_host = false;  // as in DeviceInfo
  bool hands_over_scores = false;   // if allowed, hands over all scores of a tile as a rectangle
  bool packs = false;               // packs results that have ends or alignments, except those of lists
  bool keeps_to_the_limit = false;  // hands over only the best results of a row, if Sink::limit() limits them
  bool has_matrix_pairs = false;
  int fail_matrix_pairs_from = -1;  // the first batch that fails, by fail_kind; all later ones fail
};

// Makes the sound device wait until the broken one has failed. There must be more tiles than the sound device
// has slots: otherwise these may take all tiles, and the broken device gets none to fail with.
inline void let_fail_first(FakeBehaviour& broken, FakeBehaviour& sound) {
  broken.failure = sound.waits_for = std::make_shared<std::atomic_flag>();
}

class FakeMatrixPairs : public MatrixPairs {
 public:
  FakeMatrixPairs(const MatrixPairsProblem& problem, const FakeBehaviour& behaviour)
      : problem_(problem), behaviour_(behaviour) {}
  void score(std::span<const Pair> pairs, const MatrixRounding& rounding, std::int32_t open,
             std::int32_t extend, std::span<std::int32_t> best, const StopFlag& stop) override {
    stop.throw_if_requested();
    const int batch = batches_++;
    if (behaviour_.dawdle) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (behaviour_.fail_matrix_pairs_from >= 0 && batch >= behaviour_.fail_matrix_pairs_from)
      throw Error(behaviour_.fail_kind, "The fake device fails.");
    for (std::size_t k = 0; k < pairs.size(); ++k)
      best[k] = rounded_matrix_score(problem_, pairs[k], rounding, open, extend);
  }

 private:
  const MatrixPairsProblem problem_;
  const FakeBehaviour behaviour_;
  std::atomic<int> batches_ = 0;
};

// Packed results that are not changed in any way.
class FakePacked : public PackedResults {
 public:
  explicit FakePacked(std::span<const PairResult> results) : results_(results) {}
  std::uint64_t size() const override { return results_.size(); }
  void unpack(std::uint64_t begin, std::uint64_t end, std::vector<PairResult>& results,
              std::vector<CigarRun>& runs) const override {
    results.assign(results_.begin() + static_cast<std::ptrdiff_t>(begin),
                   results_.begin() + static_cast<std::ptrdiff_t>(end));
    runs.clear();
    for (const PairResult& result : results)
      runs.insert(runs.end(), result.cigar.begin(), result.cigar.end());
    const CigarRun* next = runs.data();
    for (PairResult& result : results) {
      result.cigar = {next, result.cigar.size()};
      next += result.cigar.size();
    }
  }

 private:
  const std::span<const PairResult> results_;
};

class FakeDevice : public Device {
 public:
  FakeDevice(std::string name, FakeBehaviour behaviour) : behaviour_(behaviour) {
    info_.name = std::move(name);
    info_.kind = DeviceKind::cpu;
    info_.memory_bytes = behaviour.memory_bytes;
    info_.gcups = behaviour.gcups;
    info_.concurrency = behaviour.concurrency;
    info_.standby = behaviour.standby;
    info_.overlaps = behaviour.overlaps;
    info_.computes_on_host = behaviour.computes_on_host;
    info_.tile_share = behaviour.tile_share;
    info_.longest_tile_seconds = behaviour.longest_tile_seconds;
  }
  const DeviceInfo& info() const override { return info_; }
  std::string declines(const Problem&) const override { return behaviour_.declines; }
  Estimate estimate(const Tile& tile, const Problem&) const override {
    return {behaviour_.bytes_per_pair * pairs_of(tile).size(),
            static_cast<double>(tile.cells) / (info_.gcups * 1e9)};
  }
  std::shared_ptr<const DeviceSequences> load(std::shared_ptr<const SortedSequences> sequences) override {
    if (behaviour_.fail_load) throw Error(ErrorKind::device, info_.name + " cannot load.");
    const std::lock_guard lock(mutex_);
    loaded_.push_back(sequences);
    return Device::load(std::move(sequences));
  }
  std::unique_ptr<MatrixPairs> matrix_pairs(const MatrixPairsProblem& problem, const StopFlag&) override {
    return behaviour_.has_matrix_pairs ? std::make_unique<FakeMatrixPairs>(problem, behaviour_) : nullptr;
  }
  void run(const Tile& tile, const Problem& problem, Sink& sink) override {
    check_loaded(tile);
    const std::vector<PositionPair> pairs = pairs_of(tile);
    const std::vector<Alignment> alignments = compute(tile, pairs, problem, sink.stop_flag());
    if (behaviour_.hands_over_scores && problem.detail == Detail::score && sink.limit() == 0 &&
        tile.shape != TileShape::list)
      return hand_over_scores(tile, pairs, alignments, sink, info_.overlaps);
    std::vector<PairResult> results;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Alignment& a = alignments[i];
      // Bounds of all kinds: exact ones, and some that are wider below, above or on both sides of the score.
      const std::uint32_t row = pairs[i].row.value(), column = pairs[i].column.value();
      const auto below = static_cast<std::int32_t>(problem.bounds ? (row + column) % 4 : 0);
      const auto above = static_cast<std::int32_t>(problem.bounds ? column % 3 * 5 : 0);
      if (a.score + above >= sink.floor(pairs[i].row))
        results.push_back({pairs[i].row, pairs[i].column, a.score - below, below + above, a.query_begin,
                           a.query_end, a.subject_begin, a.subject_end, a.cigar,
                           count_of(tile, pairs[i], a, problem)});
    }
    if (behaviour_.keeps_to_the_limit && sink.limit() > 0) keep_best(results, sink.limit());
    if (info_.overlaps) sink.computed();
    if (behaviour_.packs && problem.detail != Detail::score && tile.shape != TileShape::list)
      return sink.accept_packed(tile, FakePacked(results));
    sink.accept(tile, results);
  }
  // The sequences that it was told to load, in turn.
  const std::vector<std::shared_ptr<const SortedSequences>>& loaded() const { return loaded_; }
  void prepare(double expected_seconds) override {
    const std::lock_guard lock(mutex_);
    announced_seconds_ += expected_seconds;
  }
  double announced_seconds() const { return announced_seconds_; }
  int runs() const { return runs_; }
  // The most and the fewest cells of a tile, and those of each tile in turn. Only if the concurrency is 1.
  std::uint64_t most_cells() const { return std::ranges::max(cells_); }
  std::uint64_t fewest_cells() const { return std::ranges::min(cells_); }
  const std::vector<std::uint64_t>& cells() const { return cells_; }
  // Returns true if it ever got more tiles at a time than its concurrency.
  bool was_crowded() const { return crowded_; }

  static std::vector<PositionPair> pairs_of(const Tile& tile) {
    if (tile.shape == TileShape::list) return tile.pairs;
    std::vector<PositionPair> pairs;
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row)
      for (Position column = tile.column_range.begin; column < tile.column_range.end; ++column)
        if (tile.shape == TileShape::rectangle || column >= tile.first_columns[row.value()])
          pairs.push_back({row, column});
    return pairs;
  }

 private:
  // Keeps those results of each row that score at least as high as the row's `limit`-th best.
  static void keep_best(std::vector<PairResult>& results, std::uint32_t limit) {
    std::map<Position, std::vector<std::int32_t>> scores;
    for (const PairResult& result : results) scores[result.row].push_back(result.score);
    for (auto& [row, of_row] : scores) {
      std::ranges::sort(of_row, std::ranges::greater());
      of_row.resize(std::min<std::size_t>(of_row.size(), limit));
    }
    std::erase_if(results,
                  [&](const PairResult& result) { return result.score < scores[result.row].back(); });
  }
  std::vector<Alignment> compute(const Tile& tile, std::span<const PositionPair> pairs,
                                 const Problem& problem, const StopFlag& stop) {
    struct Leave {
      std::atomic<int>& computing;
      ~Leave() { --computing; }
    };
    if (++computing_ > behaviour_.concurrency) crowded_ = true;
    const Leave leave{computing_};
    const int ordinal = runs_++;
    if (behaviour_.concurrency == 1) {
      const std::lock_guard lock(mutex_);
      cells_.push_back(tile.cells);
    }
    if (behaviour_.real_gcups > 0)
      std::this_thread::sleep_for(
          std::chrono::duration<double>(static_cast<double>(tile.cells) / (behaviour_.real_gcups * 1e9)));
    if (behaviour_.dawdle) {
      std::minstd_rand random(static_cast<unsigned>(ordinal) + 1);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
    }
    if (behaviour_.waits_for) behaviour_.waits_for->wait(false);
    if (behaviour_.fail_from >= 0 && ordinal >= behaviour_.fail_from) fail();
    if (pairs.size() > behaviour_.most_pairs) throw Error(ErrorKind::memory, info_.name + " has no memory.");
    std::vector<Alignment> alignments;
    for (const PositionPair& pair : pairs) {
      stop.throw_if_requested();
      const auto query = tile.rows->residues(pair.row), subject = tile.columns->residues(pair.column);
      if (query.size() * subject.size() > behaviour_.most_cells_of_pair)
        throw Error(ErrorKind::memory, info_.name + " has no memory for a pair.");
      alignments.push_back(align_reference(query, subject, problem.scoring, problem.detail));
    }
    return alignments;
  }
  [[noreturn]] void fail() const {
    if (behaviour_.failure) {
      behaviour_.failure->test_and_set();
      behaviour_.failure->notify_all();
    }
    throw Error(behaviour_.fail_kind, info_.name + " is broken.");
  }
  // Checks that the tile has the sequences that load() returned for its columns.
  void check_loaded(const Tile& tile) const {
    if (tile.device_columns == nullptr || &tile.device_columns->sorted() != tile.columns)
      throw Error(ErrorKind::other, info_.name + " has not loaded what the tile is of.");
  }
  static void hand_over_scores(const Tile& tile, std::span<const PositionPair> pairs,
                               std::span<const Alignment> alignments, Sink& sink, bool overlaps) {
    constexpr std::int32_t kNone = 987654321;  // where the tile has no pair
    const std::size_t columns = tile.column_range.size();
    std::vector<std::int32_t> scores(tile.row_range.size() * columns, kNone);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      scores[(pairs[i].row - tile.row_range.begin) * columns + (pairs[i].column - tile.column_range.begin)] =
          alignments[i].score;
    if (overlaps) sink.computed();
    sink.accept_scores(tile, {tile.column_range, scores.data()});
  }
  static AlignmentCounts count_of(const Tile& tile, const PositionPair& pair, const Alignment& alignment,
                                  const Problem& problem) {
    if (problem.detail != Detail::alignment) return {};
    return count(alignment, tile.rows->residues(pair.row), tile.columns->residues(pair.column),
                 problem.scoring.matrix);
  }

  std::mutex mutex_;  // guards what it records: several schedulers may use it at a time
  double announced_seconds_ = 0;
  FakeBehaviour behaviour_;
  DeviceInfo info_;
  std::atomic<int> runs_{0}, computing_{0};
  std::atomic<bool> crowded_{false};
  std::vector<std::uint64_t> cells_;
  std::vector<std::shared_ptr<const SortedSequences>> loaded_;
};

// Fake devices, and the pointers to them that the engine takes.
struct FakeDevices {
  explicit FakeDevices(const std::vector<FakeBehaviour>& behaviours = {FakeBehaviour{}}) {
    for (const FakeBehaviour& behaviour : behaviours) {
      owned.push_back(std::make_unique<FakeDevice>("fake:" + std::to_string(owned.size()), behaviour));
      pointers.push_back(owned.back().get());
    }
  }
  std::vector<std::unique_ptr<FakeDevice>> owned;
  std::vector<Device*> pointers;
};

// Returns `count` sequences of random letters and of random lengths from 0 to `longest`.
inline SequenceSet random_sequences(unsigned seed, std::uint32_t count, std::size_t longest) {
  std::mt19937 random(seed);
  SequenceSetBuilder builder(AlphabetKind::protein, "random");
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<Residue> residues(random() % (longest + 1));
    for (Residue& residue : residues) residue = static_cast<Residue>(random() % 20);
    builder.add("s" + std::to_string(i), residues);
  }
  return builder.finish();
}

}  // namespace alnus::test
