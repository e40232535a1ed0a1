#include "bench/team.h"

#include <string>

#include "cli/common_options.h"
#include "engine/registry.h"

namespace alnus::bench {

int threads_of(const SessionOptions& machine) {
  return machine.threads == 0 ? engine::available_threads() : machine.threads;
}

Session reading_session(const SessionOptions& machine, cli::Log& log) {
  SessionOptions options;
  options.devices = "cpu";
  options.threads = machine.threads;
  options.memory_bytes = machine.memory_bytes;
  return cli::make_session(std::move(options), log);
}

Team::Team(const SessionOptions& machine, ThreadPool& threads, cli::Log& log) : threads_(threads), log_(log) {
  owned_ = engine::make_devices(machine,
                                [&log](const std::string& message) { log.warning(cli::in_flags(message)); });
  for (const std::unique_ptr<Device>& device : owned_) devices_.push_back(device.get());
}

std::vector<DeviceInfo> Team::infos() const {
  std::vector<DeviceInfo> infos;
  for (const Device* device : devices_) infos.push_back(device->info());
  return infos;
}

std::unique_ptr<engine::CallState> Team::call(std::span<Device* const> devices) const {
  auto call = std::make_unique<engine::CallState>(devices, threads_);
  call->progress.warn = [&log = log_](const std::string& message) { log.warning(cli::in_flags(message)); };
  return call;
}

}  // namespace alnus::bench
