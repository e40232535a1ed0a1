// The pairs that a run of the 16-bit kernels has found for the sink, as the device has listed them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/device.h"
#include "cuda/kernels/search.h"
#include "cuda/runtime.h"

namespace alnus::cuda {

// The candidates lie in pinned memory, to which the device copies them, and stay there until they are handed
// over: the device may compute the next tile meanwhile. The memory is used again after clear().
class FoundPairs {
 public:
  // Candidates of subjects that are in device memory together.
  struct Part {
    PinnedArray<Candidate> candidates{};
    std::uint32_t count = 0;
    Position first_column{};  // the position that Candidate::column counts from
  };

  void clear() { used_ = 0; }
  std::uint64_t size() const;
  // Returns a part for the caller to fill. It is valid until the next call of add() or take().
  Part& add();
  // Takes over the parts of another object, which is then empty.
  void take(FoundPairs& other);
  // Hands over all pairs, in one call, but those outside the tile, which must have the rows and the staircase
  // of the run. Throws Interrupted when the sink's flag is requested.
  void hand_over(const Tile& tile, Sink& sink);

 private:
  std::vector<Part> parts_;
  std::size_t used_ = 0;  // parts that are filled
  std::vector<ScoredPair> pairs_;
};

}  // namespace alnus::cuda
