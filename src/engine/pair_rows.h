// The rows of pairs: of each pair its first alignment, and those beyond it that are wanted (docs/ties.md,
// "Further alignments").
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/strands.h"
#include "engine/adjusted_scores.h"
#include "engine/align_list.h"
#include "engine/call_state.h"
#include "stats/evalue.h"

namespace alnus::engine {

// The judge of each strand's scores, by its index in the StrandedSet; null: nothing judges them.
using QueryJudges = std::vector<stats::ScoreJudgePtr>;

// A pair whose first alignment is known.
struct FirstRow {
  SequenceSet::Index query = 0;    // the strand that was aligned, as an index of the stranded set
  SequenceSet::Index subject = 0;  // an index of the subjects
  const AlignedPair* first = nullptr;
  Significance significance{};  // of the first alignment
  PositionPair placed{};        // among the sequences that devices work with
  std::int32_t lowest = std::numeric_limits<std::int32_t>::min();  // score of further alignments
};

struct PairRow {
  std::size_t pair = 0;            // the place of its pair among those given
  SequenceSet::Index query = 0;    // as FirstRow::query: the strand of this alignment
  SequenceSet::Index subject = 0;  // as FirstRow::subject
  AlignedPair aligned;             // coordinates along that strand
  Significance significance{};
};

// The rows of a pair are consecutive, in the order of AlignedPair::hsp.
struct PairRows {
  std::vector<PairRow> rows;
  std::vector<std::vector<CigarRun>> runs;  // memory of the CIGARs of further alignments
};

// Returns the rows of each pair, in the order of the pairs: its first row, and its alignments number 2 up to
// `most` on all strands of the set, which are what several_alignments_reference() gives, of both strands in
// one list in which plus comes first where scores are equal. Further alignments have no significance yet.
// They are found on the CPU, one pair on one thread, in about batch_bytes(memory_bytes) besides the results;
// a warning says so if the results take more than half of `memory_bytes`. For them the scoring must pass
// has_further_alignments(), and the first alignments must have CIGARs. Throws Interrupted, and Error(input)
// as FurtherAligner does.
PairRows rows_of_pairs(const StrandedSet& strands, const SequenceSet& subjects, const Scoring& scoring,
                       std::span<const FirstRow> pairs, std::uint32_t most, std::uint64_t memory_bytes,
                       CallState& call);

// Sets the significance of the rows beyond the first ones. It is computed as that of their first rows, with
// the adjusted score within the rectangle of the alignment (AdjustedScores::within). `rows`: all rows of each
// pair. `judges`: by index of the strand; a null judge gives no significance. `adjusted`: null if scores are
// not adjusted.
void judge_further(PairRows& rows, const SequenceSet& subjects, const Scoring& scoring,
                   std::span<const stats::ScoreJudgePtr> judges, const AdjustedScores* adjusted,
                   CallState& call);

}  // namespace alnus::engine
