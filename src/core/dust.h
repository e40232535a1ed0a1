// DUST: the regions of low complexity in DNA.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "alnus/alphabet.h"
#include "core/region.h"
#include "core/stop_flag.h"

namespace alnus {

// The algorithm is from A. Morgulis, E. M. Gertz, A. A. Schaffer and R. Agarwala, Journal of Computational
// Biology 13:1028-1040 (2006), doi:10.1089/cmb.2006.13.1028. The parameters are those of NCBI's dustmasker,
// and the regions are the same as dustmasker's.
class Dust {
 public:
  explicit Dust(const StopFlag& stop = StopFlag::never()) : stop_(stop) {}

  // Returns the regions in the order of the sequence, with at least one base between two of them. The span is
  // valid until the next call. Throws Interrupted when the flag is requested.
  std::span<const Region> find(std::span<const Residue> dna);

 private:
  class Bases;
  class Window;
  void search(Region part, Bases& bases);
  std::size_t search_once(Region part, Bases& bases);
  void add(Region region);

  const StopFlag& stop_;
  std::vector<Region> regions_;
};

}  // namespace alnus
