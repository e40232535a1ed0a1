#include "io/sparse_file.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

#include "alnus/error.h"
#include "io/npy.h"
#include "support/temp_dir.h"
#include "support/zip_reader.h"

namespace alnus::io {
namespace {

using test::read_file;
using ::testing::HasSubstr;
using Values = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;  // keys: row and column

template <class Number>
std::vector<Number> numbers_of(const std::string& npy, const char* type) {
  EXPECT_THAT(npy.substr(0, kNpyHeaderBytes), HasSubstr(std::string("'descr': '") + type + "'"));
  std::vector<Number> numbers((npy.size() - kNpyHeaderBytes) / sizeof(Number));
  if (!numbers.empty())
    std::memcpy(numbers.data(), npy.data() + kNpyHeaderBytes, numbers.size() * sizeof(Number));
  return numbers;
}

// Returns the matrix that SciPy would read from the file. Checks that the columns of each row increase.
Values matrix_of(const std::string& path, const SparseShape& shape, MatrixType type) {
  const std::map<std::string, std::string> arrays = test::read_zip(path);
  EXPECT_EQ(arrays.size(), 5U);
  EXPECT_EQ(arrays.at("format.npy").substr(kNpyHeaderBytes), "csr");
  EXPECT_EQ(numbers_of<std::uint64_t>(arrays.at("shape.npy"), "<i8"),
            (std::vector<std::uint64_t>{shape.rows, shape.columns}));
  const auto indices = numbers_of<std::int32_t>(arrays.at("indices.npy"), "<i4"),
             begins = numbers_of<std::int32_t>(arrays.at("indptr.npy"), "<i4");
  std::vector<double> data;
  if (type == MatrixType::float32)
    for (const float value : numbers_of<float>(arrays.at("data.npy"), "<f4")) data.push_back(value);
  else
    for (const std::int32_t value : numbers_of<std::int32_t>(arrays.at("data.npy"), "<i4"))
      data.push_back(value);
  EXPECT_EQ(begins.size(), shape.rows + 1);
  EXPECT_EQ(data.size(), indices.size());
  Values values;
  for (std::uint32_t row = 0; row < shape.rows; ++row)
    for (auto k = static_cast<std::size_t>(begins[row]); k < static_cast<std::size_t>(begins[row + 1]); ++k) {
      EXPECT_TRUE(k == static_cast<std::size_t>(begins[row]) || indices[k - 1] < indices[k]) << row;
      values[{row, static_cast<std::uint32_t>(indices[k])}] = data[k];
    }
  EXPECT_EQ(values.size(), data.size());
  return values;
}

class SparseFileTest : public ::testing::Test {
 protected:
  // Returns random values for one in `one_in` of the pairs. For one set these are pairs left of the diagonal,
  // and with `self` also on it.
  static Values some_pairs(const SparseShape& shape, unsigned one_in, bool self = false) {
    std::minstd_rand random(one_in);
    Values values;
    for (std::uint32_t row = 0; row < shape.rows; ++row)
      for (std::uint32_t column = 0; column < (shape.one_set ? row + (self ? 1 : 0) : shape.columns);
           ++column)
        if (random() % one_in == 0) values[{row, column}] = static_cast<double>(random() % 21) - 10;
    return values;
  }
  // Writes the pairs in several batches.
  std::string write(const Values& pairs, const SparseShape& shape, MatrixType type,
                    std::uint64_t memory_bytes) const {
    const std::string path = directory_.file("matrix.npz");
    std::filesystem::remove(path);
    SparseFile file(path, shape, type, memory_bytes, StopFlag::never());
    std::vector<SequenceSet::Index> rows, columns;
    std::vector<double> values;
    const auto write = [&] {
      file.write({rows, columns, values, nullptr});
      rows.clear();
      columns.clear();
      values.clear();
    };
    for (const auto& [place, value] : pairs) {
      rows.push_back(place.first);
      columns.push_back(place.second);
      values.push_back(value);
      if (values.size() == 7) write();
    }
    write();
    file.lay_out();
    EXPECT_FALSE(std::filesystem::exists(path));
    file.commit();
    return path;
  }

  const test::TempDir directory_;
};

TEST_F(SparseFileTest, HasThePairsByRowAndColumn) {
  for (const SparseShape& shape :
       {SparseShape{40, 40, true}, {1, 1, true}, {0, 0, true}, {30, 50}, {3, 0}, {0, 4}})
    for (const unsigned one_in : {1U, 6U, 10000U})
      for (const bool self : {false, true})
        for (const MatrixType type : {MatrixType::int32, MatrixType::float32}) {
          const Values pairs = some_pairs(shape, one_in, self && shape.one_set);
          Values expected = pairs;
          for (const auto& [place, value] : pairs)
            if (shape.one_set) expected[{place.second, place.first}] = value;
          EXPECT_EQ(matrix_of(write(pairs, shape, type, 1 << 20), shape, type), expected)
              << shape.rows << ", " << shape.columns << ", " << one_in;
        }
}

TEST_F(SparseFileTest, KeepsFractionsAsFloats) {
  const SparseShape shape{3, 3, true};
  const Values found =
      matrix_of(write({{{2, 1}, 33.25}}, shape, MatrixType::float32, 64), shape, MatrixType::float32);
  EXPECT_EQ(found, (Values{{{1, 2}, 33.25}, {{2, 1}, 33.25}}));
}

TEST_F(SparseFileTest, BytesDoNotDependOnTheMemory) {
  for (const SparseShape& shape : {SparseShape{60, 60, true}, {60, 20}}) {
    const Values pairs = some_pairs(shape, 3);
    const std::string bytes = read_file(write(pairs, shape, MatrixType::int32, 1 << 20));
    for (const std::uint64_t memory : {0, 40, 300, 2000})
      EXPECT_TRUE(read_file(write(pairs, shape, MatrixType::int32, memory)) == bytes) << memory;
  }
}

TEST_F(SparseFileTest, LeavesNothingWithoutCommit) {
  {
    SparseFile file(directory_.file("matrix.npz"), {5, 5, true}, MatrixType::int32, 64, StopFlag::never());
    const std::vector<SequenceSet::Index> rows{3}, columns{2};
    const std::vector<double> values{8};
    file.write({rows, columns, values, nullptr});
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(SparseFileTest, CanBeStopped) {
  StopFlag stop;
  {
    SparseFile file(directory_.file("matrix.npz"), {5, 5, true}, MatrixType::int32, 64, stop);
    const std::vector<SequenceSet::Index> rows{3}, columns{2};
    const std::vector<double> values{8};
    file.write({rows, columns, values, nullptr});
    stop.request();
    EXPECT_THROW(file.lay_out(), Interrupted);
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(SparseFileTest, ADirectoryThatIsNotThereIsNamed) {
  try {
    SparseFile file(directory_.file("none/matrix.npz"), {5, 5, true}, MatrixType::int32, 64,
                    StopFlag::never());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::other);
    EXPECT_THAT(error.what(), HasSubstr("none/matrix.npz"));
  }
}

}  // namespace
}  // namespace alnus::io
