// Finds by a probe which instruction set has the fastest kernels on this processor. The newest
// instruction set is not always the fastest.
#pragma once

#include <span>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Returns a set of kernels: the fastest local8, of which a candidate may have two forms, and all other
// kernels from the candidate that is fastest at interseq and differences. Takes a little more than a
// millisecond for each candidate.
KernelSet fastest_kernels(std::span<const KernelSet* const> candidates);

}  // namespace alnus::cpu
