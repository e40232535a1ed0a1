// Which instruction sets this machine runs, and which of them a device uses.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Those that this processor and this build have, best first. Never empty.
std::vector<const KernelSet*> supported_kernels();

// The one of that name, or for "auto" all, of `supported`. Throws Error(input) for an unknown name,
// Error(device) for one that is not supported here.
std::vector<const KernelSet*> candidate_kernels(const std::string& isa,
                                                std::vector<const KernelSet*> supported);

// The kernels of one device. Several candidates, or one that has two forms of a kernel: the first at the
// beginning, and the fastest once so much work has been announced that it repays a probe of a few
// milliseconds. Every device makes a probe of its own: a library keeps nothing global, and a probe that
// something disturbed has no effect beyond its device.
class KernelChoice {
 public:
  explicit KernelChoice(std::vector<const KernelSet*> candidates);

  // The first candidate. Memory and speed are estimated by it, so that no timing changes where tiles end; no
  // other candidate takes more memory.
  const KernelSet& nominal() const { return *candidates_.front(); }
  // What runs that begin now are to use. Any thread may call it, and announce(), at any time.
  const KernelSet& current() const { return *current_.load(std::memory_order_acquire); }
  // Work to come, in seconds until the device has done it.
  void announce(double seconds);

 private:
  const std::vector<const KernelSet*> candidates_;
  std::atomic<const KernelSet*> current_;
  std::mutex mutex_;
  double announced_ = 0;
  bool probed_ = false;
  KernelSet fastest_;
};

}  // namespace alnus::cpu
