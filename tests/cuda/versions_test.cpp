// The versions of the 16-bit kernel, which differ in packing, shape, goal (what is looked for in a pair),
// extend cost and longest subject, and in whether paths can be traced: all versions of
// kernels/scores16_shapes.h exist, and all others are errors.
#include <algorithm>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "cuda/kernels/scores16.h"
#include "cuda/kernels/search.h"
#include "cuda/occupancy.h"
#include "cuda/runtime.h"
#include "cuda/shapes.h"
#include "cuda/tuning.h"

namespace alnus::test {
namespace {

using namespace alnus::cuda;

constexpr std::uint32_t kLetters = 26;
constexpr Goal kGoals[] = {Goal::local, Goal::coarse, Goal::ends};

// Launches a version of the kernel in two thread blocks that find no work.
void launch(const PackedShape& shape, Goal goal, std::uint32_t extend, std::uint32_t longest, bool traced) {
  SCOPED_TRACE(testing::Message() << shape.shape.lanes << " x " << shape.shape.rows << ", goal "
                                  << static_cast<int>(goal) << ", extend " << extend << ", longest "
                                  << longest);
  const Scores16Kernel kernel(shape.packing, shape.shape, goal, extend, longest, traced);
  Occupancy<Scores16Kernel> occupancy(1);
  const std::uint32_t blocks = occupancy.blocks(kernel, kLetters);
  EXPECT_GE(blocks, 1u);
  EXPECT_EQ(occupancy.blocks(kernel, kLetters), blocks);
  Stream stream;
  DeviceArray<std::uint32_t> next_item;
  Scores16 work{};
  work.letters = kLetters;
  work.bin_count = 1;
  work.next_item = next_item.reserve(1);
  fill_zero(work.next_item, sizeof(std::uint32_t), stream);
  check(kernel.launch(work, 2, stream), "the kernel scores16");
  std::uint32_t taken = 0;
  copy_to_host(&taken, work.next_item, 1, stream);
  stream.wait();
  EXPECT_EQ(taken, 2u);  // each of the two thread blocks has asked for work
}

void expect_none(const PackedShape& shape, Goal goal, bool traced, const std::string& names) {
  try {
    const Scores16Kernel kernel(shape.packing, shape.shape, goal, 1, 300, traced);
    ADD_FAILURE() << "There is a version: " << names;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_THAT(error.what(), testing::HasSubstr(names));
  }
}

TEST(CudaVersions, EveryOneOfTheTableLaunches) {
  for (const std::uint32_t extend : {1U, 2U})
    for (const std::uint32_t longest : {kColumnsWithoutLooks, kColumnsWithoutLooks + 1}) {
      for (const PackedShape& shape : kShapes)
        for (const Goal goal : kGoals)
          if (has_version(shape, goal, false)) launch(shape, goal, extend, longest, false);
      for (const Goal goal : {Goal::local, Goal::ends})
        launch({Packing::two_queries, kTracedShape}, goal, extend, longest, true);
    }
}

TEST(CudaVersions, OthersAreErrorsThatNameThem) {
  expect_none({Packing::two_queries, {8, 30}}, Goal::local, false,
              "two queries, 8 lanes x 30 rows, goal local");
  expect_none({Packing::two_subjects, {8, 30}}, Goal::ends, false,
              "two subjects, 8 lanes x 30 rows, goal ends");
  expect_none({Packing::two_subjects, {4, 8}}, Goal::coarse, false,
              "two subjects, 4 lanes x 8 rows, goal coarse");
  expect_none({Packing::two_queries, {16, 32}}, Goal::local, true, "16 lanes x 32 rows, goal local, traced");
  expect_none({Packing::two_queries, kTracedShape}, Goal::coarse, true, "goal coarse, traced");
}

TEST(CudaVersions, EachIsMeasuredAndHasAName) {
  const auto is_measured = [](const PackedShape& shape) {
    const auto is_this = [&](const Measured& measured) {
      return PackedShape{measured.packing, measured.shape} == shape;
    };
    return std::ranges::any_of(kNarrow, is_this) || std::ranges::any_of(kWide, is_this);
  };
  for (const PackedShape& shape : kShapes) {
    EXPECT_TRUE(is_measured(shape)) << shape.shape.lanes << " x " << shape.shape.rows;
    EXPECT_EQ(std::ranges::count(kShapes, shape), 1);
    EXPECT_LT(static_cast<unsigned>(shape.shape.lanes), kPadColumns);
    EXPECT_EQ(kWarpThreads % shape.shape.lanes, 0);
  }
  std::size_t named = 0;
  for (const std::string& name : version_names()) named += version_of(name)->shape.has_value();
  EXPECT_EQ(named, 2 * kShapeCount);  // each shape has an exact and a coarse version
}

}  // namespace
}  // namespace alnus::test
