#include "session/device_set.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

#include "alnus/error.h"
#include "session/start_costs.h"

namespace alnus::session {
namespace {

bool is_gpu(const Device& device) { return device.info().kind == DeviceKind::cuda; }

// The seconds that a GPU is expected to take, for as long as no GPU was started that could estimate it.
double expected_on_unstarted_gpu(const Work& work) {
  const bool scores = work.problem.detail == Detail::score && work.shape != TileShape::list;
  const double gcups = scores ? kUnstartedGpuGcups : kUnstartedGpuGcupsOfAlignments;
  return static_cast<double>(work.cells) / (gcups * 1e9);
}

}  // namespace

double expected_seconds(const Device& device, const Work& work) {
  if (!device.declines(work.problem).empty()) return std::numeric_limits<double>::infinity();
  if (work.rows.size() == 0 || work.columns.size() == 0 || work.cells == 0) return 0;
  Tile tile;
  tile.rows = &work.rows;
  tile.columns = &work.columns;
  tile.shape = work.shape;
  tile.cells = work.cells;
  if (work.shape == TileShape::list) {
    // One pair stands for all pairs of the list, since only `cells` matters.
    tile.pairs = {{work.rows.begin(), work.columns.begin()}};
  } else {
    tile.row_range = work.rows.all();
    tile.column_range = work.columns.all();
  }
  double seconds = device.estimate(tile, work.problem).seconds;
  if (work.score_passes > 0)
    seconds += work.score_passes * device.estimate(tile, {work.problem.scoring, Detail::score}).seconds;
  return seconds / device.info().concurrency;
}

void leave_gpus(std::vector<Device*>& devices, std::size_t gpus) {
  const std::size_t all = devices.size() - 1, left = std::min(gpus, all);
  devices.erase(devices.begin() + static_cast<std::ptrdiff_t>(left), devices.end() - 1);
}

DeviceSet::DeviceSet(const SessionOptions& options) : options_(options) {
  for (const std::string& name : engine::device_names(options_)) {
    automatic_ = name == "auto";
    members_.push_back({engine::make_device(automatic_ ? "cpu" : name, options_, automatic_)});
    if (!is_gpu(*members_.back().device)) cpu_ = members_.back().device.get();
  }
  if (cpu_ == nullptr) {
    own_cpu_ = engine::make_device("cpu", options_, true);
    cpu_ = own_cpu_.get();
  }
}

std::vector<Device*> DeviceSet::choose(const Work& work, const Warn& warn) {
  const std::lock_guard lock(mutex_);
  if (!automatic_) return checked(usable());
  const Choice choice = best_choice(work);
  const std::size_t gpus = choice.gpus;
  saved_up_ += choice.lost;
  if (gpus == 0) return {members_.back().device.get()};
  start_gpus(gpus, warn);
  std::vector<Device*> chosen = usable();
  leave_gpus(chosen, gpus);  // more GPUs may be running than this work is worth
  return chosen;
}

// A GPU is started if this call alone gains more time than the start takes, or if all calls without that GPU
// together have lost as much time as the start takes. Whatever calls follow, the lost time and the starts
// together are at most twice what the best decision, made with knowledge of all calls, would cost.
DeviceSet::Choice DeviceSet::best_choice(const Work& work) {
  const double cpu_seconds = expected_seconds(*members_.back().device, work) / kCpuShare;
  Choice best{0, cpu_seconds, 0};
  std::vector<Device*> started;
  for (const Member& member : members_)
    if (is_gpu(*member.device) && !member.failed) started.push_back(member.device.get());
  const double start_seconds = std::max(0.0, kGpuStartSeconds - saved_up_);
  // If the CPU ends before a GPU could start, GPUs are not even counted: counting them takes time, too.
  if (started.empty() && gpu_count_ < 0 && cpu_seconds <= start_seconds) {
    best.lost = std::max(0.0, cpu_seconds - kGpuCallSeconds - expected_on_unstarted_gpu(work));
    return best;
  }
  if (gpu_count_ < 0) gpu_count_ = engine::gpu_count();
  const std::size_t unstarted = static_cast<std::size_t>(gpu_count_) - gpus_tried_;
  const double one_gpu = kGpuCallSeconds + (started.empty() ? expected_on_unstarted_gpu(work)
                                                            : expected_seconds(*started.front(), work));
  for (std::size_t count = 1; count <= started.size() + unstarted; ++count) {
    const std::size_t to_start = count > started.size() ? count - started.size() : 0;
    const double running = one_gpu / static_cast<double>(count);
    const double seconds = running + start_seconds * static_cast<double>(to_start);
    if (seconds < best.seconds) best = {count, seconds, 0};
    if (to_start == 1) best.lost = std::max(0.0, best.seconds - running);
  }
  return best;
}

Forecast DeviceSet::forecast(const Work& work) {
  const std::lock_guard lock(mutex_);
  Forecast forecast;
  if (automatic_) {
    const Choice choice = best_choice(work);
    forecast.seconds = choice.seconds;
    for (std::size_t gpu = 0; gpu < choice.gpus; ++gpu)
      forecast.devices.push_back(fmt::format("cuda:{}", gpu));
    forecast.devices.emplace_back("cpu");
    return forecast;
  }
  // The devices work at the same time, so that their speeds add up.
  double shares_per_second = 0;
  for (const Device* device : checked(usable())) {
    forecast.devices.push_back(device->info().name);
    if (const double seconds = expected_seconds(*device, work); seconds > 0) shares_per_second += 1 / seconds;
  }
  if (shares_per_second > 0) forecast.seconds = 1 / shares_per_second;
  return forecast;
}

// Starts GPUs until `count` are running or all GPUs of the machine were tried.
void DeviceSet::start_gpus(std::size_t count, const Warn& warn) {
  const auto running = static_cast<std::size_t>(
      std::ranges::count_if(members_, [](const Member& m) { return is_gpu(*m.device) && !m.failed; }));
  for (std::size_t missing = count - std::min(count, running);
       missing > 0 && gpus_tried_ < static_cast<std::size_t>(gpu_count_); ++gpus_tried_) {
    const std::string name = fmt::format("cuda:{}", gpus_tried_);
    try {
      members_.insert(members_.end() - 1, Member{engine::make_device(name, options_)});
      saved_up_ = 0;
      --missing;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::memory) throw;
      if (warn) warn(fmt::format("{} is left out: {}", name, error.marked()));
    }
  }
}

std::vector<Device*> DeviceSet::all(const Warn& warn) {
  const std::lock_guard lock(mutex_);
  if (automatic_) {
    if (gpu_count_ < 0) gpu_count_ = engine::gpu_count();
    start_gpus(static_cast<std::size_t>(gpu_count_), warn);
  }
  return checked(usable());
}

std::vector<Device*> DeviceSet::usable() const {
  std::vector<Device*> devices;
  for (const Member& member : members_)
    if (!member.failed) devices.push_back(member.device.get());
  return devices;
}

std::vector<Device*> DeviceSet::checked(std::vector<Device*> devices) {
  if (devices.empty())
    throw Error(
        ErrorKind::device,
        fmt::format("All devices of this session have failed. Make a new session, or choose others by {}.",
                    option("devices")));
  return devices;
}

bool DeviceSet::is_brief(std::uint64_t cells) const {
  constexpr double kBriefSeconds = 0.03;
  const std::lock_guard lock(mutex_);
  double fastest = 0;
  for (const Member& member : members_)
    if (!member.failed) fastest = std::max(fastest, member.device->info().gcups);
  return static_cast<double>(cells) <= kBriefSeconds * fastest * 1e9;
}

void DeviceSet::retire(const Device& device) {
  const std::lock_guard lock(mutex_);
  for (Member& member : members_) member.failed |= member.device.get() == &device;
}

void DeviceSet::note_use(const Device& device) {
  const std::lock_guard lock(mutex_);
  for (Member& member : members_) member.used |= member.device.get() == &device;
}

std::vector<DeviceDescription> DeviceSet::describe() const {
  std::vector<DeviceDescription> descriptions;
  if (automatic_) {
    for (const Backend& backend : backends())
      descriptions.insert(descriptions.end(), backend.devices.begin(), backend.devices.end());
    return descriptions;
  }
  const std::lock_guard lock(mutex_);
  for (const Member& member : members_) descriptions.push_back(engine::description_of(member.device->info()));
  return descriptions;
}

std::vector<DeviceDescription> DeviceSet::describe_used() const {
  const std::lock_guard lock(mutex_);
  std::vector<DeviceDescription> descriptions;
  for (const Member& member : members_)
    if (member.used) descriptions.push_back(engine::description_of(member.device->info()));
  return descriptions;
}

double DeviceSet::nominal_gcups() const {
  double cpu = 0, gpus = 0;
  for (const DeviceDescription& device : describe()) (device.name == "cpu" ? cpu : gpus) += device.gcups;
  return automatic_ && gpus > 0 ? gpus : cpu + gpus;
}

SessionCounters DeviceSet::counters() const {
  const std::lock_guard lock(mutex_);
  SessionCounters all;
  for (const Member& member : members_) {
    const DeviceCounters counters = member.device->counters();
    all.uploads += counters.uploads;
    all.uploaded_bytes += counters.uploaded_bytes;
    all.resident_bytes += counters.resident_bytes;
    if (member.failed) ++all.devices_retired;
  }
  return all;
}

// The lock is released before forget(): a busy GPU may take a while to free its memory, and other calls need
// not wait for that.
void DeviceSet::forget(const std::shared_ptr<const SortedSequences>& sequences) {
  std::unique_lock lock(mutex_);
  std::vector<Device*> devices;
  for (const Member& member : members_) devices.push_back(member.device.get());
  lock.unlock();
  for (Device* device : devices) device->forget(sequences);
}

Alignment DeviceSet::align_pair(std::span<const Residue> query, std::span<const Residue> subject,
                                const Scoring& scoring, Detail detail) const {
  std::optional<Alignment> alignment = cpu_->align_pair(query, subject, scoring, detail, StopFlag::never());
  if (!alignment) throw Error(ErrorKind::device, "The CPU has no short path for a pair with this method.");
  return std::move(*alignment);
}

}  // namespace alnus::session
