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

namespace alnus::session {

// The work of a call, as far as it matters for the choice of devices.
struct Work {
  const SortedSequences& rows;
  const SortedSequences& columns;
  const Problem& problem;
  TileShape shape = TileShape::rectangle;  // rectangle or list
  std::uint64_t cells = 0;                 // cells of all pairs and passes, without padding
  double score_passes = 0;                 // how many times all pairs are scored in addition
};

// The seconds that the device expects to need for all of the work alone; infinite if it cannot do it.
double expected_seconds(const Device& device, const Work& work);

// The devices that would do some work, and the time that they would take.
struct Forecast {
  double seconds = 0;
  std::vector<std::string> devices;  // names, as SessionOptions::devices takes them
};

// Leaves the first `gpus` of some GPUs, and the CPU, which is the last device. It stays for work that GPUs
// cannot do.
void leave_gpus(std::vector<Device*>& devices, std::size_t gpus);

class DeviceSet {
 public:
  // Throws Error(input) for words that are no devices, Error(device) for devices that are not there. Starts
  // the devices that the options name. With "auto" it starts the CPU alone; choose() starts GPUs when a call
  // is worth it.
  explicit DeviceSet(const SessionOptions& options);

  using Warn = std::function<void(std::string)>;  // takes a sentence with options marked
  // The devices for a call. With "auto": those that are expected to end soonest, with the time to start GPUs
  // counted in. Time that earlier calls lost for want of a GPU is taken off the cost of its start. The choice
  // changes no result. Throws Error(device) when all devices have failed.
  std::vector<Device*> choose(const Work& work, const Warn& warn);
  // The devices that choose() would choose, and the time that they would take. Starts no GPU.
  Forecast forecast(const Work& work);
  // All devices that the session may use; with "auto" this starts the GPUs.
  std::vector<Device*> all(const Warn& warn);

  // True if the fastest device, at its nominal speed, does these cells in 0.03 s or less: that is too little
  // work to be worth another thread.
  bool is_brief(std::uint64_t cells) const;

  void retire(const Device& device);    // the device failed and gets no more work of this session
  void note_use(const Device& device);  // the device has computed something

  std::vector<DeviceDescription> describe() const;
  std::vector<DeviceDescription> describe_used() const;  // the devices that have computed something
  // The nominal speed of the session's devices together, in 1e9 cells a second. It does not depend on
  // measurements. With "auto" and GPUs in the machine, the GPUs alone count.
  double nominal_gcups() const;
  SessionCounters counters() const;  // those of the devices
  // Drops what devices hold of these sequences.
  void forget(const std::shared_ptr<const SortedSequences>& sequences);
  // Aligns one pair on the CPU, on the caller's thread, without tiles.
  Alignment align_pair(std::span<const Residue> query, std::span<const Residue> subject,
                       const Scoring& scoring, Detail detail) const;

 private:
  struct Member {
    std::unique_ptr<Device> device;
    bool failed = false;
    bool used = false;
  };
  void start_gpus(std::size_t count, const Warn& warn);
  std::vector<Device*> usable() const;
  // The number of GPUs with which the work ends soonest (0: the CPU alone), and the seconds that it takes.
  // `lost`: seconds that the work would have saved if one more GPU had been started before this call.
  struct Choice {
    std::size_t gpus = 0;
    double seconds = 0, lost = 0;
  };
  Choice best_choice(const Work& work);
  static std::vector<Device*> checked(std::vector<Device*> devices);

  const SessionOptions options_;
  bool automatic_ = false;
  std::unique_ptr<Device> own_cpu_;  // for align_pair(), if the session's devices are GPUs alone
  Device* cpu_ = nullptr;            // for align_pair(): own_cpu_ or one of members_
  mutable std::mutex mutex_;
  std::vector<Member> members_;  // in the order of the request; with "auto" the CPU is last
  std::size_t gpus_tried_ = 0;   // with "auto": GPUs that started or failed to start
  int gpu_count_ = -1;           // GPUs of the machine; below 0: not looked for yet
  double saved_up_ = 0;          // seconds that calls since the last start would have saved by one more GPU
};

}  // namespace alnus::session
