// Hits that other programs have found: tables of BLAST (-outfmt 6 and 7) and DIAMOND.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/stop_flag.h"
#include "io/byte_source.h"
#include "io/line_reader.h"

namespace alnus::io {

struct TableHit {
  std::string query, subject;   // ids
  double percent_identity = 0;  // 0 to 100, of the columns of the alignment
  std::uint64_t length = 0;     // columns of the alignment
  double evalue = 0, bits = 0;
};

// Reads a table row by row. Without a line that names the columns they are BLAST's twelve: qseqid sseqid
// pident length mismatch gapopen qstart qend sstart send evalue bitscore. Such a line is "# Fields: ..." of
// BLAST, DIAMOND and alnus, or a first line of DIAMOND's --header simple. Other lines that begin with #,
// empty lines, and rows of DIAMOND's --unal for queries without hits (subject *) are skipped. All functions
// throw what LineReader throws, and Error(input) naming file and line for a row that has other columns, or a
// number that its column cannot have.
class HitTableReader {
 public:
  explicit HitTableReader(const Input& input, const StopFlag& stop = StopFlag::never());

  bool next(TableHit& hit);  // false at the end of the table
  std::uint64_t line() const { return reader_.number(); }
  const std::string& name() const { return reader_.name(); }

 private:
  static constexpr std::size_t kValues = 6;  // of a TableHit

  void take_names(const std::vector<std::string>& names);
  const std::string& field(std::size_t value) const;
  double number(std::size_t value, double highest) const;

  LineReader reader_;
  std::vector<std::string> fields_;
  std::array<std::size_t, kValues> columns_;  // of the values, in the order of the members of TableHit
  std::size_t width_;                         // how many columns a row has
  bool has_rows_ = false;
};

}  // namespace alnus::io
