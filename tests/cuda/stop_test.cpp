// Runs that are cancelled: whatever a GPU is computing, the run ends soon and hands over nothing, and the GPU
// can be used again.
#include <algorithm>
#include <chrono>
#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "cpu/cpu_device.h"
#include "cuda/cuda_device.h"
#include "cuda/emulated.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds, std::chrono::milliseconds, std::chrono::seconds;

constexpr seconds kLong{60};
#ifdef ALNUS_CUDA_EMULATION
constexpr seconds kSoon{20};  // the emulation computes only a few million cells a second
#else
constexpr milliseconds kSoon{500};
#endif
constexpr std::size_t of(std::size_t on_gpu, std::size_t emulated) { return kEmulated ? emulated : on_gpu; }

// The sink of a run that is cancelled, by another thread or by the sink itself.
class StoppedSink : public Sink {
 public:
  enum class When : std::uint8_t { never, in_floor, when_computed };  // when the sink requests the stop
  explicit StoppedSink(std::uint32_t limit = 0, When when = When::never) : limit_(limit), when_(when) {}

  void accept(const Tile& /*tile*/, std::span<const PairResult> /*results*/) override { handed_over = true; }
  void accept_scores(const Tile& /*tile*/, const TileScores& /*scores*/) override { handed_over = true; }
  void computed() override {
    if (when_ == When::when_computed) flag.request();
  }
  std::int32_t floor(Position row) const override {
    if (when_ == When::in_floor) flag.request();
    return Sink::floor(row);
  }
  std::uint32_t limit() const override { return limit_; }
  const StopFlag& stop_flag() const override { return flag; }

  mutable StopFlag flag;
  bool handed_over = false;

 private:
  const std::uint32_t limit_;
  const When when_;
};

// Expects that the device can be used: its results of a small tile are the CPU's.
void expect_usable(Device& device, const Problem& problem) {
  Random random(5);
  Workload work;
  for (std::size_t k = 0; k < 3; ++k) work.queries.push_back(random_sequence(random, 30 + 20 * k));
  for (std::size_t k = 0; k < 10; ++k) work.subjects.push_back(relative(random, work.queries[k % 3], 10, 3));
  const auto cpu = cpu::make_cpu_device({});
  Collect expected, actual;
  cpu->run(LoadedWorkload(*cpu, work).tile(), problem, expected);
  const LoadedWorkload loaded(device, work);
  device.run(loaded.tile(), problem, actual);
  EXPECT_EQ(actual.found, expected.found);
}

// Runs the tile, and requests a stop from another thread after the delay. Returns true if the run was
// stopped, and false if it ended before the request.
bool is_stopped(Device& device, const Tile& tile, const Problem& problem, StoppedSink& sink,
                microseconds delay) {
  Clock::time_point requested;
  std::jthread other([&] {
    std::this_thread::sleep_for(delay);
    requested = Clock::now();
    sink.flag.request();
  });
  bool stopped = false;
  try {
    device.run(tile, problem, sink);
  } catch (const Interrupted&) {
    stopped = true;
  }
  const Clock::time_point ended = Clock::now();
  other.join();
  EXPECT_NE(stopped, sink.handed_over);
  EXPECT_TRUE(!stopped || ended - requested < kSoon)
      << std::chrono::duration<double>(ended - requested).count() << " s, requested after " << delay.count()
      << " microseconds";
  return stopped;
}

struct StopCase {
  std::string name;
  Mode mode;
  Detail detail;
  std::size_t queries, query_length, subjects, subject_length;
  TileShape shape = TileShape::rectangle;
  std::uint32_t limit = 0;
  std::uint64_t memory_bytes = UINT64_MAX;
  std::string method = "auto";
  bool uploads = false;  // if true, each run begins with an upload
  Gaps gaps = {11, 1};

  Problem problem() const { return {scoring_of({mode}, gaps), detail}; }
};

Workload workload_of(const StopCase& stop) {
  Random random(7);
  Workload work;
  work.shape = stop.shape;
  const auto add = [&](std::vector<Residues>& sequences, std::size_t count, std::size_t length) {
    for (std::size_t k = 0; k < count; ++k)
      sequences.push_back(random_sequence(random, length / 2 + 1 + below(random, length / 2)));
  };
  add(work.queries, stop.queries, stop.query_length);
  add(work.subjects, stop.subjects, stop.subject_length);
  for (std::uint32_t q = 0; stop.shape == TileShape::list && q < stop.queries; ++q)
    for (std::uint32_t s = 0; s < stop.subjects; ++s) work.pairs.emplace_back(q, s);
  return work;
}

std::vector<StopCase> stop_cases() {
  const std::size_t rows = of(500, 8), columns = of(20'000, 40), length = of(600, 150);
  std::vector<StopCase> cases;
  const auto add = [&](StopCase added) { cases.push_back(std::move(added)); };
  add({"best_hits", Mode::local, Detail::score, rows, length, columns, length, {}, 10});
  add({"all_scores", Mode::local, Detail::score, rows, length, columns, length});
  add({"global_scores", Mode::global, Detail::score, rows, length, columns, length, {}, 10});
  add({"slabs_that_pass",
       Mode::local,
       Detail::score,
       rows,
       length,
       columns,
       length,
       {},
       10,
       of(4 << 20, 4 << 10)});
  add({"long_query", Mode::local, Detail::score, 1, of(200'000, 3000), of(2000, 4), of(50'000, 600), {}, 10});
  add({"upload",
       Mode::local,
       Detail::score,
       1,
       of(40, 8),
       of(300'000, 800),
       of(400, 200),
       {},
       10,
       UINT64_MAX,
       "auto",
       true});
  const std::size_t short_length = of(600, 47);
  add({"rectangle_in_parts", Mode::local, Detail::alignment, of(200, 20), short_length, of(10'000, 200),
       short_length, TileShape::rectangle, 0, of(1 << 30, 3 << 20)});
  add({"global_rectangle", Mode::global, Detail::alignment, of(200, 8), length, of(10'000, 30), length});
  add({"long_rectangle", Mode::global, Detail::alignment, 2, of(15'000, 900), 4, of(15'000, 900)});
  if (!kEmulated)  // takes a minute in the emulation; kernels for shorter subjects do not stop within a pass
    add({"long_subject", Mode::semiglobal, Detail::score, 1, 300, 2, 20'000'000});
  add({"list", Mode::local, Detail::alignment, of(100, 4), of(3000, 150), of(100, 5), of(3000, 150),
       TileShape::list});
  add({"long_pair", Mode::global, Detail::alignment, 1, of(60'000, 1200), 1, of(60'000, 1200),
       TileShape::list});
  add({"very_long_pair", Mode::local, Detail::score, 1, of(400'000, 3000), 1, of(400'000, 3000),
       TileShape::list});
  for (const PaperMethod& method : cuda::paper_methods()) {
    // A thread block of prefix-scan has 512 threads, which are slow in the emulation.
    const std::size_t subjects = of(20'000, method.name == "prefix-scan" ? 4 : 300);
    StopCase added{std::string(method.name), Mode::local, Detail::score, of(20, 2), length, subjects, length};
    added.method = method.name;
    added.gaps = {0, 4};
    std::ranges::replace(added.name, '-', '_');
    add(std::move(added));
  }
  return cases;
}

class CudaStop : public testing::TestWithParam<StopCase> {};

// Runs the same tile again and again and requests each stop a little later, until a run ends before the
// request. So every step of a run is stopped.
TEST_P(CudaStop, AnyMoment) {
  const StopCase& stop = GetParam();
  const auto device =
      cuda::make_cuda_device({.ordinal = 0, .method = stop.method, .memory_bytes = stop.memory_bytes});
  const Problem problem = stop.problem();
  ASSERT_EQ(device->declines(problem), "");
  const Workload work = workload_of(stop);
  constexpr microseconds kLatest = seconds(3);
  std::optional<LoadedWorkload> loaded;
  int stopped = 0, missed = 0;
  for (microseconds delay{0}; delay < kLatest && missed < 20;) {
    if (!loaded || stop.uploads) loaded.emplace(*device, work);
    StoppedSink sink(stop.limit);
    if (is_stopped(*device, loaded->tile(), problem, sink, delay)) {
      if (++stopped % 4 == 1) expect_usable(*device, problem);
      delay = delay * 3 / 2 + microseconds(100);
    } else if (stopped > 0) {
      break;
    } else {
      ++missed;  // on a busy machine the request may come too late
    }
  }
  EXPECT_GT(stopped, 0);
  expect_usable(*device, problem);
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaStop, testing::ValuesIn(stop_cases()),
                         [](const auto& info) { return info.param.name; });

const Problem& scores() {
  static const Problem problem{scoring_of({Mode::local}, {11, 1}), Detail::score};
  return problem;
}

// A pair so long that it keeps a GPU busy until the run is stopped.
StopCase endless() {
  return {"endless", Mode::local,           Detail::score,  1, of(1'000'000, 20'000),
          1,         of(1'000'000, 20'000), TileShape::list};
}

TEST(CudaStops, ARequestBeforeTheRun) {
  const auto device = cuda::make_cuda_device({});
  const Workload work = workload_of(endless());
  const LoadedWorkload loaded(*device, work);
  StoppedSink sink;
  sink.flag.request();
  const Clock::time_point begun = Clock::now();
  EXPECT_THROW(device->run(loaded.tile(), scores(), sink), Interrupted);
  EXPECT_LT(Clock::now() - begun, milliseconds(100));
  EXPECT_FALSE(sink.handed_over);
  expect_usable(*device, scores());
}

TEST(CudaStops, ARequestOfTheSinkItself) {
  const auto device = cuda::make_cuda_device({});
  const Workload work = workload_of({"", Mode::local, Detail::score, 3, 40, 20, 40});
  const LoadedWorkload loaded(*device, work);
  StoppedSink in_floor(10, StoppedSink::When::in_floor);
  EXPECT_THROW(device->run(loaded.tile(), scores(), in_floor), Interrupted);
  EXPECT_FALSE(in_floor.handed_over);
  const Problem alignments{scores().scoring, Detail::alignment};
  StoppedSink when_computed(0, StoppedSink::When::when_computed);
  EXPECT_THROW(device->run(loaded.tile(), alignments, when_computed), Interrupted);
  EXPECT_FALSE(when_computed.handed_over);
  expect_usable(*device, alignments);
}

TEST(CudaStops, ARunThatWaitsForAnother) {
  for (const char* method : {"auto", "band-sweep"}) {
    const auto device = cuda::make_cuda_device({.method = method});
    StopCase busy{"", Mode::local, Detail::score, of(200, 8), of(4000, 1000), of(20'000, 40), of(4000, 1000)};
    const Workload work = workload_of(busy);
    const LoadedWorkload loaded(*device, work);
    StoppedSink first, second;
    std::jthread other([&] { EXPECT_THROW(device->run(loaded.tile(), scores(), first), Interrupted); });
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_TRUE(is_stopped(*device, loaded.tile(), scores(), second, milliseconds(30)));
    first.flag.request();
    other.join();
    EXPECT_FALSE(first.handed_over);
    expect_usable(*device, scores());
  }
}

// A sink that keeps its tile until `may_end` is set.
class SlowSink : public StoppedSink {
 public:
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    begun.set_value();
    EXPECT_EQ(may_end.get_future().wait_for(kLong), std::future_status::ready);
    StoppedSink::accept_scores(tile, scores);
  }
  std::promise<void> begun, may_end;
};

TEST(CudaStops, ARunThatWaitsForSinks) {
  const auto device = cuda::make_cuda_device({});
  const Workload work = workload_of({"", Mode::local, Detail::score, 3, 40, 20, 40});
  const LoadedWorkload loaded(*device, work);
  SlowSink slow[2];
  std::vector<std::jthread> threads;
  for (SlowSink& sink : slow) {
    threads.emplace_back([&] { device->run(loaded.tile(), scores(), sink); });
    ASSERT_EQ(sink.begun.get_future().wait_for(kLong), std::future_status::ready);
  }
  StoppedSink waiting;
  EXPECT_TRUE(is_stopped(*device, loaded.tile(), scores(), waiting, milliseconds(30)));
  for (SlowSink& sink : slow) sink.may_end.set_value();
  threads.clear();
  for (const SlowSink& sink : slow) EXPECT_TRUE(sink.handed_over);
  expect_usable(*device, scores());
}

}  // namespace
}  // namespace alnus::test
