// Runs pair matrices on devices: whoever is idle takes the longest tile that is left, or what of it suits the
// speed that was measured of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/device.h"
#include "engine/call.h"
#include "engine/planner.h"

namespace alnus::engine {

// A device with what it holds of the sequences.
struct LoadedDevice {
  Device* device = nullptr;
  std::shared_ptr<const DeviceSequences> columns{};  // null while it stands by
  std::shared_ptr<const DeviceSequences> rows{};     // null also if the device does not need them
  bool retired = false;                              // it failed, and gets no more tiles
  double speed = 1;                                  // measured, by what it expects of itself
};

// One thread of the call's pool per slot of each device, with a permit to compute while it does a tile of a
// device that computes on the host. Every pair reaches the sink exactly once:
// - a tile for which a device's memory does not suffice is cut in two; a single pair goes to the others;
// - a device that fails is retired with one warning, for the rest of the call, and its tile goes to another.
//   When no device is left, the last one's error is thrown;
// - devices that stand by begin when the others have ended, with what is left then: those that say so
//   (DeviceInfo::standby), and of scores the CPU beside a device that is four times as fast or more;
// - any other exception, the sink's included, stops the run and is thrown to the caller.
class Scheduler {
 public:
  // Loads the sequences on every device of the call that is able to solve `problem` and has not failed;
  // throws Error(device) when none is.
  Scheduler(Call& call, std::shared_ptr<const SortedSequences> rows,
            std::shared_ptr<const SortedSequences> columns, const Problem& problem);

  const SortedSequences& rows() const { return *rows_; }
  const SortedSequences& columns() const { return *columns_; }

  // All of the matrix, whose rows and columns are those here. Throws Interrupted when Progress::stop was
  // requested.
  void run(PairMatrix matrix, const Problem& problem, Sink& sink);
  Call& call() const { return call_; }
  const StopFlag& stop_flag() const { return call_.progress.stop; }

 private:
  class Run;
  void load(LoadedDevice& loaded) const;
  bool stands_by(const LoadedDevice& loaded) const;
  // True if it gets tiles from the beginning: all do but those that stand by while there are others.
  bool active(const LoadedDevice& loaded) const;

  Call& call_;
  const std::shared_ptr<const SortedSequences> rows_, columns_;
  const bool scores_only_;             // that the problem is about scores alone
  std::vector<LoadedDevice> devices_;  // those that say that they stand by last
};

}  // namespace alnus::engine
