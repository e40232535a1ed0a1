// Sequences as second scores take them (engine/adjusted_scores.h): without case, with regions of low
// complexity masked, and with their compositions.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "core/region.h"
#include "core/stop_flag.h"
#include "engine/resolved_statistics.h"
#include "stats/adjusted_matrix.h"
#include "stats/pair_scale.h"

namespace alnus::engine {

struct PreparedSequence {
  std::span<const Residue> codes;  // without case, masked residues replaced
  std::vector<Residue> copy;       // memory of `codes`; empty if `codes` points into the set
  std::int64_t own = 0;            // self score by the stated matrix, nothing masked, in units of 1/scale
  Residue highest = 0;             // the highest code in `codes`
  bool has_masked = false;
  Frequencies frequencies{};  // only if matrices are adjusted
  stats::BaseFrequencies bases{};
};

// Prepares sequences for second scores with one scoring. Any thread may use it.
class SequencePreparer {
 public:
  // The scoring must outlive the object.
  SequencePreparer(const Scoring& scoring, const ResolvedStatistics& options);

  // `masked`: with regions of low complexity masked. Throws Interrupted when `stop` is requested.
  PreparedSequence prepared(std::span<const Residue> residues, bool masked, const StopFlag& stop) const;

  // Whether regions of low complexity are masked in queries and in subjects.
  bool masks_queries() const { return mask_queries_; }
  bool masks_subjects() const { return mask_subjects_; }
  Residue masked() const { return masked_; }  // the code of a masked residue
  // Empty: pairs keep the stated matrix.
  const std::optional<stats::MatrixAdjuster>& adjuster() const { return adjuster_; }
  // Empty: scores are not scaled.
  const std::optional<stats::PairScale>& scale() const { return scale_; }

 private:
  std::vector<Region> low_complexity(std::span<const Residue> residues, const StopFlag& stop) const;

  const Scoring& scoring_;
  const bool mask_queries_, mask_subjects_;
  const Residue masked_;
  const std::optional<stats::MatrixAdjuster> adjuster_;
  const std::optional<stats::PairScale> scale_;
};

// Values by number, each made when it is first wanted, and then kept. Any thread may ask for any value.
template <class Value>
class KeptValues {
 public:
  explicit KeptValues(std::size_t count) : places_(count) {}
  ~KeptValues() {
    for (const auto& place : places_) delete place.load();
  }
  KeptValues(const KeptValues&) = delete;
  KeptValues& operator=(const KeptValues&) = delete;

  // Returns value number k, which make() makes. Two threads may make it at the same time; one is kept.
  template <class Make>
  const Value& of(std::size_t k, const Make& make) const {
    if (const Value* known = places_[k].load(std::memory_order_acquire)) return *known;
    auto made = std::make_unique<const Value>(make());
    const Value* known = nullptr;
    if (places_[k].compare_exchange_strong(known, made.get(), std::memory_order_acq_rel))
      return *made.release();
    return *known;
  }

 private:
  mutable std::vector<std::atomic<const Value*>> places_;
};

}  // namespace alnus::engine
