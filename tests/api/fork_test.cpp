// After fork(), calls on the parent's sessions are errors in the child, and new sessions work there.
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

#include "alnus/session.h"
#include "api/support/calls.h"
#include "api/support/errors.h"
#include "api/support/expected.h"
#include "api/support/process.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "support/compression.h"

namespace alnus::test {
namespace {

class ApiFork : public testing::Test {
 protected:
  void SetUp() override {
    if (kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer does not follow a process with threads into fork";
    expect_works(session_);  // starts the session's threads
  }
  const EveryCall calls_;
  Session session_{session_options(3)};
};

TEST_F(ApiFork, EveryCallOnASessionOfTheParentIsAnError) {
  for (const NamedCall& call : calls_.of(session_)) {
    const ChildResult result = in_child(
        [&] {
          const Thrown thrown = thrown_by(call.run);
          return thrown.error && thrown.kind == ErrorKind::other ? std::string("Error(other)") : thrown.text;
        },
        10);
    EXPECT_EQ(result.text, "Error(other)") << call.name << ", signal " << result.signal;
  }
  expect_works(session_);
}

TEST_F(ApiFork, CountersOfTheParentAreAnErrorButItsOptionsMakeANewSession) {
  const ChildResult result = in_child(
      [&] {
        const Thrown thrown = thrown_by([&] { session_.counters(); });
        if (!thrown.error || thrown.kind != ErrorKind::other) return thrown.text;
        Session session(session_.options());
        return std::to_string(session.options().threads) + " threads";
      },
      10);
  const bool has_gpus = session_.options().devices != "cpu";
  EXPECT_THAT(result.text, testing::HasSubstr(has_gpus ? "forked from one that uses GPUs" : "3 threads"))
      << "signal " << result.signal;
  EXPECT_GT(session_.counters().calls, 0u);
}

TEST_F(ApiFork, InTheChildTheDestructorEndsAtOnce) {
  const ChildResult result = in_child(
      [&] {
        { const Session mine = std::move(session_); }
        return std::string("ended");
      },
      10);
  EXPECT_EQ(result.text, "ended") << "signal " << result.signal;
  expect_works(session_);
}

TEST_F(ApiFork, OutputFilesOfTheParentStayWithIt) {
  const TempDir directory;
  std::string text;
  for (int i = 0; text.size() < 2'000'000; ++i) text += "row " + std::to_string(i) + "\n";
  for (const char* suffix : {"", ".gz", ".zst"}) {
    const std::string name = directory.file("out.tsv") + suffix;
    auto out = std::make_unique<OutputFile>(session_, name);
    out->write(text);
    const ChildResult result = in_child(
        [&] {
          const std::function<void()> calls[] = {[&] { out->write("of the child"); }, [&] { out->sync(); },
                                                 [&] { out->commit(); }};
          for (const std::function<void()>& call : calls) {
            const Thrown thrown = thrown_by(call);
            if (!thrown.error || thrown.kind != ErrorKind::other) return thrown.text;
          }
          out.reset();
          remove_unfinished_files();
          return std::string("Error(other)");
        },
        10);
    EXPECT_EQ(result.text, "Error(other)") << name << ", signal " << result.signal;
    out->write(text);
    out->commit();
    EXPECT_TRUE((name.ends_with(".tsv") ? read_file(name) : unpacked(name)) == text + text) << name;
  }
}

// Searches with a new session. Returns "right", or how the hits differ from those of align_reference().
std::string search_in_child() {
  Session session(session_options(2));
  const SequenceSet set = relatives_set(5, 6, 60);
  const ExpectedHits expected = expected_hits(set, set, default_scoring(), 3);
  const SearchResult found =
      session.search(set, set, default_scoring(), {.max_target_seqs = 3, .statistics = no_statistics()});
  const auto result = equal(found.hits.rows, expected.rows, {}, set, set, default_scoring());
  return result ? "right" : result.message();
}

TEST_F(ApiFork, ANewSessionInTheChildWorks) {
  const ChildResult result = in_child(search_in_child);
  EXPECT_EQ(result.text, "right") << "signal " << result.signal;
  expect_works(session_);
}

TEST_F(ApiFork, ANewSessionInTheChildWorksWhileTheParentComputes) {
  if (kSanitized) GTEST_SKIP() << "AddressSanitizer's allocator may be locked by another thread at fork()";
  const SequenceSet set = random_set({.count = 600, .shortest = 100, .longest = 300});
  std::stop_source source;
  std::jthread busy([&] {
    RunControl run;
    run.stop = source.get_token();
    while (!source.stop_requested())
      thrown_by([&] { session_.search(set, set, default_scoring(), {.max_target_seqs = 3}, run); });
  });
  for (int k = 0; k < by_size(5, 50); ++k) {
    const ChildResult result = in_child(search_in_child);
    EXPECT_EQ(result.text, "right") << "signal " << result.signal;
  }
  source.request_stop();
  busy.join();
  expect_works(session_);
}

TEST_F(ApiFork, DatabasesOfTheParentMayBeUsedByANewSession) {
  const Database database(relatives_set(5, 6, 60));
  session_.search(database, database, default_scoring());
  const ChildResult result = in_child([&] {
    Session session(session_options(2));
    return std::to_string(session.search(database, database, default_scoring()).summary.pairs);
  });
  EXPECT_EQ(result.text, "36") << "signal " << result.signal;
}

TEST_F(ApiFork, ACheckThatTheParentHasBegunIsDoneInTheChildToo) {
  const TempDir directory;
  const std::string path = directory.file("set.alnus");
  session_.make_database({directory.write_file("set.fa", fasta_of(relatives_set(5, 6, 60)))}, path);
  auto database = std::make_unique<Database>(session_.open(path, {.verification = Verification::deferred}));
  session::FileCheck& check = *database->state()->checks.front();
  ASSERT_TRUE(check.begin());
  const ChildResult result = in_child(
      [&] {
        Session session(session_options(2));
        const std::uint64_t pairs = session.search(*database, *database, default_scoring()).summary.pairs;
        database.reset();
        return std::to_string(pairs);
      },
      30);
  EXPECT_EQ(result.text, "36") << "signal " << result.signal;
  EXPECT_FALSE(check.begin()) << "it is still under way here";
  check.give_up();
  session_.prepare(*database);
  EXPECT_TRUE(check.passed());
}

}  // namespace
}  // namespace alnus::test
