// Rules out pairs of too low identity before they are aligned. The identical residues of any alignment, one
// after the other, are a common subsequence of both sequences, so that no alignment has more of them than
// the longest common subsequence has residues (docs/allpairs.md, "Pairs that are ruled out").
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/all_pairs_driver.h"
#include "engine/chosen_pairs.h"

namespace alnus::engine {

class IdentityBound {
 public:
  // Both must outlive the object.
  IdentityBound(const AllPairsOptions& options, const Scoring& scoring)
      : options_(options), scoring_(scoring) {}

  // True if pairs need some identity to be listed or to have a sparse value, and the lengths of two sequences
  // give its divisor or a lower bound of it. False without shortcuts, in mode local, and if values of all
  // pairs or the nearest are wanted.
  bool rules_out() const;
  // How many cells are ruled out, or not, in about the time in which a device aligns one. 1 if rules_out() is
  // false.
  double cells_at_a_time() const {
    constexpr double kMany = 64;
    return rules_out() ? kMany : 1;
  }
  // False if no alignment passes of two sequences of these lengths whose longest common subsequence has
  // `common` residues.
  bool may_pass(std::int32_t common, std::size_t length, std::size_t other) const;
  // Returns the least length of a common subsequence with which a sequence of `length` residues may pass with
  // some sequence that is not longer.
  std::int32_t least_common(std::size_t length) const;
  // Returns a sink that chooses the pairs that are not ruled out. The scores that it takes are lengths of
  // longest common subsequences. No row is shorter than a column that it is paired with. `most_bytes`: as for
  // ChosenPairs. The bound and the sequences must outlive the sink.
  ChosenPairs possible_pairs(const SortedSequences& rows, const SortedSequences& columns,
                             std::uint64_t most_bytes, CallState& call) const;

 private:
  bool may_pass_filter(const AlignmentCounts& counts, std::size_t length, std::size_t other) const;
  bool may_pass_cutoff(const AlignmentCounts& counts, std::size_t length, std::size_t other) const;

  const AllPairsOptions& options_;
  const Scoring& scoring_;
};

}  // namespace alnus::engine
