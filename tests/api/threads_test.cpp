// Many threads that use one session, and the limits of a session's threads and memory. With
// ALNUS_FULL_TESTS=1 (see support/inputs.h) eight threads make 100 searches each on 20,000 sequences.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <unistd.h>

#include "alnus/session.h"
#include "api/support/calls.h"
#include "api/support/inputs.h"
#include "api/support/jobs.h"
#include "api/support/process.h"
#include "api/support/table.h"
#include "support/compression.h"

namespace alnus::test {
namespace {

constexpr std::uint64_t kProgram = 64ULL
                                   << 20;  // bytes that a session takes besides its budget (alnus/session.h)

// Runs `work(k)` on `threads` threads at once, and returns the texts of the exceptions that they threw.
std::vector<std::string> at_once(int threads, const std::function<void(int)>& work) {
  std::mutex mutex;
  std::vector<std::string> thrown;
  {
    std::vector<std::jthread> running;
    for (int k = 0; k < threads; ++k)
      running.emplace_back([&, k] {
        try {
          work(k);
        } catch (const std::exception& error) {
          const std::lock_guard lock(mutex);
          thrown.emplace_back(error.what());
        }
      });
  }
  return thrown;
}

class ApiManyThreads : public testing::Test {
 protected:
  static constexpr std::uint64_t kMemory = 64 << 20;
  const SequenceSet queries_ = relatives_set(1, 20, 150),
                    subjects_ = joined(relatives_set(1, 40, 150),
                                       random_set({.seed = 2,
                                                   .count = static_cast<std::uint32_t>(by_size(1500, 20000)),
                                                   .shortest = 100,
                                                   .longest = 300}));
  const Scoring scoring_ = default_scoring();
};

TEST_F(ApiManyThreads, EightWithManySearchesEachGetTheSameAnswersWithinTheBudget) {
  Session session(session_options(2, kMemory));
  const Database database(subjects_);
  std::vector<Database> queries;
  for (Index k = 0; k < queries_.size(); ++k) queries.emplace_back(queries_.part(k, k + 1));
  const SearchOptions options{.max_target_seqs = 20};
  std::vector<SearchRows> expected;
  for (const Database& query : queries)
    expected.emplace_back(session.search(query, database, scoring_, options).hits);
  const std::uint64_t before = resident_bytes();
  const bool measured = reset_peak_resident();
  std::vector<int> wrong(8), done(8);
  const int searches = by_size(12, 100);
  EXPECT_THAT(
      at_once(8,
              [&](int thread) {
                for (int k = 0; k < searches; ++k) {
                  const std::size_t query = static_cast<std::size_t>(7 * k + thread) % queries.size();
                  const SearchResult found = session.search(queries[query], database, scoring_, options);
                  wrong[static_cast<std::size_t>(thread)] += !(SearchRows(found.hits) == expected[query]);
                  ++done[static_cast<std::size_t>(thread)];
                }
              }),
      testing::IsEmpty());
  EXPECT_EQ(wrong, std::vector<int>(8));
  EXPECT_EQ(done, std::vector<int>(8, searches));
  const SessionCounters counters = session.counters();
  EXPECT_LE(counters.peak_reserved_bytes, kMemory);
  EXPECT_GT(counters.peak_reserved_bytes, 0u);
  EXPECT_EQ(counters.reserved_bytes, 0u);
  EXPECT_EQ(counters.calls, queries.size() + 8 * static_cast<std::size_t>(searches));
  EXPECT_TRUE(!measured || kSanitized || peak_resident_bytes() <= before + kMemory + kProgram)
      << peak_resident_bytes() - before << " bytes were added";
}

TEST_F(ApiManyThreads, EightWithLargeResultsWaitRatherThanTakeMoreThanThereIs) {
  Session session(session_options(2, kMemory));
  const SequenceSet set = random_set({.seed = 3, .count = 400, .shortest = 20, .longest = 60});
  const Database database(set);
  const Scoring global = default_scoring("global");
  std::uint64_t expected = 0;
  const auto scores = [&](std::uint64_t& sum) {
    return PairSink{.rows = [&sum](const Columns& rows, const std::string&) {
      for (const std::int32_t score : rows.score) sum = sum * 31 + static_cast<std::uint32_t>(score);
    }};
  };
  session.all_pairs(database, global, {}, scores(expected));
  const std::uint64_t before = resident_bytes();
  const bool measured = reset_peak_resident();
  std::vector<std::uint64_t> sums(8);
  EXPECT_THAT(at_once(8,
                      [&](int thread) {
                        session.all_pairs(database, global, {},
                                          scores(sums[static_cast<std::size_t>(thread)]));
                      }),
              testing::IsEmpty());
  EXPECT_EQ(sums, std::vector<std::uint64_t>(8, expected));
  EXPECT_LE(session.counters().peak_reserved_bytes, kMemory);
  EXPECT_TRUE(!measured || kSanitized || peak_resident_bytes() <= before + kMemory + kProgram)
      << peak_resident_bytes() - before << " bytes were added";
}

TEST_F(ApiManyThreads, MixedCallsAtOnceGiveWhatTheyGiveAlone) {
  Session session(session_options(2, kMemory));
  const SequenceSet set = relatives_set(5, 40, 120);
  const Database database(set), subjects(subjects_);
  const std::vector<IndexPair> pairs = random_pairs(6, 300, set, set);
  const CalibrationOptions calibration{.precision = 0.1, .length = 200, .anew = true};
  struct Answers {
    SearchRows hits;
    Table aligned, paired;
    std::vector<double> z;
    std::vector<std::int64_t> ranges;
    double lambda = 0;
    bool operator==(const Answers&) const = default;
  };
  using Part = std::function<void(Answers&)>;
  const std::vector<Part> parts = {
      [&](Answers& a) {
        a.hits = {};
        session.search(database, subjects, scoring_, {.max_target_seqs = 10}, a.hits.sink());
      },
      [&](Answers& a) { a.aligned = Table(session.align(database, database, pairs, scoring_)); },
      [&](Answers& a) {
        a.paired = {};
        session.all_pairs(
            database, scoring_, {},
            PairSink{.rows = [&](const Columns& rows, const std::string&) { a.paired.append(rows); }});
      },
      [&](Answers& a) {
        a.z.clear();
        for (const ZValue& z :
             session.z_values(database, database, std::span(pairs).first(10), {}, scoring_, {.shuffles = 30}))
          a.z.push_back(z.z.value_or(-1e9));
      },
      [&](Answers& a) {
        a.ranges.clear();
        for (const IdentityRange& range :
             session.identity_range(database, database, pairs, scoring_, Denominator::alignment))
          a.ranges.insert(a.ranges.end(), {range.lowest.numerator, range.highest.numerator});
      },
      [&](Answers& a) { a.lambda = session.calibrate(scoring_, calibration).lambda.value; },
  };
  Answers expected;
  for (const Part& part : parts) part(expected);
  std::vector<Answers> found(by_size(2, 10), expected);
  EXPECT_THAT(at_once(static_cast<int>(parts.size()),
                      [&](int thread) {
                        for (Answers& answers : found) parts[static_cast<std::size_t>(thread)](answers);
                      }),
              testing::IsEmpty());
  for (const Answers& answers : found) {
    EXPECT_TRUE(same(answers.hits, expected.hits));
    EXPECT_TRUE(same(answers.aligned, expected.aligned));
    EXPECT_TRUE(same(answers.paired, expected.paired));
    EXPECT_TRUE(answers == expected);
  }
  EXPECT_LE(session.counters().peak_reserved_bytes, kMemory);
  EXPECT_EQ(session.counters().reserved_bytes, 0u);
}

TEST_F(ApiManyThreads, ManyOpenFilesAndUseThemAtOnce) {
  const TempDir directory;
  const std::string fasta = directory.write_file("set.fa", fasta_of(subjects_.part(0, 300))),
                    packed = directory.write_file("set.fa.gz", gzip(fasta_of(subjects_.part(0, 300))));
  Session session(session_options(2, kMemory));
  session.make_database({fasta}, directory.file("set.alnus"));
  const SearchRows expected(session.search(queries_, session.open(fasta), scoring_).hits);
  std::vector<int> wrong(8);
  EXPECT_THAT(at_once(8,
                      [&](int thread) {
                        const std::string& path = thread % 2 == 0 ? fasta : packed;
                        const SearchRows found(session.search(queries_, session.open(path), scoring_).hits);
                        wrong[static_cast<std::size_t>(thread)] = !(found == expected);
                        session.search(queries_, session.open(directory.file("set.alnus")), scoring_);
                      }),
              testing::IsEmpty());
  EXPECT_EQ(wrong, std::vector<int>(8));
}

TEST_F(ApiManyThreads, OneDatabaseServesTwoSessionsThatDoNotKnowEachOther) {
  Session first(session_options(1)), second(session_options(2));
  const Database database(subjects_);
  const SearchRows expected(first.search(queries_, database, scoring_).hits);
  EXPECT_TRUE(same(SearchRows(second.search(queries_, database, scoring_).hits), expected));
  EXPECT_EQ(first.counters().calls, 1u);
  EXPECT_EQ(second.counters().calls, 1u);
  { const Session gone = std::move(first); }
  EXPECT_TRUE(same(SearchRows(second.search(queries_, database, scoring_).hits), expected));
}

// ---- One thread ----

// Each call runs in a child process, so that a call that waits for ever is reported by name.
TEST(ApiOneThread, EveryCallEndsAndNoneWaitsForever) {
  const Jobs jobs(20);
  for (const Job& job : jobs.all()) {
    const ChildResult result = in_child([&] {
      Session session(session_options(1, 64 << 20));
      job.run(session, {}, {});
      return std::string("done");
    });
    EXPECT_EQ(result.text, "done") << job.name << ": signal " << result.signal;
  }
}

TEST(ApiOneThread, CompressedFilesAreReadAndWritten) {
  const TempDir directory;
  const SequenceSet set = relatives_set(1, 80, 60);
  const std::string gz = directory.write_file("set.fa.gz", gzip(fasta_of(set))),
                    zst = directory.write_file("set.fa.zst", zstd(fasta_of(set)));
  // Long rows, so that a file has more blocks than may wait for the thread that compresses them.
  const OutputFormat format = OutputFormat::parse("6 std full_qseq full_sseq");
  const ChildResult result = in_child([&] {
    Session session(session_options(1, 32 << 20));
    const Session::Inputs inputs = session.open_search(gz, zst);
    for (const char* name : {"hits.tsv.gz", "hits.tsv.zst"}) {
      OutputFile out(session, directory.file(name));
      RowWriter writer(out, format, default_scoring(), inputs.first, inputs.second, {});
      session.search(inputs.first, inputs.second, default_scoring(), {},
                     [&](const SearchBatch& batch) { writer.write(batch); });
      writer.finish();
      out.commit();
    }
    PairFiles files{.rows = directory.file("rows.tsv.gz"), .format = format};
    files.matrix = directory.file("matrix.npy");
    files.edges = directory.file("edges.tsv.zst");
    files.edge_threshold = 30;
    files.checkpoint = directory.file("ledger");
    AllPairsOptions options;
    options.value = MatrixValue{};
    session.all_pairs(PairInputs{.set = inputs.first}, default_scoring(), options, files);
    session.make_database({gz, zst}, directory.file("made.alnus"), {.memory_bytes = 1 << 20});
    session.verify_database(directory.file("made.alnus"));
    return std::string("done");
  });
  ASSERT_EQ(result.text, "done") << "signal " << result.signal;
  const std::string hits = unpacked(directory.file("hits.tsv.gz"));
  EXPECT_EQ(hits, unpacked(directory.file("hits.tsv.zst")));
  // This is more than the four blocks of a file that may wait or be compressed at a time
  // (io/output_file.cpp).
  EXPECT_GT(hits.size(), 1u << 20);
  EXPECT_NE(unpacked(directory.file("rows.tsv.gz")), "");
  EXPECT_EQ(database_info(directory.file("made.alnus")).sequences, 160u);
}

// Returns how many threads were busy on average while `work` ran.
double busy_threads(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  const double before = processor_seconds();
  work();
  const double seconds = processor_seconds() - before;
  return seconds / std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(ApiThreads, BoundEverythingThatComputes) {
  if (devices_of_tests() != "cpu") GTEST_SKIP() << "threads that wait for a GPU are busy, too";
  const TempDir directory;
  const auto count = static_cast<std::uint32_t>(by_size(1500, 4000));
  const SequenceSet set = random_set({.count = count, .shortest = 200, .longest = 600});
  const std::string text = fasta_of(set);
  std::string larger;
  for (int k = 0; k < 8; ++k) larger += text;
  const std::string gz = directory.write_file("set.fa.gz", gzip(larger)),
                    plain = directory.write_file("set.fa", larger);
  const Database some(set.part(0, 300)), all(set);
  const Scoring scoring = default_scoring();
  for (const int threads : {1, 2}) {
    Session session(session_options(threads, 256 << 20));
    const std::vector<std::pair<std::string, std::function<void()>>> calls = {
        {"search", [&] { session.search(some, all, scoring, {.detail = Detail::score}); }},
        {"two searches", [&] { at_once(2, [&](int) { session.search(some, some, scoring); }); }},
        {"open", [&] { session.open(gz); }},
        {"open with masking",
         [&] {
           OpenOptions options;
           options.masking.seg = true;
           session.open(directory.write_file("some.fa", text), options);
         }},
        {"make_database",
         [&] {
           session.make_database({plain, gz}, directory.file("made.alnus"));
         }},
        {"verify_database", [&] { session.verify_database(directory.file("made.alnus")); }},
        {"z_values",
         [&] {
           const std::vector<IndexPair> pairs = random_pairs(1, 20, some.sequences(), some.sequences());
           session.z_values(some, some, pairs, {}, scoring, {.shuffles = 300});
         }},
        {"all_pairs into a compressed file",
         [&] {
           const PairFiles files{.rows = directory.file("rows.tsv.gz"), .format = OutputFormat::parse("6")};
           session.all_pairs(PairInputs{.set = some}, scoring, {}, files);
         }},
    };
    for (const auto& [name, call] : calls) {
      const double busy = busy_threads(call);
      std::printf("  %s with %d threads: %.2f busy\n", name.c_str(), threads, busy);
      EXPECT_LE(busy, threads * 1.1 + 0.1) << name;
    }
  }
}

TEST(ApiThreads, ComputeInParallelWhereThereAreSeveral) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one processor";
  if (devices_of_tests() != "cpu") GTEST_SKIP() << "GPUs compute";
  const SequenceSet set = random_set({.count = 1500, .shortest = 200, .longest = 300});
  const std::size_t before = threads_of_process().size();
  Session session(session_options(2));
  std::size_t most = 0;
  RunControl run;
  run.on_progress = [&](const Progress&) { most = std::max(most, threads_of_process().size()); };
  session.search(Database(set).part(0, 300), set, default_scoring(), {.detail = Detail::score}, run);
  EXPECT_GT(most, before);
}

// ---- Signals ----

// Options without GPUs, because threads of NVIDIA's driver would be counted as the session's.
SessionOptions without_gpus(int threads) {
  SessionOptions options = session_options(threads);
  options.devices = "cpu";
  return options;
}

TEST(ApiSignals, ThreadsOfASessionBlockAllThatTheirOwnInstructionsDoNotRaise) {
  const SequenceSet set = relatives_set(1, 200, 150);
  std::thread([] {}).join();  // makes a sanitizer start its own thread, which it does with the first thread
  const std::vector<int> others = threads_of_process();
  Session session(without_gpus(3));
  std::size_t seen = 0;
  std::vector<std::string> wrong;
  const auto look = [&] {
    for (const int thread : threads_of_process()) {
      if (std::ranges::count(others, thread) > 0) continue;
      const std::string mask = field_of("self/task/" + std::to_string(thread) + "/status", "SigBlk");
      if (mask.empty()) continue;  // the thread has ended
      ++seen;
      const std::uint64_t blocked = std::stoull(mask, nullptr, 16);
      for (int signal = 1; signal <= 64; ++signal) {
        // SIGKILL and SIGSTOP cannot be blocked, and the C library keeps 32 and 33 for itself.
        if (signal == SIGKILL || signal == SIGSTOP || signal == 32 || signal == 33) continue;
        const bool raised = signal == SIGBUS || signal == SIGSEGV || signal == SIGFPE || signal == SIGILL;
        if ((blocked >> (signal - 1) & 1) == (raised ? 1 : 0))
          wrong.push_back("signal " + std::to_string(signal));
      }
    }
  };
  RunControl run;
  run.on_progress = [&](const Progress&) { look(); };
  session.search(
      set, set, default_scoring(), {}, [&](const SearchBatch&) { look(); }, run);
  look();
  EXPECT_GT(seen, 0u);
  EXPECT_THAT(wrong, testing::IsEmpty());
}

TEST(ApiSignals, TheLibraryInstallsNoHandlers) {
  const auto handlers = [] {
    std::vector<void*> all;
    for (int signal = 1; signal < 65; ++signal) {
      struct sigaction action {};
      ::sigaction(signal, nullptr, &action);
      all.push_back(reinterpret_cast<void*>(action.sa_handler));
    }
    return all;
  };
  const std::vector<void*> before = handlers();
  {
    const Jobs jobs(10);
    Session session(session_options());
    for (const Job& job : jobs.all()) job.run(session, {}, {});
    EXPECT_EQ(handlers(), before);
  }
  EXPECT_EQ(handlers(), before);
}

TEST(ApiSession, ItsDestructorEndsItsThreads) {
  const std::size_t before = threads_of_process().size();
  {
    Session session(without_gpus(4));
    const SequenceSet set = relatives_set(1, 100, 100);
    session.search(set, set, default_scoring());
  }
  EXPECT_TRUE(soon([&] { return threads_of_process().size() == before; }));
}

// ---- Stack ----

TEST(ApiSmallStack, AThreadWithLittleStackMaySearchAndAlign) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "frames take more stack here";
#endif
  struct Work {
    Session session{session_options(1, 64 << 20)};
    const SequenceSet set = relatives_set(1, 3, 60);
    std::size_t hits = 0;
    double score = 0;
  } work;
  pthread_attr_t attributes;
  ASSERT_EQ(::pthread_attr_init(&attributes), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&attributes, 64 << 10), 0);
  pthread_t thread{};
  const auto run = [](void* of) -> void* {
    Work& w = *static_cast<Work*>(of);
    w.hits = w.session.search(w.set, w.set, default_scoring()).hits.rows.score.size();
    w.score = w.session.align("MKVLAHEAGAWGHEE", "MKVLAHEAGAWGHEE", default_scoring()).score;
    return nullptr;
  };
  ASSERT_EQ(::pthread_create(&thread, &attributes, run, &work), 0);
  ::pthread_join(thread, nullptr);
  ::pthread_attr_destroy(&attributes);
  EXPECT_EQ(work.hits, 9u);
  EXPECT_GT(work.score, 0);
}

}  // namespace
}  // namespace alnus::test
