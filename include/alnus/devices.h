// What this machine offers to compute with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/export.h"

namespace alnus {

struct DeviceDescription {
  std::string name;                // "cpu", "cuda:0": as SessionOptions::devices takes it
  std::string description;         // "2 threads, avx512"; "NVIDIA H200, compute capability 9.0, ..."
  std::uint64_t memory_bytes = 0;  // that work may take there
  double gcups = 0;                // expected speed, 1e9 cells a second, all of the device
  int concurrency = 1;             // pieces of work that it does at the same time
};

// A way to compute that is a published one, kept as a reference (docs/papers).
struct PaperMethod {
  std::string_view name;    // as SessionOptions::method takes it
  std::string_view paper;   // docs/papers/<paper>.md
  std::string_view system;  // what the paper calls it
};

struct Backend {
  std::string name;  // cpu, cuda
  bool available = false;
  std::string unavailable_because;  // a phrase; empty where it is available
  std::vector<DeviceDescription> devices;
  std::vector<std::string> isas;  // of the CPU: instruction sets that it runs, the newest first
  std::vector<std::string> methods;
  std::vector<PaperMethod> papers;  // of these methods, those of papers
};

// The CPU and the GPUs, whatever a session uses of them. Looks for GPUs and their driver.
ALNUS_API std::vector<Backend> backends();

// The processor as Linux calls it; empty where it does not say.
ALNUS_API std::string processor_name();

// "0.1.0": of the library that is running, not of the headers that a program was compiled with.
ALNUS_API std::string_view version();

// How the library that is running was built, and which libraries it uses.
struct BuildDescription {
  std::string compiler;  // "GCC 12.2.0"
  std::string cuda;      // "13.0.48, architectures 90": CUDA's toolkit; empty where GPUs were left out
  struct Library {
    std::string name, version;
  };
  std::vector<Library> libraries;  // those that tell their version
};
ALNUS_API BuildDescription build_description();

}  // namespace alnus
