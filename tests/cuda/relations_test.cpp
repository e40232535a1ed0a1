// Relations that a GPU finds are those that the CPU finds.
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "cpu/cpu_device.h"
#include "cuda/cuda_device.h"
#include "support/all_pairs_result.h"
#include "support/related_options.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

#ifdef ALNUS_CUDA_EMULATION
constexpr std::uint32_t kCount = 16;
#else
constexpr std::uint32_t kCount = 700;
#endif

// Relatives of different lengths, and an empty sequence.
SequenceSet relatives(AlphabetKind kind) {
  Random random(3);
  const std::size_t letters = kind == AlphabetKind::dna ? 4 : 20;
  const Residues ancestor = random_sequence(random, 90, letters);
  std::vector<Residues> all = {{}};
  while (all.size() < kCount) {
    Residues one = relative(random, ancestor, 1 + below(random, 20), 4);
    for (Residue& residue : one) residue = static_cast<Residue>(residue % letters);
    one.resize(std::min<std::size_t>(one.size(), 20 + below(random, 80)));
    all.push_back(one);
  }
  return make_set(all, kind);
}

class CudaRelations : public testing::TestWithParam<AlphabetKind> {};

TEST_P(CudaRelations, EqualTheCpus) {
  const SequenceSet set = relatives(GetParam()), other = set.part(3, kCount / 2);
  const Scoring scoring = make_scoring({.mode = "global", .alphabet = GetParam()});
  const std::unique_ptr<Device> cpu = cpu::make_cpu_device({}), gpu = cuda::make_cuda_device({});
  const auto expect_equal = [&](const SequenceSet* against, const char* list) {
    const engine::AllPairs pairs(set, against, false);
    const engine::AllPairsOptions options = related_options(set, list, scoring);
    const auto found = [&](Device& device) {
      return all_pairs_on(std::vector<Device*>{&device}, pairs, scoring, options).sparse;
    };
    const std::vector<engine::SparseValue> expected = found(*cpu);
    EXPECT_GT(expected.size(), kCount / 4) << list;
    EXPECT_TRUE(found(*gpu) == expected) << list << (against ? ", two sets" : "");
  };
  for (const char* list : {"whole:30", "part:40,related:1", "score-distance:200"})
    expect_equal(nullptr, list);
  expect_equal(&other, "related:1e-5,whole:20,score:20");
}

INSTANTIATE_TEST_SUITE_P(Kinds, CudaRelations, testing::Values(AlphabetKind::protein, AlphabetKind::dna),
                         [](const auto& info) {
                           return info.param == AlphabetKind::dna ? "Dna" : "Protein";
                         });

}  // namespace
}  // namespace alnus::test
