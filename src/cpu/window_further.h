// Finds several alignments of a pair (core/further_aligner.h) where each of them aligns the whole query
// without a gap, as those of primers are if gaps cost enough.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/further_aligner.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// Such an alignment lies in a window of the subject, which has as many residues as the query. No two windows
// align the same two residues, so the alignments are the windows with enough score, best first. The first
// next() finds all of them in one pass over the subject, and keeps four bytes of each.
class WindowFurther final : public FurtherAligner {
 public:
  explicit WindowFurther(const KernelSet& kernels) : kernels_(kernels) {}

  // True if no alignment of the query with a gap, or without its ends, is among those that next() would
  // return after begin() with these arguments, whatever the subject is, and if the kernels hold the scores.
  // Only then may begin() be called.
  bool finds_all(std::span<const Residue> query, const Scoring& scoring, std::int32_t lowest) const;

  void begin(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
             std::int32_t lowest, const StopFlag& stop_flag) override;
  void bar(const Alignment& alignment) override;
  std::optional<Alignment> next() override;

 private:
  void find_windows();
  Alignment alignment_of(std::int32_t window, std::int32_t score) const;

  const KernelSet& kernels_;
  std::array<std::int32_t, kLetters * kLetters> losses_{};
  AlignedBuffer codes_, workspace_;
  std::vector<GaplessHit> hits_;

  // The pair.
  std::span<const Residue> query_, subject_;
  const StopFlag* stop_flag_ = nullptr;
  std::int32_t least_ = 0;     // score of an alignment
  std::int32_t may_lose_ = 0;  // what such a window loses of the query's best score
  bool found_ = false;         // true after find_windows()
  // By what a window has left of may_lose_: its first residue, rising. Better windows come later.
  std::vector<std::vector<std::int32_t>> windows_;
  std::size_t next_ = 0;           // in windows_.back()
  std::set<std::int64_t> barred_;  // first residues of windows that must not be returned
};

}  // namespace alnus::cpu
