#include "io/sparse_file.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>

#include "alnus/error.h"
#include "core/pieces.h"
#include "io/matrix_file.h"
#include "io/npy.h"
#include "io/output_name.h"

namespace alnus::io {

bool is_npz(std::string_view path) { return path.ends_with(".npz"); }

bool is_nearly_npz(std::string_view path) {
  return !is_npz(path) &&
         (has_ending(path, ".npz") || has_ending(path, ".npz.gz") || has_ending(path, ".npz.zst"));
}

SparseFile::SparseFile(const std::string& path, const SparseShape& shape, MatrixType type,
                       std::uint64_t memory_bytes, const StopFlag& stop)
    : file_(path),
      shape_(shape),
      type_(type),
      memory_bytes_(memory_bytes),
      stop_(stop),
      pairs_(std::filesystem::path(path).parent_path().string(), ErrorKind::other,
             fmt::format("It is needed to write {}: make room, or choose another directory.", path), stop),
      begins_(shape.rows + 1) {}

void SparseFile::write(const SparseValues& values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Element element{values.row[k], values.column[k], bits_of(values.value[k], type_)};
    pairs_.append(&element, sizeof(element));
  }
}

// In the matrix of one set the elements of a row left of the diagonal come with the row itself, those right
// of the diagonal with the later rows, in the order of these rows. So the elements of a row come in the order
// of the columns.
template <class Take>
void SparseFile::for_each_element(const Take& take) const {
  constexpr std::uint64_t kAtOnce = 1 << 16;
  std::vector<Element> some;
  const std::uint64_t count = pairs_.size() / sizeof(Element);
  for (std::uint64_t done = 0; done < count; done += some.size()) {
    throw_if_requested(stop_);
    some.resize(std::min(kAtOnce, count - done));
    pairs_.read_at(done * sizeof(Element), some.data(), some.size() * sizeof(Element));
    for (const Element& element : some) {
      take(element.row, element.column, element.value);
      if (shape_.one_set && element.row != element.column) take(element.column, element.row, element.value);
    }
  }
}

void SparseFile::count() {
  for_each_element([&](SequenceSet::Index row, SequenceSet::Index, std::uint32_t) { ++begins_[row + 1]; });
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
}

template <class Number>
void SparseFile::add_array(ZipWriter& archive, const char* name, const char* type,
                           const std::vector<Number>& numbers) {
  const std::string header = npy_header(type, fmt::format("{},", numbers.size()));
  const std::uint64_t bytes = numbers.size() * sizeof(Number);
  archive.begin(name, header.size() + bytes);
  archive.write(header.data(), header.size());
  archive.write(numbers.data(), bytes);
}

// Writes an array with a number for each element of the matrix, for as many rows at a time as the memory has
// room for, but at least one.
template <class Number, class Choose>
void SparseFile::add_places(ZipWriter& archive, const char* name, const char* type, const Choose& choose) {
  const std::uint64_t all = begins_.back(), most = std::max<std::uint64_t>(memory_bytes_ / sizeof(Number), 1);
  const std::string header = npy_header(type, fmt::format("{},", all));
  archive.begin(name, header.size() + all * sizeof(Number));
  archive.write(header.data(), header.size());
  std::vector<Number> numbers;
  std::vector<std::uint64_t> next;
  for (std::uint64_t first = 0, end = 0; first < shape_.rows; first = end) {
    end = first + 1;
    while (end < shape_.rows && begins_[end + 1] - begins_[first] <= most) ++end;
    numbers.resize(begins_[end] - begins_[first]);
    next.assign(begins_.begin() + static_cast<std::ptrdiff_t>(first),
                begins_.begin() + static_cast<std::ptrdiff_t>(end));
    for_each_element([&](SequenceSet::Index row, SequenceSet::Index column, std::uint32_t value) {
      if (row >= first && row < end) numbers[next[row - first]++ - begins_[first]] = choose(column, value);
    });
    archive.write(numbers.data(), numbers.size() * sizeof(Number));
  }
}

template <class Index>
void SparseFile::add_all(ZipWriter& archive, const char* index_type) {
  add_places<Index>(archive, "indices.npy", index_type,
                    [](SequenceSet::Index column, std::uint32_t) { return static_cast<Index>(column); });
  add_array(archive, "indptr.npy", index_type, std::vector<Index>(begins_.begin(), begins_.end()));
}

// Writes the arrays that scipy.sparse.save_npz writes, in the same order.
void SparseFile::lay_out() {
  pairs_.flush();
  count();
  ZipWriter archive(file_);
  if (std::max({begins_.back(), shape_.rows, shape_.columns}) <= INT32_MAX)
    add_all<std::int32_t>(archive, "<i4");
  else
    add_all<std::int64_t>(archive, "<i8");
  const std::string format = npy_header("|S3", "") + "csr";
  archive.begin("format.npy", format.size());
  archive.write(format.data(), format.size());
  add_array(archive, "shape.npy", "<i8", std::vector<std::uint64_t>{shape_.rows, shape_.columns});
  add_places<std::uint32_t>(archive, "data.npy", type_ == MatrixType::float32 ? "<f4" : "<i4",
                            [](SequenceSet::Index, std::uint32_t value) { return value; });
  archive.finish();
  file_.sync();
}

void SparseFile::commit() { file_.commit(); }

}  // namespace alnus::io
