// Long operations can be stopped at any moment: they end soon, leave nothing behind, and can be repeated.
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

#include "io/database_fixture.h"
#include "io/ledger.h"
#include "io/sequence_reader.h"
#include "support/compression.h"

namespace alnus::io {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Requests a stop, either at once or on another thread after some time.
class Stopper {
 public:
  Stopper(StopFlag& stop, microseconds after) {
    const auto request = [this, &stop] {
      requested_ = Clock::now();
      stop.request();
    };
    if (after.count() == 0) {
      request();
      return;
    }
    thread_ = std::thread([request, after] {
      std::this_thread::sleep_for(after);
      request();
    });
  }
  ~Stopper() {
    if (thread_.joinable()) thread_.join();
  }
  Stopper(const Stopper&) = delete;
  Stopper& operator=(const Stopper&) = delete;

  double seconds_since() {
    if (thread_.joinable()) thread_.join();
    return std::chrono::duration<double>(Clock::now() - requested_).count();
  }

 private:
  Clock::time_point requested_;
  std::thread thread_;
};

class StopTest : public DatabaseTest {
 protected:
  // Calls `work` repeatedly and stops it a little later each time, until it ends before it is stopped.
  template <typename Work, typename After>
  void stop_at_many_instants(Work work, After after) {
    constexpr double kSoon = 0.5;  // seconds; it takes milliseconds, but machines can be busy
    int stopped = 0;
    for (microseconds time{0}; time.count() < 10'000'000; time += time / 3 + microseconds(200)) {
      StopFlag stop;
      Stopper stopper(stop, time);
      bool interrupted = false;
      try {
        work(stop);
      } catch (const Interrupted&) {
        interrupted = true;
      }
      if (!interrupted) break;
      EXPECT_LT(stopper.seconds_since(), kSoon);
      ++stopped;
      after();
    }
    EXPECT_GT(stopped, 0);
    const StopFlag never;
    EXPECT_NO_THROW(work(never));
  }
};

TEST_F(StopTest, ReadingPlainAndCompressedFiles) {
  std::string text;
  for (const Record& record : random_records(20'000, 400, 1))
    text += ">" + record.header + "\n" + record.letters + "\n";
  for (const std::string& bytes : {text, test::gzip(text), test::zstd(text)}) {
    write(path("in"), bytes);
    const auto read = [&](const StopFlag& stop) {
      SequenceReader reader(path("in"), std::nullopt, {.lower = true, .seg = true}, pool_, stop);
      SequenceSet::Index records = 0;
      for (SequenceSet set = reader.read_some(1 << 18); !set.empty(); set = reader.read_some(1 << 18))
        records += set.size();
      EXPECT_EQ(records, 20'000u);
    };
    stop_at_many_instants(read, [] {});
  }
}

TEST_F(StopTest, MakingADatabase) {
  const std::string in = fasta("in.fasta", random_records(30'000, 200, 2));
  make_database({in}, path("whole.alnus"), {}, pool_);
  for (const std::uint64_t memory : {1 << 20, 1 << 30}) {  // with and without runs in a temporary file
    MakeDatabaseOptions options;
    options.memory_bytes = memory;
    fs::remove(database_);
    stop_at_many_instants(
        [&](const StopFlag& stop) { make_database({in}, database_, options, pool_, nullptr, stop); },
        [&] { EXPECT_THAT(files(), ElementsAre("in.fasta", "whole.alnus")); });
    EXPECT_EQ(read(database_), read(path("whole.alnus")));
  }
}

TEST_F(StopTest, AnOldDatabaseStays) {
  small();
  const std::string before = read(database_);
  const std::string in = fasta("in.fasta", random_records(1000, 200, 3));
  StopFlag stop;
  stop.request();
  EXPECT_THROW(make_database({in}, database_, {}, pool_, nullptr, stop), Interrupted);
  EXPECT_EQ(read(database_), before);
}

TEST_F(StopTest, OpeningAndVerifying) {
  make_database({fasta("in.fasta", random_records(150'000, 200, 4))}, database_, {}, pool_);
  for (const bool in_memory : {false, true})
    stop_at_many_instants([&](const StopFlag& stop) { open_database(database_, in_memory, stop); }, [] {});
  for (const int threads : {1, 4}) {
    ThreadPool pool(threads);
    stop_at_many_instants([&](const StopFlag& stop) { verify_database(database_, pool, stop); }, [] {});
  }
}

TEST_F(StopTest, Digests) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (int k = 0; k < 100'000; ++k) builder.add_text("name", "MKVLAARNDC");
  const SequenceSet set = builder.finish();
  const std::string whole = digest_of({&set, 1});
  stop_at_many_instants([&](const StopFlag& stop) { EXPECT_EQ(digest_of({&set, 1}, stop), whole); }, [] {});
}

}  // namespace
}  // namespace alnus::io
