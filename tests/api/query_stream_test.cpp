// QueryStream reads queries from a pipe, and returns each query as soon as it is complete.
#include "alnus/query_stream.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/process.h"
#include "support/compression.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class ApiQueryStream : public testing::Test {
 protected:
  std::string write(const std::string& text) const { return directory_.write_file("q.fa", text); }
  static std::string text_of(const Database& query) {
    return query.size() == 0 ? "" : fasta_of(query.sequences());
  }

  const TempDir directory_;
  Session session_{session_options()};
  const Database database_ = Database(set_of({"MKWVTFISLL", "PAWHEAE", "WWWWW"}));
};

TEST_F(ApiQueryStream, GivesEachQueryInTurnAndThenNone) {
  QueryStream stream(session_, write(">q1 first\nMKV\nLAH\n>q2\r\nWW\r\n\r\n"), database_);
  EXPECT_EQ(text_of(stream.next()), ">q1 first\nMKVLAH\n");
  EXPECT_THAT(stream.name(), AllOf(HasSubstr("record 1"), HasSubstr("q1")));
  EXPECT_EQ(text_of(stream.next()), ">q2\nWW\n");
  EXPECT_THAT(stream.name(), AllOf(HasSubstr("record 2"), HasSubstr("q2")));
  EXPECT_EQ(stream.next().size(), 0u);
}

TEST_F(ApiQueryStream, TakesFastq) {
  QueryStream stream(session_, write("@q1\nMKV\n+\nIII\n@q2\nWW\n+\nII\n"), database_);
  EXPECT_EQ(text_of(stream.next()), ">q1\nMKV\n");
  EXPECT_EQ(text_of(stream.next()), ">q2\nWW\n");
  EXPECT_EQ(stream.next().size(), 0u);
  EXPECT_EQ(stream.next().size(), 0u) << "the end stays the end";
  EXPECT_FALSE(stream.failed());
}

TEST_F(ApiQueryStream, KeepsQualitiesIfTheyAreWanted) {
  const std::string path = write("@q1\nMKV\n+\nI!~\n@q2\nWW\n+\n@F\n");
  QueryStream stream(session_, path, database_, {.qualities = true}), without(session_, path, database_);
  EXPECT_EQ(stream.next().sequences()[0].quality, "I!~");
  EXPECT_EQ(stream.next().sequences()[0].quality, "@F");
  EXPECT_EQ(without.next().sequences()[0].quality, "");
}

TEST_F(ApiQueryStream, OfNothingIsAtItsEnd) {
  QueryStream stream(session_, write("\n\n"), database_);
  EXPECT_EQ(stream.next().size(), 0u);
  EXPECT_FALSE(stream.failed());
}

// A pipe whose writer is the test.
class ApiQueryPipe : public ApiQueryStream {
 protected:
  ApiQueryPipe() {
    if (::mkfifo(path_.c_str(), 0600) != 0) throw std::runtime_error("cannot make a pipe");
    writer_ = std::fopen(path_.c_str(), "r+");
  }
  ~ApiQueryPipe() override { close(); }
  void send(const std::string& text) const {
    std::fwrite(text.data(), 1, text.size(), writer_);
    std::fflush(writer_);
  }
  void close() {
    if (writer_ != nullptr) std::fclose(writer_);
    writer_ = nullptr;
  }
  const std::string path_ = directory_.file("pipe");
  std::FILE* writer_ = nullptr;
};

TEST_F(ApiQueryPipe, AnswersEachQueryBeforeTheNextIsSent) {
  QueryStream stream(session_, path_, database_);
  for (int k = 0; k < 5; ++k) {
    const std::string id = "q" + std::to_string(k);
    send(">" + id + "\nPAWHEAE\n\n");
    const Database query = stream.next();
    ASSERT_EQ(query.size(), 1u);
    EXPECT_EQ(query.sequences()[0].id(), id);
    const SearchResult answer = session_.search(query, database_, default_scoring(), {.evalue = 1e9});
    ASSERT_GT(answer.hits.rows.size(), 0u);
    EXPECT_EQ(answer.hits.rows.subject[0], 1u);
  }
  send(">last\nWW");
  close();
  EXPECT_EQ(text_of(stream.next()), ">last\nWW\n") << "the end of the input ends its record";
  EXPECT_EQ(stream.next().size(), 0u);
}

TEST_F(ApiQueryPipe, WaitsForTheRestOfARecord) {
  QueryStream stream(session_, path_, database_);
  send(">q1\nMKW");
  std::atomic<bool> sent = false;
  std::jthread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    sent = true;
    send("VTF\n>q2");
  });
  EXPECT_EQ(text_of(stream.next()), ">q1\nMKWVTF\n") << "the next record's beginning is its end";
  EXPECT_TRUE(sent);
}

TEST_F(ApiQueryPipe, OfOneThreadWorksToo) {
  Session session(session_options(1));
  QueryStream stream(session, path_, database_);
  send(">q1\nPAWHEAE\n\n");
  const Database query = stream.next();
  EXPECT_GT(session.search(query, database_, default_scoring(), {.evalue = 1e9}).hits.rows.size(), 0u);
}

TEST_F(ApiQueryStream, OfStandardInputIsNamedSo) {
  const ChildResult result = in_child([&] {
    if (std::freopen(write(">q1\nMKV\n\n>q2\nWW\n").c_str(), "r", stdin) == nullptr)
      return std::string("no input");
    Session session(session_options(1));
    QueryStream stream(session, "-", database_);
    stream.next();
    stream.next();
    return stream.name();
  });
  EXPECT_EQ(result.text, "standard input, record 2 ('q2')") << "signal " << result.signal;
}

TEST_F(ApiQueryStream, AWrongRecordIsAnErrorAndTheNextWorks) {
  const std::string nul(1, '\0');
  QueryStream stream(session_, write(">q1\nPAWHEAE\n\n>q2\nPAW" + nul + "HEAE\nAAA\n\n>q3\nWWWWW\n"),
                     database_);
  EXPECT_EQ(text_of(stream.next()), ">q1\nPAWHEAE\n");
  EXPECT_THAT(input_error([&] { stream.next(); }),
              AllOf(HasSubstr("q.fa, record 2 ('q2')"), HasSubstr("byte"), HasSubstr("NUL")));
  EXPECT_FALSE(stream.failed());
  EXPECT_EQ(text_of(stream.next()), ">q3\nWWWWW\n");
}

TEST_F(ApiQueryStream, AQueryThatASearchWouldRefuseIsAnErrorAndTheNextWorks) {
  QueryStream stream(session_, write(">q1\nACGTACGTACGTACGT\n\n>q2\nWWWWW\n"), database_);
  EXPECT_THAT(input_error([&] { stream.next(); }),
              AllOf(HasSubstr("record 1 ('q1')"), HasSubstr("looks like dna")));
  EXPECT_FALSE(stream.failed());
  EXPECT_EQ(text_of(stream.next()), ">q2\nWWWWW\n");
}

TEST_F(ApiQueryStream, QueriesAreOfTheDatabasesAlphabet) {
  const Database dna(set_of({"ACGTACGTTTGACA"}, AlphabetKind::dna));
  QueryStream stream(session_, write(">q1\nACGTACGU\n"), dna);
  const Database query = stream.next();
  EXPECT_EQ(query.alphabet(), AlphabetKind::dna);
  EXPECT_EQ(decode(query.sequences().residues(0), AlphabetKind::dna), "ACGTACGT");
}

TEST_F(ApiQueryStream, OddRecordsAreMessagesThatNameThem) {
  QueryStream stream(session_, write(">q1\nMK!V\n\n>q2\n\n"), database_);
  std::vector<std::string> messages;
  RunControl run;
  run.on_message = [&](const Message& message) { messages.push_back(message.text()); };
  EXPECT_EQ(text_of(stream.next(run)), ">q1\nMKXV\n");
  EXPECT_THAT(messages, ::testing::Contains(HasSubstr("record 1 ('q1')")));
  messages.clear();
  EXPECT_EQ(stream.next(run).size(), 1u);
  EXPECT_THAT(messages, ::testing::Contains(AllOf(HasSubstr("record 2 ('q2')"), HasSubstr("no sequence"))));
}

TEST_F(ApiQueryStream, MasksItsQueries) {
  OpenOptions options;
  options.masking.lower = true;
  QueryStream stream(session_, write(">q1\nMKvlW\n"), database_, options);
  EXPECT_EQ(text_of(stream.next()), ">q1\nMKXXW\n");
}

TEST_F(ApiQueryStream, CompressedInputIsAnErrorAndTheEnd) {
  QueryStream stream(session_, write(gzip(">q1\nMKV\n")), database_);
  EXPECT_THAT(input_error([&] { stream.next(); }), HasSubstr("compressed"));
  EXPECT_TRUE(stream.failed());
}

TEST_F(ApiQueryStream, WhatCannotBeReadIsAnErrorOfTheConstructor) {
  EXPECT_THAT(input_error([&] { QueryStream stream(session_, directory_.file("none.fa"), database_); }),
              HasSubstr("none.fa"));
  OpenOptions options;
  options.masking.seg = true;
  const Database dna(set_of({"ACGT"}, AlphabetKind::dna));
  EXPECT_NE(input_error([&] { QueryStream stream(session_, write(">q\nACGT\n"), dna, options); }), "");
}

}  // namespace
}  // namespace alnus::test
