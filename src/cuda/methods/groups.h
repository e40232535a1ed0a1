// Methods whose blocks of threads take a group of the layout each.
#pragma once

#include <algorithm>

#include "cuda/methods/method.h"

namespace alnus::cuda {

// Of groups of a block each, as they lie on the device.
inline std::uint64_t padded_residues(const Resident& resident, const Layout& layout, Range groups) {
  std::uint64_t words = 0;
  for (std::uint32_t group = groups.begin; group < groups.end; ++group)
    words += (resident.length(group * layout.group) + layout.packed - 1) / layout.packed;
  return words * layout.packed * layout.group;
}

// Of as many groups as a launch has, from the longest on.
inline std::uint64_t first_residues(const Resident& resident, const Layout& layout, Range range, int groups) {
  if (range.size() == 0) return 0;
  const std::uint32_t first = range.begin / layout.group, end = (range.end - 1) / layout.group + 1;
  return padded_residues(resident, layout,
                         {first, std::min(first + static_cast<std::uint32_t>(groups), end)});
}

}  // namespace alnus::cuda
