#include "engine/registry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/refuse_input.h"
#include "cpu/cpu_device.h"
#include "cpu/further_choice.h"
#include "cpu/isa_choice.h"
#include "cpu/matrix_scorer.h"
#include "cuda/cuda_device.h"

namespace alnus::engine {
namespace {

// Throws Error(input) for a method that no backend has. The devices themselves check whether they have it.
void check_method(const std::string& method) {
  std::vector<std::string> names = cpu::methods();
  for (std::string& name : cuda::methods())
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  if (std::ranges::find(names, method) != names.end()) return;
  // The program could have the methods of papers, but may be linked without them.
  const bool lacks_papers = !cuda::methods().empty() && cuda::paper_methods().empty();
  refuse_input(fmt::format("Unknown method {}; {} alnus devices lists them.{}", in_quotes(method),
                           suggestion(method, names),
                           lacks_papers && nearest(method, names).empty()
                               ? " This program does not link the CMake target alnus::papers, which "
                                 "has the methods of papers."
                               : ""));
}

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes)
             : UINT64_MAX;
}

std::unique_ptr<Device> make_cpu(const SessionOptions& request, bool standby = false) {
  return cpu::make_cpu_device(
      {.threads = request.threads == 0 ? available_threads() : request.threads,
       .isa = request.isa,
       .method = standby ? "auto" : request.method,  // the method may be one of the GPUs'
       .memory_bytes =
           std::min(request.device_memory_bytes.value_or(request.memory_bytes / 2), physical_memory()),
       .standby = standby});
}

// True if the method is one of `methods`, and not "auto".
bool is_one_of(const std::vector<std::string>& methods, const std::string& method) {
  return method != "auto" && std::ranges::find(methods, method) != methods.end();
}

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Adds a name to those that the list `words` has named so far. Throws Error(input) if it is among them.
void add_name(std::string name, std::string_view words, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) != names.end())
    refuse_input(fmt::format("{} {}: {} is named twice.", option("devices"), words, name));
  names.push_back(std::move(name));
}

// Splits a list of devices into "cpu", "cuda", "cuda:0", ... or "auto". A number alone, as in "cuda:0,1", is
// one more GPU. Throws Error(input) for other words, and for a device named twice.
std::vector<std::string> words_of(std::string_view words) {
  static constexpr std::array<std::string_view, 3> kWords{"auto", "cpu", "cuda"};
  std::vector<std::string> names;
  bool numbered = false;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string_view word = words.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t colon = std::min(word.find(':'), word.size());
    const std::string_view backend = word.substr(0, colon);
    const bool number = numbered && is_number(word);
    const bool unnumbered = word == "cpu" || word == "cuda" || (word == "auto" && word == words);
    numbered = number || (backend == "cuda" && colon < word.size() && is_number(word.substr(colon + 1)));
    if (!numbered && !unnumbered)
      refuse_input(
          fmt::format("{} {}: {} is no device here; {} It takes auto, or a list of "
                      "cpu, cuda (all GPUs) and cuda:0,1 (GPUs by number).",
                      option("devices"), words, in_quotes(word),
                      suggestion(backend == "gpu" ? "cuda" : backend, kWords)));
    add_name(number ? fmt::format("cuda:{}", word) : std::string(word), words, names);
  }
  return names;
}

// Returns 3 for "cuda:3". Throws Error(device) if there is no number.
int ordinal_of(const std::string& name) {
  int ordinal = -1;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + name.find(':') + 1, end, ordinal);
  if (error != std::errc{} || rest != end)
    throw Error(ErrorKind::device, fmt::format("There is no device {}.", name));
  return ordinal;
}

}  // namespace

int available_threads() {
  // A scheduler of jobs may have bound the process to some processors. hardware_concurrency() counts all that
  // are online.
  cpu_set_t bound;
  if (::sched_getaffinity(0, sizeof bound, &bound) == 0) return std::max(1, CPU_COUNT(&bound));
  // The machine has more processors than cpu_set_t can hold.
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

DeviceDescription description_of(const DeviceInfo& info) {
  return {info.name, info.description, info.memory_bytes, info.gcups, info.concurrency};
}

int gpu_count() { return cuda::device_count(); }

std::vector<std::string> device_names(const SessionOptions& request) {
  check_method(request.method);
  if (request.threads < 0)
    refuse_input(fmt::format("The number of threads is {}; it must be 0 (all) or more.", request.threads));
  if (request.memory_bytes == 0)
    refuse_input(fmt::format("{} is 0; give the bytes that may be used, as in 8G.", option("memory")));
  std::vector<std::string> names;
  for (const std::string& name : words_of(request.devices)) {
    const bool automatic = name == "auto";
    const bool cpu_only = automatic && (request.isa != "auto" || is_one_of(cpu::methods(), request.method));
    // If a method of GPUs was asked for, the CPU must not stand in for them.
    const bool gpus_only =
        name == "cuda" || (automatic && !cpu_only && is_one_of(cuda::methods(), request.method));
    if (gpus_only) {
      const int gpus = gpu_count();
      if (gpus == 0)
        throw Error(
            ErrorKind::device,
            fmt::format("There is no GPU: {}; use {} cpu{}.", cuda::why_unavailable(), option("devices"),
                        request.method == "auto" ? "" : " and another " + option("method")));
      for (int gpu = 0; gpu < gpus; ++gpu) add_name(fmt::format("cuda:{}", gpu), request.devices, names);
    } else {
      add_name(cpu_only ? "cpu" : name, request.devices, names);
    }
  }
  return names;
}

std::unique_ptr<Device> make_device(const std::string& name, const SessionOptions& request, bool standby) {
  if (name == "cpu") return make_cpu(request, standby);
  return cuda::make_cuda_device(
      {ordinal_of(name), request.method, request.device_memory_bytes.value_or(UINT64_MAX)});
}

std::unique_ptr<PairScorer> make_pair_scorer(const std::string& isa) {
  return std::make_unique<cpu::MatrixScorer>(*cpu::candidate_kernels(isa, cpu::supported_kernels()).front());
}

std::unique_ptr<FurtherAligner> make_further_aligner(const std::string& isa, std::uint64_t memory_bytes) {
  return std::make_unique<cpu::FurtherChoice>(
      *cpu::candidate_kernels(isa, cpu::supported_kernels()).front(),
      cpu::MemoryLimits{.trace = memory_bytes / 4, .states = memory_bytes / 2});
}

std::vector<std::unique_ptr<Device>> make_devices(const SessionOptions& request,
                                                  const std::function<void(const std::string&)>& warn) {
  std::vector<std::unique_ptr<Device>> made;
  for (const std::string& name : device_names(request)) {
    if (name != "auto") {
      made.push_back(make_device(name, request));
      continue;
    }
    for (int gpu = 0; gpu < gpu_count(); ++gpu) {
      const std::string of_gpu = fmt::format("cuda:{}", gpu);
      try {
        made.push_back(make_device(of_gpu, request));
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::device) throw;
        if (warn) warn(fmt::format("{} is left out: {}", of_gpu, error.marked()));
      }
    }
    made.push_back(make_device("cpu", request, !made.empty()));  // on standby if there is a GPU
  }
  return made;
}

}  // namespace alnus::engine

namespace alnus {

std::vector<Backend> backends() {
  using namespace engine;
  Backend processor;
  processor.name = "cpu";
  processor.available = true;
  processor.devices = {description_of(make_cpu({})->info())};
  processor.isas = cpu::supported_isas();
  processor.methods = cpu::methods();
  Backend gpus;
  gpus.name = "cuda";
  for (const DeviceInfo& info : cuda::devices()) gpus.devices.push_back(description_of(info));
  gpus.available = !gpus.devices.empty();
  gpus.unavailable_because = cuda::why_unavailable();
  gpus.methods = cuda::methods();
  gpus.papers = cuda::paper_methods();
  return {std::move(processor), std::move(gpus)};
}

}  // namespace alnus
