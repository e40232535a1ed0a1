// The only place that names the backends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/device.h"
#include "core/pair_scorer.h"

namespace alnus::engine {

struct DeviceRequest {
  std::string devices = "auto";  // auto | cpu | cuda | cuda:0,2 | cpu,cuda
  std::string isa = "auto";
  std::string method = "auto";
  int threads = 0;  // 0: all
  std::uint64_t memory_bytes = 8ULL << 30;
  // What each device may take. Empty: half of memory_bytes for the CPU, all that is free on a GPU.
  std::optional<std::uint64_t> device_memory_bytes{};
};

// As many as the system lets this process run on; at least one.
int available_threads();

// The single devices that a request names, in order: "cpu", "cuda:0", ... For "auto" it is "auto" alone,
// unless the instruction set or the method leaves no choice. Throws Error(input) for unknown words,
// Error(device) for GPUs that are not there; looks for GPUs only if some are named.
std::vector<std::string> device_names(const DeviceRequest& request);
// GPUs that this build and machine have. Starts the driver, but no GPU.
int gpu_count();
// One of device_names(). `standby`: as DeviceInfo has it, for the CPU. Throws Error(device) for one that is
// not there or does not start.
std::unique_ptr<Device> make_device(const std::string& name, const DeviceRequest& request,
                                    bool standby = false);

// Scores single pairs on the processor, with that instruction set ("auto": the best). Throws as
// make_device().
std::unique_ptr<PairScorer> make_pair_scorer(const std::string& isa);

// All devices of a request at once. With "auto" these are all GPUs, and the CPU behind them; a GPU that
// cannot be used is left out, and `warn` is told why.
std::vector<std::unique_ptr<Device>> make_devices(const DeviceRequest& request,
                                                  const std::function<void(const std::string&)>& warn = {});

}  // namespace alnus::engine
