// The alignments of pairs beyond the first one of each (docs/ties.md, "Further alignments").
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/strands.h"
#include "engine/adjusted_scores.h"
#include "engine/align_list.h"
#include "engine/call_state.h"
#include "stats/evalue.h"

namespace alnus::engine {

// A pair whose first alignment is known.
struct FirstRow {
  SequenceSet::Index query = 0;    // the strand that was aligned, as an index of the stranded set
  SequenceSet::Index subject = 0;  // an index of the subjects
  const AlignedPair* first = nullptr;
  std::int32_t lowest = std::numeric_limits<std::int32_t>::min();  // of the pair's further alignments
};

struct FurtherRow {
  SequenceSet::Index query = 0;  // as FirstRow::query: the strand of this alignment
  AlignedPair aligned;           // coordinates along that strand
  Significance significance{};   // set by judge()
};

struct FurtherRows {
  std::vector<std::vector<FurtherRow>> of_pair;  // of each given pair: its further alignments, best first
  std::vector<std::vector<CigarRun>> runs;       // memory of all CIGARs
};

// Returns the alignments number 2 up to `most` of each pair, on all strands of the set: what
// several_alignments_reference() gives, of both strands in one list in which plus comes first where scores
// are equal. Works on the CPU, one pair on one thread, in about `memory_bytes` bytes besides the results. The
// scoring must pass has_further_alignments(), and the first alignments must have CIGARs. Throws Interrupted,
// and Error(input) as FurtherAligner does.
FurtherRows further_rows(const StrandedSet& strands, const SequenceSet& subjects, const Scoring& scoring,
                         std::span<const FirstRow> pairs, std::uint32_t most, std::uint64_t memory_bytes,
                         CallState& call);

// Sets the significance of further rows, which further_rows() returned for these pairs. It is computed as
// that of their first rows, with the adjusted score within the rectangle of the alignment
// (AdjustedScores::within). `judges`: by index of the strand; a null judge gives no significance. `adjusted`:
// null if scores are not adjusted.
void judge(FurtherRows& rows, std::span<const FirstRow> pairs, const SequenceSet& subjects,
           const Scoring& scoring, std::span<const stats::ScoreJudgePtr> judges,
           const AdjustedScores* adjusted, CallState& call);

}  // namespace alnus::engine
