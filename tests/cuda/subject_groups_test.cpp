// Methods of papers whose thread blocks take 256 subjects of similar length each, and the method of CUDASW++,
// which has another kernel for the longest subjects.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "cuda/cuda_device.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

void expect_scores_of(const std::string& method, const Workload& work,
                      const std::vector<PositionRange>& ranges) {
  SCOPED_TRACE(method);
  const Scoring scoring = scoring_of({Mode::local}, {11, 1});
  const auto device = cuda::make_cuda_device({0, method});
  const LoadedWorkload loaded(*device, work);
  Tile tile = loaded.tile();
  for (const PositionRange& range : ranges) {
    tile.column_range = range;
    Collect sink;
    device->run(tile, {scoring, Detail::score}, sink);
    ASSERT_EQ(sink.found.size(), work.queries.size() * range.size());
    for (const auto& [pair, alignment] : sink.found)
      EXPECT_EQ(alignment,
                align_reference(work.queries[pair.first], work.subjects[pair.second], scoring, Detail::score))
          << pair.first << ", " << pair.second;
  }
}

TEST(SubjectGroups, TilesThatBeginAndEndAmidThem) {
  Random random(1);
  Workload work;
  for (const std::size_t length : {1, 11, 12, 13, 30})
    work.queries.push_back(random_sequence(random, length));
  for (std::size_t k = 0; k < 600; ++k)
    work.subjects.push_back(k % 50 == 0 ? Residues{}
                                        : relative(random, work.queries[below(random, 5)], 10, 20));
  for (const char* method : {"band-sweep", "cudasw2-simt"})
    expect_scores_of(method, work,
                     {positions(0, 600), positions(0, 256), positions(255, 257), positions(100, 300),
                      positions(300, 400), positions(512, 599)});
}

TEST(SubjectGroups, TheLongestByAntidiagonals) {
  Random random(2);
  Workload work;
  for (const std::size_t length : {1, 5, 300}) work.queries.push_back(random_sequence(random, length));
  for (const std::size_t length : {3069, 3071, 3072, 3073, 3074, 5000})
    work.subjects.push_back(random_sequence(random, length));
  const Residues relative_of_last = relative(random, work.queries.back(), 20, 5);
  work.subjects.push_back(concatenate({random_sequence(random, 3100), relative_of_last}));
  work.subjects.push_back(concatenate({relative_of_last, random_sequence(random, 3100)}));
  expect_scores_of("cudasw2-simt", work,
                   {positions(0, 8), positions(0, 3), positions(2, 7), positions(6, 8)});
}

// A launch of sw-cuda has 450 thread blocks of 64 subjects, and one of cudasw2-simt has four thread blocks of
// 256 subjects for each multiprocessor (of which an emulated GPU has two).
TEST(SubjectGroups, MoreSubjectsThanALaunchTakes) {
  Random random(3);
  Workload work;
  for (const std::size_t length : {1, 6}) work.queries.push_back(random_sequence(random, length));
  for (std::size_t k = 0; k < 450 * 64 + 3; ++k)
    work.subjects.push_back(random_sequence(random, k % 1000 == 0 ? 7 : 1 + k % 2));
  const auto size = static_cast<std::uint32_t>(work.subjects.size());
  expect_scores_of("sw-cuda", work,
                   {positions(0, 63), positions(5, 69), positions(0, 65), positions(0, size)});
  expect_scores_of("cudasw2-simt", work, {positions(0, 2048), positions(100, 2400)});
  expect_scores_of("band-sweep", work, {positions(0, 512), positions(200, 1100)});
}

// More long subjects than the kernel that goes by antidiagonals has thread blocks in emulation (8): some
// thread blocks take a second subject.
TEST(SubjectGroups, MoreLongSubjectsThanThreadBlocks) {
  Random random(4);
  Workload work;
  work.queries.push_back(random_sequence(random, 9));
  for (std::size_t k = 0; k < 9; ++k) {
    work.subjects.push_back(random_sequence(random, 3073 + k));
    if (k % 2 == 0) std::ranges::copy(work.queries[0], work.subjects.back().begin() + 100);
  }
  expect_scores_of("cudasw2-simt", work, {positions(0, 9)});
}

}  // namespace
}  // namespace alnus::test
