// Searches on a GPU find the same hits as on the CPU, in every field: real data, sets of all sizes, very
// short and very long sequences, little memory.
#include "cuda/cuda_device.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

#include "alnus/error.h"
#include "cpu/cpu_device.h"
#include "cuda/kernels/scores16_shapes.h"
#include "cuda/limits.h"
#include "cuda/search_on.h"
#include "cuda/shapes.h"
#include "support/device_check.h"
#include "support/example_data.h"

namespace alnus::test {
namespace {

std::vector<Residues> random_sequences(Random& random, std::size_t count, std::size_t longest) {
  std::vector<Residues> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back(random_sequence(random, below(random, longest + 1), k % 5 ? 20 : 2));
  return all;
}

// Options of two searches: one for the scores of all pairs, and one for the best pairs with their alignments.
std::vector<engine::SearchOptions> both_ways() {
  return {{.asked = {.detail = Detail::score, .max_target_seqs = UINT32_MAX, .evalue = 1e300}},
          {.asked = {.evalue = 1e300}}};
}

void expect_the_hits_of_the_cpu(const SequenceSet& queries, const SequenceSet& database,
                                const Scoring& scoring, const cuda::CudaOptions& cuda_options = {}) {
  const auto cpu = cpu::make_cpu_device({.threads = static_cast<int>(std::thread::hardware_concurrency())});
  const auto cuda = cuda::make_cuda_device(cuda_options);
  for (const engine::SearchOptions& options : both_ways()) {
    const Found expected = search_on({cpu.get()}, queries, database, scoring, options);
    const Found found = search_on({cuda.get()}, queries, database, scoring, options);
    EXPECT_TRUE(same_hits(expected, found)) << describe(scoring, options.asked.detail);
    EXPECT_THAT(found.warnings, testing::IsEmpty());
  }
}

class CudaSearch : public testing::TestWithParam<ModeAndEnds> {
 protected:
  const Scoring scoring_ = scoring_of(GetParam(), {11, 1});
};

TEST_P(CudaSearch, RealData) {
  if (!has_example_data()) GTEST_SKIP() << kNoExampleData;
  expect_the_hits_of_the_cpu(make_set(sample(example_data() + "/QUERY.fasta.gz", 40, SIZE_MAX)),
                             make_set(sample(example_data() + "/DB.fasta.gz", 2000, SIZE_MAX)), scoring_);
}

TEST_P(CudaSearch, SetsOfAllSizes) {
  Random random(71);
  for (const std::size_t subjects : {1, 2, 3, 31, 33, 1000, 20000}) {
    const SequenceSet database = make_set(random_sequences(random, subjects, 30));
    for (const std::size_t queries : {1, 2, 3, 21}) {
      SCOPED_TRACE(testing::Message() << queries << " queries, " << subjects << " subjects");
      expect_the_hits_of_the_cpu(make_set(random_sequences(random, queries, 60)), database, scoring_);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSearch, testing::ValuesIn(main_modes()),
                         [](const auto& info) { return name_of(info.param); });

bool is_of_paper(const std::string& method) {
  const std::vector<PaperMethod> papers = cuda::paper_methods();
  return std::ranges::find(papers, method, &PaperMethod::name) != papers.end();
}

// Runs every method that is not a paper's. These methods force each shape of the 16-bit kernel, exact and
// coarse. The gaps have an extend cost of 1, for which the kernel has versions of its own, and others. The
// sequences have scores beyond 16 bits, subjects so long that they are cut into windows, and ties at the
// limit of hits.
TEST(CudaDevice, EveryVersionOfTheKernel) {
  if (!has_example_data()) GTEST_SKIP() << kNoExampleData;
  std::vector<Residues> queries = sample(example_data() + "/QUERY.fasta.gz", 8, SIZE_MAX),
                        subjects = sample(example_data() + "/DB.fasta.gz", 500, SIZE_MAX);
  queries.push_back(repeat("W", 4000));
  queries.push_back(encode("MKTAYIAKQR"));
  Random random(77);
  subjects.push_back(random_sequence(random, 30000));
  subjects.push_back(repeat("W", 3000));
  subjects.push_back(repeat("WWC", 4500));
  for (int k = 0; k < 30; ++k) subjects.push_back(repeat("WW", 20));
  const SequenceSet rows = make_set(queries), columns = make_set(subjects);
  const auto cpu = cpu::make_cpu_device({.threads = static_cast<int>(std::thread::hardware_concurrency())});
  for (const Gaps gaps : {Gaps{11, 1}, {10, 2}, {0, 4}}) {
    const Scoring scoring = scoring_of({Mode::local}, gaps);
    for (const std::uint32_t limit : {10U, UINT32_MAX}) {
      const engine::SearchOptions options{
          .asked = {.detail = Detail::score, .max_target_seqs = limit, .evalue = 1e300}};
      const Found expected = search_on({cpu.get()}, rows, columns, scoring, options);
      for (const std::string& method : cuda::methods()) {
        if (is_of_paper(method)) continue;  // a paper's method would take minutes for the longest sequences
        const auto cuda = cuda::make_cuda_device({0, method});
        if (!cuda->declines({scoring, Detail::score}).empty())
          continue;  // the profile of a forced shape takes too much shared memory
        EXPECT_TRUE(same_hits(expected, search_on({cuda.get()}, rows, columns, scoring, options)))
            << method << ", " << describe(scoring, options.asked.detail) << ", limit " << limit;
      }
    }
  }
}

// Scores of modes global and semiglobal in 16 bits by each shape. Lengths are around the rows of a thread (a
// lane block) and of a pass, and for some pairs 16 bits do not suffice.
class CudaEnds : public testing::TestWithParam<ModeAndEnds> {};

TEST_P(CudaEnds, EveryVersionOfTheKernel) {
  Random random(78);
  std::vector<Residues> queries, subjects;
  for (const std::size_t length : {0, 1, 2, 31, 32, 33, 64, 255, 256, 257, 300, 513, 1025, 1300})
    queries.push_back(random_sequence(random, length));
  queries.push_back(repeat("W", 5900));
  for (const Residues& query : queries) {
    subjects.push_back(random_sequence(random, query.size()));
    subjects.push_back(relative(random, query, 15, 10));
    subjects.push_back(concatenate({random_sequence(random, 40), query, random_sequence(random, 70)}));
    for (const std::size_t length : {5, 100, 400}) subjects.push_back(random_sequence(random, length, 5));
  }
  for (const std::size_t length : {3000, 9000, 20000}) subjects.push_back(random_sequence(random, length));
  for (const char* same : {"A", "WW", "PGPG"}) subjects.push_back(repeat(same, 30));
  const SequenceSet rows = make_set(queries), columns = make_set(subjects);
  const auto cpu = cpu::make_cpu_device({.threads = static_cast<int>(std::thread::hardware_concurrency())});
  for (const Gaps gaps : {Gaps{11, 1}, {0, 4}, {3, 0}, {60, 20}}) {
    const Scoring scoring = scoring_of(GetParam(), gaps);
    for (const std::uint32_t limit : {10U, UINT32_MAX}) {
      const engine::SearchOptions options{
          .asked = {.detail = Detail::score, .max_target_seqs = limit, .evalue = 1e300}};
      const Found expected = search_on({cpu.get()}, rows, columns, scoring, options);
      for (const char* method :
           {"auto", "two-queries", "two-queries-8x32", "two-queries-16x32", "two-queries-32x32"}) {
        const auto cuda = cuda::make_cuda_device({0, method});
        if (!cuda->declines({scoring, Detail::score}).empty())
          continue;  // the profile of a forced shape takes too much shared memory
        EXPECT_TRUE(same_hits(expected, search_on({cuda.get()}, rows, columns, scoring, options)))
            << method << ", " << describe(scoring, options.asked.detail) << ", limit " << limit;
      }
    }
  }
}

TEST_P(CudaEnds, OneShortQueryInLongSubjects) {
  Random random(79);
  std::vector<Residues> subjects;
  for (const std::size_t length : {20000, 5000, 5000, 2100, 700, 90, 1})
    subjects.push_back(random_sequence(random, length));
  const Scoring scoring = scoring_of(GetParam(), {11, 1});
  for (const std::size_t length : {1, 100, 300}) {
    const std::vector<Residues> queries = {random_sequence(random, length)};
    expect_the_hits_of_the_cpu(make_set(queries), make_set(subjects), scoring);
  }
  // For a subject of this length the kernel has a version that looks for a stop of the run within a pass,
  // too, not only between passes.
  subjects.push_back(random_sequence(random, cuda::kColumnsWithoutLooks + 1));
  const std::vector<Residues> queries = {random_sequence(random, 60)};
  expect_the_hits_of_the_cpu(make_set(queries), make_set(subjects), scoring);
}

// For a pair whose scores do not fit 16 bits the 16-bit kernel may give any score. The lowest score that is
// wanted in a row rises with the hits that are found there. A wrong score must not raise it.
TEST(CudaDevice, UnknownScoresHideNoHits) {
  Random random(80);
  const std::vector<Residues> queries = {random_sequence(random, 5000)};
  std::vector<Residues> subjects = {concatenate({random_sequence(random, 30000), queries[0]}),
                                    relative(random, queries[0], 5, 5)};
  for (int k = 0; k < 30; ++k) subjects.push_back(random_sequence(random, 5000));
  const SequenceSet rows = make_set(queries), columns = make_set(subjects);
  const auto cpu = cpu::make_cpu_device({});
  const auto cuda = cuda::make_cuda_device({});
  const Scoring scoring = scoring_of({Mode::global}, {11, 1});
  for (const std::uint32_t limit : {1U, 3U}) {
    const engine::SearchOptions options{
        .asked = {.detail = Detail::score, .max_target_seqs = limit, .evalue = 1e300}};
    EXPECT_TRUE(same_hits(search_on({cpu.get()}, rows, columns, scoring, options),
                          search_on({cuda.get()}, rows, columns, scoring, options)));
  }
}

std::vector<ModeAndEnds> modes_with_ends() {
  std::vector<ModeAndEnds> modes = all_modes();
  std::erase_if(modes, [](const ModeAndEnds& mode) { return mode.mode == Mode::local; });
  return modes;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaEnds, testing::ValuesIn(modes_with_ends()),
                         [](const auto& info) { return name_of(info.param); });

TEST(CudaDevice, VeryShortAndVeryLongSequences) {
  constexpr std::size_t kTitin = 35213;  // residues of the longest human protein
  Random random(72);
  std::vector<Residues> queries, subjects;
  for (const std::size_t length : {std::size_t{1}, kTitin, std::size_t{300}}) {
    queries.push_back(random_sequence(random, length));
    subjects.push_back(random_sequence(random, length));
    subjects.push_back(relative(random, queries.back(), 20, 30));
  }
  expect_the_hits_of_the_cpu(make_set(queries), make_set(subjects), scoring_of({Mode::local}, {11, 1}));
}

// A long query alone. Its pairs with the longest subjects are scored by the kernel that gives each pass of a
// pair a warp of its own (kernels/long_scores.h).
TEST(CudaDevice, ALongQueryAlone) {
  Random random(75);
  const std::vector<Residues> queries = {random_sequence(random, 700)};
  std::vector<Residues> subjects;
  for (std::size_t k = 0; k < 60; ++k) subjects.push_back(random_sequence(random, 40 + below(random, 40)));
  for (std::size_t k = 0; k < 6; ++k) subjects.push_back(random_sequence(random, 1500 + 100 * k));
  subjects.push_back(relative(random, queries[0], 20, 30));
  std::ranges::sort(subjects, std::greater(), &Residues::size);
  std::vector<std::uint32_t> lengths;
  std::uint64_t residues = 0;
  for (const Residues& subject : subjects) {
    lengths.push_back(static_cast<std::uint32_t>(subject.size()));
    residues += subject.size();
  }
  const std::vector<std::uint32_t> one = {700};
  for (const ModeAndEnds& mode : {ModeAndEnds{Mode::local}, ModeAndEnds{Mode::global}}) {
    const auto packing = mode.mode == Mode::local ? cuda::Packing::two_subjects : cuda::Packing::two_queries;
    ASSERT_GT(cuda::count_long_subjects(packing, {one, 26, 200000}, lengths, residues, 0), 0U);
    for (const std::uint64_t memory_bytes : {std::uint64_t{1} << 30, std::uint64_t{1} << 23})
      expect_the_hits_of_the_cpu(make_set(queries), make_set(subjects), scoring_of(mode, {11, 1}),
                                 {.memory_bytes = memory_bytes});
  }
}

// Relatives of the queries are spread over the database, so that there are hits in every piece of it that the
// GPU holds at a time.
TEST(CudaDevice, ADatabaseThatIsLargerThanTheMemory) {
  Random random(73);
  const std::vector<Residues> queries = {random_sequence(random, 60), random_sequence(random, 200)};
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (std::size_t k = 0; k < 100000; ++k)
    builder.add("", k % 1000 ? random_sequence(random, 1000) : relative(random, queries[k / 1000 % 2], 8, 5));
  const SequenceSet database = builder.finish();
  const cuda::CudaOptions options{.memory_bytes = database.total_residues() / 3};
  EXPECT_LE(cuda::make_cuda_device(options)->info().memory_bytes, options.memory_bytes);
  expect_the_hits_of_the_cpu(make_set(queries), database, scoring_of({Mode::local}, {11, 1}), options);
}

TEST(CudaDevice, AllSlotsAtATime) {
  Random random(74);
  const Workload work{.queries = random_sequences(random, 6, 120),
                      .subjects = random_sequences(random, 100, 120)};
  const auto device = cuda::make_cuda_device({});
  for (const ModeAndEnds& mode : main_modes()) {
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      const Problem problem{scoring_of(mode, {11, 1}), detail};
      SCOPED_TRACE(describe(problem.scoring, detail));
      check_slots(*device, work, problem);
    }
  }
}

TEST(CudaDevice, SaysWhatItIs) {
  ASSERT_THAT(cuda::devices(), testing::Not(testing::IsEmpty()));
  for (const std::string& method : cuda::methods()) {
    const DeviceInfo info = cuda::make_cuda_device({.method = method})->info();
    EXPECT_EQ(info.name, "cuda:0");
    EXPECT_EQ(info.kind, DeviceKind::cuda);
    EXPECT_EQ(cuda::devices()[0].name, info.name);
    EXPECT_GE(info.concurrency, 1);
    EXPECT_EQ(info.largest_top_k, cuda::kMostSelected);
    EXPECT_GT(info.memory_bytes, 0u);
    EXPECT_GT(info.gcups, 0);
  }
}

TEST(CudaDevice, UnknownMethodsAndGpusAreErrors) {
  const auto kind_of_error = [](const cuda::CudaOptions& options) {
    try {
      cuda::make_cuda_device(options);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::other;
  };
  EXPECT_THAT(cuda::methods(), testing::Contains("auto"));
  EXPECT_EQ(kind_of_error({.method = "striped"}), ErrorKind::input);
  EXPECT_EQ(kind_of_error({.ordinal = static_cast<int>(cuda::devices().size())}), ErrorKind::device);
}

TEST(CudaDevice, AChildAfterForkIsToldThatGpusAreItsParents) {
  GTEST_FLAG_SET(death_test_style, "fast");  // a child of this style is made by fork() alone, without exec()
  ASSERT_GT(cuda::device_count(), 0);
  const auto in_child = [] {
    if (cuda::device_count() != 0) std::exit(1);
    try {
      cuda::make_cuda_device({});
    } catch (const Error& error) {
      std::fputs(error.what(), stderr);
      std::exit(2);
    }
  };
  EXPECT_EXIT(in_child(), testing::ExitedWithCode(2), "forked from one that uses GPUs");
  EXPECT_GT(cuda::device_count(), 0);
}

}  // namespace
}  // namespace alnus::test
