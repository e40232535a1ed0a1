// Tests for the CPU alone: its threads, bounds and memory, and the choice of instruction set and method.
#include "cpu/cpu_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "device/implementations.h"

namespace alnus::test {
namespace {

using testing::HasSubstr;

std::vector<Residues> random_sequences(unsigned seed, std::size_t count, std::size_t longest) {
  Random random(seed);
  std::vector<Residues> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back(random_sequence(random, below(random, longest + 1), k % 3 ? 20 : 3));
  return all;
}

TEST(Threads, RunTilesOfOneDeviceAtATime) {
  const Workload work{.queries = random_sequences(43, 6, 120), .subjects = random_sequences(44, 100, 120)};
  for (const std::string& isa : cpu::supported_isas()) {
    const auto device = cpu::make_cpu_device({4, isa, "auto", 1 << 30});
    EXPECT_EQ(device->info().concurrency, 4);
    for (const ModeAndEnds& mode : main_modes()) {
      for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
        const Problem problem{scoring_of(mode, {11, 1}), detail};
        SCOPED_TRACE(isa + ", " + describe(problem.scoring, detail));
        check_slots(*device, work, problem);
      }
    }
  }
}

// A sink with a floor, the lowest score that it wants. Devices may hand over bounds in place of scores above
// it.
class CollectAbove40 : public Collect {
 public:
  std::int32_t floor(Position) const override { return 40; }
};

// Tests that some scores come as bounds (PairResult::slack). The tests in tests/device check that bounds
// hold.
TEST(Bounds, AreToldInModeLocalOnly) {
  Random random(47);
  Workload work{.queries = random_sequences(48, 5, 70)};
  for (const Residues& query : work.queries)
    for (int copy = 0; copy < 8; ++copy) work.subjects.push_back(relative(random, query, 8, 6));
  for (const ModeAndEnds& mode : main_modes()) {
    std::size_t inexact = 0;
    const Problem problem{scoring_of(mode, {11, 1}), Detail::score, true};
    for_each_device(implementations(), problem, [&](Device& device) {
      const LoadedWorkload loaded(device, work);
      CollectAbove40 sink;
      device.run(loaded.tile(), problem, sink);
      inexact += sink.slack.size();
    });
    EXPECT_EQ(inexact > 0, mode.mode == Mode::local) << name_of(mode);
  }
}

// Notes whether scores came in an array.
class CollectScores : public Collect {
 public:
  explicit CollectScores(std::int32_t floor, std::uint32_t limit) : floor_(floor), limit_(limit) {}
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    in_an_array = true;
    Collect::accept_scores(tile, scores);
  }
  std::int32_t floor(Position) const override { return floor_; }
  std::uint32_t limit() const override { return limit_; }
  bool in_an_array = false;

 private:
  const std::int32_t floor_;
  const std::uint32_t limit_;
};

// The scores come in one array also if other kernels score the pairs of long and of empty sequences.
TEST(TinyScores, ComeInAnArrayWhereAllPairsAreWanted) {
  constexpr std::int32_t kNoFloor = std::numeric_limits<std::int32_t>::min();
  Random random(50);
  Workload work;
  for (std::size_t k = 0; k < 20; ++k) work.queries.push_back(random_sequence(random, k < 2 ? 300 * k : k));
  for (std::size_t k = 0; k < 150; ++k)
    work.subjects.push_back(random_sequence(random, k < 10 ? 40 * k : 1 + below(random, 20)));
  for (const std::string& isa : cpu::supported_isas()) {
    const auto device = cpu::make_cpu_device({1, isa, "auto", 1 << 30});
    const LoadedWorkload loaded(*device, work);
    for (const ModeAndEnds& mode : main_modes()) {
      const Problem problem{scoring_of(mode, {11, 1}), Detail::score};
      CollectScores all(kNoFloor, 0), high(10, 0), best(kNoFloor, 3);
      for (CollectScores* sink : {&all, &high, &best}) device->run(loaded.tile(), problem, *sink);
      EXPECT_TRUE(all.in_an_array);
      EXPECT_FALSE(high.in_an_array);
      EXPECT_FALSE(best.in_an_array);
      ASSERT_EQ(all.found.size(), work.queries.size() * work.subjects.size());
      for (const auto& [pair, alignment] : all.found) {
        ASSERT_EQ(alignment, align_reference(work.queries[pair.first], work.subjects[pair.second],
                                             problem.scoring, problem.detail));
        EXPECT_TRUE(alignment.score < 10 || high.found.contains(pair));
      }
      EXPECT_LT(high.found.size(), all.found.size());
      EXPECT_EQ(best.found, all.found);
    }
  }
}

std::map<Pair, Alignment> align_within(std::uint64_t memory_bytes, const std::string& isa,
                                       const Workload& work, const ModeAndEnds& mode) {
  const auto device = cpu::make_cpu_device({1, isa, "striped", memory_bytes});
  const LoadedWorkload loaded(*device, work);
  Collect sink;
  device->run(loaded.tile(), {scoring_of(mode, {11, 1}), Detail::alignment}, sink);
  return sink.found;
}

// With little memory a pair is aligned in pieces of columns, with less in pieces of these pieces, and so on.
TEST(Memory, LongPairsAreTheSameInLittleOfIt) {
  Random random(48);
  const Residues ancestor = random_sequence(random, 7000);
  const Workload work{.queries = {ancestor, random_sequence(random, 40)},
                      .subjects = {relative(random, ancestor, 10, 30), random_sequence(random, 150)}};
  for (const ModeAndEnds& mode : main_modes()) {
    const auto expected = align_within(1ULL << 30, "auto", work, mode);
    for (const std::uint64_t memory : {1 << 24, 1 << 20, 1 << 17})
      EXPECT_EQ(align_within(memory, "auto", work, mode), expected) << name_of(mode) << ", " << memory;
  }
}

TEST(Memory, ShortPairsAreTheSameInHardlyAny) {
  Random random(49);
  Workload work;
  for (const std::size_t length : {1, 250, 900}) {
    const Residues ancestor = random_sequence(random, length);
    work.queries.push_back(ancestor);
    work.subjects.push_back(relative(random, ancestor, 9, 40));
  }
  work.subjects.push_back(random_sequence(random, 5000));
  for (const ModeAndEnds& mode : main_modes()) {
    const auto expected = align_within(1ULL << 30, "auto", work, mode);
    for (const std::string& isa : cpu::supported_isas()) {
      for (std::uint64_t memory = 1 << 12; memory < 1 << 20; memory = memory * 3 / 2)
        ASSERT_EQ(align_within(memory, isa, work, mode), expected)
            << isa << ", " << name_of(mode) << ", " << memory;
    }
  }
}

// Scores in 8 bits take the least time. The memory depends on the longest sequences, in whatever order pairs
// come.
TEST(Estimates, FollowTheProblemAndTheLongestSequences) {
  Random random(51);
  const auto device = cpu::make_cpu_device({1, "auto", "auto", 1 << 30});
  const LoadedWorkload loaded(*device,
                              {.queries = {random_sequence(random, 300), random_sequence(random, 90)},
                               .subjects = {random_sequence(random, 200), random_sequence(random, 50)}});
  Tile rectangle = loaded.tile(), list = rectangle;
  rectangle.row_range = rectangle.column_range = positions(0, 1);
  rectangle.cells = list.cells = 60'000;
  list.shape = TileShape::list;
  const auto estimate = [&](const Tile& tile, Mode mode, Detail detail) {
    return device->estimate(tile, {scoring_of({mode}, {11, 1}), detail});
  };
  const auto list_bytes = [&](const std::vector<PositionPair>& pairs, Detail detail) {
    list.pairs = pairs;
    return estimate(list, Mode::local, detail).bytes;
  };
  const PositionPair longest = position_pair(0, 0), shortest = position_pair(1, 1);
  list.pairs = {longest};
  const double least = estimate(rectangle, Mode::local, Detail::score).seconds;
  EXPECT_GT(least, 0);
  EXPECT_DOUBLE_EQ(estimate(list, Mode::local, Detail::score).seconds, 2 * least);
  EXPECT_DOUBLE_EQ(estimate(rectangle, Mode::global, Detail::score).seconds, 2 * least);
  EXPECT_DOUBLE_EQ(estimate(rectangle, Mode::local, Detail::ends).seconds, 2 * least);
  EXPECT_DOUBLE_EQ(estimate(rectangle, Mode::local, Detail::alignment).seconds, 4 * least);
  for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
    const std::uint64_t one = list_bytes({longest}, detail), both = list_bytes({longest, shortest}, detail);
    EXPECT_EQ(one, estimate(rectangle, Mode::local, detail).bytes);
    EXPECT_LT(list_bytes({shortest}, detail), one);
    EXPECT_EQ(list_bytes({shortest, longest}, detail), both);
    EXPECT_GE(both, one + sizeof(PairResult));
    EXPECT_EQ(list_bytes({longest, longest}, detail), both) << "the longest count once";
  }
}

TEST(Choice, TheDeviceSaysWhatItUses) {
  for (const std::string& isa : cpu::supported_isas()) {
    for (const std::string& method : cpu::methods()) {
      const auto device = cpu::make_cpu_device({3, isa, method, 1 << 28});
      EXPECT_EQ(device->info().name, "cpu");
      EXPECT_EQ(device->info().kind, DeviceKind::cpu);
      EXPECT_EQ(device->info().concurrency, 3);
      EXPECT_EQ(device->info().memory_bytes, 1U << 28);
      EXPECT_GT(device->info().gcups, 0);
      EXPECT_THAT(device->info().description, HasSubstr(isa));
      for (const std::string& other : cpu::supported_isas()) {
        if (other != isa) {
          EXPECT_THAT(device->info().description, Not(HasSubstr(other)));
        }
      }
    }
  }
}

TEST(Choice, ThePortableSetIsAlwaysThereAndAutoTakesTheBest) {
  const std::vector<std::string> isas = cpu::supported_isas();
  EXPECT_THAT(isas, testing::Contains("portable"));
  EXPECT_THAT(cpu::methods(), testing::UnorderedElementsAre("auto", "tiny", "subsequence", "interseq",
                                                            "differences", "striped", "snapshots"));
  EXPECT_THAT(cpu::make_cpu_device({})->info().description, HasSubstr(isas.front()));
}

TEST(Choice, UnknownNamesAreErrors) {
  const auto error = [](const cpu::CpuOptions& options) {
    try {
      cpu::make_cpu_device(options);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::input);
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error({.isa = "avx3"}), testing::AllOf(HasSubstr("avx3"), HasSubstr("avx2")));
  EXPECT_THAT(error({.method = "stripe"}), testing::AllOf(HasSubstr("stripe"), HasSubstr("striped")));
}

}  // namespace
}  // namespace alnus::test
