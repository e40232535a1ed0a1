#include "io/spill_file.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <string>

#include "support/temp_dir.h"

namespace alnus::io {
namespace {

// Pieces of sizes around the buffer's size come back as they were appended.
TEST(SpillFile, HasTheBytesThatWereAppended) {
  constexpr std::size_t kBuffer = 1 << 20;
  const test::TempDir directory;
  SpillFile file(directory.path().string(), ErrorKind::other, "Advice.", StopFlag::never());
  std::string expected;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, kBuffer - 2, std::size_t{1}, std::size_t{1}, kBuffer - 1, kBuffer,
        std::size_t{1}, kBuffer, kBuffer + 1, std::size_t{7}}) {
    std::string piece(size, '\0');
    for (std::size_t k = 0; k < size; ++k) piece[k] = static_cast<char>((expected.size() + k) * 31 / 7 % 251);
    file.append(piece.data(), piece.size());
    expected += piece;
    EXPECT_EQ(file.size(), expected.size());
  }
  file.flush();
  file.flush();
  EXPECT_EQ(file.size(), expected.size());
  std::string found(expected.size(), '\0');
  file.read_at(0, found.data(), found.size());
  EXPECT_TRUE(found == expected);
  std::string middle(1000, '\0');
  file.read_at(kBuffer - 500, middle.data(), middle.size());
  EXPECT_EQ(middle, expected.substr(kBuffer - 500, 1000));
  EXPECT_THROW(file.read_at(expected.size() - 999, middle.data(), middle.size()), Error);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path())) << "the file has no name";
}

}  // namespace
}  // namespace alnus::io
