#include "io/matrix_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "io/npy.h"
#include "io/open_file.h"

namespace alnus::io {
namespace {

using Layout = MatrixShape::Layout;

constexpr std::uint64_t kHeaderBytes = kNpyHeaderBytes;
constexpr std::uint64_t kValueBytes = 4;  // bytes of a value of either type
// write_columns() transposes a stripe in blocks of so many rows and columns. A block is so small that its
// cache lines and address translations stay cached.
constexpr std::uint64_t kRowsAtOnce = 16, kColumnsAtOnce = 32;

std::string header_of(const MatrixShape& shape, MatrixType type) {
  return npy_header(type == MatrixType::float32 ? "<f4" : "<i4",
                    shape.layout == Layout::condensed ? fmt::format("{},", shape.values())
                                                      : fmt::format("{}, {}", shape.rows, shape.columns));
}

// True if the file begins with this header and has `bytes` bytes.
bool begins_with(int fd, const std::string& header, std::uint64_t bytes) {
  struct stat status {};
  std::string found(header.size(), '\0');
  return ::fstat(fd, &status) == 0 && static_cast<std::uint64_t>(status.st_size) == bytes &&
         read_at(fd, 0, found.data(), found.size()).bytes == found.size() && found == header;
}

// Reads the bits of `count` values, from the value with the index `position` in the array on.
void read_values(int fd, const std::string& path, std::uint64_t position, void* values, std::uint64_t count) {
  const std::uint64_t bytes = count * kValueBytes;
  const BytesRead read = read_at(fd, kHeaderBytes + position * kValueBytes, values, bytes);
  if (read.bytes < bytes)
    throw Error(ErrorKind::other, fmt::format("Cannot read {}: {}.", path,
                                              read.error != 0 ? std::generic_category().message(read.error)
                                                              : "it ends before its values do"));
}

// The digest of the values in rows [0, count); in a matrix of one set, of the pairs of its first `count`
// sequences.
PlacedDigest digest_of_rows(int fd, const std::string& path, const MatrixShape& shape, std::uint64_t count,
                            const StopFlag& stop) {
  PlacedDigest digest;
  std::vector<std::uint32_t> values;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t first = shape.layout == Layout::condensed ? i + 1 : 0;
    const std::uint64_t end = shape.layout == Layout::rectangle ? shape.columns : count;
    if (first >= end) continue;
    std::uint64_t position = shape.position(i, first);
    read_pieces(fd, path, kHeaderBytes + position * kValueBytes, (end - first) * kValueBytes, stop,
                [&](const void* data, std::size_t bytes) {
                  values.resize(bytes / kValueBytes);
                  std::memcpy(values.data(), data, bytes);
                  digest.add(position, values);
                  position += values.size();
                });
  }
  return digest;
}

}  // namespace

std::uint64_t MatrixShape::values() const {
  return layout == Layout::condensed ? rows * (rows - 1) / 2 : rows * columns;
}

std::uint64_t file_bytes(const MatrixShape& shape) { return kHeaderBytes + shape.values() * kValueBytes; }

std::uint64_t MatrixShape::position(std::uint64_t i, std::uint64_t j) const {
  if (layout == Layout::condensed) return i * (2 * rows - i - 1) / 2 + j - i - 1;
  return i * columns + j;
}

MatrixFile::MatrixFile(const std::string& path, const MatrixShape& shape, MatrixType type,
                       const std::optional<SyncedRows>& synced, const StopFlag& stop, Digest digest)
    : file_(path, ErrorKind::other, synced ? AtomicFile::Begin::resumed : AtomicFile::Begin::empty),
      shape_(shape),
      type_(type),
      keeps_(digest) {
  const std::string header = header_of(shape, type);
  const std::uint64_t bytes = file_bytes(shape);
  if (synced) {
    if (!begins_with(file_.fd(), header, bytes)) {
      throw Error(
          ErrorKind::other,
          fmt::format("The unfinished output file of {} is not the matrix of this run: its shape or the type "
                      "of its values differs. Start anew, or choose another name.",
                      path));
    }
    digest_ = digest_of_rows(file_.fd(), file_.part(), shape, synced->count, stop);
    require_digest(file_.part(), digest_.text(), synced->digest);
    return;
  }
  file_.reserve(bytes);
  file_.write_at(0, header.data(), header.size());
}

void MatrixFile::read_row(std::uint64_t row, std::span<std::uint32_t> values) const {
  read_values(file_.fd(), file_.part(), shape_.position(row, 0), values.data(), values.size());
}

FileState MatrixFile::state() const { return {file_bytes(shape_), digest_.text()}; }

// Writes by system calls, not through a mapping, because a disk error would then be a signal (SIGBUS).
void MatrixFile::write(const ValueStripe& stripe) {
  if (shape_.layout != Layout::condensed) {
    const bool square = shape_.layout == Layout::square;
    for (std::uint64_t j = stripe.rows.begin; j < stripe.rows.end; ++j)
      write_row(stripe, j, square ? j + 1 : shape_.columns);
  }
  if (shape_.layout != Layout::rectangle) write_columns(stripe);
}

void MatrixFile::write_row(const ValueStripe& stripe, std::uint64_t j, std::uint64_t count) {
  const std::span<const double> row = stripe.row(j).first(count);
  std::vector<std::uint32_t> values(count);
  std::ranges::transform(row, values.begin(), [this](double value) { return bits_of(value, type_); });
  put(shape_.position(j, 0), values);
}

// Writes the values in row i and column j of the file's upper triangle, i < j, for the rows j of the stripe.
// For each i they are neighbours in the file.
void MatrixFile::write_columns(const ValueStripe& stripe) {
  const std::uint64_t begin = stripe.rows.begin, end = stripe.rows.end, rows = end - begin;
  std::vector<std::uint32_t> runs(kColumnsAtOnce * rows);
  for (std::uint64_t first = 0; first < end; first += kColumnsAtOnce) {
    const std::uint64_t last = std::min(first + kColumnsAtOnce, end);
    for (std::uint64_t from = std::max(begin, first + 1); from < end; from += kRowsAtOnce) {
      const std::uint64_t to = std::min(from + kRowsAtOnce, end);
      for (std::uint64_t i = first; i < std::min(last, to); ++i)
        for (std::uint64_t j = std::max(from, i + 1); j < to; ++j)
          runs[(i - first) * rows + j - begin] = bits_of(stripe.row(j)[i], type_);
    }
    for (std::uint64_t i = first; i < last; ++i) {
      const std::uint64_t j = std::max(begin, i + 1);
      if (j == end) continue;
      put(shape_.position(i, j), std::span(runs).subspan((i - first) * rows + j - begin, end - j));
    }
  }
}

void MatrixFile::put(std::uint64_t position, std::span<const std::uint32_t> values) {
  if (keeps_ == Digest::kept) digest_.add(position, values);
  file_.write_at(kHeaderBytes + position * kValueBytes, values.data(), values.size_bytes());
}

MatrixReader::MatrixReader(const std::string& path, const MatrixShape& shape, MatrixType type)
    : path_(path), shape_(shape), type_(type), file_(path) {
  if (!begins_with(file_.fd(), header_of(shape, type), file_bytes(shape)))
    refuse_contents(path, "its size, or the shape or type in its head, has changed");
}

void MatrixReader::require(const std::string& digest, const StopFlag& stop) const {
  require_digest(path_, digest_of_rows(file_.fd(), path_, shape_, shape_.rows, stop).text(), digest);
}

void MatrixReader::read_at(std::uint64_t position, void* values, std::uint64_t count) const {
  read_values(file_.fd(), path_, position, values, count);
}

std::vector<double> MatrixReader::read(std::uint64_t begin, std::uint64_t end) const {
  std::vector<double> stripe((end - begin) * end);
  std::vector<std::uint32_t> run(end - begin);
  for (std::uint64_t i = 0; i < end; ++i) {
    const std::uint64_t first = std::max(begin, shape_.layout == Layout::square ? i : i + 1);
    if (first >= end) continue;
    read_at(shape_.position(i, first), run.data(), end - first);
    for (std::uint64_t j = first; j < end; ++j)
      stripe[(j - begin) * end + i] = type_ == MatrixType::float32
                                          ? static_cast<double>(std::bit_cast<float>(run[j - first]))
                                          : static_cast<double>(std::bit_cast<std::int32_t>(run[j - first]));
  }
  return stripe;
}

}  // namespace alnus::io
