// Significance by Z-values, which need alignments of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/call_state.h"
#include "engine/resolved_statistics.h"
#include "stats/evalue.h"

namespace alnus::engine {

// Returns the significance of a row. It is empty if there is no judge or the subject is empty. `adjusted`:
// the row's adjusted score in units of 1/scale; empty if scores are not adjusted.
Significance significance_of(const stats::ScoreJudge* judge, std::int32_t score,
                             const std::optional<double>& adjusted, std::size_t subject_length,
                             const Scoring& scoring);

// Returns the significance of each pair by shuffling (engine/z_values.h). `scores`: the pairs' scores, in
// units of 1/scale. If the options have a search space, the E-value is the number of its sequences, each
// counted once for each strand that is aligned, that are expected to score as high; otherwise there is no
// E-value. Throws as z_values() does.
std::vector<Significance> shuffled_significance(const SequenceSet& queries, const SequenceSet& subjects,
                                                std::span<const IndexPair> pairs,
                                                std::span<const std::int32_t> scores, const Scoring& scoring,
                                                const ResolvedStatistics& options, CallState& call);

// Returns the bytes that shuffled_significance() takes beside those of the devices; 0 if no sequences are
// shuffled.
std::uint64_t significance_bytes(const ResolvedStatistics& options, std::uint64_t memory_bytes);

}  // namespace alnus::engine
