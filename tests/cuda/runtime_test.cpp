// Memory of the device and of the host that grows, faults that are planned, and arrays that are copied
// together.
#include "cuda/runtime.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "cuda/on_device.h"
#include "cuda/staging.h"

namespace alnus::test {
namespace {

using namespace cuda;

TEST(CudaRuntime, MemoryGrowsByMoreThanIsAskedFor) {
  DeviceArray<std::uint32_t> on_device;
  PinnedArray<std::uint32_t> pinned;
  EXPECT_EQ(on_device.bytes(), 0u);
  const std::uint32_t* const first = on_device.reserve(100);
  pinned.reserve(100);
  EXPECT_EQ(on_device.bytes(), 400u);
  EXPECT_EQ(pinned.bytes(), 400u);
  EXPECT_EQ(on_device.reserve(100), first);
  EXPECT_EQ(on_device.reserve(1), first);
  EXPECT_EQ(on_device.bytes(), 400u);
  on_device.reserve(101);
  pinned.reserve(101);
  EXPECT_EQ(on_device.bytes(), 404u + 101u);  // a quarter more
  EXPECT_EQ(pinned.bytes(), 2 * 404u);
  DeviceArray<std::uint32_t> moved = std::move(on_device);
  EXPECT_EQ(moved.bytes(), 505u);
}

TEST(CudaRuntime, AFailedAllocationLeavesNoMemory) {
  DeviceArray<std::uint32_t> array;
  array.reserve(10);
  plan_faults({.memory = 1});
  EXPECT_NE(array.reserve(10), nullptr);  // needs no allocation
  try {
    array.reserve(11);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
  }
  EXPECT_EQ(array.data(), nullptr);
  EXPECT_EQ(array.bytes(), 0u);
  EXPECT_NE(array.reserve(11), nullptr);
  plan_faults({});
}

TEST(CudaRuntime, TheFaultComesWithTheCallThatIsPlanned) {
  for (std::uint64_t planned = 1; planned <= 4; ++planned) {
    plan_faults({.call = planned});
    for (std::uint64_t call = 1; call <= 6; ++call) {
      if (call != planned) {
        EXPECT_NO_THROW(check(cudaSuccess, "this call")) << call << " of " << planned;
        continue;
      }
      try {
        check(cudaSuccess, "this call");
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::device);
        EXPECT_NE(std::string(error.what()).find("this call"), std::string::npos);
      }
    }
  }
  plan_faults({});
}

TEST(CudaRuntime, ArraysThatAreCopiedTogetherAreAlignedAndWhole) {
  Staging staging;
  const Stream stream;
  for (std::size_t size : {0, 1, 15, 16, 17, 32, 100, 3}) {
    staging.clear();
    std::vector<std::uint8_t> bytes(size), more(16);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
    std::iota(more.begin(), more.end(), std::uint8_t{100});
    const std::vector<std::uint64_t> words{size, ~std::uint64_t{0}};
    const auto bytes_at = staging.add(bytes);
    const auto words_at = staging.add(words);
    const auto more_at = staging.add(more);
    const auto none_at = staging.add(std::vector<std::uint32_t>());
    staging.upload(stream);
    stream.wait();
    const auto read = [&]<class T>(Staging::Place<T> place, std::size_t count) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(staging.at(place)) % 16, 0u);
      std::vector<T> values(count);
      if (count > 0)
        require(cudaMemcpy(values.data(), staging.at(place), count * sizeof(T), cudaMemcpyDeviceToHost));
      return values;
    };
    EXPECT_EQ(read(bytes_at, size), bytes);
    EXPECT_EQ(read(words_at, 2), words);
    EXPECT_EQ(read(more_at, 16), more);
    EXPECT_TRUE(read(none_at, 0).empty());
  }
}

}  // namespace
}  // namespace alnus::test
