#include "io/output_file.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "alnus/error.h"
#include "io/writer_fixture.h"
#include "support/compression.h"

namespace alnus::io {
namespace {

namespace fs = std::filesystem;
using test::unpacked;
using ::testing::HasSubstr;

// Returns more text than the output's buffer and the queue of its compressor hold.
std::string much_text() {
  std::string text;
  for (unsigned i = 0; text.size() < 5'000'000; ++i)
    text += "row " + std::to_string(i * 7919 % 100003) + "\n";
  return text;
}

void write_in_pieces(OutputFile& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at += 70'001) out.write(text.substr(at, 70'001));
}

// Returns the message of the error that `action` throws, or "". The error must be of kind other.
std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::other);
    return error.what();
  }
  return "";
}

// While an object of this class lives, standard output goes to `fd`, which it closes.
class RedirectedOutput {
 public:
  explicit RedirectedOutput(int fd) : saved_(::dup(STDOUT_FILENO)) {
    ::dup2(fd, STDOUT_FILENO);
    ::close(fd);
  }
  ~RedirectedOutput() {
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest() { std::signal(SIGPIPE, SIG_IGN); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_.path()), fs::directory_iterator()));
  }
  static void write(const std::string& name, const std::string& bytes) { std::ofstream(name) << bytes; }
  // The thread that writes holds the only permit, which the compressor needs.
  ThreadPool pool_{1};
  const ThreadPool::Permit permit_{pool_};
  TemporaryDirectory directory_;
  const std::string name_ = directory_.file("out.tsv");
  const std::string text_ = much_text();
};

TEST_F(OutputFileTest, AppearsWithCommit) {
  OutputFile out(pool_, name_);
  EXPECT_EQ(out.path(), name_);
  write_in_pieces(out, text_);
  EXPECT_FALSE(fs::exists(name_));
  out.commit();
  EXPECT_EQ(read_file(name_), text_);
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, NothingIsLeftWithoutCommit) {
  for (const char* suffix : {"", ".gz", ".zst"}) {
    OutputFile out(pool_, name_ + suffix);
    write_in_pieces(out, text_);
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputFileTest, OldFileStaysUntilCommit) {
  { OutputFile(pool_, name_).commit(); }
  OutputFile out(pool_, name_);
  out.write("new");
  EXPECT_EQ(read_file(name_), "");
  out.commit();
  EXPECT_EQ(read_file(name_), "new");
}

TEST_F(OutputFileTest, Gzip) {
  OutputFile out(pool_, name_ + ".gz");
  write_in_pieces(out, text_);
  out.commit();
  EXPECT_EQ(unpacked(name_ + ".gz"), text_);
  EXPECT_LT(fs::file_size(name_ + ".gz"), text_.size() / 2);
}

TEST_F(OutputFileTest, Zstd) {
  OutputFile out(pool_, name_ + ".zst");
  write_in_pieces(out, text_);
  out.commit();
  EXPECT_EQ(unpacked(name_ + ".zst"), text_);
  EXPECT_LT(fs::file_size(name_ + ".zst"), text_.size() / 2);
}

// Texts of about one block, and one of many blocks. Each is one stream.
TEST_F(OutputFileTest, CompressedBytesDependOnTheTextAlone) {
  for (const char* suffix : {".gz", ".zst"}) {
    const std::string name = name_ + suffix;
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{262'143}, std::size_t{262'144}, std::size_t{262'145}, text_.size()}) {
      const std::string text = text_.substr(0, size);
      std::string expected;
      for (const int threads : {1, 2, 5}) {
        ThreadPool pool(threads);
        for (const std::size_t piece : {std::size_t{999}, std::size_t{300'000}, text_.size()}) {
          OutputFile out(pool, name);
          for (std::size_t at = 0; at < size; at += piece)
            out.write(std::string_view(text).substr(at, piece));
          out.commit();
          const std::string bytes = read_file(name);
          if (expected.empty()) {
            expected = bytes;
            EXPECT_EQ(unpacked(name), text);
          }
          EXPECT_TRUE(bytes == expected) << suffix << ", " << size << ", " << threads << ", " << piece;
        }
      }
    }
  }
}

TEST_F(OutputFileTest, GzipIsOneMember) {
  {
    OutputFile out(pool_, name_ + ".gz");
    write_in_pieces(out, text_);
    out.commit();
  }
  const std::string bytes = read_file(name_ + ".gz");
  std::uint32_t size = 0;  // of the text, as the last member says
  for (std::size_t k = 1; k <= 4; ++k) size = size << 8 | static_cast<unsigned char>(bytes[bytes.size() - k]);
  EXPECT_EQ(size, text_.size());
}

TEST_F(OutputFileTest, CompressingTakesAPermit) {
  ThreadPool pool(1);
  OutputFile out(pool, name_ + ".gz");
  {
    const ThreadPool::Permit other(pool);
    out.write(text_.substr(0, 1'000'000));
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(fs::file_size(name_ + ".gz.alnus-part"), 0u);
  }
  out.write(text_.substr(1'000'000));
  out.commit();
  EXPECT_EQ(unpacked(name_ + ".gz"), text_);
}

TEST_F(OutputFileTest, IsLeftWhileItsCompressorWaitsForAPermit) {
  const ThreadPool::Permit again(pool_);
  {
    OutputFile out(pool_, name_ + ".gz");
    out.write(text_.substr(0, 300'000));
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputFileTest, EmptyOutputsAreValid) {
  for (const char* suffix : {"", ".gz", ".zst"}) OutputFile(pool_, name_ + suffix).commit();
  EXPECT_EQ(read_file(name_), "");
  EXPECT_GT(fs::file_size(name_ + ".gz"), 0u);
  EXPECT_EQ(unpacked(name_ + ".gz"), "");
  EXPECT_EQ(unpacked(name_ + ".zst"), "");
}

// The text is written and synced in three pieces. Writing can be resumed after each of them.
TEST_F(OutputFileTest, ResumedWhereItWasSynced) {
  const std::string_view text = text_;
  const std::string_view pieces[] = {text.substr(0, 2'000'000), text.substr(2'000'000, 10),
                                     text.substr(2'000'010)};
  for (const char* suffix : {"", ".gz", ".zst"}) {
    const std::string name = name_ + suffix;
    std::vector<std::uint64_t> synced;
    {
      OutputFile out(pool_, name);
      for (const std::string_view piece : pieces) {
        write_in_pieces(out, piece);
        synced.push_back(out.sync());
      }
      out.commit();
    }
    const std::string whole = read_file(name);
    EXPECT_EQ(synced.back(), whole.size());
    EXPECT_EQ(suffix == std::string() ? whole : unpacked(name), text_);

    std::uint64_t at = 0;
    for (std::size_t k = 0; k < std::size(pieces); ++k) {
      OutputFile out(pool_, name, at);
      write_in_pieces(out, pieces[k]);
      at = out.sync();
      EXPECT_EQ(at, synced[k]);
      out.write("written, but lost before the next sync");
    }
    EXPECT_EQ(read_file(name), whole) << "before commit()";
    OutputFile(pool_, name, at).commit();
    EXPECT_EQ(read_file(name), whole);
  }
  EXPECT_EQ(files(), 3u);
}

TEST_F(OutputFileTest, OnlyWhatIsThereIsResumed) {
  EXPECT_THAT(failure([&] { OutputFile out(pool_, name_, 1); }),
              HasSubstr("The output file " + name_ + " cannot be resumed"));
  {
    OutputFile out(pool_, name_);
    out.write("12345");
    EXPECT_EQ(out.sync(), 5u);
  }
  EXPECT_THAT(failure([&] { OutputFile out(pool_, name_, 6); }),
              HasSubstr(name_ + " cannot be resumed at byte 6"));
  EXPECT_THAT(failure([&] { OutputFile out(pool_, "-", 6); }), HasSubstr("Standard output"));
  OutputFile out(pool_, name_, 3);
  out.write("+");
  out.commit();
  EXPECT_EQ(read_file(name_), "123+");
}

// What was synced is read back. A file that begins otherwise is refused, and nothing is cut off it.
TEST_F(OutputFileTest, OnlyWhatWasSyncedIsResumed) {
  const StopFlag& stop = StopFlag::never();
  for (const char* suffix : {"", ".gz", ".zst"}) {
    const std::string name = name_ + suffix, part = name + ".alnus-part";
    FileState synced;
    {
      OutputFile out(pool_, name, FileState{}, stop);
      write_in_pieces(out, std::string_view(text_).substr(0, 300'000));
      const std::uint64_t bytes = out.sync();
      synced = out.state();
      EXPECT_EQ(synced.bytes, bytes);
      write_in_pieces(out, std::string_view(text_).substr(300'000));
      out.sync();
    }
    const std::string whole = read_file(part);
    std::string changed = whole;
    changed[synced.bytes / 2] ^= 16;
    write(part, changed);
    const auto refusal = [&] {
      try {
        const OutputFile out(pool_, name, synced, stop);
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    EXPECT_THAT(refusal(), HasSubstr(part + " is not as the run left it: its contents have changed"));
    EXPECT_EQ(read_file(part), changed);
    fs::resize_file(part, synced.bytes - 1);
    EXPECT_THAT(refusal(), HasSubstr(part + " is not as the run left it: it ends at byte"));

    write(part, whole);
    OutputFile out(pool_, name, synced, stop);
    write_in_pieces(out, std::string_view(text_).substr(300'000));
    out.commit();
    EXPECT_EQ(suffix == std::string() ? read_file(name) : unpacked(name), text_);
    EXPECT_NO_THROW(require_file(name, out.state(), stop));
  }
}

TEST_F(OutputFileTest, AFinishedFileIsRead) {
  OutputFile out(pool_, name_, FileState{}, StopFlag::never());
  write_in_pieces(out, text_);
  out.commit();
  const auto refusal = [&] {
    try {
      require_file(name_, out.state(), StopFlag::never());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(), "");
  fs::resize_file(name_, text_.size() - 1);
  EXPECT_THAT(refusal(), HasSubstr("bytes instead of " + std::to_string(text_.size())));
  write(name_, text_.substr(1) + "\n");
  EXPECT_THAT(refusal(), HasSubstr("its contents have changed"));
  fs::remove(name_);
  EXPECT_THAT(refusal(), HasSubstr(name_ + " is not as the run left it: it is missing"));
  StopFlag stop;
  stop.request();
  write(name_, text_);
  EXPECT_THROW(require_file(name_, out.state(), stop), Interrupted);
}

TEST_F(OutputFileTest, SyncedDevicesAndPipes) {
  OutputFile null(pool_, "/dev/null");
  null.write("line\n");
  EXPECT_EQ(null.sync(), 5u);
  const RedirectedOutput redirected(::open(name_.c_str(), O_WRONLY | O_CREAT, 0600));
  OutputFile standard(pool_, "-");
  standard.write("line\n");
  standard.sync();
  EXPECT_EQ(read_file(name_), "line\n");
}

TEST_F(OutputFileTest, FullDiskIsNamed) {
  const std::string small = failure([&] {
    OutputFile out(pool_, "/dev/full");
    out.write("one line\n");
    out.commit();
  });
  EXPECT_THAT(small, HasSubstr("/dev/full"));
  EXPECT_THAT(small, HasSubstr("No space left on device"));
  const std::string large = failure([&] {
    OutputFile out(pool_, "/dev/full");
    write_in_pieces(out, text_);
  });
  EXPECT_THAT(large, HasSubstr("No space left on device"));
  const std::string synced = failure([&] {
    OutputFile out(pool_, "/dev/full");
    out.write("one line\n");
    out.sync();
  });
  EXPECT_THAT(synced, HasSubstr("/dev/full: No space left on device"));
}

TEST_F(OutputFileTest, FullDiskUnderACompressorIsNamed) {
  const std::string link = directory_.file("full.gz");
  fs::create_symlink("/dev/full", link);
  EXPECT_THAT(failure([&] {
                OutputFile out(pool_, link);
                write_in_pieces(out, text_);
                out.commit();
              }),
              HasSubstr("full.gz: No space left on device"));
}

TEST_F(OutputFileTest, FullStandardOutputIsNamed) {
  const RedirectedOutput redirected(::open("/dev/full", O_WRONLY));
  EXPECT_THAT(failure([&] {
                OutputFile out(pool_, "-");
                out.write("one line\n");
                out.commit();
              }),
              HasSubstr("standard output: No space left on device"));
}

TEST_F(OutputFileTest, StandardOutputByItsNames) {
  {
    const RedirectedOutput redirected(::open(name_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600));
    for (const char* name : {"", "-", "/dev/stdout"}) {
      OutputFile out(pool_, name);
      out.write("line\n");
      out.commit();
    }
  }
  EXPECT_EQ(read_file(name_), "line\nline\nline\n");
}

TEST_F(OutputFileTest, ReaderThatWentAwayIsAClosedPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const RedirectedOutput redirected(ends[1]);
  OutputFile out(pool_, "-");
  out.write("line\n");
  EXPECT_THROW(out.commit(), ClosedPipe);
}

TEST_F(OutputFileTest, DevicesAndPipesAreWrittenAsTheyAre) {
  OutputFile null(pool_, "/dev/null");
  null.write("line\n");
  null.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  const std::string fifo = directory_.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_file(fifo); });
  {
    OutputFile out(pool_, fifo);
    write_in_pieces(out, text_);
    out.commit();
  }
  reader.join();
  EXPECT_EQ(received, text_);
  EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST_F(OutputFileTest, SecondWriterOfTheSameOutputIsRefused) {
  OutputFile first(pool_, name_);
  EXPECT_THAT(failure([&] { OutputFile second(pool_, name_); }), HasSubstr(name_));
  first.write("first");
  first.commit();
  EXPECT_EQ(read_file(name_), "first");
  OutputFile(pool_, name_).commit();
}

// After a stop, no more can be written. But if everything is written, commit() gives the file its name all
// the same.
TEST_F(OutputFileTest, AStopEndsWritingAndNotTheCommit) {
  for (const char* suffix : {"", ".gz"}) {
    const std::string name = name_ + suffix;
    StopFlag stop;
    OutputFile out(pool_, name, FileState{}, stop);
    out.write("all");
    stop.request();
    out.commit();
    EXPECT_TRUE(fs::exists(name));
    OutputFile interrupted(pool_, name, FileState{}, stop);
    EXPECT_THROW(for (int k = 0; k < 1000; ++k) interrupted.write(std::string(1000, 'x')), Interrupted);
  }
}

TEST_F(OutputFileTest, DirectoryThatDoesNotExist) {
  EXPECT_THAT(failure([&] { OutputFile out(pool_, directory_.file("none/out")); }),
              HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace alnus::io
