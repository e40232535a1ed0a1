// Rows of all pairs that a GPU finds, one stripe while the stripe before it is aligned, are those of the CPU.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "cpu/cpu_device.h"
#include "cuda/cuda_device.h"
#include "support/all_pairs_result.h"
#include "support/engine_call.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

#ifdef ALNUS_CUDA_EMULATION
constexpr std::uint32_t kCount = 40;
constexpr double kStripeCells = 1.2e5;
#else
constexpr std::uint32_t kCount = 2000;
constexpr double kStripeCells = 2e8;
#endif

// Twelve families of relatives, in turn.
SequenceSet twelve_families() {
  constexpr std::uint32_t kFamilies = 12;
  Random random(7);
  std::vector<Residues> first(kFamilies);
  for (Residues& one : first) one = random_sequence(random, 40 + below(random, 20));
  std::vector<Residues> all(kCount);
  for (std::uint32_t k = 0; k < kCount; ++k) all[k] = relative(random, first[k % kFamilies], 20, 3);
  return make_set(all);
}

class CudaStripes : public testing::Test {
 protected:
  AllPairsResult found(Device& device, const SequenceSet* against, const engine::AllPairsOptions& options) {
    return all_pairs_on(std::vector<Device*>{&device}, engine::AllPairs(set_, against, false), scoring_,
                        options);
  }
  void expect_rows_of_the_cpu(const engine::AllPairsOptions& options) {
    for (const SequenceSet* against : {static_cast<const SequenceSet*>(nullptr), &others_}) {
      const AllPairsResult expected = found(*cpu_, against, options), result = found(*gpu_, against, options);
      EXPECT_GT(expected.stripes.size(), 2u);
      EXPECT_GT(expected.listed.size(), kCount / 2);
      EXPECT_TRUE(result.listed == expected.listed);
      EXPECT_EQ(result.stripes, expected.stripes);
      EXPECT_EQ(result.empty, expected.empty);
    }
  }

  const Scoring scoring_ = make_scoring({});
  const SequenceSet set_ = twelve_families(), others_ = set_.part(1, kCount / 2);
  const std::unique_ptr<Device> cpu_ = cpu::make_cpu_device({}), gpu_ = cuda::make_cuda_device({});
};

TEST_F(CudaStripes, OfHighScores) {
  engine::AllPairsOptions options;
  options.stripe_cells = kStripeCells;
  options.min_score = 80;
  expect_rows_of_the_cpu(options);
}

TEST_F(CudaStripes, OfLowAdjustedEvalues) {
  engine::AllPairsOptions options;
  options.stripe_cells = kStripeCells;
  options.filter.evalue = 1e-3;
  options.statistics = published_statistics(scoring_, set_);
  options.statistics.composition = Composition::adjust;
  options.statistics.low_complexity = LowComplexity::statistics;
  options.fields.significance = true;
  expect_rows_of_the_cpu(options);
}

}  // namespace
}  // namespace alnus::test
