#include "io/atomic_file.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "alnus/output.h"

namespace alnus::io {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public ::testing::Test {
 protected:
  AtomicFileTest() {
    std::string name = (fs::temp_directory_path() / "alnus-atomic-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~AtomicFileTest() override { fs::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_)) names.push_back(entry.path().filename());
    return names;
  }

  // Returns the message of the error with which the constructor refuses an output, or "".
  static std::string refusal(const std::string& path) {
    try {
      AtomicFile file(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path directory_;
};

TEST_F(AtomicFileTest, AppearsOnCommitOnly) {
  AtomicFile file(path("out"));
  file.write("hello ", 6);
  file.write("world", 5);
  EXPECT_FALSE(fs::exists(path("out")));
  file.commit();
  EXPECT_EQ(read(path("out")), "hello world");
  EXPECT_THAT(files(), ::testing::ElementsAre("out"));
}

TEST_F(AtomicFileTest, WritesAtOffsets) {
  AtomicFile file(path("out"));
  file.write_at(6, "cd", 2);
  file.write_at(0, "ab", 2);
  file.commit();
  EXPECT_EQ(read(path("out")), std::string("ab\0\0\0\0cd", 8));
}

TEST_F(AtomicFileTest, LeavesTheOldFileAloneUntilCommit) {
  std::ofstream(path("out")) << "old";
  ::chmod(path("out").c_str(), 0640);
  { AtomicFile(path("out")).write("new", 3); }
  EXPECT_EQ(read(path("out")), "old");
  EXPECT_THAT(files(), ::testing::ElementsAre("out"));

  AtomicFile file(path("out"));
  file.write("new", 3);
  file.commit();
  EXPECT_EQ(read(path("out")), "new");
  EXPECT_EQ(fs::status(path("out")).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(AtomicFileTest, RefusesASecondWriterUntilTheFirstHasEnded) {
  {
    AtomicFile first(path("out"));
    EXPECT_THAT(refusal(path("out")),
                ::testing::AllOf(::testing::HasSubstr(path("out")), ::testing::HasSubstr("another process")));
    first.write("x", 1);
    EXPECT_THAT(files(), ::testing::ElementsAre("out.alnus-part")) << "the refused writer removed it";
  }
  AtomicFile(path("out")).commit();
  AtomicFile(path("out")).commit();
  EXPECT_THAT(files(), ::testing::ElementsAre("out"));
}

TEST_F(AtomicFileTest, TakesOverWhatAKilledProcessLeft) {
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(path("out"));
    file.write("left by the first, and longer", 29);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(files(), ::testing::ElementsAre("out.alnus-part"));

  AtomicFile file(path("out"));
  file.write("second", 6);
  file.commit();
  EXPECT_EQ(read(path("out")), "second");
  EXPECT_THAT(files(), ::testing::ElementsAre("out"));
}

TEST_F(AtomicFileTest, SignalHandlerRemovesUnfinishedFiles) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGTERM, [](int) {
      remove_unfinished_files();
      ::_exit(42);
    });
    AtomicFile one(path("one")), two(path("two")), three(path("three"));
    two.commit();
    ::raise(SIGTERM);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_THAT(files(), ::testing::ElementsAre("two"));
}

TEST_F(AtomicFileTest, SignalHandlerFindsFilesBegunAfterOthersEnded) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int round = 0; round < 3; ++round) AtomicFile one(path("one")), two(path("two"));
    AtomicFile one(path("one")), two(path("two"));
    remove_unfinished_files();
    ::_exit(files().empty() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(AtomicFileTest, ChildOfAForkLeavesTheParentsFilesAlone) {
  auto one = std::make_unique<AtomicFile>(path("one"));
  AtomicFile two(path("two"));
  const pid_t child = ::fork();
  if (child == 0) {
    one.reset();
    const AtomicFile own(path("own"));
    remove_unfinished_files();
    ::_exit(fs::exists(path("own.alnus-part")) ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(files(), ::testing::UnorderedElementsAre("one.alnus-part", "two.alnus-part"));
  EXPECT_THAT(refusal(path("one")), ::testing::HasSubstr("another process")) << "the lock is still held";
  one->commit();
  two.commit();
  EXPECT_THAT(files(), ::testing::UnorderedElementsAre("one", "two"));
}

TEST_F(AtomicFileTest, SyncedFileOutlivesSignalAndErrorAndIsResumed) {
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(path("out"));
    file.write("synced", 6);
    file.sync();
    file.write(" and not", 8);
    remove_unfinished_files();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(read(path("out.alnus-part")), "synced and not");
  {
    AtomicFile file(path("out"), ErrorKind::other, AtomicFile::Begin::resumed);
    EXPECT_THAT(refusal(path("out")), ::testing::HasSubstr("another process"));
    file.cut(6);
  }
  AtomicFile file(path("out"), ErrorKind::other, AtomicFile::Begin::resumed);
  EXPECT_THROW(file.cut(7), Error);
  file.cut(6);
  file.write("!", 1);
  file.commit();
  EXPECT_EQ(read(path("out")), "synced!");
  EXPECT_THAT(files(), ::testing::ElementsAre("out"));
}

TEST_F(AtomicFileTest, AnUnfinishedFileThatIsGoneIsNamed) {
  const auto message = [](const std::function<void()>& act) -> std::string {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  { AtomicFile(path("out")).sync(); }    // an interrupted run
  { AtomicFile(path("out")).commit(); }  // another run of the same output
  EXPECT_THAT(
      message([&] { AtomicFile(path("out"), ErrorKind::other, AtomicFile::Begin::resumed); }),
      ::testing::AllOf(::testing::HasSubstr("out.alnus-part, which held what an earlier run had written"),
                       ::testing::HasSubstr("checkpoint to begin anew.")));
  AtomicFile file(path("out"));
  fs::remove(path("out.alnus-part"));
  EXPECT_THAT(
      message([&] { file.commit(); }),
      ::testing::HasSubstr("out.alnus-part, to which it was written, was renamed or removed meanwhile"));
}

TEST_F(AtomicFileTest, ReservesRoom) {
  AtomicFile file(path("out"));
  file.reserve(1 << 20);
  struct stat status {};
  ASSERT_EQ(::fstat(file.fd(), &status), 0);
  EXPECT_EQ(status.st_size, 1 << 20);
  try {
    file.reserve(std::uint64_t{1} << 60);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::AllOf(::testing::HasSubstr(path("out")),
                                               ::testing::HasSubstr("1152921504606846976 bytes")));
  }
}

TEST_F(AtomicFileTest, FollowsASymbolicLink) {
  fs::create_directory(path("there"));
  std::ofstream(path("there/out")) << "old";
  fs::create_symlink("there/out", path("link"));
  AtomicFile file(path("link"));
  EXPECT_THAT(refusal(path("there/out")), ::testing::HasSubstr("another process"));
  file.write("new", 3);
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read(path("there/out")), "new");
}

TEST_F(AtomicFileTest, MakesTheFileThatALinkToNothingPointsTo) {
  fs::create_directory(path("there"));
  fs::create_symlink("there/out", path("first"));
  fs::create_symlink(path("first"), path("second"));
  AtomicFile file(path("second"));
  EXPECT_TRUE(fs::exists(path("there/out.alnus-part")));
  file.write("new", 3);
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path("first")));
  EXPECT_TRUE(fs::is_symlink(path("second")));
  EXPECT_FALSE(fs::is_symlink(path("there/out")));
  EXPECT_EQ(read(path("there/out")), "new");
}

TEST_F(AtomicFileTest, RefusesALinkThatLeadsNowhere) {
  fs::create_symlink("none/out", path("link"));
  EXPECT_THAT(refusal(path("link")), ::testing::HasSubstr("No such file or directory"));
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_THAT(refusal(path("a")), ::testing::HasSubstr("Too many levels of symbolic links"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
}

TEST_F(AtomicFileTest, WritesDevicesAsTheyAre) {
  AtomicFile null("/dev/null");
  null.write("x", 1);
  null.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFileTest, FullDiskNamesTheFileAndTheReason) {
  AtomicFile file("/dev/full", ErrorKind::database);
  try {
    file.write("x", 1);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::database);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("/dev/full: No space left on device"));
  }
}

TEST_F(AtomicFileTest, RefusesWhatCannotBeWritten) {
  EXPECT_THAT(
      refusal(path("missing/out")),
      ::testing::HasSubstr("No such file or directory. Make the folder " + path("missing") + " first."));
  EXPECT_THAT(refusal(directory_.string()), ::testing::HasSubstr("Is a directory"));
  EXPECT_THAT(refusal(path(std::string(300, 'x'))), ::testing::HasSubstr("File name too long"));
  EXPECT_THAT(refusal(""), ::testing::HasSubstr("Cannot create"));
  if (::geteuid() != 0) {
    ::chmod(directory_.c_str(), 0500);
    EXPECT_THAT(refusal(path("out")), ::testing::HasSubstr("Permission denied"));
    ::chmod(directory_.c_str(), 0700);
  }
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace alnus::io
