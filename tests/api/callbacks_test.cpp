// Callbacks for progress, messages and results: on which thread and when they run, and what happens if they
// throw.
#include <atomic>
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

#include "alnus/session.h"
#include "api/support/calls.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/jobs.h"
#include "api/support/table.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// What callbacks throw in these tests. It is no std::exception, so that the library cannot know its type.
struct Thing {
  int number = 0;
};

// Success if `call` throws the Thing with this number.
testing::AssertionResult comes_out(int number, const std::function<void()>& call) {
  try {
    call();
  } catch (const Thing& thing) {
    if (thing.number == number) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "thing " << thing.number;
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << error.what();
  }
  return testing::AssertionFailure() << "nothing was thrown";
}

class ApiCallbacks : public testing::Test {
 protected:
  const Jobs jobs_;
  Session session_{session_options()};
};

TEST_F(ApiCallbacks, RunOnTheThreadThatMadeTheCallAndNeverTwoAtOnce) {
  const std::thread::id caller = std::this_thread::get_id();
  for (const Job& job : jobs_.all()) {
    SCOPED_TRACE(job.name);
    std::atomic<int> inside = 0, elsewhere = 0, crowded = 0, sinks = 0, progresses = 0;
    const auto callback = [&] {
      elsewhere += std::this_thread::get_id() != caller;
      crowded += ++inside > 1;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --inside;
    };
    RunControl run;
    run.on_progress = [&](const Progress&) {
      ++progresses;
      callback();
    };
    run.on_message = [&](const Message&) { callback(); };
    job.run(session_, run, [&] {
      ++sinks;
      callback();
    });
    EXPECT_EQ(elsewhere, 0);
    EXPECT_EQ(crowded, 0);
    EXPECT_EQ(sinks > 0, job.has_sink);
    EXPECT_TRUE(progresses > 0 || !job.aligns);
  }
}

TEST_F(ApiCallbacks, ProgressNeverFallsAndEndsAtItsTotals) {
  for (const Job& job : jobs_.all()) {
    if (!job.aligns) continue;
    SCOPED_TRACE(job.name);
    std::vector<Progress> all;
    RunControl run;
    run.on_progress = [&](const Progress& progress) { all.push_back(progress); };
    job.run(session_, run, {});
    ASSERT_FALSE(all.empty());
    Progress before;
    for (const Progress& progress : all) {
      EXPECT_GE(progress.cells_done, before.cells_done);
      EXPECT_GE(progress.pairs_done, before.pairs_done);
      EXPECT_GE(progress.cells_total, before.cells_total);
      EXPECT_GE(progress.pairs_total, before.pairs_total);
      EXPECT_GE(progress.seconds, before.seconds);
      EXPECT_LE(progress.cells_done, progress.cells_total);
      EXPECT_LE(progress.pairs_done, progress.pairs_total);
      EXPECT_GE(progress.seconds_left, 0);
      EXPECT_GE(progress.fraction, 0);
      EXPECT_LE(progress.fraction, 1);
      EXPECT_TRUE(progress.seconds_left == 0 || progress.fraction > 0);
      before = progress;
    }
    EXPECT_GT(before.cells_total, 0u);
    EXPECT_TRUE(before.pairs_total > 0 || job.name == "calibrate") << "which counts cells alone";
    EXPECT_EQ(before.cells_done, before.cells_total);
    EXPECT_EQ(before.pairs_done, before.pairs_total);
    EXPECT_EQ(before.fraction, 1);
  }
}

TEST_F(ApiCallbacks, ProgressEndsAtTheCellsOfTheSummary) {
  const SequenceSet queries = random_set({.count = 20}), subjects = random_set({.seed = 2, .count = 100});
  SearchOptions options;
  options.evalue = 1e9;
  options.identity_ranges = {Denominator::alignment};
  for (const bool shuffle : {false, true}) {
    if (shuffle) {
      options.statistics.method = StatisticsMethod::zvalue;
      options.statistics.shuffles.emplace().shuffles = 10;
    }
    Progress last;
    RunControl run;
    run.on_progress = [&](const Progress& progress) { last = progress; };
    const SearchResult result = session_.search(queries, subjects, default_scoring(), options, run);
    ASSERT_GT(result.summary.hits, 0u);
    EXPECT_EQ(last.cells_total, result.summary.cells);
    EXPECT_EQ(last.cells_done, result.summary.cells);
    EXPECT_EQ(last.pairs_total, result.summary.pairs);
    EXPECT_EQ(last.fraction, 1);
    EXPECT_EQ(last.seconds_left, 0);
  }
}

TEST_F(ApiCallbacks, ProgressComesAboutTenTimesASecond) {
  const SequenceSet queries = random_set({.count = 120, .shortest = 200, .longest = 300}),
                    subjects = random_set({.seed = 2, .count = 3000, .shortest = 200, .longest = 300});
  std::vector<double> seconds;
  RunControl run;
  run.on_progress = [&](const Progress& progress) { seconds.push_back(progress.seconds); };
  const SearchResult result = session_.search(queries, subjects, default_scoring(),
                                              {.detail = Detail::score, .max_target_seqs = 1}, run);
  const double calls = static_cast<double>(seconds.size()), whole = result.summary.seconds;
  EXPECT_LE(calls, 20 * whole + 3) << "in " << whole << " s";
  EXPECT_GE(calls, 3 * whole - 2) << "in " << whole << " s";
}

TEST_F(ApiCallbacks, AnExceptionOfASinkCancelsTheCallAndComesOutOfIt) {
  for (const Job& job : jobs_.all()) {
    if (!job.has_sink) continue;
    SCOPED_TRACE(job.name);
    int calls = 0;
    EXPECT_TRUE(comes_out(7, [&] {
      job.run(session_, {}, [&] {
        ++calls;
        throw Thing{7};
      });
    }));
    EXPECT_EQ(calls, 1) << "called again after it threw";
    expect_works(session_);
  }
}

TEST_F(ApiCallbacks, AnExceptionOfProgressCancelsTheCallAndComesOutOfIt) {
  for (const Job& job : jobs_.all()) {
    if (!job.aligns) continue;
    SCOPED_TRACE(job.name);
    int calls = 0;
    RunControl run;
    run.on_progress = [&](const Progress&) {
      ++calls;
      throw Thing{8};
    };
    EXPECT_TRUE(comes_out(8, [&] { job.run(session_, run, {}); }));
    EXPECT_EQ(calls, 1);
    expect_works(session_);
    EXPECT_TRUE(std::filesystem::is_empty(jobs_.outputs()));
  }
}

TEST_F(ApiCallbacks, AStandardExceptionKeepsItsTypeAndText) {
  const SequenceSet set = relatives_set(1, 5, 50);
  try {
    session_.search(set, set, default_scoring(), {},
                    [](const SearchBatch&) { throw std::out_of_range("the sink is full"); });
    FAIL() << "nothing was thrown";
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "the sink is full");
  }
  const Thrown own = thrown_by([&] {
    session_.search(set, set, default_scoring(), {},
                    [](const SearchBatch&) { throw Error(ErrorKind::memory, "The sink has no memory."); });
  });
  EXPECT_EQ(own.kind, ErrorKind::memory);
  EXPECT_EQ(own.text, "The sink has no memory.");
}

class ApiMessages : public testing::Test {
 protected:
  // A file with characters that are no residues, a gap, an empty record and a record without a name.
  const TempDir directory_;
  const std::string odd_ = directory_.write_file("odd.fa", ">q1\nMKV11!VTFISL!\n>q2\n\n>\nMK-VL\n");
};

TEST_F(ApiMessages, AnExceptionOfAMessageComesOutOfTheCall) {
  Session session(session_options());
  RunControl run;
  run.on_message = [](const Message&) { throw Thing{9}; };
  EXPECT_TRUE(comes_out(9, [&] { session.open(odd_, {}, run); }));
  const SequenceSet set = relatives_set(1, 5, 50);
  EXPECT_TRUE(comes_out(9, [&] { session.search(set, set, default_scoring("global"), {}, run); }))
      << "a warning says that there are no E-values";
  expect_works(session);
}

TEST_F(ApiMessages, GoToTheSessionWhereTheCallHasNoCallback) {
  SessionOptions options = session_options();
  std::vector<Message> of_session, of_call;
  options.on_message = [&](const Message& message) { of_session.push_back(message); };
  Session session(options);
  session.open(odd_);
  EXPECT_THAT(of_session, Not(IsEmpty()));
  const std::size_t before = of_session.size();
  RunControl run;
  run.on_message = [&](const Message& message) { of_call.push_back(message); };
  session.open(odd_, {}, run);
  EXPECT_EQ(of_session.size(), before) << "in place of SessionOptions::on_message";
  ASSERT_EQ(of_call.size(), before);
  for (std::size_t k = 0; k < before; ++k) {
    EXPECT_EQ(of_call[k].text(), of_session[k].text());
    EXPECT_EQ(of_call[k].severity, of_session[k].severity);
  }
}

TEST_F(ApiMessages, AreForNobodyWhereThereIsNoCallback) {
  Session session(session_options());
  EXPECT_EQ(session.open(odd_).size(), 3u);
}

TEST_F(ApiMessages, NameOptionsAsTheProgramDoes) {
  Session session(session_options());
  std::vector<Message> messages;
  RunControl run;
  run.on_message = [&](const Message& message) { messages.push_back(message); };
  const SequenceSet set = relatives_set(1, 5, 50);
  SearchOptions options;
  options.evalue = 1;
  session.search(set, set, default_scoring("global"), options, run);  // warns that there are no E-values
  ASSERT_FALSE(messages.empty());
  bool renamed = false;
  for (const Message& message : messages) {
    const std::string text = message.text();
    for (const char letter : text) EXPECT_GE(static_cast<unsigned char>(letter), 0x20) << text;
    EXPECT_EQ(text, plain_text(message.marked));
    const auto name_of = [](std::string_view identifier) { return "<" + std::string(identifier) + ">"; };
    EXPECT_EQ(message.text(name_of), render_options(message.marked, name_of));
    renamed |= message.text(name_of) != text;
  }
  EXPECT_TRUE(renamed) << "the warning names the options of statistics";
  EXPECT_EQ(messages.front().severity, Severity::warning);
}

class ApiCallsInCallbacks : public testing::Test {
 protected:
  // Makes every call on `callee`, and returns those that do not throw Error(input), as calls in a callback
  // must.
  std::vector<std::string> not_refused(Session& callee) const {
    std::vector<std::string> wrong;
    for (const NamedCall& call : calls_.of(callee)) {
      if (call.name == "OutputFile" || call.name == "QueryStream") continue;  // constructors, not calls
      const Thrown thrown = thrown_by(call.run);
      if (!thrown.error || thrown.kind != ErrorKind::input) wrong.push_back(call.name + ": " + thrown.text);
    }
    return wrong;
  }
  const EveryCall calls_;
  const SequenceSet set_ = relatives_set(1, 5, 50);
  Session session_{session_options()}, other_{session_options()};
};

TEST_F(ApiCallsInCallbacks, OnAnySessionAreErrorsThatTheCallSurvives) {
  for (Session* callee : {&session_, &other_}) {
    int sinks = 0;
    session_.search(set_, set_, default_scoring(), {}, [&](const SearchBatch&) {
      if (sinks++ > 0) return;
      EXPECT_THAT(not_refused(*callee), IsEmpty()) << "in a sink";
    });
    EXPECT_GT(sinks, 0);
    RunControl run;
    int progresses = 0;
    run.on_progress = [&](const Progress&) {
      if (progresses++ > 0) return;
      EXPECT_THAT(not_refused(*callee), IsEmpty()) << "in progress";
    };
    session_.search(set_, set_, default_scoring(), {}, run);
    EXPECT_GT(progresses, 0);
    const TempDir directory;
    const std::string odd = directory.write_file("odd.fa", ">q\nMK!VV1L\n");
    RunControl with_message;
    int messages = 0;
    with_message.on_message = [&](const Message&) {
      if (messages++ > 0) return;
      EXPECT_THAT(not_refused(*callee), IsEmpty()) << "in a message";
    };
    session_.open(odd, {}, with_message);
    EXPECT_GT(messages, 0);
  }
  EXPECT_THAT(not_refused(session_), Not(IsEmpty())) << "outside of callbacks they are no errors";
  expect_works(session_);
  expect_works(other_);
}

TEST_F(ApiCallsInCallbacks, ComeOutOfTheOuterCallWhereNobodyCatchesThem) {
  const std::string text = input_error([&] {
    session_.search(set_, set_, default_scoring(), {},
                    [&](const SearchBatch&) { session_.align("MKV", "MKV", default_scoring()); });
  });
  EXPECT_THAT(text, HasSubstr("callback"));
  expect_works(session_);
}

TEST_F(ApiCallsInCallbacks, AreFineAfterTheCallAndAfterAnExceptionOfACallback) {
  EXPECT_TRUE(comes_out(3, [&] {
    session_.search(set_, set_, default_scoring(), {}, [](const SearchBatch&) { throw Thing{3}; });
  }));
  EXPECT_GT(session_.align("MKVW", "MKVW", default_scoring()).score, 0);
}

TEST_F(ApiCallsInCallbacks, AreFineFromAnotherThreadMeanwhile) {
  std::int32_t score = 0;
  session_.search(set_, set_, default_scoring(), {}, [&](const SearchBatch&) {
    std::jthread([&] { score = session_.align("MKVW", "MKVW", default_scoring()).score; }).join();
  });
  EXPECT_GT(score, 0);
}

// ---- Slow sinks ----

class ApiSlowSink : public testing::Test {
 protected:
  static constexpr std::uint64_t kMemory = 32 << 20;
  static constexpr auto kDelay = std::chrono::milliseconds(15);
  const SequenceSet set_ = random_set({.count = 800, .shortest = 20, .longest = 40});
  Session session_{session_options(2, kMemory)};
  const Scoring scoring_ = default_scoring("global");
};

TEST_F(ApiSlowSink, OfAllPairsMakesTheCallWaitAndTakesNoMoreMemory) {
  std::uint64_t rows = 0, bytes = 0, batches = 0, most_reserved = 0;
  const AllPairsSummary summary =
      session_.all_pairs(set_, scoring_, {}, PairSink{.rows = [&](const Columns& batch, const std::string&) {
                           rows += batch.size();
                           bytes += bytes_of(batch);
                           ++batches;
                           most_reserved = std::max(most_reserved, session_.counters().reserved_bytes);
                           std::this_thread::sleep_for(kDelay);
                         }});
  EXPECT_EQ(rows, 800u * 799 / 2);
  EXPECT_GT(bytes, kMemory / 2) << "the test needs more results than may be kept";
  EXPECT_GE(summary.seconds, std::chrono::duration<double>(kDelay).count() * static_cast<double>(batches));
  EXPECT_LE(most_reserved, kMemory);
  EXPECT_LE(session_.counters().peak_reserved_bytes, kMemory);
}

TEST_F(ApiSlowSink, OfASearchMakesTheCallWaitAndTakesNoMoreMemory) {
  std::uint64_t rows = 0, batches = 0;
  const SearchSummary summary =
      session_.search(set_, set_, scoring_, {.max_target_seqs = 800}, [&](const SearchBatch& batch) {
        rows += batch.rows.size();
        ++batches;
        std::this_thread::sleep_for(kDelay);
      });
  EXPECT_EQ(rows, 800u * 800);
  EXPECT_GE(summary.seconds, std::chrono::duration<double>(kDelay).count() * static_cast<double>(batches));
  EXPECT_LE(session_.counters().peak_reserved_bytes, kMemory);
}

// ---- Calls so short that the caller's thread does the work ----

TEST(ApiCallbacksOfABriefCall, RunWhileItWaitsForMemory) {
  Session session(session_options(2));
  const SequenceSet set = random_set({.count = 10});
  const Scoring scoring = default_scoring("global");
  std::latch held(1), release(1);
  const PairSink sink{.rows = [&](const Columns&, const std::string&) {
    held.count_down();
    release.wait();  // until then, all_pairs holds all memory for results
  }};
  std::jthread holder([&] { session.all_pairs(set, scoring, {.significance = false}, sink); });
  held.wait();

  const TempDir directory;
  const Database doubtful =
      session.open(directory.write_file("dna.fa", ">a\nACGTACGTACGT\n>b\nGGGTTTACGT\n"));
  const std::vector<IndexPair> pairs = {{0, 1}};
  const auto align = [&](const RunControl& run) {
    session.align(set, doubtful, pairs, scoring, {.detail = Detail::score}, run);
  };
  RunControl progress, message;
  progress.on_progress = [](const Progress&) { throw Thing{7}; };
  message.on_message = [](const Message&) { throw Thing{3}; };
  EXPECT_TRUE(comes_out(3, [&] { align(message); }));
  EXPECT_TRUE(comes_out(7, [&] { align(progress); }));
  release.count_down();
  holder.join();
  align({});
}

}  // namespace
}  // namespace alnus::test
