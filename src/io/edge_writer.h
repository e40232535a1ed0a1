// The edges of a similarity graph: one line per pair whose value passes a threshold.
#pragma once

#include <string_view>

#include "alnus/output.h"
#include "alnus/results.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"
#include "io/text.h"

namespace alnus::io {

struct EdgeRule {
  PairValue value = PairValue::identity;
  int scale = 1;  // of the scoring: values that are of scores are whole in units of 1/scale
};

// True for names of CSV files: *.csv, *.csv.gz and *.csv.zst.
bool is_csv(std::string_view path);

// "first id TAB second id TAB value", or CSV by the name of the file; rows in order, a row's columns in
// order. An id is the header up to the first blank.
class EdgeWriter {
 public:
  // Pairs of one set, in the order of its file: of a pair the column is the first, the earlier sequence.
  EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& sequences);
  // Every row with every column: the row is the first.
  EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& rows, const SequenceSet& columns);

  void write(const SparseValues& edges);

 private:
  void append_id(std::string_view id);  // with the separator behind it
  void append_value(double value);

  OutputFile& out_;
  EdgeRule rule_;
  SequenceSet rows_, columns_;
  bool one_set_;
  bool csv_;
  Text text_;
};

}  // namespace alnus::io
