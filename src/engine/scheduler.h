// Runs pair matrices on devices. Of the tiles that wait, an idle slot takes the one that is expected to take
// the most time. A slot of a device that is measured to be slower than others takes a piece of this tile that
// suits the device's speed, and puts the rest back.
#pragma once

#include <memory>
#include <vector>

#include "core/device.h"
#include "engine/call_state.h"
#include "engine/planner.h"

namespace alnus::engine {

// A device and the sequences that it holds.
struct LoadedDevice {
  Device* device = nullptr;
  std::shared_ptr<const DeviceSequences> columns{};  // null while it stands by
  bool retired = false;                              // it failed, and gets no more tiles
  double speed = 1;                                  // measured, relative to the device's own estimates
};

// Each slot of each device has a thread of the call's pool, or two (DeviceInfo::overlaps). A thread holds a
// permit to compute while it runs a tile of a device that computes on the host. The results of every pair
// reach the sink exactly once:
// - a tile that is too large for a device's memory is cut in two; a single pair goes to the other devices;
// - a device that fails is retired with one warning, for the rest of the call, and its tile goes to another.
//   When no device is left, the last error of a device is thrown;
// - devices that stand by begin when the others have ended, and do what then remains. These are the devices
//   with DeviceInfo::standby and, for Detail::score, a CPU beside a device that is four times as fast or
//   more;
// - any other exception, the sink's included, stops the run and is thrown to the caller.
class Scheduler {
 public:
  // Loads the sequences on every device of the call that can compute `problem` and has not failed. Devices on
  // standby load them later, if they are needed. If no device can, throws Error(device), or the error of the
  // last device that could not load them. The call must outlive the scheduler.
  Scheduler(CallState& call, SortedPtr rows, SortedPtr columns, const Problem& problem);

  const SortedSequences& rows() const { return *rows_; }
  const SortedSequences& columns() const { return *columns_; }

  // Computes the whole pair matrix; its `rows` and `columns` are set to those of the scheduler. Throws
  // Interrupted when Progress::stop is requested, and the errors that are named above the class.
  void run(PairMatrix matrix, const Problem& problem, Sink& sink);
  CallState& call() const { return call_; }
  const StopFlag& stop_flag() const { return call_.progress.stop; }

 private:
  class Run;
  void load(LoadedDevice& loaded) const;
  // True if the device takes tiles only when the others have ended.
  bool stands_by(const LoadedDevice& loaded) const;
  // True if the device gets tiles from the beginning: it does not stand by, or all others stand by, too, or
  // have failed.
  bool active(const LoadedDevice& loaded) const;

  CallState& call_;
  const SortedPtr rows_, columns_;
  const bool scores_only_;             // the problem is of Detail::score
  std::vector<LoadedDevice> devices_;  // those with DeviceInfo::standby are last
};

}  // namespace alnus::engine
