// A GPU that computes by the method of a paper.
#include <array>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "cuda/limits.h"
#include "cuda/paper_methods.h"
#include "cuda/residency.h"
#include "cuda/runtime.h"
#include "cuda/tuning.h"
#include "papers/runner.h"

namespace alnus::cuda::papers {
namespace {

// In the order of the papers' years.
constexpr std::array kSearches = {make_sw_cuda, make_band_sweep, make_cudasw2_simt, make_cudasw2_striped,
                                  make_prefix_scan};
constexpr std::array kPairs = {make_pairalign_bits};

using MakeRunner = std::function<std::unique_ptr<Runner>()>;

class MethodDevice : public Device {
 public:
  MethodDevice(MakeRunner make_runner, std::unique_ptr<Device> usual, int ordinal)
      : ordinal_(ordinal),
        make_runner_(std::move(make_runner)),
        describing_(make_runner_()),
        runner_(make_runner_()),
        usual_(std::move(usual)),
        info_(usual_->info()) {
    info_.gcups *= describing_->expected_gcups() / (kNarrow[0].tcups * 1000);  // scaled to this GPU
    info_.overlaps = false;
    info_.most_pairs = kMostMethodPairs;
  }
  ~MethodDevice() override { cudaSetDevice(ordinal_); }  // makes it current while the members free its memory

  const DeviceInfo& info() const override { return info_; }
  std::string declines(const Problem& problem) const override { return describing_->declines(problem); }

  Estimate estimate(const Tile& tile, const Problem& problem) const override {
    if (!describing_->does(tile, problem)) return usual_->estimate(tile, problem);
    return {describing_->bytes(tile, problem), static_cast<double>(tile.cells) / (info_.gcups * 1e9)};
  }

  std::shared_ptr<const DeviceSequences> load(std::shared_ptr<const SortedSequences> sequences) override {
    std::shared_ptr<const DeviceSequences> loaded = usual_->load(std::move(sequences));
    const CurrentDevice current(ordinal_);  // add() frees memory of sets that nobody holds any more
    sequences_.add(loaded, describing_->layout());
    return loaded;
  }

  void forget(const std::shared_ptr<const SortedSequences>& sequences) override {
    drop_rows([&](const SortedSequences& rows) { return same_sequences(rows, *sequences); });
    usual_->forget(sequences);
    const CurrentDevice current(ordinal_);
    sequences_.sweep();
  }

  void unload(const SortedSequences& sequences) override {
    drop_rows([&](const SortedSequences& rows) { return &rows == &sequences; });
    usual_->unload(sequences);
    const CurrentDevice current(ordinal_);
    sequences_.sweep();
  }

  DeviceCounters counters() const override {
    DeviceCounters all = usual_->counters();
    const DeviceCounters stored = sequences_.counters();
    all.uploads += stored.uploads;
    all.uploaded_bytes += stored.uploaded_bytes;
    all.resident_bytes += stored.resident_bytes;
    return all;
  }

  void run(const Tile& tile, const Problem& problem, Sink& sink) override {
    if (!describing_->does(tile, problem)) return usual_->run(tile, problem, sink);
    const std::unique_lock running = lock_unless_stopped(mutex_, sink.stop_flag());
    const std::shared_ptr<const DeviceSequences> rows =
        describing_->needs_rows() ? loaded_rows(*tile.rows) : nullptr;  // they stay until the tile is done
    check(cudaSetDevice(ordinal_), "cudaSetDevice");
    stopper_.begin(sink.stop_flag());
    try {
      upload(tile);
      runner_->run(tile, problem, sink, sequences_, *usual_, stopper_);
    } catch (const Interrupted&) {
      settle();
      throw;
    } catch (...) {
      remake_runner();  // it may have left work behind, and its buffers may be what fills the memory
      throw;
    }
  }

 private:
  // The rows of a tile as the usual device has loaded them. Those of the last tile are kept, because the next
  // one mostly has the same rows.
  std::shared_ptr<const DeviceSequences> loaded_rows(const SortedSequences& rows) {
    const std::lock_guard lock(rows_mutex_);
    if (rows_ == nullptr || !same_sequences(rows_->sorted(), rows)) rows_ = load(rows.shared_from_this());
    return rows_;
  }
  // Drops the rows that are kept if are_those(rows).
  template <class AreThose>
  void drop_rows(const AreThose& are_those) {
    const std::lock_guard lock(rows_mutex_);
    if (rows_ != nullptr && are_those(rows_->sorted())) rows_ = nullptr;
  }
  // Replaces the runner by a new one. On a device that is lost this fails, too; that error is dropped,
  // because the first one says more.
  void remake_runner() {
    try {
      runner_ = make_runner_();
    } catch (const std::exception&) {
    }
  }
  // To be called after a run that was stopped: waits until nothing of it is left on the device, so that the
  // next run can begin.
  void settle() {
    try {
      runner_->settle();
      stopper_.reset();
    } catch (const Error&) {  // the GPU failed meanwhile
      remake_runner();
    }
  }
  // Uploads the sequences of a tile. Throws Error(device) if there is no room for them: a smaller tile needs
  // the same sequences, so that cutting the tile is of no use.
  void upload(const Tile& tile) {
    const auto no_room = [&](const char* what) {
      return Error(
          ErrorKind::device,
          fmt::format("Method {} keeps all sequences on the device, and there is no room for them: {}",
                      describing_->paper().name, what));
    };
    try {
      sequences_.of(*tile.columns, stopper_);
      if (describing_->needs_rows()) sequences_.of(*tile.rows, stopper_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::memory) throw;
      throw no_room(error.what());
    } catch (const std::bad_alloc&) {
      throw no_room("the host has not enough memory either.");
    }
  }

  const int ordinal_;
  const MakeRunner make_runner_;
  const std::unique_ptr<const Runner> describing_;  // asked by any thread, also while runner_ is made anew
  std::unique_ptr<Runner> runner_;
  const std::unique_ptr<Device> usual_;
  DeviceInfo info_;
  std::timed_mutex mutex_;  // one tile at a time
  SequenceStore sequences_;
  std::mutex rows_mutex_;
  std::shared_ptr<const DeviceSequences> rows_;
  Stopper stopper_;
};

std::vector<PaperMethod> all() {
  std::vector<PaperMethod> papers;
  papers.reserve(kSearches.size() + kPairs.size());
  for (const auto make : kSearches) papers.push_back(make()->paper());
  for (const auto make : kPairs) papers.push_back(make()->paper());
  return papers;
}

std::unique_ptr<Device> make_device(std::string_view method, std::unique_ptr<Device> usual, int ordinal) {
  check(cudaSetDevice(ordinal), "cudaSetDevice");
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, ordinal),
        "cudaDeviceGetAttribute");
  MakeRunner make_runner;
  for (const auto make : kSearches)
    if (make()->paper().name == method)
      make_runner = [=] { return make_search_runner(make(), multiprocessors); };
  for (const auto make : kPairs) {
    // Half of the memory that a tile may take, because the usual device needs memory, too.
    const std::uint64_t memory_bytes = usual->info().memory_bytes / 2;
    if (make()->paper().name == method) make_runner = [=] { return make_pair_runner(make(), memory_bytes); };
  }
  return std::make_unique<MethodDevice>(std::move(make_runner), std::move(usual), ordinal);
}

}  // namespace
}  // namespace alnus::cuda::papers

const alnus::cuda::PaperMethods alnus_paper_methods = {alnus::cuda::papers::all,
                                                       alnus::cuda::papers::make_device};
