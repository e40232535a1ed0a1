// The edges of a similarity graph as text: one line for each pair of SparseValues (alnus/results.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alnus/output.h"
#include "alnus/relation.h"
#include "alnus/results.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"
#include "io/row_text.h"

namespace alnus::io {

struct EdgeRule {
  PairValue value = PairValue::identity;
  int scale = 1;  // of the scoring: scores and score distances are whole in units of 1/scale
  std::vector<Relation>
      relations{};  // as AllPairsOptions::relations; if there are any, `value` does not count
};

// Writes "first id TAB second id TAB value", or CSV if the file's name asks for it, for each pair in the
// order in which the pairs are given. If there are several relations, a fourth column names the one that the
// value is of ("whole:30").
class EdgeWriter {
 public:
  // For pairs of one set, each of which comes once. The column's id is written first, because the column is
  // the earlier sequence in the set's file.
  EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& sequences);
  // For pairs of two sets, or of each row with its nearest sequences. The row's id is written first.
  EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& rows, const SequenceSet& columns);

  void write(const SparseValues& edges);

 private:
  void append_id(std::string_view id);  // with the separator (tab or comma) behind it
  void append_value(double value);
  void append_value_of(RelationKind relation, double value);

  OutputFile& out_;
  EdgeRule rule_;
  std::vector<std::string> relations_;  // as texts
  SequenceSet rows_, columns_;
  bool one_set_;
  bool csv_;
  Text text_;
};

}  // namespace alnus::io
