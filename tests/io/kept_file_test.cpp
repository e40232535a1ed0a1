#include "io/kept_file.h"

#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>

#include "alnus/error.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

TEST(KeptFile, IsReadUpToItsLimit) {
  const test::TempDir directory;
  const std::string folder = directory.path().string();
  EXPECT_FALSE(read_kept(folder, directory.file("missing"), 10));
  const std::string plain = directory.write_file("plain", "text");
  EXPECT_FALSE(read_kept(folder, plain + "/below", 10)) << "no file lies below a file";
  for (std::size_t size = 0; size <= 12; ++size) {
    const std::string path = directory.write_file("kept", std::string(size, 'x'));
    if (size <= 10)
      EXPECT_EQ(read_kept(folder, path, 10), std::string(size, 'x'));
    else
      EXPECT_THROW(read_kept(folder, path, 10), Error) << size;
  }
  EXPECT_THROW(read_kept(folder, folder, 10), Error);
  ASSERT_EQ(::chmod(plain.c_str(), 0666), 0);
  EXPECT_THROW(read_kept(folder, plain, 10), Error);
}

TEST(KeptFile, ADirectoryThatEverybodyMayWriteIsNotTrusted) {
  const test::TempDir directory;
  const std::string folder = directory.path().string();
  EXPECT_FALSE(distrust_of_directory(folder));
  EXPECT_FALSE(distrust_of_directory(folder + "/missing"));
  ASSERT_EQ(::chmod(folder.c_str(), 0777), 0);
  EXPECT_TRUE(distrust_of_directory(folder));
  ASSERT_EQ(::chmod(folder.c_str(), 0775), 0);
  EXPECT_FALSE(distrust_of_directory(folder));
}

}  // namespace
}  // namespace alnus::io
