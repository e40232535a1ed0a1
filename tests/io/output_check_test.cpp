// Outputs that would replace an input or each other are refused.
#include <fcntl.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "alnus/error.h"
#include "alnus/output.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

// While an object of this class lives, a standard descriptor is redirected: to a file that is opened for it,
// or, as by 2>&1, to what the descriptor `same_as` is open on.
class Redirected {
 public:
  Redirected(int descriptor, const std::string& path, int flags)
      : descriptor_(descriptor), saved_(::dup(descriptor)) {
    const int fd = ::open(path.c_str(), flags);
    ::dup2(fd, descriptor);
    ::close(fd);
  }
  Redirected(int descriptor, int same_as) : descriptor_(descriptor), saved_(::dup(descriptor)) {
    ::dup2(same_as, descriptor);
  }
  ~Redirected() {
    ::dup2(saved_, descriptor_);
    ::close(saved_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int descriptor_, saved_;
};

class OutputCheck : public ::testing::Test {
 protected:
  OutputCheck() { fs::create_directory(path("folder")); }
  std::string path(const std::string& name) const { return directory_.file(name); }
  // Returns names of the file in.fa: its own, links to it, and paths through folders.
  std::vector<std::string> names_of_input() const {
    fs::create_hard_link(path("in.fa"), path("hard"));
    fs::create_symlink("in.fa", path("soft"));
    fs::create_symlink(path("soft"), path("folder/soft"));
    fs::create_symlink(directory_.path(), path("folder/up"));
    return {path("in.fa"),           path("hard"),           path("soft"), path("folder/soft"),
            path("folder/../in.fa"), path("folder/up/in.fa")};
  }
  static std::string refusal(const std::vector<std::string>& outputs,
                             const std::vector<std::string>& inputs) {
    try {
      check_outputs(outputs, inputs);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  }

  const test::TempDir directory_;
  const std::string in_ = directory_.write_file("in.fa", ">a\nMKV\n"),
                    other_ = directory_.write_file("other.fa", ">b\nMKV\n");
};

TEST_F(OutputCheck, AnInputByAnyNameIsRefused) {
  for (const std::string& name : names_of_input()) {
    EXPECT_THAT(refusal({name}, {other_, in_}), AllOf(HasSubstr(name), HasSubstr("one of the inputs")));
    EXPECT_THAT(refusal({path("out"), name}, {in_}), HasSubstr("one of the inputs"));
    EXPECT_THAT(refusal({in_}, {name}), HasSubstr("one of the inputs"));
  }
  EXPECT_EQ(refusal({path("out"), "", path("folder/out")}, {in_, other_, "", path("none")}), "");
}

TEST_F(OutputCheck, AnInputThatAnOutputIsFirstWrittenToIsRefused) {
  const std::string part = directory_.write_file("out.alnus-part", ">a\nMKV\n");
  fs::create_hard_link(part, path("hard"));
  for (const std::string& input : {part, path("hard")})
    EXPECT_THAT(refusal({path("out")}, {input}), AllOf(HasSubstr("first written to"), HasSubstr(input)));
}

TEST_F(OutputCheck, TwoOutputsThatAreOneFileAreRefused) {
  EXPECT_THAT(refusal({"out", "more", "out"}, {}), HasSubstr("Two outputs have the name out"));
  for (const std::string& name : names_of_input())
    EXPECT_THAT(refusal({other_, name, in_}, {}),
                name == in_ ? HasSubstr("Two outputs have the name") : HasSubstr("written to the same file"));
}

TEST_F(OutputCheck, TwoOutputsThatWouldBecomeOneFileAreRefused) {
  fs::create_symlink("new", path("link"));
  fs::create_symlink("../new", path("folder/link"));
  for (const std::string& name : {path("link"), path("folder/link"), path("folder/../new"),
                                  path("folder/.././new"), path("new.alnus-part")})
    EXPECT_THAT(refusal({path("new"), name}, {}), HasSubstr("written to the same file")) << name;
  EXPECT_EQ(refusal({path("new"), path("folder/new")}, {}), "");
}

TEST_F(OutputCheck, StandardInputAndOutputCountAsTheFilesBehindThem) {
  const Redirected redirected(STDIN_FILENO, in_, O_RDONLY);
  for (const std::string& name : names_of_input())
    EXPECT_THAT(refusal({name}, {"-"}), AllOf(HasSubstr(name), HasSubstr("standard input")));
  EXPECT_EQ(refusal({path("out")}, {"-"}), "");
  EXPECT_THAT(refusal({"-", "/dev/stdout"}, {}), HasSubstr("Two outputs"));
}

TEST_F(OutputCheck, DevicesAndPipesAreNoInputsThatCouldBeLost) {
  EXPECT_EQ(refusal({"/dev/null"}, {"/dev/null"}), "");
  EXPECT_EQ(refusal({"/dev/null", "/dev/../dev/null"}, {}), "");
  const std::string fifo = path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(refusal({"/dev/null", path("out")}, {fifo}), "");
  EXPECT_THAT(refusal({fifo, path("folder/../fifo")}, {}), HasSubstr("written to the same file"));
}

TEST_F(OutputCheck, OutputsAreNotTheFileOfStandardError) {
  const Redirected messages(STDERR_FILENO, in_, O_WRONLY | O_APPEND);
  for (const std::string& name : names_of_input())
    EXPECT_EQ(refusal({name}, {}),
              "The output " + name + " is the file that standard error goes to. Choose another name.");
  EXPECT_EQ(refusal({path("out"), other_}, {}), "");
  const std::string part = directory_.write_file("out.alnus-part", "");
  const Redirected to_part(STDERR_FILENO, part, O_WRONLY);
  EXPECT_THAT(refusal({path("out")}, {}), HasSubstr("first written to the file that standard error goes to"));
}

TEST_F(OutputCheck, StandardOutputAndErrorInOneFileDoNotOverwriteEachOther) {
  const auto refused = [&](int flags_of_output, int flags_of_messages) {
    const Redirected rows(STDOUT_FILENO, in_, O_WRONLY | flags_of_output);
    const Redirected messages(STDERR_FILENO, in_, O_WRONLY | flags_of_messages);
    const std::string text = refusal({"-"}, {});
    EXPECT_TRUE(text.empty() || text.find("by \"> FILE 2>&1\"") != text.npos) << text;
    EXPECT_EQ(refusal({path("out")}, {}), "") << "nothing goes to standard output";
    return !text.empty();
  };
  EXPECT_TRUE(refused(0, 0));                 // > FILE 2> FILE
  EXPECT_TRUE(refused(O_APPEND, 0));          // >> FILE 2> FILE
  EXPECT_FALSE(refused(O_APPEND, O_APPEND));  // >> FILE 2>> FILE
  const Redirected rows(STDOUT_FILENO, in_, O_WRONLY);
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  const Redirected messages(STDERR_FILENO, STDOUT_FILENO);
  EXPECT_EQ(refusal({"-"}, {}), "");  // > FILE 2>&1
  EXPECT_EQ(::fcntl(STDERR_FILENO, F_GETFL), flags);
}

TEST_F(OutputCheck, AnInputThatMessagesWouldBeAppendedToIsKnown) {
  for (const std::string& name : names_of_input()) {
    const Redirected messages(STDERR_FILENO, name, O_WRONLY | O_APPEND);
    EXPECT_TRUE(is_standard_error(in_));
    EXPECT_FALSE(is_standard_error(other_));
    EXPECT_FALSE(is_standard_error(path("none")));
    EXPECT_FALSE(is_standard_error("-"));
    const Redirected input(STDIN_FILENO, in_, O_RDONLY);
    EXPECT_TRUE(is_standard_error("-"));
  }
  const Redirected nothing(STDERR_FILENO, "/dev/null", O_WRONLY);
  EXPECT_FALSE(is_standard_error("/dev/null"));
}

TEST_F(OutputCheck, NamesThatLeadNowhereAreLeftToWhoeverOpensThem) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_EQ(refusal({path("a"), path("none/out"), path(std::string(300, 'x'))}, {in_}), "");
}

}  // namespace
}  // namespace alnus::io
