// What measured work runs on: devices, and threads that all of it shares.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alnus/session.h"
#include "cli/log.h"
#include "core/device.h"
#include "core/thread_pool.h"
#include "engine/call.h"

namespace alnus::bench {

// The threads that the options allow.
int threads_of(const SessionOptions& machine);

// A session that reads inputs: on the CPU, whatever devices are measured.
Session reading_session(const SessionOptions& machine, cli::Log& log);

class Team {
 public:
  // Makes the devices that the options name. Warnings go to the log. Throws as engine::make_devices() does.
  Team(const SessionOptions& machine, ThreadPool& threads, cli::Log& log);

  std::span<Device* const> devices() const { return devices_; }
  std::vector<DeviceInfo> infos() const;
  // A call of the engine for one piece of work, whose warnings go to the log: on all devices, or on some. The
  // array of those must live as long as the call.
  std::unique_ptr<engine::Call> call() const { return call(devices_); }
  std::unique_ptr<engine::Call> call(std::span<Device* const> devices) const;

 private:
  ThreadPool& threads_;
  cli::Log& log_;
  std::vector<std::unique_ptr<Device>> owned_;
  std::vector<Device*> devices_;
};

}  // namespace alnus::bench
