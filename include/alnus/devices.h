// The devices that this machine computes with, and how the library was built.
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
  std::uint64_t memory_bytes = 0;  // bytes of the device's memory that work may take
  double gcups = 0;                // expected speed of the whole device, in 1e9 cells per second
  int concurrency = 1;             // slots: pieces of work that the device does at the same time
};

// A method from a published paper, which is kept for comparison with alnus' own methods (docs/papers).
struct PaperMethod {
  std::string_view name;    // as SessionOptions::method takes it
  std::string_view paper;   // docs/papers/<paper>.md
  std::string_view system;  // the paper's name for the method
};

// All devices of one kind.
struct Backend {
  std::string name;  // cpu, cuda
  bool available = false;
  std::string unavailable_because;  // a phrase that says why; empty if the backend is available
  std::vector<DeviceDescription> devices;
  std::vector<std::string> isas;     // CPU only: instruction sets that this CPU runs, the newest first
  std::vector<std::string> methods;  // names that SessionOptions::method takes
  std::vector<PaperMethod> papers;   // those of `methods` that come from papers
};

// The CPU and the GPUs of this machine, whatever a session uses of them. The call looks for GPUs and their
// driver.
ALNUS_API std::vector<Backend> backends();

// The processor's name as Linux gives it (/proc/cpuinfo); empty if Linux gives none.
ALNUS_API std::string processor_name();

// The version of the library that is running, such as "0.1.0". The headers that a program was compiled with
// may be of another version.
ALNUS_API std::string_view version();

// The commit of alnus' repository that the library was built from, such as "3097d79c41fe"; "-dirty" follows
// if sources were changed since. Empty for a build of released sources, which are no clone of the repository.
ALNUS_API std::string_view commit();

// How the library that is running was built, and which libraries it uses.
struct BuildDescription {
  std::string compiler;  // "GCC 12.2.0"
  std::string cuda;      // "13.0.48, architectures 90": CUDA's toolkit; empty if built without GPUs
  struct Library {
    std::string name, version;
  };
  std::vector<Library> libraries;  // those of the libraries in use that tell their version
};
ALNUS_API BuildDescription build_description();

}  // namespace alnus
