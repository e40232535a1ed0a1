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

// True for names of such files: *.npz.
bool is_npz(std::string_view path);
// True for names that look like it, and which NumPy does not take for such files: *.NPZ, *.npz.gz, *.npz.zst.
bool is_nearly_npz(std::string_view path);

struct SparseShape {
  std::uint64_t rows = 0, columns = 0;
  bool one_set = false;  // pairs of one set: the matrix is symmetric, and each pair has two places in it
};

// Takes the pairs of all rows in order, a row's columns in order; of one set the column is the earlier
// sequence. The matrix is in rows (SciPy's CSR), in each of them by column, and values of 0 are in it like
// others. It is laid out once all pairs are known: until then they are in a file without a name in the same
// directory, which is read twice for each part of the matrix that the memory has room for. The matrix appears
// with commit(), or not at all. Throws Error(other) naming the file, and Interrupted.
class SparseFile {
 public:
  // `memory_bytes`: for a part of the matrix, when it is laid out. Integers: every value must be one.
  SparseFile(const std::string& path, const SparseShape& shape, MatrixType type, std::uint64_t memory_bytes,
             const StopFlag& stop);

  void write(const SparseValues& values);
  void lay_out();  // once, after the last values
  void commit();   // after that; it only gives the file its name

 private:
  struct Place {
    SequenceSet::Index row, column;
    std::uint32_t value;  // its bits in the type of the matrix
  };
  // Calls take(row, column, value) for each place in the matrix; those of a row come by column.
  template <class Take>
  void for_each_place(const Take& take) const;
  void count();
  template <class Number>
  void add_array(ZipWriter& archive, const char* name, const char* type, const std::vector<Number>& numbers);
  // The rows' columns, or values.
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
  std::vector<std::uint64_t> begins_;  // of each row among all places, and the end
};

}  // namespace alnus::io
