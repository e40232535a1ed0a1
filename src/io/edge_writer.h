// The edges of a similarity graph as text: one line for each pair whose value passes a threshold.
#pragma once

#include <string_view>

#include "alnus/output.h"
#include "alnus/results.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"
#include "io/row_text.h"

namespace alnus::io {

struct EdgeRule {
  PairValue value = PairValue::identity;
  int scale = 1;  // of the scoring: scores and score distances are whole in units of 1/scale
};

// Writes "first id TAB second id TAB value", or CSV if the file's name asks for it, in the order of the rows,
// and within a row in the order of the columns.
class EdgeWriter {
 public:
  // For pairs of one set, in the order of its file. The column's id comes first, because the column is the
  // earlier sequence.
  EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& sequences);
  // For pairs of every row with every column. The row's id comes first.
  EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& rows, const SequenceSet& columns);

  void write(const SparseValues& edges);

 private:
  void append_id(std::string_view id);  // followed by the separator
  void append_value(double value);

  OutputFile& out_;
  EdgeRule rule_;
  SequenceSet rows_, columns_;
  bool one_set_;
  bool csv_;
  Text text_;
};

}  // namespace alnus::io
