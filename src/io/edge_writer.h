// The edges of a similarity graph: one line per pair whose value passes a threshold.
#pragma once

#include <span>
#include <string_view>

#include "alnus/output.h"
#include "alnus/sequence_set.h"
#include "io/output_file.h"
#include "io/text.h"

namespace alnus::io {

struct EdgeRule {
  PairValue value = PairValue::identity;
  double threshold = 0;  // which the values of edges pass (core/pair_value.h)
  int scale = 1;         // of the scoring: values that are of scores are whole in units of 1/scale
};

// True for names of CSV files: *.csv, *.csv.gz and *.csv.zst.
bool is_csv(std::string_view path);

// "first id TAB second id TAB value", or CSV by the name of the file; rows in order, a row's columns in
// order. An id is the header up to the first blank.
class EdgeWriter {
 public:
  // Pairs of one set, in file order: the earlier sequence is the first; `self` takes a sequence with itself
  // too.
  EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& sequences, bool self);
  // Every row with every column: the row is the first.
  EdgeWriter(OutputFile& out, const EdgeRule& rule, const SequenceSet& rows, const SequenceSet& columns);

  // `passing`: for each of the stripe's values, 0 where the pair is no edge whatever its value; empty: none.
  void write(const ValueStripe& stripe, std::span<const char> passing = {});

 private:
  enum class Pairs : std::uint8_t { before, up_to, all };

  void append_id(std::string_view id);  // with the separator behind it
  void append_value(double value);

  OutputFile& out_;
  EdgeRule rule_;
  SequenceSet rows_, columns_;
  Pairs pairs_;
  bool csv_;
  Text text_;
};

}  // namespace alnus::io
