// The values of a pair matrix as a labelled table: CSV or tab-separated text.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/output.h"
#include "alnus/results.h"
#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "io/byte_source.h"
#include "io/matrix_file.h"
#include "io/output_file.h"
#include "io/row_text.h"

namespace alnus::io {

// How the fields of a table are written: as CSV if the name of the table's file is one of CSV, else with
// tabs.
class TableForm {
 public:
  explicit TableForm(std::string_view path);

  char separator() const { return csv_ ? ',' : '\t'; }
  // Appends a sequence's id, or NA for an empty one. In CSV it is quoted if it has to be; in a table with
  // tabs, tabs and line ends of the id become blanks.
  void append_label(Text& text, std::string_view id) const;
  // Appends the head line: an empty field, and the ids of the columns.
  void append_head(Text& text, const SequenceSet& columns) const;

 private:
  bool csv_;
};

// Writes a table with the numbers of a MatrixFile of the same type. A float32 is written without an exponent,
// and with the fewest digits from which a reader gets the same float32. The rows are formatted on all threads
// of the output file's pool.
class MatrixTableWriter {
 public:
  MatrixTableWriter(OutputFile& out, MatrixType type, const SequenceSet& rows, const SequenceSet& columns);

  void begin();                           // writes the head line; not for a file that is resumed
  void write(const ValueStripe& stripe);  // writes whole rows of the pair matrix of two sets
  // Writes all rows of one set, from a square MatrixFile that has all values. Throws Interrupted.
  void write_square(const MatrixFile& values, const StopFlag& stop);

 private:
  // Copies the values of a row to `values`, as their bits in the type of the matrix (bits_of()). Several
  // threads call it at the same time.
  using TakeRow = std::function<void(SequenceSet::Index row, std::span<std::uint32_t> values)>;
  void write_rows(IndexRange rows, const TakeRow& take, const StopFlag& stop);
  void append_row(Text& text, SequenceSet::Index row, std::span<const std::uint32_t> values) const;

  OutputFile& out_;
  TableForm form_;
  MatrixType type_;
  SequenceSet rows_, columns_;
  std::vector<Text> pieces_;  // the texts of consecutive rows that threads format at the same time
};

// Reads a finished table of one set, row by row. All public functions throw Error(input) naming the file if
// the file is not the table of these sequences, and Interrupted.
class MatrixTableReader {
 public:
  MatrixTableReader(const std::string& path, MatrixType type, const SequenceSet& sequences,
                    const StopFlag& stop);

  // Reads the rows [begin, end), `end` values each: row j has the values of columns 0 to j, and zeros behind.
  // Calls must come in the order of the rows, without gaps.
  std::vector<double> read(std::uint64_t begin, std::uint64_t end);

 private:
  // Reads on until `bytes` unread bytes are in the buffer. Returns false if the file ends before.
  bool fill(std::size_t bytes);
  void skip(std::string_view text);  // refuses the file if other bytes than these come next
  double number();
  [[noreturn]] void refuse() const;

  const std::string path_;
  const TableForm form_;
  const MatrixType type_;
  const SequenceSet sequences_;
  const StopFlag& stop_;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t at_ = 0;  // index in the buffer of the next unread byte
};

}  // namespace alnus::io
