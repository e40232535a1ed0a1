// Matrices as outputs of all pairs: NumPy arrays with files of ids, or tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/matrix_file.h"
#include "jobs/pair_outputs.h"

namespace alnus::jobs {

// One matrix.
struct PairMatrix {
  std::string path;
  PairValue value;
  MatrixType type;
  bool table;  // alnus/matrix_table.h
  // Paths of the files of ids; `column_ids` is empty for one set, and both are for a table.
  std::string row_ids, column_ids;
  // The MatrixFile that has the values of a table of one set until all are known; it never gets this name.
  std::string values;
};
std::vector<PairMatrix> matrices_of(const PairJob& job);
// The shape of a matrix, or of its first rows. The shape of a table of one set is that of its `values`.
io::MatrixShape matrix_shape(const PairJob& job, const PairMatrix& matrix, std::uint64_t rows);

// Removes the values from which tables were laid out, which a run that was killed at its very end has left.
void discard_values(const PairJob& job);

// The paths of the files with the ids of a matrix's rows and columns; for one set `row_ids` has both.
struct LabelFiles {
  std::string row_ids, column_ids;
};
LabelFiles labels_of(const std::string& path, bool one_set);

}  // namespace alnus::jobs
