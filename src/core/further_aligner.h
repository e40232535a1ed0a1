// Finds several alignments of a pair, one after the other (docs/ties.md, "Further alignments").
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "alnus/alignment.h"
#include "core/stop_flag.h"

namespace alnus {

// Works on one pair at a time, and keeps its buffers from pair to pair. It is for one thread at a time.
class FurtherAligner {
 public:
  virtual ~FurtherAligner() = default;
  FurtherAligner() = default;
  FurtherAligner(const FurtherAligner&) = delete;
  FurtherAligner& operator=(const FurtherAligner&) = delete;

  // Begins a pair. next() returns its alignments that score at least `lowest`, and more than
  // score_of_nothing(). The scoring must pass has_further_alignments(). The sequences, the scoring and the
  // flag must outlive the work on the pair. Throws Error(input) if scores may pass 1,000,000,000.
  virtual void begin(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
                     std::int32_t lowest, const StopFlag& stop_flag) = 0;
  // No alignment that next() returns from now on aligns two residues that `alignment` aligns, which must have
  // its CIGAR and begin coordinates. A caller that knows the pair's first
  // alignments passes them here.
  virtual void bar(const Alignment& alignment) = 0;
  // Returns the best alignment that is not barred, with all details, and bars it; empty if none is left.
  // Throws Interrupted when the flag is requested, Error(memory) if a buffer cannot be allocated;
  // after an exception only begin() may follow.
  virtual std::optional<Alignment> next() = 0;
};

}  // namespace alnus
