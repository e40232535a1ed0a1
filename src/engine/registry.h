// The only place that names the backends.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device.h"

namespace alnus::engine {

struct DeviceRequest {
  std::string devices = "auto";  // auto | cpu | cuda | cuda:0,2 | cpu,cuda
  std::string isa = "auto";      // --isa
  std::string method = "auto";   // --method
  int threads = 0;               // 0: all
  std::uint64_t memory_bytes = 8ULL << 30;
  std::optional<std::uint64_t>
      device_memory_bytes{};  // --device-memory; else the CPU's is half of memory_bytes, a GPU's its own
};

// Throws Error(device) for devices that this build or machine does not have, Error(input) for unknown words.
// A GPU that cannot be used is left out where it was not asked for by name, and `warn` is told why.
std::vector<std::unique_ptr<Device>> make_devices(const DeviceRequest& request,
                                                  const std::function<void(const std::string&)>& warn = {});

struct Backend {
  std::string name;  // cpu, cuda
  bool available = false;
  std::string unavailable_because;
  std::vector<DeviceInfo> devices;
  std::vector<std::string> isas;  // cpu: best first
  std::vector<std::string> methods;
  std::vector<PaperMethod> papers;  // of these methods, those of papers
};
std::vector<Backend> backends();

}  // namespace alnus::engine
