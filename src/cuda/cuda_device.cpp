#include "cuda/cuda_device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "alnus/error.h"
#include "core/first_position.h"
#include "core/nearest.h"
#include "cuda/methods/method_device.h"
#include "cuda/pair_aligner.h"
#include "cuda/rectangle_aligner.h"
#include "cuda/score_search.h"
#include "cuda/tuning.h"

namespace alnus::cuda {
namespace {

// What --method says: nothing, 32 bits for everything, or a version of the 16-bit kernel.
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
              fmt::format("Unknown method '{}' for a GPU; did you mean '{}'?", name, nearest(name, names)));
}

bool is_of_paper(const std::string& name) {
  const std::vector<PaperMethod> papers = paper_methods();
  return std::ranges::find(papers, name, &PaperMethod::name) != papers.end();
}

// Of the memory that may be used: for a database, and for the work of a tile.
constexpr double kResidentShare = 0.55, kWorkShare = 0.4;

DeviceInfo info_of(int ordinal, std::uint64_t memory_bytes) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  DeviceInfo info;
  info.name = fmt::format("cuda:{}", ordinal);
  info.kind = DeviceKind::cuda;
  info.memory_bytes = static_cast<std::uint64_t>(
      kWorkShare * static_cast<double>(std::min<std::uint64_t>(memory_bytes, properties.totalGlobalMem)));
  info.gcups = kNarrow[0].tcups * 1000 * properties.multiProcessorCount / kFullMultiprocessors;
  // A tile keeps all multiprocessors busy but at its end, however many pairs it has. So there is one of them
  // for each GPU, and what is left makes up for their differences.
  info.tile_share = 0.99;
  info.shortest_tile_seconds = 0.005;
  info.longest_tile_seconds = 2;
  info.most_pairs = std::uint64_t{1} << 30;
  info.overlaps = true;
  info.description =
      fmt::format("{}, compute capability {}.{}, {} multiprocessors, {:.0f} GiB", properties.name,
                  properties.major, properties.minor, properties.multiProcessorCount,
                  static_cast<double>(properties.totalGlobalMem) / (1 << 30));
  return info;
}

// Of the rectangles that so many rows of a tile at a time fill.
double cells_around(const Tile& tile, std::uint32_t rows_at_a_time) {
  double cells = 0;
  for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end;) {
    const Range columns = tile.columns_of(row);
    const std::uint32_t next = row + std::min(rows_at_a_time, tile.row_range.end - row);
    const auto residues = [](const Resident& set, std::uint32_t begin, std::uint32_t end) {
      return static_cast<double>(set.residues_before(end) - set.residues_before(begin));
    };
    cells += residues(*tile.rows, row, next) * residues(*tile.columns, columns.begin, columns.end);
    row = next;
  }
  return cells;
}

// What nobody has taken yet of the device's memory, and `most` at most.
std::uint64_t free_bytes(int ordinal, std::uint64_t most) {
  check(cudaSetDevice(ordinal), "cudaSetDevice");
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  return std::min<std::uint64_t>(free, most);
}

// What a tile's run has for the sink.
using ToHandOver = std::variant<std::span<const PairResult>, TileScores, Alignments*>;

// What one tile at a time is done with. Buffers stay from tile to tile.
struct Worker {
  Worker(int multiprocessors, std::size_t shared_bytes, std::uint64_t memory_bytes)
      : score_search(multiprocessors, shared_bytes, memory_bytes / 2),
        rectangle_aligner(multiprocessors, shared_bytes, memory_bytes / 2),
        pair_aligner(multiprocessors, memory_bytes) {}

  ToHandOver search(const Tile& tile, const Problem& problem, const Sink& sink,
                    const std::optional<Version>& version, PinnedArray<std::int32_t>& all_scores) {
    Tile part = tile;
    if (tile.row_range.size() > 0) part.column_range = tile.columns_of(tile.row_range.begin);
    const Found found =
        score_search.run(part, problem.scoring, sink, resident(tile), version, all_scores, stages);
    return std::visit([](const auto& results) -> ToHandOver { return results; }, found);
  }
  ToHandOver align_rectangle(const Tile& tile, const Problem& problem, const Sink& sink,
                             Alignments& alignments) {
    rectangle_aligner.run(tile, problem, resident(tile), alignments, stages);
    if (!rectangle_aligner.left().empty()) {
      rectangle_aligner.release();
      Tile left = tile;
      left.shape = TileShape::list;
      left.pairs = rectangle_aligner.left();
      std::ranges::stable_sort(left.pairs, {}, &PairIndex::row);
      rectangle_aligner.add(align_pairs(left, problem, sink), alignments);
      return alignments
          .wait();  // the worker has their CIGARs: it must not run another tile before they are taken
    }
    return &alignments;
  }
  std::span<const PairResult> align_pairs(const Tile& tile, const Problem& problem, const Sink& sink) {
    const auto start = std::chrono::steady_clock::now();
    const std::span<const PairResult> results = pair_aligner.run(tile, problem, sink);
    stages.alignment += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return results;
  }

  // Tiles come with what load() gave.
  static const CudaResident& resident(const Tile& tile) {
    return static_cast<const CudaResident&>(*tile.columns);
  }

  ScoreSearch score_search;
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
        resident_bytes_(static_cast<std::uint64_t>(kResidentShare / kWorkShare *
                                                   static_cast<double>(info_.memory_bytes))) {
    multiprocessors_ = attribute(cudaDevAttrMultiProcessorCount);
    shared_bytes_ = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  }

  ~CudaDevice() override { cudaSetDevice(ordinal_); }  // whose memory the members give back

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
      // Scores, and profiles of two halves of 2 bytes for each letter and its pad.
      constexpr std::uint64_t kProfileBytes = 2 * kMaxLetters;
      const std::uint64_t row_residues =
          tile.rows->residues_before(tile.row_range.end) - tile.rows->residues_before(tile.row_range.begin);
      estimate.bytes =
          std::uint64_t{tile.row_range.size()} * tile.column_range.size() * sizeof(std::int32_t) +
          2 * kProfileBytes * row_residues + info_.memory_bytes / 2;
      const double unknown = 1 - ScoreSearch::known_share(tile, problem.scoring);
      estimate.seconds = problem.scoring.mode == Mode::local
                             ? (cells + wide_cells(tile) * (kCoarseFaster - 1)) / (info_.gcups * 1e9)
                             : cells / (share * 1e12) * (1 / kEndsTcups + unknown / kPairsTcups);
    } else {
      // Of so many pairs the host holds all results.
      const bool rectangle = aligns_rectangle(tile, problem);
      if (rectangle) cells = cells_around(tile, RectangleAligner::kMostRows);
      const std::uint64_t most_pairs = rectangle ? 1 << 22 : 1 << 20;
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

  // The last few sets stay, so that a search of the same database finds it in the device's memory.
  std::shared_ptr<const Resident> load(const SequenceSet& sequences) override {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const std::shared_ptr<CudaResident>& resident) {
      return same_sequences(resident->sequences(), sequences);
    };
    const auto found = std::find_if(residents_.begin(), residents_.end(), same);
    if (found != residents_.end()) {
      std::rotate(residents_.begin(), found, found + 1);
      return residents_.front();
    }
    check(cudaSetDevice(ordinal_), "cudaSetDevice");
    const auto loaded = std::make_shared<CudaResident>(sequences, resident_bytes_);
    // Sets that nobody uses leave when there are many, or not room for all.
    std::uint64_t bytes = loaded->all_bytes();
    std::size_t kept = 0;
    std::erase_if(residents_, [&](const std::shared_ptr<CudaResident>& resident) {
      constexpr std::size_t kKept = 2;
      bytes += resident->held_bytes();
      return resident.use_count() == 1 && (++kept > kKept || bytes > resident_bytes_);
    });
    residents_.insert(residents_.begin(), loaded);
    return loaded;
  }

  void run(const Tile& tile, const Problem& problem, Sink& sink) override {
    std::unique_lock running(running_);
    std::unique_lock<std::mutex> delivering;
    Delivery& delivery = free_delivery(delivering);
    try {
      check(cudaSetDevice(ordinal_), "cudaSetDevice");
      const ToHandOver found = results_of(tile, problem, sink, delivery);
      if (const auto* const results = std::get_if<std::span<const PairResult>>(&found))
        return sink.accept(tile, *results);
      running.unlock();
      sink.computed();
      if (auto* const* const alignments = std::get_if<Alignments*>(&found))
        sink.accept(tile, (*alignments)->wait());
      else
        sink.accept_scores(tile, std::get<TileScores>(found));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::memory) throw;
      throw Error(error.kind(),
                  fmt::format("{} Tile {}: {} x {} sequences, {} pairs listed.", error.what(), tile.ordinal,
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
  // What a sink takes while the next tile is computed.
  struct Delivery {
    std::mutex under_way;
    PinnedArray<std::int32_t> scores;
    Alignments alignments;
  };

  int attribute(cudaDeviceAttr which) const {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, ordinal_), "cudaDeviceGetAttribute");
    return value;
  }
  bool searches(const Tile& tile, const Problem& problem) const {
    if (method_.pairs || problem.detail != Detail::score || tile.shape == TileShape::list ||
        !ScoreSearch::fits(problem.scoring))
      return false;
    // What no 32 bits hold is an error there.
    if (tile.row_range.size() == 0 || tile.column_range.size() == 0) return true;
    const std::uint64_t m = tile.rows->length(tile.row_range.begin),
                        n = tile.columns->length(tile.column_range.begin);
    const auto cost = [](std::int32_t score) { return static_cast<std::uint64_t>(std::max(score, 0)); };
    const Scoring& scoring = problem.scoring;
    const std::uint64_t gaps =
        scoring.mode == Mode::local ? 0 : 2 * cost(scoring.open) + (m + n) * cost(scoring.extend);
    return std::min(m, n) * cost(scoring.matrix.highest()) + gaps < (1U << 30) &&
           ScoreSearch::known_share(tile, scoring) >= kKnownShare;
  }
  bool aligns_rectangle(const Tile& tile, const Problem& problem) const {
    return !method_.pairs && (!method_.version || method_.version->packing == Packing::two_queries) &&
           problem.detail != Detail::score && tile.shape != TileShape::list &&
           RectangleAligner::fits(problem.scoring, shared_bytes_);
  }
  // Of a long run, those that are done by an exact version.
  static double wide_cells(const Tile& tile) {
    const Range columns = tile.column_range;
    if (static_cast<double>(tile.cells) < kLongRunCells || columns.size() == 0) return 0;
    const std::uint32_t others = first_position(
        columns, [&](std::uint32_t position) { return tile.columns->length(position) <= kNarrowBelow; });
    const auto residues = [&](std::uint32_t begin, std::uint32_t end) {
      return static_cast<double>(tile.columns->residues_before(end) - tile.columns->residues_before(begin));
    };
    return static_cast<double>(tile.cells) * residues(columns.begin, others) /
           residues(columns.begin, columns.end);
  }
  // What went wrong may have left work behind, and a worker's buffers may be what fills the memory: then
  // there is a new one, and one more trial.
  ToHandOver results_of(const Tile& tile, const Problem& problem, const Sink& sink, Delivery& delivery) {
    const auto run = [&]() -> ToHandOver {
      if (!worker_) worker_ = std::make_unique<Worker>(multiprocessors_, shared_bytes_, info_.memory_bytes);
      // The best of a row of a staircase would be chosen among pairs that are none of it.
      const bool chooses = tile.shape == TileShape::staircase && sink.limit() > 0;
      if (searches(tile, problem) && !chooses)
        return worker_->search(tile, problem, sink, method_.version, delivery.scores);
      if (aligns_rectangle(tile, problem))
        return worker_->align_rectangle(tile, problem, sink, delivery.alignments);
      return worker_->align_pairs(tile, problem, sink);
    };
    try {
      return run();
    } catch (const Error& error) {
      forget_worker();
      if (error.kind() != ErrorKind::memory) throw;
    } catch (...) {
      forget_worker();
      throw;
    }
    try {
      return run();
    } catch (const Error& error) {
      forget_worker();
      const bool subjects_lack_room =
          (searches(tile, problem) || aligns_rectangle(tile, problem)) && Worker::resident(tile).lacks_room();
      if (error.kind() != ErrorKind::memory || !subjects_lack_room) throw;
      // A smaller tile needs the same subjects: there is no use in trying one.
      throw Error(
          ErrorKind::device,
          fmt::format("{} Other programs may fill the device; --device-memory says how much may be used.",
                      error.what()));
    } catch (...) {
      forget_worker();
      throw;
    }
  }
  Delivery& free_delivery(std::unique_lock<std::mutex>& delivering) {
    for (Delivery& delivery : deliveries_) {
      delivering = std::unique_lock(delivery.under_way, std::try_to_lock);
      if (delivering) return delivery;
    }
    delivering = std::unique_lock(deliveries_.front().under_way);
    return deliveries_.front();
  }
  void forget_worker() {
    if (worker_) stages_ += worker_->stages;
    worker_ = nullptr;
  }

  const int ordinal_;
  const Method method_;
  const DeviceInfo info_;
  const std::uint64_t resident_bytes_;
  int multiprocessors_ = 0;
  std::size_t shared_bytes_ = 0;  // that a block of threads can have
  std::mutex mutex_;
  std::vector<std::shared_ptr<CudaResident>> residents_;  // the last used first
  std::mutex running_;                                    // one tile at a time
  std::unique_ptr<Worker> worker_;
  std::array<Delivery, 2> deliveries_;
  Stages stages_;  // of workers that are gone
};

}  // namespace

std::vector<std::string> methods() {
  std::vector<std::string> names = version_names();
  names.insert(names.begin(), "auto");
  names.push_back("pairs");
  for (const PaperMethod& method : paper_methods()) names.emplace_back(method.name);
  return names;
}

std::string why_unavailable() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
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
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
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
  return make_method_device(
      options.method,
      std::make_unique<CudaDevice>(CudaOptions{options.ordinal, "auto", options.memory_bytes}),
      options.ordinal);
}

}  // namespace alnus::cuda
