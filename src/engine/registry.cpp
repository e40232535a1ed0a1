#include "engine/registry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "alnus/error.h"
#include "core/nearest.h"
#include "cpu/cpu_device.h"
#ifdef ALNUS_CUDA
#include "cuda/cuda_device.h"
#endif

namespace alnus::engine {
namespace {

// What the CUDA backend offers; in builds without it, nothing.
#ifdef ALNUS_CUDA
using cuda::device_count;
using cuda::devices;
using cuda::paper_methods;
using cuda::why_unavailable;
std::vector<std::string> cuda_methods() { return cuda::methods(); }
std::unique_ptr<Device> make_cuda(const DeviceRequest& request, int ordinal) {
  return cuda::make_cuda_device({ordinal, request.method, request.device_memory_bytes.value_or(UINT64_MAX)});
}
#else
int device_count() { return 0; }
std::vector<DeviceInfo> devices() { return {}; }
std::string why_unavailable() { return "this build has no CUDA support"; }
std::vector<std::string> cuda_methods() { return {}; }
std::vector<PaperMethod> paper_methods() { return {}; }
std::unique_ptr<Device> make_cuda(const DeviceRequest& /*request*/, int ordinal) {
  throw Error(ErrorKind::device,
              fmt::format("There is no device cuda:{}: {}; use --devices cpu.", ordinal, why_unavailable()));
}
#endif

// That some backend knows it; whether the chosen devices do is theirs to say.
void check_method(const std::string& method) {
  std::vector<std::string> names = cpu::methods();
  for (std::string& name : cuda_methods()) names.push_back(std::move(name));
  if (std::ranges::find(names, method) == names.end())
    throw Error(ErrorKind::input,
                fmt::format("Unknown method '{}'; did you mean '{}'? alnus devices lists them.", method,
                            nearest(method, names)));
}

// At least one; as many as the scheduler lets this process run on.
int available_threads() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes)
             : UINT64_MAX;
}

std::unique_ptr<Device> make_cpu(const DeviceRequest& request, bool standby = false) {
  cpu::CpuOptions options;
  options.threads = request.threads == 0 ? available_threads() : request.threads;
  options.isa = request.isa;
  options.method = standby ? "auto" : request.method;  // a GPU's method may be meant
  options.memory_bytes =
      std::min(request.device_memory_bytes.value_or(request.memory_bytes / 2), physical_memory());
  options.standby = standby;
  return cpu::make_cpu_device(options);
}

// Whether the method is one of these only.
bool is_one_of(const std::vector<std::string>& methods, const std::string& method) {
  return method != "auto" && std::ranges::find(methods, method) != methods.end();
}

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "cpu", "cuda", "cuda:0", ...: a number alone stands for one more device of the backend before it.
std::vector<std::string> device_names(std::string_view words) {
  static constexpr std::array<std::string_view, 3> kWords{"auto", "cpu", "cuda"};
  std::vector<std::string> names;
  bool numbered = false;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string_view word = words.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t colon = std::min(word.find(':'), word.size());
    if (numbered && is_number(word)) {
      names.push_back(fmt::format("cuda:{}", word));
    } else if (word == "cpu" || word == "cuda" || (word == "auto" && word == words)) {
      numbered = false;
      names.emplace_back(word);
    } else if (word.substr(0, colon) == "cuda" && colon < word.size() && is_number(word.substr(colon + 1))) {
      numbered = true;
      names.emplace_back(word);
    } else {
      throw Error(
          ErrorKind::input,
          fmt::format("--devices {}: '{}' is no device here; did you mean '{}'? It takes auto, or a list of "
                      "cpu, cuda (all GPUs) and cuda:0,1 (GPUs by number).",
                      words, word, nearest(word.substr(0, colon), kWords)));
    }
    if (std::count(names.begin(), names.end(), names.back()) > 1)
      throw Error(ErrorKind::input, fmt::format("--devices {}: {} is named twice.", words, names.back()));
  }
  return names;
}

// Of "cuda:3".
int ordinal_of(const std::string& name) {
  int ordinal = -1;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + name.find(':') + 1, end, ordinal);
  if (error != std::errc{} || rest != end)
    throw Error(ErrorKind::device, fmt::format("There is no device {}.", name));
  return ordinal;
}

// The devices that the request means, one by one: "cpu", "cuda:0", ...
std::vector<std::string> single_devices(const DeviceRequest& request) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw Error(ErrorKind::input, fmt::format("--devices {}: {} is named twice.", request.devices, name));
    names.push_back(std::move(name));
  };
  for (const std::string& name : device_names(request.devices)) {
    const bool automatic =
        name == "auto" && request.isa == "auto" && !is_one_of(cpu::methods(), request.method);
    // Nothing stands in for a GPU whose method was asked for.
    const bool gpus_only = name == "cuda" || (automatic && is_one_of(cuda_methods(), request.method));
    const int gpus = gpus_only || automatic ? device_count() : 0;
    for (int gpu = 0; gpu < gpus; ++gpu) add(fmt::format("cuda:{}", gpu));
    if (gpus_only && gpus == 0)
      throw Error(ErrorKind::device,
                  fmt::format("There is no GPU: {}; use --devices cpu{}.", why_unavailable(),
                              request.method == "auto" ? "" : " and another --method"));
    if (name == "cpu" || (name == "auto" && !gpus_only)) add("cpu");
    if (name.starts_with("cuda:")) add(name);
  }
  return names;
}

}  // namespace

std::vector<std::unique_ptr<Device>> make_devices(const DeviceRequest& request,
                                                  const std::function<void(const std::string&)>& warn) {
  check_method(request.method);
  if (request.threads < 0)
    throw Error(ErrorKind::input,
                fmt::format("The number of threads is {}; it must be 0 (all) or more.", request.threads));
  if (request.memory_bytes == 0)
    throw Error(ErrorKind::input, "--memory is 0; give the bytes that may be used, as in 8G.");
  const std::vector<std::string> names = single_devices(request);
  const bool automatic = request.devices == "auto";
  std::vector<std::unique_ptr<Device>> made;
  made.reserve(names.size());
  for (const std::string& name : names) {  // the CPU last, where it is automatic
    if (name == "cpu") {
      const bool standby = automatic && !made.empty();  // it does what GPUs leave
      made.push_back(make_cpu(request, standby));
      continue;
    }
    try {
      made.push_back(make_cuda(request, ordinal_of(name)));
    } catch (const Error& error) {
      if (!automatic || error.kind() != ErrorKind::device) throw;
      if (warn) warn(fmt::format("{} is left out: {}", name, error.what()));
    }
  }
  return made;
}

std::vector<Backend> backends() {
  Backend cpu_backend;
  cpu_backend.name = "cpu";
  cpu_backend.available = true;
  cpu_backend.devices = {make_cpu({})->info()};
  cpu_backend.isas = cpu::supported_isas();
  cpu_backend.methods = cpu::methods();
  Backend gpus;
  gpus.name = "cuda";
  gpus.devices = devices();
  gpus.available = !gpus.devices.empty();
  gpus.unavailable_because = why_unavailable();
  gpus.methods = cuda_methods();
  gpus.papers = paper_methods();
  return {std::move(cpu_backend), std::move(gpus)};
}

}  // namespace alnus::engine
