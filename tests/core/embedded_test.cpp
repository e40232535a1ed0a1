// The data files that are compiled into the library.
#include "core/embedded.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/error.h"

namespace alnus::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Files that only the program needs are not in the library.
TEST(Embedded, TheLibraryHasMatricesAndStatisticsOnly) {
  EXPECT_FALSE(embedded_files().empty());
  for (const EmbeddedFile& file : embedded_files())
    EXPECT_THAT(file.path, AnyOf(StartsWith("matrices/"), StartsWith("stats/")));
}

TEST(Embedded, FilesAreFoundByTheirPath) {
  for (const EmbeddedFile& file : embedded_files()) EXPECT_EQ(embedded_text(file.path), file.text);
  constexpr std::array<EmbeddedFile, 2> kOthers = {{{"a/b.txt", "first"}, {"a/c.txt", "second"}}};
  EXPECT_EQ(embedded_text("a/c.txt", kOthers), "second");
}

TEST(Embedded, AFileThatIsNotCompiledInIsAnError) {
  constexpr std::array<EmbeddedFile, 1> kOthers = {{{"a/b.txt", "first"}}};
  EXPECT_THROW(embedded_text("a/b.txt"), Error);
  try {
    embedded_text("stats/background.tsv", kOthers);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::other);
    EXPECT_THAT(error.what(), HasSubstr("data/stats/background.tsv was not compiled in"));
  }
}

}  // namespace
}  // namespace alnus::test
