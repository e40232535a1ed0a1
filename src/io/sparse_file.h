// The edges of a similarity graph as a sparse matrix that SciPy loads (.npz).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/output.h"
#include "alnus/results.h"
#include "core/stop_flag.h"
#include "io/atomic_file.h"
#include "io/spill_file.h"
#include "io/zip_writer.h"

namespace alnus::io {

// True for names of .npz files.
bool is_npz(std::string_view path);
// True for names that look like those of .npz files, but which NumPy does not take for such: *.NPZ, *.npz.gz,
// *.npz.zst.
bool is_nearly_npz(std::string_view path);

struct SparseShape {
  std::uint64_t rows = 0, columns = 0;
  bool one_set = false;  // pairs of one set that come once: the matrix is symmetric, with each pair twice
};

// Takes the pairs of all rows in order, and those of a row in the order of the columns. In pairs of one set
// the column is the earlier sequence. The matrix is stored by rows (SciPy's CSR), and each row by columns;
// values of 0 are stored like others. The matrix is laid out when all pairs are known. Until then they are in
// a file without a name in the same directory. That file is read once to count, and twice for each part of
// the matrix that the memory has room for. The matrix appears with commit(), or not at all. Throws
// Error(other) naming the file, and Interrupted.
class SparseFile {
 public:
  // `memory_bytes` bounds a part of the matrix when it is laid out. For MatrixType::int32 every value must be
  // whole.
  SparseFile(const std::string& path, const SparseShape& shape, MatrixType type, std::uint64_t memory_bytes,
             const StopFlag& stop);

  void write(const SparseValues& values);
  void lay_out();  // once, after the last values
  void commit();   // after lay_out(); only gives the file its name

 private:
  struct Element {
    SequenceSet::Index row, column;
    std::uint32_t value;  // the value's bits in the type of the matrix
  };
  // Calls take(row, column, value) for each element of the matrix. The elements of a row come in the order of
  // the columns.
  template <class Take>
  void for_each_element(const Take& take) const;
  void count();
  template <class Number>
  void add_array(ZipWriter& archive, const char* name, const char* type, const std::vector<Number>& numbers);
  // Adds an array with what `choose` takes of each element: its column, or its value.
  template <class Number, class Choose>
  void add_places(ZipWriter& archive, const char* name, const char* type, const Choose& choose);
  template <class Index>
  void add_all(ZipWriter& archive, const char* index_type);

  AtomicFile file_;
  const SparseShape shape_;
  const MatrixType type_;
  const std::uint64_t memory_bytes_;
  const StopFlag& stop_;
  SpillFile pairs_;
  std::vector<std::uint64_t> begins_;  // index of each row's first element among all, and the end
};

}  // namespace alnus::io
