#include "io/record_stream.h"

#include <chrono>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "alnus/error.h"
#include "standard_input.h"
#include "support/compression.h"
#include "support/sequences.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr auto kDna = AlphabetKind::dna;

ThreadPool& pool() {
  static ThreadPool one(1);
  return one;
}

// Returns the next record as "header=letters", or the error's message.
std::string next(RecordStream& stream) {
  try {
    const SequenceSet set = stream.next();
    if (set.empty()) return "";
    EXPECT_EQ(set.size(), 1u);
    EXPECT_EQ(stream.counts().records, 1u);
    EXPECT_EQ(stream.counts().residues, set.total_residues());
    return std::string(set[0].header) + "=" + test::decode(set[0].residues, set.alphabet());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
}

std::vector<std::string> all(std::string text) {
  const test::StandardInput input(std::move(text));
  RecordStream stream("-", kDna, {}, pool());
  std::vector<std::string> records;
  for (std::string record = next(stream); !record.empty(); record = next(stream)) records.push_back(record);
  return records;
}

TEST(RecordStream, AnEmptyLineOrTheNextHeaderOrTheEndEndsARecord) {
  EXPECT_THAT(all(">a x\nAC\nGT\n\n>b\nA\n>c\n\n\n\n; comment\n>d\r\nAC\r\n\r\n>e\nA"),
              ElementsAre("a x=ACGT", "b=A", "c=", "d=AC", "e=A"));
  EXPECT_THAT(all("@a\nAC\nGT\n+\nII\nII\n\n@b\nA\n+\nI"), ElementsAre("a=ACGT", "b=A"));
  EXPECT_THAT(all("\n; nothing\n\n"), ElementsAre());
}

TEST(RecordStream, ARecordIsThereBeforeTheNextIsWritten) {
  const test::TempDir directory;
  const std::string pipe = directory.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  int ends[2] = {};  // the reader writes a byte after each record
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    std::FILE* file = std::fopen(pipe.c_str(), "w");
    for (const char* text : {">a\nAC\n\n", "@b\nA\n+\nI\n", ">c\nACGT\n\n"}) {
      std::fputs(text, file);
      std::fflush(file);
      char read = 0;
      EXPECT_EQ(::read(ends[0], &read, 1), 1);
    }
    std::fclose(file);
  });
  RecordStream stream(pipe, kDna, {}, pool());
  EXPECT_EQ(next(stream), "a=AC");
  EXPECT_EQ(::write(ends[1], "a", 1), 1);
  EXPECT_THAT(next(stream), HasSubstr("record 2, line 4, byte 7: the character '@' stands where"));
  EXPECT_EQ(::write(ends[1], "b", 1), 1);
  EXPECT_EQ(next(stream), "c=ACGT");
  EXPECT_EQ(::write(ends[1], "c", 1), 1);
  EXPECT_EQ(next(stream), "");
  EXPECT_EQ(next(stream), "");
  writer.join();
  for (const int end : ends) ::close(end);
}

TEST(RecordStream, GoesOnBehindARecordThatIsWrong) {
  const std::string nul(1, '\0');
  EXPECT_THAT(
      all(">a\nAC\n>b\nA" + nul + "C\nACGT\n>c\nA\n\nACGT\nAC\n\n>d" + nul + "\nAC\n\n>e\nAC\n"),
      ElementsAre("a=AC", HasSubstr("record 2 ('b'), line 4, byte 10: the sequence has a NUL byte"), "c=A",
                  HasSubstr("record 4, line 9, byte 24: the character 'A' stands where the next header line "
                            "should begin with '>'. An empty line"),
                  HasSubstr("record 5 ('d'), line 12, byte 35: the header has a NUL byte"), "e=AC"));
  EXPECT_THAT(
      all("hello\nworld\n>a\nAC\n"),
      ElementsAre(HasSubstr("record 1, line 1, byte 0: the file begins with the character 'h'"), "a=AC"));
  EXPECT_THAT(
      all("@a\nAC\n@b\nA\n+\nI\n@c\nAC\n+\nI\n\n@d\nA\n+\nI\n@e\nAC\n"),
      ElementsAre(HasSubstr("record 1 ('a'), line 3, byte 6: the next record begins before"), "b=A",
                  HasSubstr("record 3 ('c'), line 10, byte 24: the sequence has 2 letters and 1 qualities"),
                  "d=A", HasSubstr("record 5 ('e'), line 18, byte 41: the input ends in the middle")));
}

TEST(RecordStream, CountsAndMasksRecordByRecord) {
  const test::StandardInput input(">a\nacgtA?\n\n>b\nAC??\xff\n\n>c\nACGTac\n");
  RecordStream stream("-", kDna, {.lower = true}, pool());
  EXPECT_EQ(next(stream), "a=NNNNAN");
  EXPECT_EQ(stream.counts().unknown_bytes, 1u);
  EXPECT_EQ(stream.counts().masked.residues, 4u);
  EXPECT_FALSE(next(stream).empty());
  EXPECT_EQ(stream.number(), 2u);
  EXPECT_EQ(next(stream), "c=ACGTNN");
  EXPECT_EQ(stream.counts().unknown_bytes, 0u);
  EXPECT_EQ(stream.counts().masked.residues, 2u);
  EXPECT_TRUE(stream.resembles_dna());
  EXPECT_EQ(stream.number(), 3u);
}

TEST(RecordStream, KeepsQualitiesIfTheyAreWanted) {
  const test::StandardInput input("@a\nAC\n+\nIH\n@b\nAC\n+\nIHI\n@c\nACG\nT\n+\n@F!\nE\n@d\n\n+\n");
  RecordStream stream("-", kDna, {}, pool(), Qualities::kept);
  EXPECT_EQ(stream.next()[0].quality, "IH");
  EXPECT_THAT(next(stream), HasSubstr("2 letters and 3 qualities"));
  EXPECT_EQ(stream.next()[0].quality, "@F!E");
  EXPECT_EQ(stream.next()[0].quality, "");
  EXPECT_EQ(next(stream), "");
}

TEST(RecordStream, WhatCannotBeReadEndsIt) {
  EXPECT_THROW(RecordStream("/no/such/file", kDna, {}, pool()), Error);
  RecordStream stream("/proc/self/mem", kDna, {}, pool());  // its first page cannot be read
  EXPECT_THAT(next(stream), MatchesRegex("Cannot read /proc/self/mem: .*"));
  EXPECT_TRUE(stream.failed());
  EXPECT_EQ(next(stream), "");
}

// If waiting for a record is stopped, no bytes are lost. While the stream waits, the only permit is free.
TEST(RecordStream, WaitingCanBeStoppedAndBeginAnew) {
  const test::TempDir directory;
  const std::string pipe = directory.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int writer = ::open(pipe.c_str(), O_RDWR);
  RecordStream stream(pipe, kDna, {}, pool());
  ASSERT_EQ(::write(writer, ">a\nAC", 5), 5);
  for (int round = 0; round < 3; ++round) {
    StopFlag stop;
    ThreadPool::Task stopper = pool().start([&] {
      const ThreadPool::Permit permit(pool());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      stop.request();
    });
    EXPECT_THROW(stream.next(stop), Interrupted);
    EXPECT_FALSE(stream.failed());
  }
  ASSERT_EQ(::write(writer, "GT\n\n", 4), 4);
  EXPECT_EQ(next(stream), "a=ACGT");
  ::close(writer);
}

TEST(RecordStream, WhatIsCompressedIsRefusedOnce) {
  const std::string text = ">a\nAC\n>b\nA\n";
  EXPECT_THAT(all(test::gzip(text)), ElementsAre(HasSubstr("standard input is compressed by gzip; ")));
  EXPECT_THAT(all(test::bgzf(text)), ElementsAre(HasSubstr("compressed by gzip; ")));
  EXPECT_THAT(all(test::zstd(text)), ElementsAre(HasSubstr("compressed by zstd; ")));
  EXPECT_THAT(all("BZh91AY&SY"), ElementsAre(HasSubstr("compressed by bzip2; ")));
}

TEST(RecordStream, ARecordThatIsWrongIsNoFailureOfTheInput) {
  const test::StandardInput input("hello\n>a\nAC\n");
  RecordStream stream("-", kDna, {}, pool());
  EXPECT_THAT(next(stream), HasSubstr("record 1, line 1, byte 0"));
  EXPECT_FALSE(stream.failed());
  EXPECT_EQ(next(stream), "a=AC");
}

}  // namespace
}  // namespace alnus::io
