// The work that is measured: searches, and all pairs of a set.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "cli/log.h"
#include "core/device.h"
#include "engine/search.h"

namespace alnus::cli {

// The checksum of the hits: of query, subject in the file's order, and score.
std::uint64_t search_hits(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                          const engine::SearchOptions& options, std::span<Device* const> devices, Log& log);

SequenceSet one_of(const SequenceSet& queries, SequenceSet::Index query);

// The sets to draw: how many sequences, and their lengths.
struct SetSize {
  std::uint32_t count = 0, shortest = 0, longest = 0;
  auto operator<=>(const SetSize&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm

  // Lengths from half to one and a half times the average.
  static SetSize around(std::uint32_t average, std::uint32_t count) {
    return {count, average - average / 2, average + average / 2};
  }
  std::uint32_t average() const { return (shortest + longest) / 2; }
};

std::uint64_t pairs_of(const SequenceSet& set);
std::uint64_t cells_of_pairs(const SequenceSet& set);

// Of all results: they do not depend on the order of the tiles. Without `sums`, 0.
struct PairSums {
  std::uint64_t runs = 0, checksum = 0;  // runs: of all CIGARs
};

// Every pair of the set once, from sequences that no device holds to results in host memory, which are
// dropped. Reading every result takes as long as computing it on a fast device: only where it `sums` is it
// done.
PairSums align_set(const SequenceSet& set, const Problem& problem, std::span<Device* const> devices,
                   bool sums, Log& log);

}  // namespace alnus::cli
