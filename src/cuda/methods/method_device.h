// A GPU that computes by the method of a paper.
#pragma once

#include <memory>
#include <string_view>

#include "core/device.h"

namespace alnus::cuda {

// Null if no paper's method has the name. `usual`: a device of the same GPU, which does what the paper leaves
// out: alignments of hits, lists of pairs, and pairs whose scores exceed the method's integers.
std::unique_ptr<Device> make_method_device(std::string_view method, std::unique_ptr<Device> usual,
                                           int ordinal);

}  // namespace alnus::cuda
