// The devices and threads that measured work runs on.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alnus/session.h"
#include "cli/log.h"
#include "core/device.h"
#include "core/thread_pool.h"
#include "engine/call_state.h"

namespace alnus::bench {

// The threads that the options allow.
int threads_of(const SessionOptions& machine);

// A session for reading inputs. It uses the CPU, whatever devices are measured.
Session reading_session(const SessionOptions& machine, cli::Log& log);

class Team {
 public:
  // Makes the devices that the options name. Warnings go to the log. Throws as engine::make_devices() does.
  Team(const SessionOptions& machine, ThreadPool& threads, cli::Log& log);

  std::span<Device* const> devices() const { return devices_; }
  std::vector<DeviceInfo> infos() const;
  // A call of the engine for one piece of work, on all devices or on those that are given. Its warnings go to
  // the log. The array of devices must outlive the call.
  std::unique_ptr<engine::CallState> call() const { return call(devices_); }
  std::unique_ptr<engine::CallState> call(std::span<Device* const> devices) const;

 private:
  ThreadPool& threads_;
  cli::Log& log_;
  std::vector<std::unique_ptr<Device>> owned_;
  std::vector<Device*> devices_;
};

}  // namespace alnus::bench
