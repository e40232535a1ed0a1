// The drivers: a database search, given pairs, all of A with all of B. Each is a PairMatrix planned
// into tiles, run on the devices, collected by a sink.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/device.h"
#include "io/writer.h"

namespace alnus::engine {

// What a run is worth and how far it is; shared with the progress line.
struct Progress {
  std::atomic<std::uint64_t> cells_done{0}, cells_total{0}, pairs_done{0}, pairs_total{0};
  std::function<void()> tick;  // called after each tile, from any thread; may be empty
};

struct SearchOptions {
  Detail detail = Detail::alignment;
  std::uint32_t max_target_seqs = 500;
  double evalue = 10;                       // filter where there are statistics
  std::optional<std::int32_t> min_score;    // in scaled units
  std::uint64_t memory_bytes = 8ULL << 30;
};

struct SearchSummary {
  std::uint64_t cells = 0, pairs = 0, hits = 0;
  std::uint64_t cut_ties = 0;      // queries where equal scores were cut at max_target_seqs
  std::uint64_t filtered = 0;
  bool no_statistics = false;      // no published parameters: E-values are NA
  double seconds = 0;
};

// Queries are taken as one batch; `emit` is called once per query, in input order, hits sorted by score
// descending, then database order.
using EmitQuery = std::function<void(SequenceSet::Index query, std::span<const io::Hit> hits,
                                     const stats::QueryStatistics* statistics)>;
SearchSummary search(const SequenceSet& queries, const SequenceSet& database, const Scoring& scoring,
                     const SearchOptions& options, std::span<Device* const> devices, Progress& progress,
                     const EmitQuery& emit);

// The pairs (row of queries, column of subjects), in this order.
using EmitPair = std::function<void(std::size_t ordinal, const io::Hit& hit)>;
void align_pairs(const SequenceSet& queries, const SequenceSet& subjects, std::span<const PairIndex> pairs,
                 const Scoring& scoring, Detail detail, std::span<Device* const> devices, Progress& progress,
                 const EmitPair& emit);

}  // namespace alnus::engine
