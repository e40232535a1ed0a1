// The values of a pair matrix as a NumPy array on disk (.npy), which may be larger than memory.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alnus/output.h"
#include "core/stop_flag.h"
#include "io/atomic_file.h"
#include "io/digest.h"
#include "io/file_state.h"

namespace alnus::io {

struct MatrixShape {
  // condensed: the pairs i < j of `rows` sequences, in the order of SciPy's pdist and squareform. square: a
  // symmetric matrix, rows x rows. rectangle: rows x columns.
  enum class Layout : std::uint8_t { condensed, square, rectangle };
  Layout layout = Layout::condensed;
  std::uint64_t rows = 0, columns = 0;

  static MatrixShape condensed(std::uint64_t n) { return {Layout::condensed, n, n}; }
  static MatrixShape square(std::uint64_t n) { return {Layout::square, n, n}; }
  static MatrixShape rectangle(std::uint64_t rows, std::uint64_t columns) {
    return {Layout::rectangle, rows, columns};
  }
  std::uint64_t values() const;
  // Returns the index in the array of the value in row i and column j; if condensed, i must be below j.
  std::uint64_t position(std::uint64_t i, std::uint64_t j) const;
};

std::uint64_t file_bytes(const MatrixShape& shape);

// The bits of a value in this type. For MatrixType::int32 the value must be whole.
inline std::uint32_t bits_of(double value, MatrixType type) {
  return type == MatrixType::float32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                     : std::bit_cast<std::uint32_t>(static_cast<std::int32_t>(value));
}

// The number of rows of a matrix that an earlier process synced, and the PlacedDigest of their values.
struct SyncedRows {
  std::uint64_t count = 0;
  std::string digest;
};

// Takes stripes of the pair matrix, and writes every value where it belongs. The room for the whole file is
// reserved on disk at the start, so that a full disk is an error at once. The file appears with commit(). A
// file that was begun and synced can be resumed (io/atomic_file.h). Throws Error(other) naming the file.
class MatrixFile {
 public:
  // If `synced` is given, the unfinished file is resumed. It must have the same shape and type. Its synced
  // rows are read back, which throws what require_digest() throws, and Interrupted; the caller goes on with
  // the row after them. The digest of state() takes time for each value, and is kept only if the caller asks
  // for it.
  enum class Digest : std::uint8_t { kept, none };
  MatrixFile(const std::string& path, const MatrixShape& shape, MatrixType type,
             const std::optional<SyncedRows>& synced = {}, const StopFlag& stop = StopFlag::never(),
             Digest digest = Digest::kept);

  // For MatrixType::int32 every value of the stripe must be whole.
  void write(const ValueStripe& stripe);
  void sync() { file_.sync(); }
  void commit() { file_.commit(); }
  void discard() { file_.discard(); }  // removes the unfinished file, although it was synced
  // Reads a row of a square or a rectangle that has been written, as the bits of its values. Threads may call
  // it at the same time.
  void read_row(std::uint64_t row, std::span<std::uint32_t> values) const;
  FileState state() const;  // the size of the whole file, and the digest of the values written so far

 private:
  void write_row(const ValueStripe& stripe, std::uint64_t j, std::uint64_t count);
  void write_columns(const ValueStripe& stripe);
  void put(std::uint64_t position, std::span<const std::uint32_t> values);

  AtomicFile file_;
  MatrixShape shape_;
  MatrixType type_;
  const Digest keeps_;
  PlacedDigest digest_;
};

// A finished matrix that a MatrixFile wrote. Throws Error(input) naming the file if its size, shape, type or
// values are others; read() throws Error(other) if the file cannot be read.
class MatrixReader {
 public:
  MatrixReader(const std::string& path, const MatrixShape& shape, MatrixType type);

  // Reads the whole matrix. Throws Error(input) unless its values have this PlacedDigest, and Interrupted.
  void require(const std::string& digest, const StopFlag& stop) const;

  // Reads rows [begin, end) of a matrix of one set, `end` values each: row j has the values of columns 0 to
  // j, and zeros behind. Not for a rectangle. The diagonal of a condensed matrix is 0.
  std::vector<double> read(std::uint64_t begin, std::uint64_t end) const;

 private:
  void read_at(std::uint64_t position, void* values, std::uint64_t count) const;

  std::string path_;
  MatrixShape shape_;
  MatrixType type_;
  InputFile file_;
};

}  // namespace alnus::io
