// The work that is measured: searches, and all pairs of a set.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/device.h"
#include "engine/call_state.h"
#include "engine/search_driver.h"

namespace alnus::bench {

// Runs a search, and returns the checksum of its hits: of their queries, the file ordinals of their subjects,
// and their scores.
std::uint64_t search_hits(const SequenceSet& queries, const std::shared_ptr<const SortedSequences>& subjects,
                          const Scoring& scoring, const engine::SearchOptions& options,
                          engine::CallState& call);

// A set of this query alone.
SequenceSet one_of(const SequenceSet& queries, SequenceSet::Index query);

// Size of a set to draw: the number of sequences, and the range of their lengths.
struct SetSize {
  std::uint32_t count = 0, shortest = 0, longest = 0;
  auto operator<=>(const SetSize&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm

  // Lengths from half to one and a half times the average.
  static SetSize around(std::uint32_t average, std::uint32_t count) {
    return {count, average - average / 2, average + average / 2};
  }
  std::uint32_t average() const { return (shortest + longest) / 2; }
};

// The number of pairs of a set, each counted once, and their cells.
std::uint64_t pairs_of(const SequenceSet& set);
std::uint64_t cells_of_pairs(const SequenceSet& set);

// Sums over all results. They do not depend on the order of the tiles, and are 0 if they were not wanted.
struct PairSums {
  std::uint64_t pairs = 0, runs = 0, checksum = 0;  // runs: in all CIGARs
};

// Computes every pair of the set once, from sequences that no device holds to results in host memory, which
// are then dropped. Results are summed up only if `sums` is set: on a fast device reading a result takes as
// long as computing it. With `min_score` only pairs that score at least so much are results.
PairSums align_set(const SequenceSet& set, const Problem& problem, bool sums, engine::CallState& call,
                   std::optional<std::int32_t> min_score = {});

// Scores every pair of the set from both sides, and keeps the `top_k` nearest of each sequence by score.
// Begins with sequences that no device holds, and ends with rows in host memory, which are summed up.
PairSums nearest_of_set(const SequenceSet& set, const Scoring& scoring, std::uint32_t top_k,
                        engine::CallState& call);

}  // namespace alnus::bench
