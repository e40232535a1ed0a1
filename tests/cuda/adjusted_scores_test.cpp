// Adjusted scores that a GPU computes equal the CPU's.
#include "engine/adjusted_scores.h"

#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "cpu/cpu_device.h"
#include "cuda/cuda_device.h"
#include "cuda/runtime.h"
#include "support/engine_call.h"
#include "support/scorings.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using engine::AdjustedScores;

#ifdef ALNUS_CUDA_EMULATION
constexpr std::uint32_t kQueries = 4, kSubjects = 12;
constexpr std::size_t kLongest = 200;
#else
constexpr std::uint32_t kQueries = 40, kSubjects = 200;
constexpr std::size_t kLongest = 600;
#endif

// Random sequences, some of which are relatives of others or end in 40 equal letters.
SequenceSet sequences(unsigned seed, std::uint32_t count, AlphabetKind kind) {
  Random random(seed);
  SequenceSetBuilder builder(kind);
  const std::size_t letters = kind == AlphabetKind::dna ? 4 : 20;
  Residues last = random_sequence(random, 100, letters);
  for (std::uint32_t k = 0; k < count; ++k) {
    Residues one = k % 3 == 0 ? last : random_sequence(random, below(random, kLongest), letters);
    for (Residue& residue : one)
      if (below(random, 20) == 0) residue = static_cast<Residue>(below(random, letters));
    if (k % 4 == 0) one.insert(one.end(), 40, one.empty() ? Residue{2} : one.front());
    builder.add("", one);
    last = one;
  }
  return builder.finish();
}

class CudaAdjustedScores : public testing::TestWithParam<AlphabetKind> {
 protected:
  CudaAdjustedScores() {
    for (SequenceSet::Index q = 0; q < queries_.size(); ++q)
      for (SequenceSet::Index s = 0; s < subjects_.size(); ++s)
        stated_.push_back(
            align_reference(queries_.residues(q), subjects_.residues(s), scoring_, Detail::score).score);
  }

  std::vector<std::optional<double>> scores(Device& device, double limit) {
    engine::ResolvedStatistics options = published_statistics(scoring_, subjects_);
    options.composition = Composition::adjust;
    options.low_complexity = LowComplexity::statistics;
    Device* const devices[] = {&device};
    EngineCall call(devices);
    const AdjustedScores adjusted(queries_, subjects_, scoring_, options);
    std::vector<stats::ScoreJudgePtr> judges;
    std::vector<AdjustedScores::Candidate> candidates;
    for (SequenceSet::Index q = 0; q < queries_.size(); ++q) {
      judges.push_back(stats::judge_of(queries_.residues(q), options.model(options.method), scoring_));
      for (SequenceSet::Index s = 0; s < subjects_.size(); ++s) {
        candidates.push_back({{q, s}, stated_[q * subjects_.size() + s], judges.back().get()});
      }
    }
    std::vector<std::optional<double>> found = adjusted.of(candidates, limit, call);
    warnings_ = call.warnings();
    return found;
  }

  const SequenceSet queries_ = sequences(1, kQueries, GetParam()),
                    subjects_ = sequences(2, kSubjects, GetParam());
  const Scoring scoring_ =
      GetParam() == AlphabetKind::dna ? dna("2", "-3", "5", "2") : protein("BLOSUM62", "11", "1");
  const std::unique_ptr<Device> cpu_ = cpu::make_cpu_device({}), gpu_ = cuda::make_cuda_device({});
  std::vector<std::int32_t> stated_;  // scores of all pairs by the scoring's own matrix
  std::vector<std::string> warnings_;
};

TEST_P(CudaAdjustedScores, AreThoseOfTheProcessor) {
  for (const double limit : {10.0, 1e-5, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(scores(*gpu_, limit), scores(*cpu_, limit)) << limit;
    EXPECT_TRUE(warnings_.empty());
  }
}

TEST_P(CudaAdjustedScores, AGpuThatFailsLeavesThemToTheProcessor) {
  const std::vector<std::optional<double>> expected = scores(*cpu_, 10);
  for (const std::uint64_t call : {1, 3, 8, 15}) {
    cuda::plan_faults({.call = call});
    EXPECT_EQ(scores(*gpu_, 10), expected) << call;
    EXPECT_LE(warnings_.size(), 1u);
    cuda::plan_faults({.memory = call});
    EXPECT_EQ(scores(*gpu_, 10), expected) << call;
    EXPECT_TRUE(warnings_.empty());
    cuda::plan_faults({});
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CudaAdjustedScores, testing::Values(AlphabetKind::protein, AlphabetKind::dna),
                         [](const auto& info) {
                           return info.param == AlphabetKind::dna ? "dna" : "protein";
                         });

}  // namespace
}  // namespace alnus::test
