#include "io/matrix_file.h"

#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/resource.h>

#include "io/stripes.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

namespace fs = std::filesystem;
using test::read_file;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Returns a value that differs for all pairs, but is the same for (i, j) and (j, i).
double value_of(std::uint64_t j, std::uint64_t i) {
  return static_cast<double>(1000 * std::max(i, j) + std::min(i, j)) - 5000;
}

std::string as_bytes(double value, MatrixType type) {
  std::string bytes(4, '\0');
  const auto as_float = static_cast<float>(value);
  const auto as_integer = static_cast<std::int32_t>(value);
  std::memcpy(bytes.data(), type == MatrixType::float32 ? static_cast<const void*>(&as_float) : &as_integer,
              4);
  return bytes;
}

// Returns the expected bytes of the file, made by loops over its rows and columns.
std::string expected_file(const MatrixShape& shape, MatrixType type) {
  const bool condensed = shape.layout == MatrixShape::Layout::condensed;
  std::string body, dimensions;
  for (std::uint64_t i = 0; i < shape.rows; ++i)
    for (std::uint64_t j = condensed ? i + 1 : 0; j < shape.columns; ++j)
      body += as_bytes(shape.layout == MatrixShape::Layout::rectangle
                           ? 100.0 * static_cast<double>(i) + static_cast<double>(j)
                           : value_of(j, i),
                       type);
  if (condensed)
    dimensions = std::to_string(body.size() / 4) + ",";
  else
    dimensions = std::to_string(shape.rows) + ", " + std::to_string(shape.columns);
  std::string header("\x93NUMPY\x01\0\x76\0", 10);
  header += std::string("{'descr': '") + (type == MatrixType::float32 ? "<f4" : "<i4") +
            "', 'fortran_order': False, 'shape': (" + dimensions + "), }";
  header.resize(127, ' ');
  return header + "\n" + body;
}

void write_rows(MatrixFile& file, const MatrixShape& shape, std::uint64_t begin, std::uint64_t end) {
  if (shape.layout != MatrixShape::Layout::rectangle) {
    file.write(Block::of_triangle(begin, end, value_of).stripe());
    return;
  }
  file.write(Block::of_rectangle(begin, end, shape.columns, [](std::uint64_t row, std::uint64_t column) {
               return 100.0 * static_cast<double>(row) + static_cast<double>(column);
             }).stripe());
}

std::vector<MatrixShape> shapes() {
  std::vector<MatrixShape> shapes;
  for (const std::uint64_t n : {0, 1, 2, 3, 16, 17, 35}) {
    shapes.push_back(MatrixShape::condensed(n));
    shapes.push_back(MatrixShape::square(n));
    shapes.push_back(MatrixShape::rectangle(n, 5));
    shapes.push_back(MatrixShape::rectangle(3, n));
  }
  return shapes;
}

class MatrixFileTest : public ::testing::Test {
 protected:
  // Returns the error's message if the file cannot be begun, otherwise "".
  std::string refusal(const MatrixShape& shape, MatrixType type, const std::optional<SyncedRows>& synced,
                      ErrorKind kind = ErrorKind::other) const {
    try {
      const MatrixFile file(name_, shape, type, synced);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      return error.what();
    }
    return "";
  }

  test::TempDir directory_;
  const std::string name_ = directory_.file("matrix.npy");
};

TEST_F(MatrixFileTest, StripesOfAnyHeightGiveTheSameBytes) {
  for (const MatrixType type : {MatrixType::float32, MatrixType::int32})
    for (const MatrixShape& shape : shapes())
      for (const std::uint64_t height : {1, 2, 7, 16, 100}) {
        MatrixFile file(name_, shape, type);
        for (std::uint64_t begin = 0; begin < shape.rows; begin += height)
          write_rows(file, shape, begin, std::min(begin + height, shape.rows));
        file.commit();
        ASSERT_EQ(read_file(name_), expected_file(shape, type))
            << shape.rows << " x " << shape.columns << " by " << height;
      }
}

TEST_F(MatrixFileTest, ResumedAfterAnyStripe) {
  for (const MatrixShape& shape :
       {MatrixShape::condensed(20), MatrixShape::square(20), MatrixShape::rectangle(20, 3)})
    for (std::uint64_t synced = 0; synced <= shape.rows; ++synced) {
      std::string digest;
      {
        MatrixFile file(name_, shape, MatrixType::float32);
        if (synced > 0) write_rows(file, shape, 0, synced);
        file.sync();
        digest = file.state().digest;
        if (synced < shape.rows) write_rows(file, shape, synced, synced + 1);
      }
      MatrixFile file(name_, shape, MatrixType::float32, SyncedRows{synced, digest});
      if (synced < shape.rows) write_rows(file, shape, synced, shape.rows);
      file.commit();
      MatrixReader(name_, shape, MatrixType::float32).require(file.state().digest, StopFlag::never());
      ASSERT_EQ(read_file(name_), expected_file(shape, MatrixType::float32)) << synced;
      fs::remove(name_);
    }
}

TEST_F(MatrixFileTest, ValuesThatAreMissingAreNotNumbers) {
  MatrixFile file(name_, MatrixShape::condensed(2), MatrixType::float32);
  file.write(Block::of_triangle(0, 2, [](auto, auto) { return std::nan(""); }).stripe());
  file.commit();
  float value = 0;
  std::memcpy(&value, read_file(name_).substr(128).data(), 4);
  EXPECT_TRUE(std::isnan(value));
}

// A changed value in the synced rows is noticed. Values after them are not read.
TEST_F(MatrixFileTest, SyncedRowsAreReadBack) {
  constexpr std::uint64_t kRows = 12, kSynced = 7;
  for (const MatrixShape& shape :
       {MatrixShape::condensed(kRows), MatrixShape::square(kRows), MatrixShape::rectangle(kRows, 3)}) {
    std::string digest;
    {
      MatrixFile file(name_, shape, MatrixType::int32);
      write_rows(file, shape, 0, kSynced);
      file.sync();
      digest = file.state().digest;
    }
    const std::string part = name_ + ".alnus-part", before = read_file(part);
    for (std::uint64_t i = 0; i < shape.rows; ++i)
      for (std::uint64_t j = shape.layout == MatrixShape::Layout::condensed ? i + 1 : 0; j < shape.columns;
           ++j) {
        std::string changed = before;
        changed[128 + 4 * shape.position(i, j) + (i + j) % 4] ^= 8;
        directory_.write_file("matrix.npy.alnus-part", changed);
        const bool synced = i < kSynced && (j < kSynced || shape.layout == MatrixShape::Layout::rectangle);
        const std::string said =
            refusal(shape, MatrixType::int32, SyncedRows{kSynced, digest}, ErrorKind::input);
        if (synced)
          EXPECT_THAT(said, HasSubstr("matrix.npy.alnus-part is not as the run left it: its contents"));
        else
          EXPECT_EQ(said, "");
        EXPECT_EQ(read_file(part), changed) << "nothing is lost";
      }
    fs::remove(part);
  }
}

TEST_F(MatrixFileTest, AFinishedMatrixIsRead) {
  const MatrixShape shape = MatrixShape::square(9);
  MatrixFile file(name_, shape, MatrixType::int32);
  write_rows(file, shape, 0, 9);
  file.commit();
  const std::string digest = file.state().digest, whole = read_file(name_);
  const auto require = [&] {
    try {
      MatrixReader(name_, shape, MatrixType::int32).require(digest, StopFlag::never());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(require(), "");
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    std::string changed = whole;
    changed[at] ^= 1;
    directory_.write_file("matrix.npy", changed);
    EXPECT_THAT(require(), HasSubstr(at < 128 ? "the shape or type" : "its contents have changed"));
  }
  fs::resize_file(name_, whole.size() - 4);
  EXPECT_THAT(require(), HasSubstr("its size"));
  fs::remove(name_);
  EXPECT_THAT(require(), HasSubstr("it is missing"));
}

TEST_F(MatrixFileTest, OnlyTheSameMatrixIsResumed) {
  SyncedRows none;
  {
    MatrixFile file(name_, MatrixShape::condensed(9), MatrixType::int32);
    file.sync();
    none.digest = file.state().digest;
  }
  for (const MatrixShape& other : {MatrixShape::condensed(10), MatrixShape::square(6)})
    EXPECT_THAT(refusal(other, MatrixType::int32, none), AllOf(HasSubstr(name_), HasSubstr("shape")));
  EXPECT_THAT(refusal(MatrixShape::condensed(9), MatrixType::float32, none), HasSubstr("shape"));
  EXPECT_EQ(refusal(MatrixShape::condensed(9), MatrixType::int32, none), "");
  fs::resize_file(name_ + ".alnus-part", 200);
  EXPECT_THAT(refusal(MatrixShape::condensed(9), MatrixType::int32, none), HasSubstr("shape"));
}

TEST_F(MatrixFileTest, WithoutAnUnfinishedFileNothingIsResumed) {
  EXPECT_THAT(refusal(MatrixShape::condensed(9), MatrixType::int32, SyncedRows{}),
              AllOf(HasSubstr(name_ + " cannot be resumed"), HasSubstr("is gone")));
  { MatrixFile(name_, MatrixShape::condensed(9), MatrixType::int32); }  // a file that is never synced
  EXPECT_TRUE(fs::is_empty(directory_.path()));
}

TEST_F(MatrixFileTest, LackOfRoomIsToldAtTheStart) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{10'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = refusal(MatrixShape::square(100), MatrixType::int32, {});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_THAT(message, AllOf(HasSubstr(name_), HasSubstr("40128 bytes"), HasSubstr("File too large")));
  EXPECT_TRUE(fs::is_empty(directory_.path()));
  EXPECT_EQ(refusal(MatrixShape::square(100), MatrixType::int32, {}), "");
}

}  // namespace
}  // namespace alnus::io
