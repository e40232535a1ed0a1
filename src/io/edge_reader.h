// Reads tables of edges: those that EdgeWriter writes, and those of other programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alnus/relation.h"
#include "alnus/results.h"
#include "core/stop_flag.h"
#include "io/id_index.h"
#include "io/line_reader.h"

namespace alnus::io {

// A line is "id TAB id", "id TAB id TAB value" or "id TAB id TAB value TAB relation", as in
// "whole:30"; all lines of a table have as many fields. Fields of files named .csv are separated by commas.
class EdgeReader {
 public:
  // `ids`: the records, whose ids must differ. It must live as long as this object. `relations`: those of the
  // table; empty: they are not known, and a fourth field may name any.
  EdgeReader(const Input& table, const IdIndex& ids, const std::vector<Relation>& relations,
             const StopFlag& stop = StopFlag::never());

  // Reads the next edges; an empty batch is the end. The column of an edge is before its row. An edge without
  // a value, and one of several relations that does not name its own, has NaN. The arrays are valid until the
  // next call. Throws Error(input) naming file and line for a line with another number of fields, for an id
  // that no record has, for an edge of a record with itself, for a value that is no number, and for a
  // relation that is not one of `relations`; and what LineReader throws.
  SparseValues next();

 private:
  void check_fields();
  void read_edge();
  SequenceSet::Index record_of(const std::string& id) const;
  double read_value() const;
  std::uint8_t read_relation() const;

  LineReader lines_;
  const IdIndex& ids_;
  const std::size_t known_;             // how many relations are known
  std::vector<std::string> relations_;  // as texts
  const char separator_;
  std::size_t width_ = 0;  // fields of each line; 0: no line was read yet
  std::vector<std::string> fields_;
  std::vector<SequenceSet::Index> row_, column_;
  std::vector<double> value_;
  std::vector<std::uint8_t> relation_;
};

}  // namespace alnus::io
