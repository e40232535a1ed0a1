// Which instruction sets this machine runs.
#pragma once

#include <string>
#include <vector>

#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Those that this processor and this build have, best first. Never empty.
std::vector<const KernelSet*> supported_kernels();

// "auto" or a name. Throws Error(input) for an unknown name, Error(device) for one not supported here.
const KernelSet& choose_kernels(const std::string& isa);

}  // namespace alnus::cpu
