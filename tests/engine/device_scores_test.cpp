// Adjusted scores by devices that can use another matrix for each pair. They are those of the CPU, whatever
// fails.
#include "engine/device_scores.h"

#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <vector>

#include "engine/adjusted_scores.h"
#include "support/engine_call.h"
#include "support/fake_device.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

using test::FakeBehaviour;
using test::FakeDevices;

constexpr double kLimit = 0.3, kNoLimit = std::numeric_limits<double>::infinity();

class AdjustedByDevices : public testing::Test {
 protected:
  // Enough pairs of short sequences for several batches.
  static constexpr std::uint32_t kQueries = 40, kSubjects = 1000;

  static SequenceSet proteins(unsigned seed, std::uint32_t count) {
    test::Random random(seed);
    SequenceSetBuilder builder(AlphabetKind::protein);
    for (std::uint32_t k = 0; k < count; ++k) {
      test::Residues one = test::random_sequence(random, test::below(random, 12));
      if (k % 3 == 0) one.insert(one.end(), 12, static_cast<Residue>(k % 20));
      builder.add("", one);
    }
    return builder.finish();
  }

  std::vector<std::optional<double>> scores(const std::vector<FakeBehaviour>& behaviours, double limit) {
    const FakeDevices devices(behaviours);
    test::EngineCall call(devices.pointers);
    ResolvedStatistics options = test::published_statistics(scoring_, subjects_);
    options.composition = Composition::adjust;
    options.low_complexity = LowComplexity::statistics;
    std::vector<stats::ScoreJudgePtr> judges;
    std::vector<AdjustedScores::Candidate> candidates;
    for (SequenceSet::Index q = 0; q < queries_.size(); ++q) {
      judges.push_back(stats::judge_of(queries_.residues(q), options.model(options.method), scoring_));
      for (SequenceSet::Index s = 0; s < subjects_.size(); ++s)
        candidates.push_back({{q, s}, static_cast<std::int32_t>(10 + (q + s) % 20), judges.back().get()});
    }
    std::vector<std::optional<double>> found =
        AdjustedScores(queries_, subjects_, scoring_, options).of(candidates, limit, call);
    warnings_ = call.warnings().size();
    retired_ = call.retired().size();
    return found;
  }

  const Scoring scoring_ = make_scoring({});
  const SequenceSet queries_ = proteins(1, kQueries), subjects_ = proteins(2, kSubjects);
  std::size_t warnings_ = 0, retired_ = 0;
};

TEST_F(AdjustedByDevices, AreThoseOfTheProcessor) {
  for (const double limit : {kLimit, kNoLimit}) {
    const std::vector<std::optional<double>> expected = scores({{}}, limit);
    EXPECT_EQ(scores({{.has_matrix_pairs = true}}, limit), expected);
    EXPECT_EQ(scores({{.has_matrix_pairs = true}, {}, {.has_matrix_pairs = true}}, limit), expected);
    EXPECT_EQ(warnings_ + retired_, 0u);
  }
}

TEST_F(AdjustedByDevices, ADeviceThatFailsIsRetiredAndLeavesThemToTheOthersAndTheProcessor) {
  const std::vector<std::optional<double>> expected = scores({{}}, kLimit);
  for (const int first : {0, 1}) {  // the device fails at coarse scores, or at exact ones
    const FakeBehaviour failing{.has_matrix_pairs = true, .fail_matrix_pairs_from = first};
    EXPECT_EQ(scores({failing, {.dawdle = true, .has_matrix_pairs = true}}, kLimit), expected);
    EXPECT_EQ(warnings_, 1u);
    EXPECT_EQ(retired_, 1u);
  }
}

TEST_F(AdjustedByDevices, ADeviceThatLacksMemoryLeavesThemToTheProcessor) {
  const FakeBehaviour small{
      .fail_kind = ErrorKind::memory, .has_matrix_pairs = true, .fail_matrix_pairs_from = 1};
  EXPECT_EQ(scores({small}, kLimit), scores({{}}, kLimit));
  EXPECT_EQ(warnings_ + retired_, 0u);
}

TEST_F(AdjustedByDevices, AnyOtherErrorIsTheCallers) {
  const FakeBehaviour wrong{
      .fail_kind = ErrorKind::input, .has_matrix_pairs = true, .fail_matrix_pairs_from = 1};
  EXPECT_THROW(scores({wrong}, kLimit), Error);
}

}  // namespace
}  // namespace alnus::engine
