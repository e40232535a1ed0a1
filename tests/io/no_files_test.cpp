// Pipes in place of files that are read by place: they are refused at once, and not waited for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>

#include "alnus/error.h"
#include "io/database_file.h"
#include "io/file_state.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class NoFiles : public testing::Test {
 protected:
  NoFiles() { EXPECT_EQ(::mkfifo(pipe_.c_str(), 0600), 0); }

  const test::TempDir directory_;
  const std::string pipe_ = directory_.file("pipe");
};

TEST_F(NoFiles, ADatabase) {
  try {
    read_header(pipe_);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::database);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(pipe_), HasSubstr("is no regular file")));
  }
}

TEST_F(NoFiles, AnOutputOfAnInterruptedRun) {
  try {
    const InputFile file(pipe_);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(pipe_), HasSubstr("it is no file")));
  }
}

}  // namespace
}  // namespace alnus::io
