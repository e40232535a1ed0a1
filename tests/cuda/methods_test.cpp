// The methods of papers: scores equal those of align_reference() in every mode that a method supports, and
// other problems are declined with a sentence. On a GPU the methods are also among the implementations of
// tests/device.
#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda/cuda_device.h"
#include "cuda/emulated.h"
#include "cuda/on_device.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus {

void PrintTo(const PaperMethod& method, std::ostream* out) { *out << method.name; }  // for gtest

namespace test {
namespace {

class Methods : public testing::TestWithParam<PaperMethod> {
 protected:
  // Compares the method with align_reference() in those of `modes` that the method supports.
  void check(Workload work, Gaps gaps, const SubstitutionMatrix& matrix,
             const std::vector<ModeAndEnds>& modes = main_modes()) {
    const std::string method(GetParam().name);
    const Implementations all{
        {method, [method](std::uint64_t memory_bytes) {
           return cuda::make_cuda_device({0, method, std::max(memory_bytes, 64UL << 20)});
         }}};
    for (const ModeAndEnds& mode : modes) {
      // The second scoring has linear gaps, the only ones that some methods support. Methods that only score
      // leave ends and alignments to the usual device.
      for (const Scoring& scoring : {scoring_of(mode, gaps, matrix), scoring_of(mode, {0, 4}, matrix)}) {
        work.details = {Detail::score};
        const auto device = all[0].make(work.memory_bytes);
        if (!device->declines({scoring, Detail::score}).empty()) continue;
        if (aligns()) work.details = {Detail::score, Detail::ends, Detail::alignment};
        EXPECT_TRUE(equals_reference(all, work, scoring));
      }
    }
  }
  void check(const Workload& work, Gaps gaps, const std::vector<ModeAndEnds>& modes = main_modes()) {
    check(work, gaps, SubstitutionMatrix::builtin("BLOSUM62"), modes);
  }

  // True if the emulation takes seconds for each pair, because prefix-scan has thread blocks of 512 threads.
  static bool is_slow() { return GetParam().name == "prefix-scan" && takes_a_sample(); }

  // True if the method supports mode global. Methods for searches support mode local only.
  bool aligns() const {
    const Scoring global = scoring_of({Mode::global}, {10, 2});
    return cuda::make_cuda_device({0, std::string(GetParam().name)})
        ->declines({global, Detail::score})
        .empty();
  }
};

// Lengths are around the units of the methods: words of four residues, bands of 8 and 12 rows, and vectors of
// 16 rows. The 80 subjects are no whole number of groups of 32 or 256.
TEST_P(Methods, ShortSequencesOfAllLengths) {
  Random random(1);
  Workload work;
  for (const std::size_t length : {0, 1, 3, 4, 5, 11, 12, 13, 16, 25, 50})
    work.queries.push_back(with_random_case(random, random_sequence(random, length, 27)));
  for (std::size_t length = 0; length < 40; ++length) {
    work.subjects.push_back(random_sequence(random, length, 27));
    work.subjects.push_back(relative(random, work.queries[length % work.queries.size()], 6, 15));
  }
  check(work, {10, 2});
}

TEST_P(Methods, EverySetOfFreeEnds) {
  Random random(2);
  Workload work;
  for (const std::size_t length : {1, 9, 23}) {
    work.queries.push_back(random_sequence(random, length, 3));
    for (int k = 0; k < 3; ++k) work.subjects.push_back(random_sequence(random, below(random, 30), 3));
  }
  check(work, {3, 1}, all_modes());
}

TEST_P(Methods, StaircasesAndLists) {
  Random random(3);
  std::vector<Residues> set;
  const std::uint32_t sequences = is_slow() ? 10 : 20;
  for (std::uint32_t k = 0; k < sequences; ++k) set.push_back(random_sequence(random, below(random, 40), 4));
  check(triangle_of(set), {11, 1});
  Workload list{.queries = set, .subjects = set, .shape = TileShape::list};
  for (std::uint32_t k = 0; k < sequences * 3 / 2; ++k)
    list.pairs.emplace_back(k / 2, static_cast<std::uint32_t>(below(random, set.size())));
  std::ranges::sort(list.pairs);
  list.pairs.erase(std::unique(list.pairs.begin(), list.pairs.end()), list.pairs.end());
  check(list, {11, 1});
}

// Sequences are longer than the pieces in which methods compute a pair: partitions of 256 rows, slices of 512
// columns, and bands. Relatives have gaps across the borders of these pieces.
TEST_P(Methods, BeyondPartitionsAndSlices) {
  Random random(4);
  Workload work;
  using Lengths = std::vector<std::size_t>;
  const bool sample = is_slow();
  for (const std::size_t length : sample ? Lengths{257} : Lengths{700, 513, 257, 256}) {
    work.queries.push_back(random_sequence(random, length));
    work.subjects.push_back(relative(random, work.queries.back(), 15, 40));
  }
  work.subjects.push_back(
      concatenate({random_sequence(random, sample ? 60 : 400), work.queries[sample ? 0 : 2], repeat("A", 30),
                   random_sequence(random, 300)}));
  check(work, {11, 1});
}

TEST_P(Methods, TiesAndRepeats) {
  Workload work;
  for (const char* unit : {"A", "AC", "ACC", "WWA"}) {
    work.queries.push_back(repeat(unit, 61));
    work.subjects.push_back(repeat(unit, 45));
    work.subjects.push_back(concatenate({repeat(unit, 20), repeat("G", 9), repeat(unit, 30)}));
  }
  for (const Gaps gaps : {Gaps{0, 0}, {3, 0}, {1, 1}}) check(work, gaps);
}

TEST_P(Methods, StrangeMatrices) {
  Random random(5);
  Workload work;
  for (const std::size_t length : {5, 30, 47}) {
    work.queries.push_back(random_sequence(random, length, 27));
    work.subjects.push_back(random_sequence(random, length + 8, 27));
  }
  check(work, {4, 1}, matrix_of([](int query, int subject) { return query == subject ? 5 : 1; }));
  check(work, {4, 1}, matrix_of([](int, int) { return -3; }));
  check(work, {4, 1}, matrix_of([](int query, int subject) { return (7 * query + 3 * subject) % 11 - 5; }));
  check(work, {20000, 15000}, matrix_of([](int query, int subject) { return (query + subject) % 9 - 4; }));
}

// Some of these scores do not fit 16 bits.
TEST_P(Methods, HighScores) {
  Workload work;
  for (const std::size_t length : {690, 600, 520, 300, 255}) {
    work.queries.push_back(repeat("WC", length));
    work.subjects.push_back(repeat("WC", length + 3));
  }
  work.queries.resize(2);
  check(work, {200, 20}, matrix_of([](int query, int subject) { return query == subject ? 120 : -100; }));
}

TEST_P(Methods, WhatThePaperCannotDoIsDeclinedWithItsName) {
  const auto device = cuda::make_cuda_device({0, std::string(GetParam().name)});
  const auto huge = matrix_of([](int query, int subject) { return query == subject ? 30000 : -30000; });
  for (const ModeAndEnds& mode : main_modes()) {
    for (const Scoring& scoring : {scoring_of(mode, {10, 2}), scoring_of(mode, {10, 2}, huge)}) {
      const std::string reason = device->declines({scoring, Detail::score});
      if (reason.empty()) continue;
      EXPECT_THAT(reason, testing::HasSubstr(GetParam().name));
      EXPECT_EQ(reason.back(), '.');
    }
  }
  EXPECT_EQ(device->declines({scoring_of({Mode::local}, {0, 4}), Detail::score}), "");
}

// The sink asks for scores as a search does: with a floor (the lowest score that it wants) for each row, and
// a limit of the results of a row.
TEST_P(Methods, OnlyTheBestOfEachRowForASinkWithALimit) {
  class Limited : public Collect {
   public:
    std::int32_t floor(Position row) const override { return row == Position(0) ? 20 : -1000; }
    std::uint32_t limit() const override { return 3; }
  };
  Random random(6);
  Workload work;
  for (const std::size_t length : {40, 30, 20}) work.queries.push_back(random_sequence(random, length));
  const int subjects = is_slow() ? 20 : 70;
  for (int k = 0; k < subjects; ++k)
    work.subjects.push_back(relative(random, work.queries[k % 3], 3 + k % 9, 15));
  const Scoring scoring = scoring_of({Mode::local}, {0, 4});
  const auto device = cuda::make_cuda_device({0, std::string(GetParam().name)});
  const LoadedWorkload loaded(*device, work);
  Limited sink;
  device->run(loaded.tile(), {scoring, Detail::score}, sink);
  for (std::uint32_t query = 0; query < 3; ++query) {
    std::vector<std::int32_t> scores;
    for (const Residues& subject : work.subjects)
      scores.push_back(align_reference(work.queries[query], subject, scoring, Detail::score).score);
    std::vector<std::int32_t> sorted = scores;
    std::ranges::sort(sorted, std::greater<>());
    const std::int32_t least = std::max(sorted[2], sink.floor(Position(query)));
    for (std::uint32_t subject = 0; subject < scores.size(); ++subject) {
      const auto found = sink.found.find({query, subject});
      EXPECT_EQ(found != sink.found.end(), scores[subject] >= least) << query << ", " << subject;
      if (found == sink.found.end()) continue;
      EXPECT_EQ(found->second.score, scores[subject]);
    }
  }
}

// A method for searches takes the memory that `estimate` says, beside the subjects, and a little for the
// query and the scoring. (A real GPU hands out memory in pieces of some MB, so there it cannot be told.)
TEST_P(Methods, TakeTheMemoryThatIsExpected) {
  if (!kEmulated || is_slow() || aligns()) return;
  Random random(7);
  Workload work{.queries = {random_sequence(random, 260)}};  // cudasw2-striped needs memory from 257 rows on
  for (int k = 0; k < 64; ++k) work.subjects.push_back(random_sequence(random, 60));
  const Problem problem{scoring_of({Mode::local}, {0, 4}), Detail::score};
  const auto free_bytes = [] {
    std::size_t free = 0, all = 0;
    require(cudaMemGetInfo(&free, &all));
    return free;
  };
  const auto device = cuda::make_cuda_device({0, std::string(GetParam().name)});
  const LoadedWorkload loaded(*device, work);
  const std::uint64_t expected = device->estimate(loaded.tile(), problem).bytes;
  const std::size_t before = free_bytes();
  Collect sink;
  device->run(loaded.tile(), problem, sink);
  const std::uint64_t taken = before - free_bytes() - device->counters().resident_bytes;
  EXPECT_LE(expected, taken);
  EXPECT_GE(static_cast<double>(expected), 0.6 * static_cast<double>(taken));
  Tile none = loaded.tile();
  none.column_range.end = none.column_range.begin;
  EXPECT_EQ(device->estimate(none, problem).bytes, 0U);
}

TEST(PaperMethods, EachHasAPaperAndANameOfItsOwn) {
  std::set<std::string_view> names;
  std::set<std::pair<std::string_view, std::string_view>> systems;
  const std::vector<PaperMethod> methods = cuda::paper_methods();
  for (const PaperMethod& method : methods) {
    names.insert(method.name);
    systems.emplace(method.paper, method.system);
    EXPECT_THAT(cuda::methods(), testing::Contains(method.name));
  }
  EXPECT_EQ(names.size(), methods.size());
  EXPECT_EQ(systems.size(), methods.size());
}

INSTANTIATE_TEST_SUITE_P(Cuda, Methods, testing::ValuesIn(cuda::paper_methods()), [](const auto& info) {
  std::string name(info.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace test
}  // namespace alnus
