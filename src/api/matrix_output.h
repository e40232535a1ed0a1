// One matrix among the output files of all pairs: a NumPy array with its files of ids, or a table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "api/pair_files.h"
#include "io/ledger.h"
#include "io/matrix_file.h"
#include "io/matrix_table.h"
#include "io/output_file.h"

namespace alnus::api {

// How far an output was when its run was interrupted. `complete`: all rows were done and the file had its
// final name already, as happens if a run stops while its files get their names.
struct Resumed {
  io::FileState synced;
  bool complete = false;
};
using TakeUp = std::function<Resumed(const std::string& path)>;

// Opens an output file of text, unless it is complete or `path` is empty. Returns true if the beginning of
// the file is to be written.
bool open_text(const std::string& path, const TakeUp& take_up, Call& call,
               std::optional<io::OutputFile>& file);

// Removes the values from which tables were laid out, which a run that was killed at its very end has left.
void discard_values(const PairJob& job);

// Files that are complete already are not opened. `job` and `call` must outlive the object.
class MatrixOutput {
 public:
  // `rows_done`: how many rows the synced files have.
  MatrixOutput(const PairJob& job, PairMatrix matrix, std::uint64_t rows_done, const TakeUp& take_up,
               Call& call);

  void write(const ValueStripe& values);
  void sync();
  void lay_out();         // after the last values; writes a table of one set. Throws Interrupted
  void commit();          // after lay_out(); only gives the files their names
  void discard_values();  // removes the values from which a table was laid out, although they were synced
  void tell(io::OutputStates& states) const;  // adds the states of the files

  PairValue value() const { return matrix_.value; }

 private:
  const PairJob& job_;
  Call& call_;
  const PairMatrix matrix_;
  std::optional<io::MatrixFile> numbers_;  // the matrix, or the values of a table of one set
  std::optional<io::OutputFile> text_;     // of a table
  // Writes `text_`: of two sets from the beginning, of one set when all values are known.
  std::optional<io::MatrixTableWriter> table_;
  std::optional<io::OutputFile> row_ids_, column_ids_;
};

}  // namespace alnus::api
