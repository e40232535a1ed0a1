// The instruction sets that this machine runs, and the one that a device uses.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Returns the kernels that this build has and this processor runs, best first. Never empty.
std::vector<const KernelSet*> supported_kernels();

// Returns the kernels of `supported` whose name is `isa`, or for "auto" its first two at most. Throws
// Error(input) for an unknown name, Error(device) for an instruction set that is not supported here.
std::vector<const KernelSet*> candidate_kernels(const std::string& isa,
                                                std::vector<const KernelSet*> supported);

// Chooses the kernels of one device. A device begins with the first candidate. If there are several
// candidates, or one has two forms of a kernel, the device changes to the fastest once the announced work
// repays a probe of a few milliseconds. Every device makes its own probe: the library keeps nothing global,
// and a disturbed probe affects one device alone.
class KernelChoice {
 public:
  explicit KernelChoice(std::vector<const KernelSet*> candidates);

  // Returns the first candidate. Estimates of memory and speed use it, so that no timing changes where tiles
  // end. No other candidate takes more memory.
  const KernelSet& nominal() const { return *candidates_.front(); }
  // Returns the kernels for runs that begin now. Any thread may call current() and announce() at any time.
  const KernelSet& current() const { return *current_.load(std::memory_order_acquire); }
  // Announces work that keeps the device busy for about `seconds`. May run the probe.
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
