// For methods whose thread blocks take one group of the layout each (Layout::group sequences of similar
// length).
#pragma once

#include <algorithm>

#include "papers/method.h"

namespace alnus::cuda::papers {

// Consecutive groups of a layout, by number.
using GroupRange = RangeOf<std::uint32_t>;

// Returns the number of residues of these groups as they lie on the device, with padding.
inline std::uint64_t padded_residues(const SortedSequences& sequences, const Layout& layout,
                                     GroupRange groups) {
  std::uint64_t words = 0;
  for (std::uint32_t group = groups.begin; group < groups.end; ++group)
    words += (sequences.length(Position(group * layout.group)) + layout.packed - 1) / layout.packed;
  return words * layout.packed * layout.group;
}

// Returns the number of residues, with padding, of the range's first `groups` groups, which have its longest
// sequences, or of all its groups if there are fewer.
inline std::uint64_t first_residues(const SortedSequences& sequences, const Layout& layout,
                                    PositionRange range, int groups) {
  if (range.size() == 0) return 0;
  const std::uint32_t first = range.begin.value() / layout.group,
                      end = (range.end - 1).value() / layout.group + 1;
  return padded_residues(sequences, layout,
                         {first, std::min(first + static_cast<std::uint32_t>(groups), end)});
}

}  // namespace alnus::cuda::papers
