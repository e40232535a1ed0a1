// Many threads align single pairs at the same time, which takes a shorter way than many pairs.
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "engine/registry.h"
#include "support/device_check.h"

namespace alnus::engine {
namespace {

using namespace test;

TEST(AlignPairThreads, EightGetTheReferencesAlignments) {
  const auto devices = make_devices({.devices = "cpu", .threads = 2});
  Device& device = *devices.front();
  const Scoring scorings[] = {scoring_of({Mode::local}, {11, 1}), scoring_of({Mode::global}, {9, 2})};
  struct Known {
    Residues query, subject;
    Alignment alignments[2];
  };
  Random random(21);
  std::vector<Known> pairs(24);
  for (Known& pair : pairs) {
    pair.query = random_sequence(random, below(random, 200));
    pair.subject = relative(random, pair.query, 8, 10);
    for (const int k : {0, 1})
      pair.alignments[k] = align_reference(pair.query, pair.subject, scorings[k], Detail::alignment);
  }
  std::vector<std::size_t> wrong(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < wrong.size(); ++thread) {
      threads.emplace_back([&, thread] {
        for (std::size_t call = 0; call < 200; ++call) {
          const Known& pair = pairs[(call * 7 + thread) % pairs.size()];
          const std::size_t k = (call + thread) % 2;
          const auto found =
              device.align_pair(pair.query, pair.subject, scorings[k], Detail::alignment, StopFlag::never());
          wrong[thread] += found != pair.alignments[k];
        }
      });
    }
  }
  EXPECT_EQ(wrong, std::vector<std::size_t>(8));
}

}  // namespace
}  // namespace alnus::engine
