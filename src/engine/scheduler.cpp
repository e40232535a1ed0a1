#include "engine/scheduler.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "alnus/error.h"

namespace alnus::engine {
namespace {

constexpr const char* kAllFailed = "All devices have failed.";

// The sink of one run of a tile. begun() is true once results have left the device: the tile must not be run
// again then. `ends` is called once, when the device can begin another tile: when the device calls
// computed(), or after its run.
class Delivery : public Sink {
 public:
  Delivery(Sink& sink, const StopFlag& stop, std::function<void()> ends)
      : sink_(sink), stop_(stop), ends_(std::move(ends)) {}
  void computed() override {
    if (!std::exchange(computed_, true)) ends_();
  }
  void accept(const Tile& tile, std::span<const PairResult> results) override {
    begun_ = true;
    sink_.accept(tile, results);
  }
  void accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) override {
    begun_ = true;
    sink_.accept_pairs(tile, pairs);
  }
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    begun_ = true;
    sink_.accept_scores(tile, scores);
  }
  void accept_packed(const Tile& tile, const PackedResults& packed) override {
    begun_ = true;
    sink_.accept_packed(tile, packed);
  }
  std::int32_t floor(Position row) const override { return sink_.floor(row); }
  std::int32_t floor_in(Position row, PositionRange columns) const override {
    return sink_.floor_in(row, columns);
  }
  std::uint32_t limit() const override { return sink_.limit(); }
  bool takes_bounds(Position row) const override { return sink_.takes_bounds(row); }
  const StopFlag& stop_flag() const override { return stop_; }
  bool begun() const { return begun_; }

 private:
  Sink& sink_;
  const StopFlag& stop_;
  const std::function<void()> ends_;
  bool computed_ = false, begun_ = false;
};

// Ratios of speeds. A slot that is slower than the fastest by kSlower or more cuts the tiles that it takes.
// No tiles are planned for slots that are slower by kMuchSlower or more. The CPU stands by for scores if
// another device is faster by kFastEnoughAlone or more: sharing would take more time than the CPU saves
// (docs/ideas.md).
constexpr double kSlower = 1.1, kMuchSlower = 4, kFastEnoughAlone = 4;

double gcups_of(const LoadedDevice& loaded) { return loaded.device->info().gcups * loaded.speed; }
double slot_gcups(const LoadedDevice& loaded) { return gcups_of(loaded) / loaded.device->info().concurrency; }

// Updates the measured speed of a device, a mean in which later tiles count more. Tiles shorter than
// kShortest seconds are left out: they tell more of starts than of speed.
void measure(LoadedDevice& loaded, double expected_seconds, double seconds) {
  constexpr double kShortest = 0.002, kWeight = 0.5, kMost = 16;
  if (std::max(expected_seconds, seconds) < kShortest) return;
  const double speed = std::clamp(expected_seconds / std::max(seconds, 1e-9), 1 / kMost, kMost);
  loaded.speed += kWeight * (speed - loaded.speed);
}

// A tile that waits for a device.
struct Waiting {
  Tile tile;
  double seconds = 0;           // estimated, on a slot of the first device
  std::vector<bool> too_large;  // by device: it lacks the memory for this single pair
};

bool shorter(const Waiting& a, const Waiting& b) {
  return a.seconds != b.seconds ? a.seconds < b.seconds : a.tile.ordinal > b.tile.ordinal;
}

// Returns the most pairs of a tile, which bounds the memory of its results on device and host. If devices
// choose the best pairs, they hold only some of each row. Scores of all pairs take little memory, scores
// above the sink's floors still less, and CIGARs take more the longer they are. `cells_of_pair`: mean cells
// of a pair.
std::uint64_t most_pairs(const Problem& problem, const Sink& sink, bool devices_choose, PositionRange rows,
                         std::uint64_t columns, double cells_of_pair) {
  constexpr std::uint64_t kMostResults = 1 << 20, kMostScores = 1 << 22, kMostAboveFloors = 1 << 28;
  constexpr double kMostBytes = 1 << 29, kCigarBytesOfRow = 2;
  if (devices_choose) return kMostResults * std::max<std::uint64_t>(columns / sink.limit(), 1);
  if (problem.detail == Detail::score && sink.limit() == 0)
    return has_floors(sink, rows) ? kMostAboveFloors : kMostScores;
  if (problem.detail == Detail::score) return kMostResults;
  const double of_cigar = problem.cigars ? kCigarBytesOfRow * std::sqrt(cells_of_pair) : 0,
               bytes = sizeof(PairResult) + of_cigar;
  return static_cast<std::uint64_t>(std::max(kMostBytes / bytes, 1.0));
}

}  // namespace

// One call of Scheduler::run. The mutex guards all members that change.
class Scheduler::Run {
 public:
  Run(Scheduler& scheduler, const Problem& problem, Sink& sink, std::vector<Tile> tiles)
      : scheduler_(scheduler),
        call_(scheduler.call_),
        devices_(scheduler.devices_),
        problem_(problem),
        sink_(sink),
        computing_(devices_.size()) {
    for (Tile& tile : tiles) waiting_.push_back(wait_for_device(std::move(tile)));
    std::sort(waiting_.begin(), waiting_.end(), shorter);
  }

  void finish() {
    work_on([this](const LoadedDevice& loaded) { return scheduler_.active(loaded); }, waiting_.size());
    if (!over() && !waiting_.empty()) {
      const auto stood_by = [this](const LoadedDevice& loaded) {
        return scheduler_.stands_by(loaded) && !loaded.retired;
      };
      for (LoadedDevice& loaded : devices_)
        if (stood_by(loaded)) scheduler_.load(loaded);
      // All slots work, even for a single tile: they cut tiles that were planned for a faster device, and
      // share the pieces.
      work_on(stood_by, std::numeric_limits<std::size_t>::max());
    }
    if (fatal_) std::rethrow_exception(fatal_);
    if (interrupted_) throw Interrupted{};
    if (waiting_.empty()) return;
    scheduler_.stop_flag().throw_if_requested();
    std::rethrow_exception(last_failure_);
  }

 private:
  bool over() const { return fatal_ || scheduler_.stop_flag().requested(); }

  // Runs all slots of the chosen devices, the first on this thread, until no tile is left that they can do.
  // If another tile waits, a slot of a device with DeviceInfo::overlaps has a second thread, which runs the
  // next tile while the device hands over the last. Otherwise it has none: starting and ending a thread can
  // take longer than a small search. `most_threads`: the most for each device.
  template <class Chosen>
  void work_on(Chosen chosen, std::size_t most_threads) {
    prepare(chosen);
    std::vector<LoadedDevice*> slots;
    for (LoadedDevice& loaded : devices_) {
      const DeviceInfo& info = loaded.device->info();
      const int wanted = info.concurrency * (info.overlaps && waiting_.size() > 1 ? 2 : 1);
      const std::size_t threads = std::min(static_cast<std::size_t>(wanted), most_threads);
      if (chosen(loaded)) slots.insert(slots.end(), threads, &loaded);
    }
    if (slots.empty()) return;
    std::vector<ThreadPool::Task> others;
    try {
      for (std::size_t i = 1; i < slots.size(); ++i)
        others.push_back(call_.start([this, slot = slots[i]] { work(*slot); }));
    } catch (const Error& error) {
      // The system gives no more threads: those that have started do the work.
      if (call_.progress.warn && !call_.progress.short_of_threads.exchange(true))
        call_.progress.warn(
            fmt::format("{} {} of {} threads work.", error.marked(), others.size() + 1, slots.size()));
    }
    work(*slots.front());
    for (ThreadPool::Task& other : others) other.wait();
  }

  // Tells the chosen devices how long the tiles that wait will keep all of them busy.
  template <class Chosen>
  void prepare(Chosen chosen) {
    double gcups = 0, front_seconds = 0;  // front_seconds: of all tiles on a slot of the first device
    for (const LoadedDevice& loaded : devices_)
      if (chosen(loaded)) gcups += gcups_of(loaded);
    for (const Waiting& waiting : waiting_) front_seconds += waiting.seconds;
    const double seconds = front_seconds * slot_gcups(devices_.front()) / gcups;
    for (LoadedDevice& loaded : devices_)
      if (chosen(loaded)) loaded.device->prepare(seconds);
  }

  Waiting wait_for_device(Tile tile) const {
    const double seconds = devices_.front().device->estimate(tile, problem_).seconds;
    return {std::move(tile), seconds, std::vector<bool>(devices_.size())};
  }

  // The tile that is expected to take the most time, of those that this device may take; end() when there is
  // none.
  std::vector<Waiting>::iterator longest_for(std::size_t device) {
    const auto found = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                    [device](const Waiting& w) { return !w.too_large[device]; });
    return found == waiting_.rend() ? waiting_.end() : found.base() - 1;
  }

  void work(LoadedDevice& loaded) {
    const DeviceInfo& info = loaded.device->info();
    const auto number = static_cast<std::size_t>(&loaded - devices_.data());
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto ended = [&] { return over() || loaded.retired; };
      const auto ready = [&] {
        if (ended()) return true;
        if (longest_for(number) == waiting_.end()) return running_ == 0;
        return computing_[number] < info.concurrency;
      };
      changed_.wait(lock, ready);
      std::optional<ThreadPool::Permit> permit;
      if (info.computes_on_host && !ended()) {
        lock.unlock();
        try {
          permit.emplace(call_.threads, call_.progress.stop);
        } catch (const Interrupted&) {  // the call is stopped before there is a permit
          interrupted_ = true;
          changed_.notify_all();
          return;
        }
        lock.lock();
        if (!ready()) continue;
      }
      const auto longest = longest_for(number);
      if (ended() || longest == waiting_.end()) return;
      Waiting taken = std::move(*longest);
      waiting_.erase(longest);
      cut_to_speed(taken, loaded);
      ++running_;
      ++computing_[number];
      lock.unlock();
      run_tile(std::move(taken), number);
      lock.lock();
      --running_;
      changed_.notify_all();
    }
  }

  // Cuts a tile that a slower slot has taken, since tiles are planned for the fastest slots. The slot keeps
  // no more than it can do while all devices do half of the remaining work, but at least a shortest tile, and
  // puts the rest back. Called with the lock held.
  void cut_to_speed(Waiting& taken, const LoadedDevice& loaded) {
    double fastest = 0, all = 0;
    for (const LoadedDevice& other : devices_) {
      fastest = std::max(fastest, slot_gcups(other));  // failed devices, too: tiles were planned for them
      if (!other.retired) all += gcups_of(other);
    }
    const DeviceInfo& info = loaded.device->info();
    if (slot_gcups(loaded) * kSlower > fastest) return;
    double left = static_cast<double>(taken.tile.cells);
    for (const Waiting& other : waiting_) left += static_cast<double>(other.tile.cells);
    const double allowed = std::max(info.shortest_tile_seconds, left / (all * 1e9) / 2);
    const auto too_much = [&](const Tile& tile) {
      return loaded.device->estimate(tile, problem_).seconds / loaded.speed > allowed ||
             count_pairs(tile) > info.most_pairs;
    };
    // The rest of the tile stays in one piece, for a faster slot.
    while (too_much(taken.tile)) {
      const double needed = loaded.device->estimate(taken.tile, problem_).seconds / loaded.speed,
                   most_pairs = static_cast<double>(info.most_pairs);
      const double pairs = static_cast<double>(count_pairs(taken.tile)),
                   share = std::min(allowed / needed, most_pairs / pairs);
      std::vector<Tile> parts = cut_off(taken.tile, share);
      if (parts.empty()) parts = cut_in_two(taken.tile);
      if (parts.empty()) break;
      taken.tile = std::move(parts.front());
      for (std::size_t i = 1; i < parts.size(); ++i) put_back(wait_for_device(std::move(parts[i])));
    }
    changed_.notify_all();
  }

  void run_tile(Waiting taken, std::size_t number) {
    Device& device = *devices_[number].device;
    taken.tile.device_columns = devices_[number].columns.get();
    double expected_seconds = 0;
    std::chrono::steady_clock::time_point start;
    bool failed = false;
    const auto ends = [&] {
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      const std::lock_guard lock(mutex_);
      if (!failed) measure(devices_[number], expected_seconds, seconds.count());
      --computing_[number];
      changed_.notify_all();
    };
    Delivery delivery(sink_, scheduler_.stop_flag(), ends);
    try {
      try {
        expected_seconds = device.estimate(taken.tile, problem_).seconds;
        start = std::chrono::steady_clock::now();
        device.run(taken.tile, problem_, delivery);
        call_.use(device);
        call_.progress.report(taken.tile.cells, count_pairs(taken.tile));
        if (call_.progress.tick) call_.progress.tick();
      } catch (const Error& error) {
        failed = true;
        if (delivery.begun()) throw;
        if (error.kind() == ErrorKind::memory) {
          retry_smaller(std::move(taken), number);
        } else if (error.kind() == ErrorKind::device) {
          retire(std::move(taken), number, error.marked());
        } else {
          throw;
        }
      } catch (const Interrupted&) {
        failed = true;
        interrupted_ = true;
      } catch (const std::bad_alloc&) {
        failed = true;
        if (delivery.begun()) throw;
        retry_smaller(std::move(taken), number);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!fatal_) fatal_ = std::current_exception();
    }
    delivery.computed();
  }

  // Puts back the halves of a tile that did not fit the device's memory, or a single pair for the other
  // devices. Must be called while the device's exception is being handled; rethrows it if no device is left
  // for the pair.
  void retry_smaller(Waiting taken, std::size_t number) {
    std::vector<Tile> halves = cut_in_two(taken.tile);
    const std::lock_guard lock(mutex_);
    for (Tile& half : halves) put_back(wait_for_device(std::move(half)));
    if (!halves.empty()) return;
    taken.too_large[number] = true;
    last_failure_ = std::current_exception();
    for (std::size_t other = 0; other < devices_.size(); ++other)
      if (!devices_[other].retired && !taken.too_large[other]) return put_back(std::move(taken));
    throw;
  }

  // Retires the device and puts its tile back. Must be called while the device's exception is being handled.
  void retire(Waiting taken, std::size_t number, const std::string& reason) {
    bool first_failure = false, others = false;
    {
      const std::lock_guard lock(mutex_);
      first_failure = !std::exchange(devices_[number].retired, true);
      others = !std::ranges::all_of(devices_, &LoadedDevice::retired);
      last_failure_ = std::current_exception();
      put_back(std::move(taken));
    }
    // Another run of the call may have retired the device before, with a warning.
    const bool is_new = first_failure && call_.retire(*devices_[number].device);
    if (is_new && others && call_.progress.warn)
      call_.progress.warn(fmt::format("Device {} failed, and the others do its work: {}",
                                      devices_[number].device->info().name, reason));
  }

  void put_back(Waiting waiting) {
    waiting_.insert(std::upper_bound(waiting_.begin(), waiting_.end(), waiting, shorter), std::move(waiting));
  }

  Scheduler& scheduler_;
  CallState& call_;
  std::vector<LoadedDevice>& devices_;
  const Problem& problem_;
  Sink& sink_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;  // in order of increasing expected time (Waiting::seconds)
  int running_ = 0;
  std::vector<int> computing_;            // by device: tiles that it still computes
  std::atomic<bool> interrupted_{false};  // work ended early because a stop was requested
  std::exception_ptr fatal_;              // the first exception that stops the run
  std::exception_ptr last_failure_;       // the last error of a device
};

Scheduler::Scheduler(CallState& call, SortedPtr rows, SortedPtr columns, const Problem& problem)
    : call_(call),
      rows_(std::move(rows)),
      columns_(std::move(columns)),
      scores_only_(problem.detail == Detail::score) {
  std::optional<Error> failure;
  std::string declined;
  std::vector<LoadedDevice> standing_by;
  const auto try_to_load = [&](LoadedDevice loaded) {
    try {
      load(loaded);
      devices_.push_back(std::move(loaded));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::memory) throw;
      if (call.progress.warn && call.devices.size() > 1)
        call.progress.warn(
            fmt::format("Device {} is left out: {}", loaded.device->info().name, error.marked()));
      if (error.kind() == ErrorKind::device) call.retire(*loaded.device);
      failure = error;
    }
  };
  for (Device* device : call.devices) {
    if (call.is_retired(*device)) continue;
    if (std::string reason = device->declines(problem); !reason.empty()) {
      declined = std::move(reason);
      continue;
    }
    if (device->info().standby)
      standing_by.push_back({device});
    else
      try_to_load({device});
  }
  const bool none_but_those = devices_.empty();
  for (LoadedDevice& loaded : standing_by) {
    if (none_but_those)
      try_to_load(loaded);
    else
      devices_.push_back(loaded);
  }
  if (!devices_.empty()) return;
  if (failure) throw *failure;
  if (declined.empty()) throw Error(ErrorKind::device, kAllFailed);
  throw Error(ErrorKind::device,
              fmt::format("None of the chosen devices can do this. {} Choose others by {} or {}.", declined,
                          option("devices"), option("method")));
}

void Scheduler::load(LoadedDevice& loaded) const {
  if (!loaded.columns) loaded.columns = loaded.device->load(columns_);
}

bool Scheduler::stands_by(const LoadedDevice& loaded) const {
  const DeviceInfo& info = loaded.device->info();
  return info.standby || (scores_only_ && info.computes_on_host &&
                          std::any_of(devices_.begin(), devices_.end(), [&](const LoadedDevice& other) {
                            return !other.device->info().standby &&
                                   other.device->info().gcups >= kFastEnoughAlone * info.gcups;
                          }));
}

bool Scheduler::active(const LoadedDevice& loaded) const {
  if (loaded.retired) return false;
  return !stands_by(loaded) ||
         std::none_of(devices_.begin(), devices_.end(),
                      [this](const LoadedDevice& other) { return !other.retired && !stands_by(other); });
}

void Scheduler::run(PairMatrix matrix, const Problem& problem, Sink& sink) {
  // Tiles are planned for the fastest slots; the others cut what they take (Run::cut_to_speed).
  double fastest = 0;
  const LoadedDevice* fastest_device = nullptr;
  for (LoadedDevice& loaded : devices_) {
    if (!active(loaded)) continue;
    load(loaded);
    if (!fastest_device || slot_gcups(loaded) > fastest) fastest_device = &loaded;
    fastest = slot_gcups(*fastest_device);
  }
  PlanLimits limits{.slots = 0,
                    .cells_per_second = std::max(fastest, 1.0) * 1e9,
                    .shortest_seconds = 0,
                    .longest_seconds = 0,
                    .most_pairs = 0};
  std::uint32_t largest_top_k = std::numeric_limits<std::uint32_t>::max();
  for (const LoadedDevice& loaded : devices_) {
    if (!active(loaded) || slot_gcups(loaded) * kMuchSlower <= fastest) continue;
    const DeviceInfo& info = loaded.device->info();
    limits.slots += info.concurrency;
    limits.share = std::max(limits.share, info.tile_share);
    limits.shortest_seconds = std::max(limits.shortest_seconds, info.shortest_tile_seconds);
    limits.longest_seconds = std::max(limits.longest_seconds, info.longest_tile_seconds);
    limits.most_pairs = std::max(limits.most_pairs, info.most_pairs);
    largest_top_k = std::min(largest_top_k, info.largest_top_k);
  }
  if (limits.slots == 0) throw Error(ErrorKind::device, kAllFailed);
  limits.longest_seconds = std::min(limits.longest_seconds, matrix.longest_seconds);
  const auto mean_length = [](const SortedSequences& sequences) {
    return 1.0 * sequences.residues(sequences.all()) / std::max(sequences.size(), 1U);
  };
  const double cells_of_pair = std::max(mean_length(rows()) * mean_length(columns()), 1.0);
  // Devices hand over only the best pairs of each row if the sink wants a limited number that suits all.
  const bool devices_choose = sink.limit() > 0 && sink.limit() <= largest_top_k;
  limits.most_pairs = std::min(limits.most_pairs, most_pairs(problem, sink, devices_choose, rows().all(),
                                                             columns().size(), cells_of_pair));
  // Tiles of most_pairs pairs of short sequences take less than shortest_seconds, which is lowered for them:
  // the bands of a staircase may then have few rows.
  if (!devices_choose)
    limits.shortest_seconds = std::min(limits.shortest_seconds, static_cast<double>(limits.most_pairs) *
                                                                    cells_of_pair / limits.cells_per_second);
  limits.seconds = [&](const Tile& tile) { return fastest_device->device->estimate(tile, problem).seconds; };
  limits.fits = [&](const Tile& tile) {
    return std::all_of(devices_.begin(), devices_.end(), [&](const LoadedDevice& loaded) {
      if (!active(loaded)) return true;
      const DeviceInfo& info = loaded.device->info();
      return loaded.device->estimate(tile, problem).bytes <=
             info.memory_bytes / static_cast<unsigned>(info.concurrency);
    });
  };
  matrix.rows = &rows();
  matrix.columns = &columns();
  std::vector<Tile> tiles = plan(matrix, limits);
  if (tiles.empty()) return;
  Progress& progress = call_.progress;
  if (!progress.counting().planned)
    for (const Tile& tile : tiles) progress.expect(tile.cells, count_pairs(tile));
  if (progress.tick) progress.tick();
  Run(*this, problem, sink, std::move(tiles)).finish();
}

}  // namespace alnus::engine
