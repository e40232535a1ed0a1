#include "cuda/cuda_device.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <mutex>
#include <optional>
#include <sys/types.h>
#include <unistd.h>
#include <utility>
#include <variant>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/first_position.h"
#include "cuda/chains.h"
#include "cuda/kernels/long_scores.h"
#include "cuda/kernels/matrix_scores.h"
#include "cuda/kernels/pair_matrices.h"
#include "cuda/kernels/pairs.h"
#include "cuda/kernels/search.h"
#include "cuda/kernels/subsequences.h"
#include "cuda/kernels/trace.h"
#include "cuda/kernels/traceback16.h"
#include "cuda/limits.h"
#include "cuda/matrix_scorer.h"
#include "cuda/pair_aligner.h"
#include "cuda/paper_methods.h"
#include "cuda/rectangle_aligner.h"
#include "cuda/score_search.h"
#include "cuda/stopper.h"
#include "cuda/subsequence_scores.h"
#include "cuda/tuning.h"

namespace alnus::cuda {
namespace {

// What --method forces: nothing, 32 bits for everything, or a version of the 16-bit kernel.
struct Method {
  bool pairs = false;
  std::optional<Version> version{};
};

Method parse_method(const std::string& name) {
  if (name == "auto") return {};
  if (name == "pairs") return {true};
  if (const std::optional<Version> version = version_of(name)) return {false, version};
  const std::vector<std::string> names = methods();
  throw Error(ErrorKind::input,
              fmt::format("Unknown method {} for a GPU; {}", in_quotes(name), suggestion(name, names)));
}

bool is_of_paper(const std::string& name) {
  const std::vector<PaperMethod> papers = paper_methods();
  return std::ranges::find(papers, name, &PaperMethod::name) != papers.end();
}

DeviceInfo info_of(int ordinal, std::uint64_t memory_bytes) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  DeviceInfo info;
  info.name = fmt::format("cuda:{}", ordinal);
  info.kind = DeviceKind::cuda;
  info.memory_bytes = static_cast<std::uint64_t>(
      kWorkShare * static_cast<double>(std::min<std::uint64_t>(memory_bytes, properties.totalGlobalMem)));
  info.gcups = kNarrow[0].tcups * 1000 * properties.multiProcessorCount / kFullMultiprocessors;
  // A tile of any number of pairs keeps all multiprocessors busy but at its end. So each GPU gets one tile
  // with nearly all of its work, and what remains makes up for differences between GPUs.
  info.tile_share = 0.99;
  info.shortest_tile_seconds = 0.005;
  info.longest_tile_seconds = 2;
  info.most_pairs = kMostPairsOfTile;
  info.largest_top_k = kMostSelected;
  info.overlaps = true;
  info.description =
      fmt::format("{}, compute capability {}.{}, {} multiprocessors, {:.0f} GiB", properties.name,
                  properties.major, properties.minor, properties.multiProcessorCount,
                  static_cast<double>(properties.totalGlobalMem) / (1 << 30));
  return info;
}

// Returns how many cells are computed if each `rows_at_a_time` consecutive rows of a tile are computed as one
// rectangle, with all columns that the first of these rows has.
double cells_around(const Tile& tile, std::uint32_t rows_at_a_time) {
  double cells = 0;
  for (Position row = tile.row_range.begin; row < tile.row_range.end;) {
    const Position next = row + std::min(rows_at_a_time, tile.row_range.end - row);
    cells += static_cast<double>(tile.rows->residues({row, next})) *
             static_cast<double>(tile.columns->residues(tile.columns_of(row)));
    row = next;
  }
  return cells;
}

// Bytes of the device's memory that are free, but no more than `most`.
std::uint64_t free_bytes(int ordinal, std::uint64_t most) {
  check(cudaSetDevice(ordinal), "cudaSetDevice");
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  return std::min<std::uint64_t>(free, most);
}

// The results of a tile, in the forms in which run() hands them over to the sink. The device still copies the
// results of `Alignments*` to the host; those of `PackedResults*` are complete.
using ToHandOver = std::variant<std::span<const PairResult>, FoundPairs*, TileScores, const Alignments*,
                                const PackedResults*>;

// The floors that a sink has now, for all rows of a tile or for none, so that the parts of a tile agree
// whether pairs are listed.
class FixedFloors : public Sink {
 public:
  FixedFloors(const Sink& sink, PositionRange rows) : sink_(sink), first_(rows.begin) {
    const bool lists = has_floors(sink, rows);
    for (Position row = rows.begin; row < rows.end; ++row)
      floors_.push_back(lists ? std::max(sink.floor(row), kLowest + 1) : kLowest);
  }
  void accept(const Tile&, std::span<const PairResult>) override {}
  std::int32_t floor(Position row) const override { return floors_[row - first_]; }
  std::int32_t floor_in(Position row, PositionRange columns) const override {
    return floor(row) == kLowest ? kLowest : std::max(floor(row), sink_.floor_in(row, columns));
  }
  const StopFlag& stop_flag() const override { return sink_.stop_flag(); }

 private:
  static constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  const Sink& sink_;
  const Position first_;
  std::vector<std::int32_t> floors_;
};

// Computes one tile at a time. Buffers stay from tile to tile.
struct Worker {
  Worker(int multiprocessors, std::size_t shared_bytes, std::uint64_t memory_bytes)
      : score_search(multiprocessors, shared_bytes, memory_bytes / 2, uploader, stopper),
        subsequence_scores(uploader, stopper),
        rectangle_aligner(multiprocessors, memory_bytes / 2, uploader, stopper),
        pair_aligner(multiprocessors, memory_bytes, stopper) {
    // Loads all kernels now: loading a kernel waits for kernels that run, and nobody would look at the stop
    // flag meanwhile.
    for (const auto load : {load_search_kernels, load_pairs_kernels, load_trace_kernels,
                            load_traceback16_kernels, load_pair_matrices_kernels, load_matrix_scores_kernels,
                            load_long_scores_kernel, load_subsequence_kernels})
      check(load(), "cudaFuncGetAttributes");
  }

  ToHandOver search(const Tile& tile, const Problem& problem, const Sink& sink,
                    const std::optional<Version>& version, FoundBuffers& buffers) {
    Tile part = tile;
    if (tile.row_range.size() > 0) part.column_range = tile.columns_of(tile.row_range.begin);
    const Found found =
        score_search.run(part, problem.scoring, sink, columns_of(tile), version, buffers, stages);
    return std::visit([](const auto& results) -> ToHandOver { return results; }, found);
  }
  ToHandOver common_subsequences(const Tile& tile, const Problem& problem, const Sink& floors_of,
                                 FoundBuffers& buffers) {
    const FixedFloors sink(floors_of, tile.row_range);
    const Found found =
        subsequence_scores.run(tile, problem.scoring, sink, columns_of(tile), buffers, stages);
    Tile long_rows = tile;
    long_rows.row_range = SubsequenceScores::long_rows(tile);
    if (long_rows.row_range.size() > 0) {
      const ToHandOver rest = search(long_rows, problem, sink, {}, found_of_long_rows);
      if (FoundPairs* const* const pairs = std::get_if<FoundPairs*>(&rest)) {
        buffers.pairs.take(**pairs);
      } else {
        const std::uint64_t width = tile.column_range.size();
        for (Position row = tile.row_range.begin; row < long_rows.row_range.end; ++row) {
          const std::span<const std::int32_t> scores = std::get<TileScores>(rest).of_row(tile, row);
          std::ranges::copy(
              scores, buffers.all_scores.data() + (row - tile.row_range.begin + 1) * width - scores.size());
        }
      }
    }
    return std::visit([](const auto& results) -> ToHandOver { return results; }, found);
  }
  ToHandOver align_rectangle(const Tile& tile, const Problem& problem, const Sink& sink,
                             Alignments& alignments) {
    rectangle_aligner.run(tile, problem, columns_of(tile), alignments, stages);
    if (!rectangle_aligner.left().empty()) {
      rectangle_aligner.release();
      Tile left = tile;
      left.shape = TileShape::list;
      left.pairs = rectangle_aligner.left();
      std::ranges::stable_sort(left.pairs, {}, &PositionPair::row);
      alignments.add(align_pairs(left, problem, sink));
      // PairAligner has the CIGARs of the added results, so the worker must not run another tile before the
      // sink has taken them. Results that are returned in these two forms keep run() from unlocking before
      // that.
      alignments.wait(sink.stop_flag());
      if (alignments.packed()) return static_cast<const PackedResults*>(&alignments);
      return alignments.results();
    }
    return &alignments;
  }
  std::span<const PairResult> align_pairs(const Tile& tile, const Problem& problem, const Sink& sink) {
    const auto start = std::chrono::steady_clock::now();
    const std::span<const PairResult> results = pair_aligner.run(tile, problem, sink);
    stages.alignment += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return results;
  }

  // To be called after a run that was stopped: waits until nothing of it is left on the device, so that the
  // next run can begin.
  void settle() {
    score_search.settle();
    subsequence_scores.settle();
    rectangle_aligner.settle();
    pair_aligner.settle();
    stopper.reset();
  }

  // The device sequences of a tile are those that CudaDevice::load() returned.
  static const CudaSequences& columns_of(const Tile& tile) {
    return static_cast<const CudaSequences&>(*tile.device_columns);
  }

  Stopper stopper;
  Uploader uploader{stopper};
  ScoreSearch score_search;
  SubsequenceScores subsequence_scores;
  FoundBuffers found_of_long_rows;  // in common_subsequences()
  RectangleAligner rectangle_aligner;
  PairAligner pair_aligner;
  Stages stages;
};

class CudaDevice : public Device {
 public:
  explicit CudaDevice(const CudaOptions& options)
      : ordinal_(options.ordinal),
        method_(parse_method(options.method)),
        info_(info_of(options.ordinal, free_bytes(options.ordinal, options.memory_bytes))),
        residency_(std::make_shared<Residency>(
            ordinal_, static_cast<std::uint64_t>(kDatabaseShare / kWorkShare *
                                                 static_cast<double>(info_.memory_bytes)))),
        multiprocessors_(attribute(cudaDevAttrMultiProcessorCount)),
        matrix_scorer_(ordinal_, multiprocessors_, info_.memory_bytes / kMatrixScorerPart) {
    shared_bytes_ = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  }

  ~CudaDevice() override { cudaSetDevice(ordinal_); }  // makes it current while the members free its memory

  const DeviceInfo& info() const override { return info_; }

  std::string declines(const Problem& problem) const override {
    if (!method_.version) return {};
    const std::optional<Shape>& shape = method_.version->shape;
    if (problem.scoring.mode != Mode::local &&
        (method_.version->packing != Packing::two_queries || method_.version->coarse))
      return "The chosen method is for mode local.";
    if (!ScoreSearch::fits(problem.scoring))
      return "The chosen method has 16 bits, which do not suffice for these scores and gap costs.";
    if (shape &&
        Scores16Kernel::shared_bytes(*shape, Letters(problem.scoring.matrix).count()) > shared_bytes_)
      return "The chosen method's profile of this matrix does not fit the shared memory.";
    return {};
  }

  Estimate estimate(const Tile& tile, const Problem& problem) const override {
    Estimate estimate;
    const double share = info_.gcups / (kNarrow[0].tcups * 1000);
    auto cells = static_cast<double>(tile.cells);
    if (searches(tile, problem)) {
      if (tile.shape == TileShape::staircase) cells = cells_around(tile, UINT32_MAX);
      // The bytes are those of the scores, of the profiles (two halves of 2 bytes for each residue of the
      // rows with each letter), and of what ScoreSearch gets of the memory.
      constexpr std::uint64_t kProfileBytes = 2 * kMaxLetters;
      estimate.bytes =
          std::uint64_t{tile.row_range.size()} * tile.column_range.size() * sizeof(std::int32_t) +
          2 * kProfileBytes * tile.rows->residues(tile.row_range) + info_.memory_bytes / 2;
      const double unknown = 1 - ScoreSearch::known_share(tile, problem.scoring);
      estimate.seconds = problem.scoring.mode == Mode::local
                             ? (cells + wide_cells(tile) * (kCoarseFaster - 1)) / (info_.gcups * 1e9)
                             : cells / (share * 1e12) * (1 / kEndsTcups + unknown / kPairsTcups);
      // If a job of few rows is cut into tiles by columns, one tile has all the long subjects. This tile
      // takes longer than the number of its cells tells, but not more than twice as long.
      estimate.seconds += std::min(estimate.seconds, seconds_of_longest(tile, problem.scoring));
      if (finds_subsequences(tile, problem)) estimate.seconds = cells / (share * kSubsequenceTcups * 1e12);
    } else {
      // The host holds all results of a tile at once, so tiles of more than most_pairs pairs are said to need
      // more bytes than any GPU has.
      const bool rectangle = aligns_rectangle(tile, problem);
      if (rectangle) cells = cells_around(tile, kMostAlignedRows);
      const std::uint64_t most_pairs = rectangle ? kMostRectanglePairs : kMostListedPairs;
      const std::uint64_t pairs = tile.shape == TileShape::list
                                      ? tile.pairs.size()
                                      : std::uint64_t{tile.row_range.size()} * tile.column_range.size();
      estimate.bytes = pairs > most_pairs ? UINT64_MAX : info_.memory_bytes / 2;
      const double known = rectangle ? ScoreSearch::known_share(tile, problem.scoring) : 0;
      const double of_pairs = problem.detail == Detail::alignment ? kTraceTcups : kPairsTcups;
      estimate.seconds = cells / (share * 1e12) * (known / kRectanglesTcups + (1 - known) / of_pairs);
    }
    return estimate;
  }

  // Sets that no call uses stay for a while, so that another search finds its database in the device's
  // memory.
  std::shared_ptr<const DeviceSequences> load(std::shared_ptr<const SortedSequences> sequences) override {
    // These are destroyed after the lock is released, because freeing memory may take long.
    std::vector<std::shared_ptr<CudaSequences>> dropped;
    const std::lock_guard lock(mutex_);
    const auto found = find_held(*sequences);
    if (found != held_.end()) {
      std::rotate(held_.begin(), found, found + 1);
      return held_.front();
    }
    const auto loaded = std::make_shared<CudaSequences>(std::move(sequences), residency_);
    // Up to kKeptSets sets that nobody uses now stay, if they have device memory.
    std::size_t kept = 0;
    for (auto held = held_.begin(); held != held_.end();) {
      if (held->use_count() > 1 || ((*held)->resident_bytes() > 0 && ++kept <= kKeptSets)) {
        ++held;
      } else {
        dropped.push_back(std::move(*held));
        held = held_.erase(held);
      }
    }
    held_.insert(held_.begin(), loaded);
    return loaded;
  }

  void forget(const std::shared_ptr<const SortedSequences>& sequences) override {
    drop([&](const CudaSequences& held) { return same_sequences(held.sorted(), *sequences); });
  }
  void unload(const SortedSequences& sequences) override {
    drop([&](const CudaSequences& held) { return &held.sorted() == &sequences; });
  }

  DeviceCounters counters() const override { return residency_->counters(); }

  std::unique_ptr<MatrixPairs> matrix_pairs(const MatrixPairsProblem& problem,
                                            const StopFlag& stop_flag) override {
    return matrix_scorer_.begin(problem, stop_flag);
  }

  void run(const Tile& tile, const Problem& problem, Sink& sink) override {
    std::unique_lock running = lock_unless_stopped(running_, sink.stop_flag());
    std::unique_lock<std::timed_mutex> delivering;
    Delivery& delivery = free_delivery(delivering, sink.stop_flag());
    try {
      check(cudaSetDevice(ordinal_), "cudaSetDevice");
      const ToHandOver found = results_of(tile, problem, sink, delivery);
      if (const auto* const results = std::get_if<std::span<const PairResult>>(&found))
        return sink.accept(tile, *results);
      if (const auto* const packed = std::get_if<const PackedResults*>(&found))
        return sink.accept_packed(tile, **packed);
      running.unlock();
      sink.computed();
      if (const auto* const landing = std::get_if<const Alignments*>(&found))
        hand_over(tile, **landing, sink);
      else if (FoundPairs* const* const pairs = std::get_if<FoundPairs*>(&found))
        (*pairs)->hand_over(tile, sink);
      else
        sink.accept_scores(tile, std::get<TileScores>(found));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::memory) throw;
      throw Error(error.kind(),
                  fmt::format("{} Tile {}: {} x {} sequences, {} pairs listed.", error.marked(), tile.ordinal,
                              tile.row_range.size(), tile.column_range.size(), tile.pairs.size()));
    }
  }

  std::vector<StageTime> take_stage_times() override {
    const std::lock_guard running(running_);
    Stages taken = std::exchange(stages_, {});
    if (worker_) taken += std::exchange(worker_->stages, {});
    return {{"upload", taken.upload},
            {"kernel", taken.kernel},
            {"selection", taken.selection},
            {"alignment", taken.alignment}};
  }

 private:
  // Buffers from which a sink takes the results of a tile while the next tile is computed.
  struct Delivery {
    std::timed_mutex under_way;
    FoundBuffers found;
    Alignments alignments;
  };

  static void hand_over(const Tile& tile, const Alignments& alignments, Sink& sink) {
    alignments.wait(sink.stop_flag());
    if (alignments.packed())
      sink.accept_packed(tile, alignments);
    else
      sink.accept(tile, alignments.results());
  }
  template <class Wanted>
  void drop(const Wanted& wanted) {
    std::shared_ptr<CudaSequences> dropped;  // destroyed after the lock is released, as in load()
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(held_, [&](const auto& held) { return wanted(*held); });
    if (found == held_.end()) return;
    dropped = std::move(*found);
    held_.erase(found);
  }
  // Returns the place in held_ of the set with these sequences, or held_.end(). To be called with mutex_
  // locked.
  std::vector<std::shared_ptr<CudaSequences>>::iterator find_held(const SortedSequences& sequences) {
    return std::ranges::find_if(held_, [&](const std::shared_ptr<CudaSequences>& held) {
      return same_sequences(held->sorted(), sequences);
    });
  }
  int attribute(cudaDeviceAttr which) const {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, ordinal_), "cudaDeviceGetAttribute");
    return value;
  }
  bool searches(const Tile& tile, const Problem& problem) const {
    if (method_.pairs || problem.detail != Detail::score || tile.shape == TileShape::list ||
        !ScoreSearch::fits(problem.scoring))
      return false;
    // Tiles whose scores may reach kHighest32 go to PairAligner, which throws an error for such a pair. So do
    // tiles if 16 bits suffice for less than kKnownShare of their cells.
    if (tile.row_range.size() == 0 || tile.column_range.size() == 0) return true;
    const std::uint64_t m = tile.rows->length(tile.row_range.begin),
                        n = tile.columns->length(tile.column_range.begin);
    const auto cost = [](std::int32_t score) { return static_cast<std::uint64_t>(std::max(score, 0)); };
    const Scoring& scoring = problem.scoring;
    const std::uint64_t gaps =
        scoring.mode == Mode::local ? 0 : 2 * cost(scoring.open) + (m + n) * cost(scoring.extend);
    return std::min(m, n) * cost(scoring.matrix.highest()) + gaps < kHighest32 &&
           ScoreSearch::known_share(tile, scoring) >= kKnownShare;
  }
  // True for tiles of searches() that SubsequenceScores does.
  bool finds_subsequences(const Tile& tile, const Problem& problem) const {
    return !method_.version && SubsequenceScores::takes(tile, problem);
  }
  bool aligns_rectangle(const Tile& tile, const Problem& problem) const {
    return !method_.pairs && (!method_.version || method_.version->packing == Packing::two_queries) &&
           problem.detail != Detail::score && tile.shape != TileShape::list &&
           RectangleAligner::fits(problem.scoring, shared_bytes_);
  }
  // The cells of a tile that are computed exactly even if coarse versions of scores16 (whose scores may be
  // too low) compute the others, because their subjects are long; 0 for tiles of fewer than kLongRunCells
  // cells.
  static double wide_cells(const Tile& tile) {
    const PositionRange columns = tile.column_range;
    if (static_cast<double>(tile.cells) < kLongRunCells || columns.size() == 0) return 0;
    const Position others = first_position(
        columns, [&](Position position) { return tile.columns->length(position) <= kNarrowBelow; });
    return static_cast<double>(tile.cells) *
           static_cast<double>(tile.columns->residues({columns.begin, others})) /
           static_cast<double>(tile.columns->residues(columns));
  }
  // Returns an upper bound of the seconds that a warp takes for the columns of the longest subject, or of the
  // longest window if subjects are cut in windows. The highest score of the matrix bounds the length of
  // windows.
  static double seconds_of_longest(const Tile& tile, const Scoring& scoring) {
    if (tile.row_range.size() == 0 || tile.column_range.size() == 0) return 0;
    std::uint64_t columns = tile.columns->length(tile.column_range.begin);
    if (scoring.mode == Mode::local) {
      const std::uint64_t residues = tile.rows->length(tile.row_range.begin);
      const std::int64_t best = static_cast<std::int64_t>(residues) * std::max(scoring.matrix.highest(), 0);
      const std::uint64_t span = longest_span(residues, best, scoring.open, scoring.extend);
      if (span > 0) columns = std::min(columns, 2 * std::max(span, kShortestSpan));
    }
    return static_cast<double>(columns) * kClocksOfPairStep / kClock;
  }
  // Runs a tile. A run that failed may have left work on the device, and the worker's buffers may be what
  // fills the memory. So the next run gets a new worker, and after Error(memory) this tile is tried once
  // more.
  ToHandOver results_of(const Tile& tile, const Problem& problem, const Sink& sink, Delivery& delivery) {
    const auto run = [&]() -> ToHandOver {
      if (!worker_) worker_ = std::make_unique<Worker>(multiprocessors_, shared_bytes_, info_.memory_bytes);
      // In a staircase, `select` would choose the best of a row also among pairs outside the staircase.
      const bool chooses = tile.shape == TileShape::staircase && sink.limit() > 0;
      worker_->stopper.begin(sink.stop_flag());
      if (searches(tile, problem) && finds_subsequences(tile, problem) && sink.limit() == 0)
        return worker_->common_subsequences(tile, problem, sink, delivery.found);
      if (searches(tile, problem) && !chooses)
        return worker_->search(tile, problem, sink, method_.version, delivery.found);
      if (aligns_rectangle(tile, problem))
        return worker_->align_rectangle(tile, problem, sink, delivery.alignments);
      return worker_->align_pairs(tile, problem, sink);
    };
    try {
      return run();
    } catch (const Interrupted&) {
      settle_worker();
      throw;
    } catch (const TooManyFound&) {  // the worker can go on
      throw;
    } catch (const Error& error) {
      forget_worker();
      if (error.kind() != ErrorKind::memory) throw;
    } catch (...) {
      forget_worker();
      throw;
    }
    try {
      return run();
    } catch (const Interrupted&) {
      settle_worker();
      throw;
    } catch (const TooManyFound&) {
      throw;
    } catch (const Error& error) {
      forget_worker();
      const bool subjects_lack_room = (searches(tile, problem) || aligns_rectangle(tile, problem)) &&
                                      Worker::columns_of(tile).lacks_room();
      if (error.kind() != ErrorKind::memory || !subjects_lack_room) throw;
      // A smaller tile needs the same subjects, so cutting the tile is of no use, and the error is not
      // Error(memory).
      throw Error(ErrorKind::device,
                  fmt::format("{} Other programs may fill the device; {} says how much may be used.",
                              error.marked(), option("device_memory")));
    } catch (...) {
      forget_worker();
      throw;
    }
  }
  Delivery& free_delivery(std::unique_lock<std::timed_mutex>& delivering, const StopFlag& flag) {
    for (Delivery& delivery : deliveries_) {
      delivering = std::unique_lock(delivery.under_way, std::try_to_lock);
      if (delivering) return delivery;
    }
    delivering = lock_unless_stopped(deliveries_.front().under_way, flag);
    return deliveries_.front();
  }
  // After a run that was stopped no new worker is needed, unless the device has failed meanwhile.
  void settle_worker() {
    try {
      worker_->settle();
    } catch (const Error&) {
      forget_worker();
    }
  }
  void forget_worker() {
    if (worker_) stages_ += worker_->stages;
    worker_ = nullptr;
  }

  const int ordinal_;
  const Method method_;
  const DeviceInfo info_;
  const std::shared_ptr<Residency> residency_;
  const int multiprocessors_;
  std::size_t shared_bytes_ = 0;                      // bytes of shared memory that a thread block can have
  std::mutex mutex_;                                  // guards held_
  std::vector<std::shared_ptr<CudaSequences>> held_;  // the last used set first
  MatrixScorer matrix_scorer_;
  std::timed_mutex running_;  // held while a tile is computed
  std::unique_ptr<Worker> worker_;
  std::array<Delivery, 2> deliveries_;
  Stages stages_;  // times of workers that were dropped
};

}  // namespace

std::vector<PaperMethod> paper_methods() {
  return &alnus_paper_methods == nullptr ? std::vector<PaperMethod>{} : alnus_paper_methods.all();
}

std::vector<std::string> methods() {
  std::vector<std::string> names = version_names();
  names.insert(names.begin(), "auto");
  names.push_back("pairs");
  for (const PaperMethod& method : paper_methods()) names.emplace_back(method.name);
  return names;
}

namespace {

// The process that uses CUDA; 0: none yet. CUDA's state does not work in a child after fork().
std::atomic<pid_t> process_of_cuda = 0;

bool is_parents() {
  const pid_t process = process_of_cuda;
  return process != 0 && process != ::getpid();
}

cudaError_t count_devices(int& count) {
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) process_of_cuda = ::getpid();
  return status;
}

}  // namespace

std::string why_unavailable() {
  if (is_parents())
    return "this process was forked from one that uses GPUs, which CUDA does not allow; start it by spawn or "
           "exec";
  int count = 0;
  const cudaError_t status = count_devices(count);
  if (status == cudaSuccess && count > 0) return {};
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) return "there is no NVIDIA driver";
  if (status == cudaErrorInsufficientDriver)
    return fmt::format("the NVIDIA driver is too old: it is for CUDA {}.{}, and {}.{} is needed",
                       driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  if (status == cudaSuccess) return "no GPU is visible";
  return cudaGetErrorString(status);
}

int device_count() {
  int count = 0;
  return !is_parents() && count_devices(count) == cudaSuccess ? count : 0;
}

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> infos;
  const int count = device_count();
  infos.reserve(static_cast<std::size_t>(count));
  for (int ordinal = 0; ordinal < count; ++ordinal) infos.push_back(info_of(ordinal, UINT64_MAX));
  return infos;
}

std::unique_ptr<Device> make_cuda_device(const CudaOptions& options) {
  const bool of_paper = is_of_paper(options.method);
  if (!of_paper) parse_method(options.method);
  if (const std::string reason = why_unavailable(); !reason.empty())
    throw Error(ErrorKind::device, fmt::format("There is no device cuda:{}: {}.", options.ordinal, reason));
  if (options.ordinal < 0 || options.ordinal >= device_count())
    throw Error(ErrorKind::device, fmt::format("There is no device cuda:{}; there are {} GPUs.",
                                               options.ordinal, device_count()));
  if (!of_paper) return std::make_unique<CudaDevice>(options);
  return alnus_paper_methods.make_device(
      options.method,
      std::make_unique<CudaDevice>(CudaOptions{options.ordinal, "auto", options.memory_bytes}),
      options.ordinal);
}

}  // namespace alnus::cuda
