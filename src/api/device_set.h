// The devices of a session, and which of them a call gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "alnus/session.h"
#include "core/device.h"
#include "engine/registry.h"

namespace alnus::api {

// What a call is about to do, as far as the choice of devices asks.
struct Work {
  const SortedSequences& rows;
  const SortedSequences& columns;
  const Problem& problem;
  TileShape shape = TileShape::rectangle;  // rectangle or list
  std::uint64_t cells = 0;                 // of the unpadded problem, all passes
  double score_passes = 0;                 // that the scores of all pairs are computed once more
};

// What the device expects to take for all of the work, if it is alone; infinite for what it cannot do.
double expected_seconds(const Device& device, const Work& work);

// Who would do some work, and how long it would take.
struct Forecast {
  double seconds = 0;
  std::vector<std::string> devices;
};

class DeviceSet {
 public:
  // Throws Error(input) for words that are no devices, Error(device) for devices that are not there. Devices
  // that are named are started now; with "auto" GPUs are started when a call is worth it.
  explicit DeviceSet(const SessionOptions& options);

  using Warn = std::function<void(std::string)>;  // takes a sentence with options marked
  // The devices for a call. With "auto": those that are expected to end soonest, the start of a GPU counted
  // until it has been paid once. The choice changes no result. Throws Error(device) when all have failed.
  std::vector<Device*> choose(const Work& work, const Warn& warn);
  // What choose() would choose, for the costs. Starts no GPU.
  Forecast forecast(const Work& work);
  // All that the session may use; with "auto" this starts the GPUs.
  std::vector<Device*> all(const Warn& warn);

  // True if the work is so little that its caller need not hand it to another thread.
  bool is_brief(std::uint64_t cells) const;

  void retire(const Device& device);  // it gets no more work of this session
  std::uint64_t retired() const;

  std::vector<DeviceDescription> describe() const;
  // What all of the session's devices are expected to do in a second, in 1e9 cells; no measurement is in it.
  double nominal_gcups() const;
  DeviceCounters counters() const;
  // Drops what devices hold of these sequences.
  void forget(const std::shared_ptr<const SortedSequences>& sequences);
  // The short path for one pair, on the caller's thread.
  Alignment align_pair(std::span<const Residue> query, std::span<const Residue> subject,
                       const Scoring& scoring, Detail detail) const;

 private:
  struct Member {
    std::unique_ptr<Device> device;
    bool failed = false;
  };
  void start_gpus(std::size_t count, const Warn& warn);
  std::vector<Device*> usable() const;
  // With how many GPUs the work ends soonest (0: with the CPU alone), and when. `lost`: how much sooner the
  // next GPU would have ended if it had been started before.
  struct Choice {
    std::size_t gpus = 0;
    double seconds = 0, lost = 0;
  };
  Choice best_choice(const Work& work);
  static std::vector<Device*> checked(std::vector<Device*> devices);

  const engine::DeviceRequest request_;
  bool automatic_ = false;
  std::unique_ptr<Device> own_cpu_;  // for the short path, if the session's devices are GPUs alone
  Device* cpu_ = nullptr;            // for the short path
  mutable std::mutex mutex_;
  std::vector<Member> members_;  // GPUs in order, and the CPU behind them
  std::size_t gpus_tried_ = 0;   // with "auto": GPUs that were started, or did not start
  int gpu_count_ = -1;           // of the machine; below 0: nobody has looked
  double saved_up_ = 0;          // seconds that a GPU would have saved in the calls that went without
};

}  // namespace alnus::api
