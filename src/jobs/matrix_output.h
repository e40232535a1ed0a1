// Matrices as outputs of all pairs: NumPy arrays with files of ids, or tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/matrix_file.h"
#include "jobs/pair_outputs.h"

namespace alnus::jobs {

// A matrix of values that a job writes.
struct PairMatrix {
  std::string path;
  PairValue value;
  MatrixType type;
  bool table;  // the file is a table (alnus/matrix_table.h); false: NumPy's format
  // Paths of the files of ids; `column_ids` is empty for one set, and both are for a table.
  std::string row_ids, column_ids;
  // The name of the MatrixFile that has the values of a table of one set until all are known; empty for other
  // matrices. The file is only ever NAME.alnus-part: it is removed, and never gets the name itself.
  std::string values;
};
std::vector<PairMatrix> matrices_of(const PairJob& job);
// The shape of a matrix of values if the pair matrix has `rows` rows. For a table of one set it is the shape
// of the file of its `values`.
io::MatrixShape matrix_shape(const PairJob& job, const PairMatrix& matrix, std::uint64_t rows);

// Removes the files of values from which tables were laid out. A run that was killed after its tables had got
// their names has left them.
void discard_values(const PairJob& job);

// The paths of the files with the ids of a matrix's rows and columns; for one set `row_ids` has both.
struct LabelFiles {
  std::string row_ids, column_ids;
};
LabelFiles labels_of(const std::string& path, bool one_set);

}  // namespace alnus::jobs
