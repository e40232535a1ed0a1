// After fork: the parent's sessions are of no use in the child, and say so; new ones are.
#include <gtest/gtest.h>
#include <thread>

#include "alnus/session.h"
#include "api/support/calls.h"
#include "api/support/errors.h"
#include "api/support/expected.h"
#include "api/support/process.h"

namespace alnus::test {
namespace {

class ApiFork : public testing::Test {
 protected:
  void SetUp() override {
    if (kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer does not follow a process with threads into fork";
    expect_works(session_);  // its threads run
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

// The hits of a search in the child, in words.
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

}  // namespace
}  // namespace alnus::test
