// The check of a database file: the next call repeats a check that got no thread or no memory.
#include "session/file_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <pthread.h>
#include <utility>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "session/call.h"
#include "session/database_state.h"
#include "session/session_core.h"

namespace alnus::test {
namespace {

// A database whose file is checked by `work`.
Database checked_by(session::FileCheck::Work work) {
  auto state = std::make_shared<Database::State>();
  state->sequences = relatives_set(5, 6, 60);
  state->checks.push_back(std::make_shared<session::FileCheck>(std::move(work)));
  return Database(std::move(state));
}

// While an object of this class lives, no thread can start: the default size of stacks is too large.
class NoThreads {
 public:
  NoThreads() {
    ::pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    ::pthread_getattr_default_np(&huge);
    ::pthread_attr_setstacksize(&huge, std::size_t{1} << 60);
    ::pthread_setattr_default_np(&huge);
    ::pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    ::pthread_setattr_default_np(&before_);
    ::pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_;
};

TEST(ApiFileCheck, ThatGotNoThreadIsBegunByTheNextCall) {
  int checks = 0;
  const Database database = checked_by([&](ThreadPool&, const StopFlag&) { ++checks; });
  Session session(session_options());
  const RunControl run;
  {
    session::Call call(session.state().core, run);
    const NoThreads none;
    EXPECT_THAT(other_error([&] { session::Verifications({database}, call); }),
                testing::HasSubstr("The system gives no more threads"));
  }
  EXPECT_EQ(checks, 0);
  session.prepare(database);
  EXPECT_EQ(checks, 1);
}

TEST(ApiFileCheck, ThatRanOutOfMemoryIsBegunByTheNextCall) {
  int checks = 0;
  const Database database = checked_by([&](ThreadPool&, const StopFlag&) {
    if (checks++ == 0) throw std::bad_alloc();
  });
  Session session(session_options());
  EXPECT_THROW(session.prepare(database), std::bad_alloc);
  for (int k = 0; k < 2; ++k) session.prepare(database);
  EXPECT_EQ(checks, 2) << "it is done once it has passed";
}

TEST(ApiFileCheck, ThatFoundDamageIsNotRepeated) {
  int checks = 0;
  const Database database = checked_by([&](ThreadPool&, const StopFlag&) {
    ++checks;
    throw Error(ErrorKind::database, "It is damaged.");
  });
  Session session(session_options());
  for (int k = 0; k < 2; ++k) EXPECT_THROW(session.prepare(database), Error);
  EXPECT_EQ(checks, 1);
}

}  // namespace
}  // namespace alnus::test
