// Methods whose blocks of threads take a group of the layout each.
#pragma once

#include "cuda/methods/method.h"

namespace alnus::cuda {

// Of groups of a block each, as they lie on the device.
inline std::uint64_t padded_residues(const Resident& resident, const Layout& layout, Range groups) {
  std::uint64_t words = 0;
  for (std::uint32_t group = groups.begin; group < groups.end; ++group)
    words += (resident.length(group * layout.group) + layout.packed - 1) / layout.packed;
  return words * layout.packed * layout.group;
}

}  // namespace alnus::cuda
