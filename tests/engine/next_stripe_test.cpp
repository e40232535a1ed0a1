// All pairs on devices that do not compute on the host: the next stripe's pairs are found while the stripe
// before it is made. Results, stripes and progress are those of devices that compute on the host, where one
// stripe is made after the other.
#include "engine/next_stripe.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "core/strands.h"
#include "engine/all_pairs_driver.h"
#include "support/all_pairs_result.h"
#include "support/engine_call.h"
#include "support/fake_device.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

using test::AllPairsResult;
using test::EngineCall;
using test::FakeBehaviour;
using test::FakeDevice;
using test::FakeDevices;
using Index = SequenceSet::Index;

// The function that finds pairs tells no builders apart: it returns none, and notes what it was asked for.
class FindsNextStripe : public testing::Test {
 protected:
  static constexpr IndexRange kRows{3, 7}, kFewer{3, 4};

  ThreadPool threads_{2};
  CallState call_{{}, threads_};
  std::mutex mutex_;
  std::vector<IndexRange> found_;
  std::vector<std::thread::id> by_;
  bool fails_ = false;
  NextStripe next_{call_, [this](IndexRange rows) {
                     const std::lock_guard lock(mutex_);
                     found_.push_back(rows);
                     by_.push_back(std::this_thread::get_id());
                     if (fails_) throw StripeTooLarge{};
                     return std::unique_ptr<StripeBuilder>{};
                   }};
};

TEST_F(FindsNextStripe, OnThisThreadIfNothingWasBegun) {
  next_.take(kRows);
  EXPECT_EQ(found_, std::vector{kRows});
  EXPECT_EQ(by_, std::vector{std::this_thread::get_id()});
}

TEST_F(FindsNextStripe, OnAnotherThreadOnce) {
  for (int time = 1; time <= 3; ++time) {
    next_.begin(kRows);
    next_.take(kRows);
    EXPECT_EQ(found_, std::vector<IndexRange>(static_cast<std::size_t>(time), kRows));
    EXPECT_NE(by_.back(), std::this_thread::get_id());
  }
}

TEST_F(FindsNextStripe, DropsOtherRowsAndTheirErrors) {
  fails_ = true;
  next_.begin(kRows);
  while (true) {  // until the thread has failed
    const std::lock_guard lock(mutex_);
    if (!found_.empty()) break;
  }
  fails_ = false;
  next_.take(kFewer);
  EXPECT_EQ(found_, (std::vector{kRows, kFewer}));
  EXPECT_EQ(by_.back(), std::this_thread::get_id());
}

TEST_F(FindsNextStripe, ThrowsWhenTheStripeIsTaken) {
  fails_ = true;
  next_.begin(kRows);
  EXPECT_THROW(next_.take(kRows), StripeTooLarge);
  EXPECT_THROW(next_.take(kRows), StripeTooLarge) << "found on this thread";
  EXPECT_EQ(found_.size(), 2u);
}

TEST_F(FindsNextStripe, StopsTheCallOnlyToEndWhatWasBegun) {
  next_.abandon();
  EXPECT_FALSE(call_.progress.stop.requested());
  next_.begin(kRows);
  next_.take(kRows);
  next_.abandon();
  EXPECT_FALSE(call_.progress.stop.requested());
  next_.begin(kRows);
  next_.abandon();
  EXPECT_TRUE(call_.progress.stop.requested());
}

// Families of relatives, ten of them, in turn: a tenth of the pairs of each row are relatives. The first
// `others` sequences are of no family.
SequenceSet families(std::uint32_t count, std::uint32_t others = 0) {
  constexpr std::uint32_t kFamilies = 10;
  test::Random random(5);
  std::vector<test::Residues> first(kFamilies);
  for (test::Residues& one : first) one = test::random_sequence(random, 40);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (std::uint32_t k = 0; k < count; ++k)
    builder.add("", k < others ? test::random_sequence(random, 40)
                               : test::relative(random, first[k % kFamilies], 25, 3));
  return builder.finish();
}

// The first list of pairs that it gets waits until pairs with later sequences have been scored.
class WaitsForTheNextStripe : public FakeDevice {
 public:
  WaitsForTheNextStripe() : FakeDevice("waits", {.concurrency = 2}) {}
  void run(const Tile& tile, const Problem& problem, Sink& sink) override {
    Index last = 0;
    const auto see = [&](const SortedSequences& sequences, Position position) {
      last = std::max(last, static_cast<Index>(sequences.set().file_ordinal(sequences.index(position))));
    };
    for (const auto& [row, column] : pairs_of(tile)) {
      see(*tile.rows, row);
      see(*tile.columns, column);
    }
    {
      std::unique_lock lock(mutex_);
      if (tile.shape != TileShape::list) {
        scored_ = std::max(scored_, last);
        changed_.notify_all();
      } else if (!std::exchange(has_waited_, true)) {
        found_ahead = changed_.wait_for(lock, std::chrono::seconds(20), [&] { return scored_ > last; });
      }
    }
    FakeDevice::run(tile, problem, sink);
  }

  bool found_ahead = false;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Index scored_ = 0;
  bool has_waited_ = false;
};

// Requests the stop of a call at one of its runs.
class StopsAtARun : public FakeDevice {
 public:
  explicit StopsAtARun(int run) : FakeDevice("stops", {.concurrency = 2}), run_(run) {}
  void run(const Tile& tile, const Problem& problem, Sink& sink) override {
    if (count_++ == run_) stop->request();
    FakeDevice::run(tile, problem, sink);
  }

  StopFlag* stop = nullptr;

 private:
  const int run_;
  std::atomic<int> count_ = 0;
};

class StripesFoundAhead : public testing::Test {
 protected:
  const FakeBehaviour host_{.concurrency = 2, .computes_on_host = true}, away_{.concurrency = 2};

  // Several stripes, with alignments of the pairs of high scores alone.
  AllPairsOptions by_score() const {
    AllPairsOptions options;
    options.min_score = 60;
    options.stripe_cells = 3e5;
    return options;
  }
  AllPairsOptions by_evalue() const {
    AllPairsOptions options = by_score();
    options.min_score.reset();
    options.filter.evalue = 1e-3;
    options.statistics = test::published_statistics(scoring_, set_);
    options.statistics.composition = Composition::adjust;
    options.statistics.low_complexity = LowComplexity::statistics;
    options.fields.significance = true;
    return options;
  }

  AllPairsResult on(const std::vector<FakeBehaviour>& behaviours, const AllPairsOptions& options) const {
    return test::all_pairs_on(FakeDevices(behaviours).pointers, pairs_, scoring_, options);
  }
  static void expect_equal(const AllPairsResult& result, const AllPairsResult& expected) {
    EXPECT_EQ(result.listed, expected.listed);
    EXPECT_EQ(result.sparse, expected.sparse);
    EXPECT_EQ(result.values, expected.values);
    EXPECT_EQ(result.stripes, expected.stripes);
    EXPECT_EQ(result.pairs, expected.pairs);
    EXPECT_EQ(result.empty, expected.empty);
  }
  // Runs all pairs, and returns how many stripes were emitted. Expects the rows from the first one on, and no
  // more than the rows that are known.
  std::size_t emitted(CallState& call, const AllPairsOptions& options) const {
    std::size_t stripes = 0;
    Index next = 0;
    try {
      all_pairs(pairs_, scoring_, options, {}, call, [&](const Stripe& stripe, const StripeState&) {
        EXPECT_EQ(stripe.rows.begin, next);
        next = stripe.rows.end;
        ++stripes;
      });
    } catch (const Interrupted&) {
      interrupted_ = true;
    } catch (const Error& error) {
      message_ = error.what();
    }
    return stripes;
  }

  const Scoring scoring_ = make_scoring({});
  const SequenceSet set_ = families(110);
  const AllPairs pairs_{set_, nullptr, false};
  mutable bool interrupted_ = false;
  mutable std::string message_;
};

TEST_F(StripesFoundAhead, WhileTheStripeBeforeIsAligned) {
  WaitsForTheNextStripe waits;
  Device* const device = &waits;
  const AllPairsResult result = test::all_pairs_on({&device, 1}, pairs_, scoring_, by_score());
  EXPECT_TRUE(waits.found_ahead);
  expect_equal(result, on({host_}, by_score()));
}

TEST_F(StripesFoundAhead, AreThoseOfTheHost) {
  for (AllPairsOptions options : {by_score(), by_evalue()}) {
    const AllPairsResult expected = on({host_}, options);
    EXPECT_GE(expected.stripes.size(), 4u);
    EXPECT_GT(expected.listed.size(), 300u);
    expect_equal(on({away_}, options), expected);
    expect_equal(
        on({{.concurrency = 2, .dawdle = true, .overlaps = true, .has_matrix_pairs = true}}, options),
        expected);
    options.values = {MatrixValue{}};
    options.cutoff = {MatrixValue{}, 30};
    expect_equal(on({away_, host_}, options), on({host_}, options));
  }
}

TEST_F(StripesFoundAhead, OfTwoSetsAndBothStrands) {
  test::Random random(9);
  const test::Residues first = test::random_sequence(random, 50, 4);
  SequenceSetBuilder builder(AlphabetKind::dna);
  for (std::uint32_t k = 0; k < 60; ++k) {
    test::Residues one = k % 6 == 0 ? first : test::random_sequence(random, 50, 4);
    for (std::uint32_t changed = 0; changed < k / 6; ++changed)
      one[test::below(random, one.size())] = static_cast<Residue>(test::below(random, 4));
    builder.add("", one);
  }
  const SequenceSet set = builder.finish(), turned = reverse_complement(set, StopFlag::never());
  const AllPairs pairs(set, &turned, false);
  AllPairsOptions options;
  options.min_score = 30;
  options.stripe_cells = 3e5;
  options.fields.strands = Strands::both;
  const Scoring scoring = make_scoring({.alphabet = AlphabetKind::dna});
  const FakeDevices host({host_}), away({{.concurrency = 2, .dawdle = true}});
  const AllPairsResult expected = test::all_pairs_on(host.pointers, pairs, scoring, options);
  EXPECT_GE(expected.stripes.size(), 3u);
  EXPECT_FALSE(expected.listed.empty());
  expect_equal(test::all_pairs_on(away.pointers, pairs, scoring, options), expected);
}

// The first rows have no relatives, so that few pairs are expected of the rows after them. With some of these
// sizes of the memory a stripe is too large when its pairs are found, with others when they are aligned: the
// next stripe has been begun then.
TEST_F(StripesFoundAhead, AreDroppedIfTheStripeBeforeIsTooLarge) {
  const SequenceSet rows = families(160, 63), columns = families(50);
  const AllPairs pairs(rows, &columns, false);
  AllPairsOptions options = by_score();
  options.stripe_cells = 5.4e5;  // 40 rows
  int made_again = 0, dropped = 0;
  for (options.memory_bytes = 150'000; options.memory_bytes < 450'000; options.memory_bytes += 60'000) {
    std::vector<AllPairsResult> results(2);
    std::vector<std::uint64_t> pairs_done;
    for (AllPairsResult& result : results) {
      const FakeDevices devices({pairs_done.empty() ? host_ : away_});
      EngineCall call(devices.pointers);
      all_pairs(pairs, scoring_, options, {}, call, [&](const Stripe& stripe, const StripeState&) {
        test::append(result.listed, stripe.listed);
        result.stripes.push_back(stripe.rows);
      });
      pairs_done.push_back(call.progress().pairs_done);
      EXPECT_EQ(call.progress().pairs_total, 8'000u);
    }
    expect_equal(results[1], results[0]);
    made_again += pairs_done[0] > 8'000 ? 1 : 0;
    dropped += pairs_done[1] > pairs_done[0] ? 1 : 0;  // pairs that are done again count again
  }
  EXPECT_GE(made_again, 4);
  EXPECT_GE(dropped, 2);
}

TEST_F(StripesFoundAhead, CountEachCellOnce) {
  for (const AllPairsOptions& options : {by_score(), by_evalue()}) {
    std::vector<std::uint64_t> totals;
    for (const FakeBehaviour& behaviour : {host_, away_}) {
      const FakeDevices devices({behaviour});
      EngineCall call(devices.pointers);
      Progress& progress = call.progress();
      std::atomic<std::uint64_t> total = 0, last = 0;
      progress.tick = [&] {
        const std::uint64_t expected = progress.cells_total, done = progress.cells_done;
        if (total.exchange(expected) > 0) {
          EXPECT_EQ(total, expected);
        }
        EXPECT_LE(done, expected);
        EXPECT_LE(last, done);
      };
      EXPECT_GE(emitted(call, options), 4u);
      EXPECT_EQ(progress.cells_done, progress.cells_total);
      EXPECT_EQ(progress.pairs_done, progress.pairs_total);
      EXPECT_EQ(progress.extra_cells_done, progress.extra_cells_total);
      EXPECT_GT(progress.extra_cells_done, 0u);
      totals.insert(totals.end(), {progress.cells_total, progress.pairs_total, progress.extra_cells_total});
    }
    EXPECT_TRUE(std::equal(totals.begin(), totals.begin() + 3, totals.begin() + 3));
  }
}

TEST_F(StripesFoundAhead, EndWhenTheCallIsStopped) {
  const AllPairsResult whole = on({away_}, by_score());
  for (int run = 0; run < 40; run += 4) {
    StopsAtARun device(run);
    Device* const pointer = &device;
    EngineCall call({&pointer, 1});
    device.stop = &call.progress().stop;
    interrupted_ = false;
    const std::size_t stripes = emitted(call, by_score());
    EXPECT_TRUE(interrupted_ || stripes == whole.stripes.size()) << run;
    EXPECT_TRUE(call.warnings().empty());
    EXPECT_TRUE(call.retired().empty());
  }
}

TEST_F(StripesFoundAhead, EndOnceIfTheDeviceFails) {
  const AllPairsResult whole = on({away_}, by_score());
  for (const ErrorKind kind : {ErrorKind::device, ErrorKind::input})
    for (int run = 0; run < 24; run += 4) {
      const FakeDevices devices({{.concurrency = 2, .fail_from = run, .fail_kind = kind}});
      EngineCall call(devices.pointers);
      message_.clear();
      EXPECT_LT(emitted(call, by_score()), whole.stripes.size());
      EXPECT_FALSE(message_.empty()) << run;
      EXPECT_FALSE(interrupted_) << run;
    }
}

TEST_F(StripesFoundAhead, GoOnWithOtherDevicesAfterOneWarning) {
  const AllPairsResult expected = on({host_}, by_evalue());
  for (int run = 0; run < 24; run += 3) {
    const FakeDevices devices({{.fail_from = run, .has_matrix_pairs = true}, {.concurrency = 2}});
    EngineCall call(devices.pointers);
    std::vector<test::FoundRow> listed;
    all_pairs(pairs_, scoring_, by_evalue(), {}, call,
              [&](const Stripe& stripe, const StripeState&) { test::append(listed, stripe.listed); });
    EXPECT_EQ(listed, expected.listed) << run;
    EXPECT_LE(call.warnings().size(), 1u) << run;
    EXPECT_EQ(call.retired().size(), call.warnings().size()) << run;
  }
}

}  // namespace
}  // namespace alnus::engine
