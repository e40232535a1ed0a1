// Blank sequences, which have no known letter: empty ones, and those of X alone (proteins) or of N alone
// (nucleotides). Nothing can be aligned with them: they are nobody's neighbours, and their score distance
// from every sequence is the largest (kLargestScoreDistance).
#pragma once

#include <cstdint>
#include <vector>

#include "core/stop_flag.h"
#include "engine/all_pairs_driver.h"

namespace alnus::engine {

class BlankSequences {
 public:
  using Index = SequenceSet::Index;
  BlankSequences() = default;  // no sequence is blank
  // Finds the blank rows and columns of the pair matrix. Throws Interrupted when `stop` is requested.
  BlankSequences(const AllPairs& pairs, const StopFlag& stop);

  bool row(Index i) const { return !rows_.empty() && rows_[i]; }
  bool column(Index j) const { return columns_.empty() ? row(j) : columns_[j]; }
  // True if the sequence of row i or that of column j is blank. With one set, i and j may be
  // any two of its sequences.
  bool either(Index i, Index j) const { return row(i) || column(j); }
  // How many of the columns are blank.
  std::uint32_t columns() const { return blank_columns_; }

 private:
  std::vector<bool> rows_, columns_;  // by index; `columns_` is empty for one set
  std::uint32_t blank_columns_ = 0;
};

// The blank sequences of a set. Throws Interrupted when `stop` is requested.
SomeOfSet blanks_of(const SequenceSet& set, const StopFlag& stop);
// The blank sequences that have letters. Throws Interrupted.
SomeOfSet all_unknown_of(const SequenceSet& set, const StopFlag& stop);
// The sequences of which at least half of the residues are X (proteins) or N (nucleotides), but not all.
// Their self scores are low or negative. Throws Interrupted.
SomeOfSet half_unknown_of(const SequenceSet& set, const StopFlag& stop);

}  // namespace alnus::engine
