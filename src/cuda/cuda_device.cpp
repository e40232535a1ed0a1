#include "cuda/cuda_device.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <utility>

#include "alnus/error.h"
#include "core/nearest.h"
#include "cuda/local_search.h"
#include "cuda/pair_aligner.h"
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

int device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

// Of the memory that may be used: for a database, and for the work of a tile.
constexpr double kResidentShare = 0.55, kWorkShare = 0.4;
constexpr double kFullMultiprocessors = 132;  // of the card that was measured

DeviceInfo info_of(int ordinal, std::uint64_t memory_bytes, int concurrency) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  DeviceInfo info;
  info.name = fmt::format("cuda:{}", ordinal);
  info.kind = DeviceKind::cuda;
  info.concurrency = concurrency;
  info.memory_bytes = static_cast<std::uint64_t>(
      kWorkShare * static_cast<double>(std::min<std::uint64_t>(memory_bytes, properties.totalGlobalMem)));
  info.gcups = kNarrow[0].tcups * 1000 * properties.multiProcessorCount / kFullMultiprocessors;
  // A tile keeps all multiprocessors busy but at its end, however many pairs it has.
  info.tile_share = 0.9;
  info.shortest_tile_seconds = 0.005;
  info.longest_tile_seconds = 2;
  info.most_pairs = std::uint64_t{1} << 30;
  info.description =
      fmt::format("{}, compute capability {}.{}, {} multiprocessors, {:.0f} GiB", properties.name,
                  properties.major, properties.minor, properties.multiProcessorCount,
                  static_cast<double>(properties.totalGlobalMem) / (1 << 30));
  return info;
}

// What one tile at a time is done with. Buffers stay from tile to tile.
struct Worker {
  Worker(int multiprocessors, std::uint64_t memory_bytes)
      : local_search(multiprocessors, memory_bytes / 2), pair_aligner(multiprocessors, memory_bytes) {}

  std::span<const PairResult> run(const Tile& tile, const Problem& problem, const Sink& sink, bool searches,
                                  const std::optional<Version>& version) {
    // Tiles come with what load() gave.
    if (searches)
      return local_search.run(tile, problem.scoring, sink, static_cast<const CudaResident&>(*tile.columns),
                              version, stages);
    const auto start = std::chrono::steady_clock::now();
    const std::span<const PairResult> results = pair_aligner.run(tile, problem);
    stages.alignment += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return results;
  }

  LocalSearch local_search;
  PairAligner pair_aligner;
  Stages stages;
};

class CudaDevice : public Device {
 public:
  explicit CudaDevice(const CudaOptions& options)
      : ordinal_(options.ordinal),
        method_(parse_method(options.method)),
        info_(info_of(options.ordinal, options.memory_bytes, options.concurrency)),
        worker_bytes_(info_.memory_bytes / static_cast<unsigned>(info_.concurrency)),
        resident_bytes_(static_cast<std::uint64_t>(kResidentShare / kWorkShare *
                                                   static_cast<double>(info_.memory_bytes))) {
    check(cudaSetDevice(ordinal_), "cudaSetDevice");
    check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, ordinal_),
          "cudaDeviceGetAttribute");
  }

  ~CudaDevice() override { cudaSetDevice(ordinal_); }  // whose memory the members give back

  const DeviceInfo& info() const override { return info_; }

  bool supports(const Problem& problem) const override {
    return !method_.version || LocalSearch::fits(problem.scoring);
  }

  Estimate estimate(const Tile& tile, const Problem& problem) const override {
    Estimate estimate;
    const double share = info_.gcups / (kNarrow[0].tcups * 1000);
    const auto cells = static_cast<double>(tile.cells);
    if (searches(tile, problem)) {
      // Scores, and profiles of two halves of 2 bytes for each letter and its pad.
      constexpr std::uint64_t kProfileBytes = 2 * kMaxLetters;
      const std::uint64_t row_residues =
          tile.rows->residues_before(tile.row_range.end) - tile.rows->residues_before(tile.row_range.begin);
      estimate.bytes =
          std::uint64_t{tile.row_range.size()} * tile.column_range.size() * sizeof(std::int32_t) +
          2 * kProfileBytes * row_residues + worker_bytes_ / 2;
      estimate.seconds = cells / (info_.gcups * 1e9);
    } else {
      estimate.bytes = worker_bytes_ / 2;
      estimate.seconds =
          cells / ((problem.detail == Detail::alignment ? kTraceTcups : kPairsTcups) * share * 1e12);
    }
    return estimate;
  }

  // The last few sets stay, so that a search of the same database finds it in the device's memory. What tells
  // sets apart is where their residues lie: as long as a set is kept nothing else can be there.
  std::shared_ptr<const Resident> load(const SequenceSet& sequences) override {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const std::shared_ptr<CudaResident>& resident) {
      const SequenceSet::Arrays &a = resident->sequences().arrays(), &b = sequences.arrays();
      return a.residues.data() == b.residues.data() && a.offsets.data() == b.offsets.data() &&
             a.offsets.size() == b.offsets.size();
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
    try {
      check(cudaSetDevice(ordinal_), "cudaSetDevice");
      std::unique_ptr<Worker> worker = take_worker();
      sink.accept(tile, worker->run(tile, problem, sink, searches(tile, problem), method_.version));
      give_back(std::move(worker));
    } catch (const Error&
                 error) {  // the worker is gone, and with it its buffers, which may be what filled the memory
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::memory) throw;
      throw Error(error.kind(),
                  fmt::format("{} Tile {}: {} x {} sequences, {} pairs listed.", error.what(), tile.ordinal,
                              tile.row_range.size(), tile.column_range.size(), tile.pairs.size()));
    }
  }

  std::vector<StageTime> take_stage_times() override {
    const std::lock_guard lock(mutex_);
    const Stages taken = std::exchange(stages_, {});
    return {{"upload", taken.upload},
            {"kernel", taken.kernel},
            {"selection", taken.selection},
            {"alignment", taken.alignment}};
  }

 private:
  bool searches(const Tile& tile, const Problem& problem) const {
    return !method_.pairs && problem.detail == Detail::score && tile.shape == TileShape::rectangle &&
           LocalSearch::fits(problem.scoring);
  }
  std::unique_ptr<Worker> take_worker() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Worker>(multiprocessors_, worker_bytes_);
    std::unique_ptr<Worker> worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }
  void give_back(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex_);
    stages_ += std::exchange(worker->stages, {});
    idle_.push_back(std::move(worker));
  }

  const int ordinal_;
  const Method method_;
  const DeviceInfo info_;
  const std::uint64_t worker_bytes_, resident_bytes_;
  int multiprocessors_ = 0;
  std::mutex mutex_;
  std::vector<std::shared_ptr<CudaResident>> residents_;  // the last used first
  std::vector<std::unique_ptr<Worker>> idle_;
  Stages stages_;
};

}  // namespace

std::vector<std::string> methods() {
  std::vector<std::string> names = version_names();
  names.insert(names.begin(), "auto");
  names.push_back("pairs");
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

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> infos;
  for (int ordinal = 0; ordinal < device_count(); ++ordinal) infos.push_back(info_of(ordinal, UINT64_MAX, 1));
  return infos;
}

std::unique_ptr<Device> make_cuda_device(const CudaOptions& options) {
  parse_method(options.method);
  if (const std::string reason = why_unavailable(); !reason.empty())
    throw Error(ErrorKind::device, fmt::format("There is no device cuda:{}: {}.", options.ordinal, reason));
  if (options.ordinal < 0 || options.ordinal >= device_count())
    throw Error(ErrorKind::device, fmt::format("There is no device cuda:{}; there are {} GPUs.",
                                               options.ordinal, device_count()));
  return std::make_unique<CudaDevice>(options);
}

}  // namespace alnus::cuda
