// Runs pair matrices on devices: whoever is idle takes the longest tile that is left, or what of it suits the
// speed that was measured of it.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "core/device.h"
#include "engine/planner.h"
#include "engine/progress.h"

namespace alnus::engine {

// A device with the sequences that it holds.
struct LoadedDevice {
  Device* device = nullptr;
  std::shared_ptr<const Resident> rows, columns;  // null while it stands by
  bool retired = false;                           // it failed, and gets no more tiles
  double speed = 1;                               // measured, by what it expects of itself
};

// One thread per slot of each device. Every pair reaches the sink exactly once:
// - a tile for which a device's memory does not suffice is cut in two; a single pair goes to the others;
// - a device that fails is retired with one warning, and its tile goes to another. When no device is
//   left, the last one's error is thrown;
// - devices that stand by (DeviceInfo::standby) begin when the others have ended, with what is left then;
// - any other exception, the sink's included, stops the run and is thrown to the caller.
class Scheduler {
 public:
  // Loads the sequences on every device that is able to solve `problem`; throws Error(device) when none is.
  Scheduler(std::span<Device* const> devices, const SequenceSet& rows, const SequenceSet& columns,
            const Problem& problem, Progress& progress);

  const Resident& rows() const { return *devices_.front().rows; }
  const Resident& columns() const { return *devices_.front().columns; }

  // All of the matrix, whose rows and columns are those here. Throws Interrupted after Progress::stop or
  // stop().
  void run(PairMatrix matrix, const Problem& problem, Sink& sink);
  // From another thread: what run() is doing is no longer wanted.
  void stop() { stopped_ = true; }
  bool stop_requested() const { return stopped_ || progress_.stop; }

 private:
  class Run;
  void load(LoadedDevice& loaded) const;
  // Whether it gets tiles from the beginning: not when it stands by, unless there is no other.
  bool active(const LoadedDevice& loaded) const;

  const SequenceSet row_set_, column_set_;
  std::vector<LoadedDevice> devices_;  // those that stand by last
  Progress& progress_;
  std::atomic<bool> stopped_{false};
};

}  // namespace alnus::engine
