#include "io/byte_source.h"

#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "alnus/error.h"
#include "standard_input.h"
#include "support/compression.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Returns a text of `size` bytes in which no two blocks are equal.
std::string long_text(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += "line " + std::to_string(i) + "\n";
  text.resize(size);
  return text;
}

ThreadPool& pool() {
  static ThreadPool one(1);
  return one;
}

std::string read_ahead(const Input& input) {
  ReadAhead bytes(input, pool());
  std::string text;
  for (std::string_view block = bytes.next(); !block.empty(); block = bytes.next()) text += block;
  EXPECT_TRUE(bytes.next().empty());
  return text;
}

std::string message(const std::string& path) {
  try {
    read_text(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

TEST(ByteSource, ReadsWholeFiles) {
  const test::TempDir directory;
  const std::size_t block = ReadAhead::kBlockBytes;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, block - 1, block, block + 1, 2 * block, 5 * block + 7}) {
    const std::string text = long_text(size);
    const std::string path = directory.write_file("text", text);
    EXPECT_TRUE(read_text(path) == text) << size;
    EXPECT_TRUE(read_ahead(path) == text) << size;
  }
}

TEST(ByteSource, RecognisesCompressionByTheFirstBytes) {
  const test::TempDir directory;
  const std::string text = long_text(2'000'000);
  for (const std::string& packed : {test::gzip(text), test::bgzf(text), test::zstd(text)}) {
    const std::string path = directory.write_file("no-suffix", packed);
    EXPECT_TRUE(read_text(path) == text);
    EXPECT_TRUE(read_ahead(path) == text);
  }
  EXPECT_EQ(read_text(directory.write_file("text.gz", "plain")), "plain");
}

TEST(ByteSource, ReadsTextsInMemory) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, ReadAhead::kBlockBytes, 3 * ReadAhead::kBlockBytes + 7}) {
    const std::string text = long_text(size);
    EXPECT_TRUE(read_ahead({text, "text"}) == text) << size;
    EXPECT_TRUE(read_ahead({test::zstd(text), "text"}) == text) << size;
  }
  EXPECT_EQ(name_of({"", "-"}), "-");
  EXPECT_EQ(name_of("-"), "standard input");
}

TEST(ByteSource, StandardInput) {
  const std::string text = long_text(3'000'000);
  {
    const test::StandardInput input(text);
    EXPECT_TRUE(read_text("-") == text);
  }
  const test::StandardInput input(test::zstd(text));
  EXPECT_TRUE(read_ahead("-") == text);
}

TEST(ByteSource, NamedPipe) {
  const test::TempDir directory;
  const std::string path = directory.file("pipe"), text = long_text(1'000'000);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { static_cast<void>(directory.write_file("pipe", text)); });
  EXPECT_TRUE(read_ahead(path) == text);
  writer.join();
}

TEST(ByteSource, SaysWhatCannotBeRead) {
  const test::TempDir directory;
  EXPECT_THAT(message(directory.file("missing")),
              AllOf(HasSubstr(directory.file("missing")), HasSubstr("No such file")));
  EXPECT_THAT(message(directory.path().string()),
              AllOf(HasSubstr(directory.path().string()), HasSubstr("Is a directory")));
  EXPECT_THROW(ReadAhead(directory.file("missing"), pool()), Error);
  if (::geteuid() != 0) {
    const std::string path = directory.write_file("secret", "x");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    EXPECT_THAT(message(path), HasSubstr("Permission denied"));
  }
}

// ---- Texts that are read as a whole ----

TEST(ReadText, DevicesMayNeverEnd) {
  for (const char* device : {"/dev/zero", "/dev/urandom", "/dev/full"})
    EXPECT_THAT(message(device), AllOf(HasSubstr(device), HasSubstr("is a device, and may never end")));
  EXPECT_EQ(read_text("/dev/null"), "");
}

TEST(ReadText, APipeWithoutAWriterIsNotWaitedForInSilence) {
  const test::TempDir directory;
  const std::string path = directory.file("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  try {
    read_text(path, StopFlag::never(), std::chrono::milliseconds(30));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(path), HasSubstr("no program has opened for writing")));
  }
}

TEST(ReadText, APipeWhoseWriterComesLater) {
  const test::TempDir directory;
  const std::string path = directory.file("pipe"), text = long_text(200'000);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  for (const bool slow : {false, true}) {
    std::thread writer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
      std::ofstream out(path, std::ios::binary);
      if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(40));
      out << text;
    });
    EXPECT_TRUE(read_text(path) == text);
    writer.join();
  }
}

TEST(ReadAhead, ErrorsComeAfterTheBlocksBeforeThem) {
  const test::TempDir directory;
  const std::string text = long_text(3 * ReadAhead::kBlockBytes);
  const std::string packed = test::gzip(text);
  ReadAhead bytes(directory.write_file("cut.gz", packed.substr(0, packed.size() - 4)), pool());
  std::string read;
  EXPECT_THROW(
      for (;;) {
        const std::string_view block = bytes.next();
        ASSERT_FALSE(block.empty());
        read += block;
      },
      Error);
  EXPECT_EQ(read.size() % ReadAhead::kBlockBytes, 0u);
  EXPECT_TRUE(text.starts_with(read));
  EXPECT_GE(read.size(), 2 * ReadAhead::kBlockBytes);
  EXPECT_THROW(bytes.next(), Error) << "again";
}

TEST(ReadAhead, MayBeLeftAtAnyTime) {
  const test::TempDir directory;
  const std::string path = directory.write_file("text", long_text(5 * ReadAhead::kBlockBytes));
  { ReadAhead bytes(path, pool()); }
  ReadAhead bytes(path, pool());
  EXPECT_FALSE(bytes.next().empty());
}

TEST(ReadAhead, DoesNotWaitForAPipeThatNobodyReads) {
  const test::TempDir directory;
  const std::string path = directory.file("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int writer = ::open(path.c_str(), O_RDWR);
  ASSERT_EQ(::write(writer, ">abcdefgh", 9), 9);
  { ReadAhead bytes(path, pool()); }  // ends although the writer never closes the pipe
  ::close(writer);
}

// A named pipe with some bytes, which stays open.
class Pipe {
 public:
  explicit Pipe(const std::string& path, const std::string& begin) : path_(path) {
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    fd_ = ::open(path.c_str(), O_RDWR);
    EXPECT_EQ(::write(fd_, begin.data(), begin.size()), ssize_t(begin.size()));
  }
  ~Pipe() { ::close(fd_); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

 private:
  std::string path_;
  int fd_;
};

// Reads the whole file until it is stopped. Returns how many seconds it went on after the stop was requested.
double seconds_to_stop(const std::string& path) {
  using Clock = std::chrono::steady_clock;
  StopFlag stop;
  Clock::time_point requested;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    requested = Clock::now();
    stop.request();
  });
  EXPECT_THROW(
      {
        ReadAhead bytes(path, pool(), stop);
        while (!bytes.next().empty()) {
        }
      },
      Interrupted);
  const Clock::time_point ended = Clock::now();
  stopper.join();
  return std::chrono::duration<double>(ended - requested).count();
}

TEST(ReadAhead, WaitingForAPipeCanBeStopped) {
  const test::TempDir directory;
  const std::string text = long_text(20'000);
  int number = 0;
  for (const std::string& begin : {std::string(), std::string("plain text"), test::gzip(text).substr(0, 2000),
                                   test::zstd(text).substr(0, 2000)}) {
    const Pipe pipe(directory.file(std::to_string(++number)), begin);
    EXPECT_LT(seconds_to_stop(directory.file(std::to_string(number))), 0.5);
  }
}

TEST(ReadAhead, APipeWithoutAWriterCanBeStopped) {
  const test::TempDir directory;
  ASSERT_EQ(::mkfifo(directory.file("pipe").c_str(), 0600), 0);
  EXPECT_LT(seconds_to_stop(directory.file("pipe")), 0.5);
}

TEST(ReadAhead, NobodyHoldsAPermitWhileAPipeIsWaitedFor) {
  const test::TempDir directory;
  const Pipe pipe(directory.file("pipe"), "the first bytes");
  const ThreadPool::Permit mine(pool());
  ReadAhead bytes(directory.file("pipe"), pool());  // its thread waits for more bytes
  StopFlag stop;
  ThreadPool::Task other = pool().start([&] { const ThreadPool::Permit permit(pool(), stop); });
  {
    const ThreadPool::Pause pause(pool(), StopFlag::never());
    other.wait();
  }
}

}  // namespace
}  // namespace alnus::io
