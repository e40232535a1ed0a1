// A region of a sequence, as Seg and Dust return regions of low complexity.
#pragma once

#include <cstddef>

namespace alnus {

struct Region {
  std::size_t begin, end;  // the residues [begin, end)
  std::size_t size() const { return end - begin; }
  friend bool operator==(const Region&, const Region&) = default;
};

}  // namespace alnus
