// Which of several instruction sets has the fastest kernels on this processor: the newest one may not.
#pragma once

#include <span>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

// The fastest 8-bit kernel for local scores, which a set may have in two forms, and all other kernels of the
// set that is fastest at those. Takes a little more than a millisecond for each candidate.
KernelSet fastest_kernels(std::span<const KernelSet* const> candidates);

}  // namespace alnus::cpu
