// Scores below which no pair of a call passes its filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "engine/call_state.h"
#include "stats/evalue.h"

namespace alnus::engine {

class PairFloors {
 public:
  using Index = SequenceSet::Index;

  // `of_rows`: by index i of a query, the lowest score with which any of its pairs can pass.
  explicit PairFloors(std::vector<std::int32_t> of_rows);

  // Makes of_lengths() tell more: long sequences need higher scores for the same E-value. `evalue`: the
  // largest E-value of pairs that pass. `judges`: by i, null for queries that are not judged.
  void add_lengths(const SequenceSet& queries, const SequenceSet& subjects,
                   std::span<const stats::ScoreJudgePtr> judges, double evalue, CallState& call);

  std::int32_t of_row(Index i) const { return of_rows_[i]; }
  std::int32_t lowest() const { return lowest_; }  // of all rows
  // A bound of the score with which a pair can pass whose query has at least `query` residues, and whose
  // subject at least `subject`.
  std::int32_t of_lengths(std::size_t query, std::size_t subject) const;

 private:
  const std::vector<std::int32_t> of_rows_;
  const std::int32_t lowest_;
  // The shortest lengths of classes of lengths, and of_lengths() of these: [class of query][of subject].
  std::vector<std::size_t> query_classes_, subject_classes_;
  std::vector<std::int32_t> of_classes_;
};

}  // namespace alnus::engine
