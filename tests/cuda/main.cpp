// Without a GPU every test is skipped. ctest recognizes this by the message (tests/CMakeLists.txt).
#include <gtest/gtest.h>
#include <string>

#include "cuda/cuda_device.h"

namespace {

class GpuNeeded : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override {
    if (!reason_.empty()) GTEST_SKIP() << "No GPU here: " << reason_;
  }

  const std::string reason_ = alnus::cuda::why_unavailable();
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new GpuNeeded);
  return RUN_ALL_TESTS();
}
