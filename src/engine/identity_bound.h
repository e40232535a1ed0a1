// Rules out pairs of too low identity before they are aligned. The identical residues of any alignment, one
// after the other, are a common subsequence of both sequences, so that no alignment has more of them than
// the longest common subsequence has residues (docs/allpairs.md, "Pairs that are ruled out").
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/all_pairs_driver.h"

namespace alnus::engine {

class IdentityBound {
 public:
  // Both must outlive the object.
  IdentityBound(const AllPairsOptions& options, const Scoring& scoring)
      : options_(options), scoring_(scoring) {}

  // True if a pair needs some identity to be listed or to have a sparse value, and its divisor follows from
  // the lengths of the sequences. False if values of all pairs are wanted.
  bool rules_out() const;
  // False if no alignment of two sequences of these lengths passes, of which the longest common subsequence
  // has `common` residues.
  bool may_pass(std::int32_t common, std::size_t length, std::size_t other) const;
  // Returns the length of a common subsequence below which a sequence of this length has no pair that passes
  // with any sequence of up to that length.
  std::int32_t least_common(std::size_t length) const;

 private:
  bool may_pass_filter(const AlignmentCounts& counts, std::size_t length, std::size_t other) const;
  bool may_pass_cutoff(const AlignmentCounts& counts, std::size_t length, std::size_t other) const;

  const AllPairsOptions& options_;
  const Scoring& scoring_;
};

}  // namespace alnus::engine
