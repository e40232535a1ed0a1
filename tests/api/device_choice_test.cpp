// Which devices of a session a call gets, without a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "session/device_set.h"
#include "support/fake_device.h"

namespace alnus::session {
namespace {

TEST(DeviceChoice, LeavesTheFirstGpusAndTheCpu) {
  test::FakeDevice first("cuda:0", {}), second("cuda:1", {}), third("cuda:2", {}), cpu("cpu", {});
  const auto left = [&](std::vector<Device*> devices, std::size_t gpus) {
    leave_gpus(devices, gpus);
    return devices;
  };
  using Devices = std::vector<Device*>;
  const Devices all{&first, &second, &third, &cpu};
  EXPECT_EQ(left(all, 0), Devices{&cpu});
  EXPECT_EQ(left(all, 1), (Devices{&first, &cpu}));
  EXPECT_EQ(left(all, 2), (Devices{&first, &second, &cpu}));
  EXPECT_EQ(left(all, 3), all);
  EXPECT_EQ(left(all, 9), all);
  EXPECT_EQ(left({&first, &cpu}, 1), (Devices{&first, &cpu}));
  EXPECT_EQ(left({&cpu}, 0), Devices{&cpu});
  EXPECT_EQ(left({&cpu}, 2), Devices{&cpu});
}

}  // namespace
}  // namespace alnus::session
