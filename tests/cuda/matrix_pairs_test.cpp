// Scores that a GPU computes with a matrix of its own for each pair.
#include "core/matrix_pairs.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "alnus/error.h"
#include "core/device.h"
#include "cuda/cuda_device.h"
#include "cuda/limits.h"
#include "cuda/runtime.h"
#include "stats/adjusted_matrix.h"
#include "support/matrix_score.h"
#include "support/scorings.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

#ifdef ALNUS_CUDA_EMULATION
constexpr std::size_t kLongestScored = 530, kScoredSubjects = 5;
constexpr int kCompositions = 1;
#else
constexpr std::size_t kLongestScored = 5000, kScoredSubjects = 60;
constexpr int kCompositions = 50;
#endif

// Returns a protein of 1 to 20 kinds of amino acids. In half of these proteins a tenth of the letters are
// drawn from the whole alphabet.
Residues residues_of_kinds(Random& random, std::size_t length) {
  Residues residues = random_sequence(random, length, 1 + below(random, 20));
  if (below(random, 2) == 0)
    for (Residue& residue : residues)
      if (below(random, 10) == 0) residue = static_cast<Residue>(below(random, Alphabet::protein().size()));
  return residues;
}

class CudaMatrixPairs : public testing::Test {
 protected:
  CudaMatrixPairs() {
    Random random(3);
    // Lengths are around the rows of a lane, of a warp and of a pass; pairs of the longest are computed by
    // teams of warps.
    for (const std::size_t length : {0UL, 1UL, 7UL, 8UL, 33UL, 255UL, 257UL, 513UL, kLongestScored})
      queries_.push_back(residues_of_kinds(random, length));
    for (const std::size_t length : {0UL, 1UL, 31UL, 32UL, kLongestScored})
      subjects_.push_back(residues_of_kinds(random, length));
    while (subjects_.size() < kScoredSubjects)
      subjects_.push_back(residues_of_kinds(random, 1 + below(random, 900)));
    for (std::uint32_t q = 0; q < queries_.size(); ++q)
      for (std::uint32_t s = 0; s < subjects_.size(); ++s) pairs_.push_back({q, s});
    const auto show = [&](const std::vector<Residues>& all, auto& spans,
                          std::vector<Frequencies>& frequencies) {
      for (const Residues& one : all) {
        spans.emplace_back(one);
        frequencies.push_back(adjuster_.frequencies(one));
      }
    };
    show(queries_, query_spans_, query_frequencies_);
    show(subjects_, subject_spans_, subject_frequencies_);
  }

  MatrixPairsProblem problem(const PairAdjustment& adjustment) const {
    return {query_spans_,         subject_spans_, query_frequencies_,
            subject_frequencies_, &adjustment,    static_cast<std::int32_t>(Alphabet::protein().size())};
  }
  std::unique_ptr<MatrixPairs> begin() {
    return device_->matrix_pairs(problem(adjuster_.adjustment()), StopFlag::never());
  }
  std::vector<std::int32_t> scores(MatrixPairs& on_device, std::int32_t open, std::int32_t extend,
                                   const StopFlag& stop = StopFlag::never(),
                                   const MatrixRounding& rounding = {}) {
    std::vector<std::int32_t> best(pairs_.size(), -1);
    on_device.score(pairs_, rounding, open, extend, best, stop);
    return best;
  }
  std::vector<std::int32_t> expected(const PairAdjustment& adjustment, std::int32_t open, std::int32_t extend,
                                     const MatrixRounding& rounding = {}) const {
    std::vector<std::int32_t> best;
    for (const MatrixPairs::Pair pair : pairs_)
      best.push_back(rounded_matrix_score(problem(adjustment), pair, rounding, open, extend));
    return best;
  }

  const Scoring scoring_ = protein("BLOSUM62", "11", "1");
  const stats::MatrixAdjuster adjuster_ = *stats::MatrixAdjuster::of(scoring_);
  const std::unique_ptr<Device> device_ = cuda::make_cuda_device({});
  std::vector<Residues> queries_, subjects_;
  std::vector<std::span<const Residue>> query_spans_, subject_spans_;
  std::vector<Frequencies> query_frequencies_, subject_frequencies_;
  std::vector<MatrixPairs::Pair> pairs_;
};

TEST_F(CudaMatrixPairs, ScoresAreThoseOfTheFormula) {
  const auto on_device = begin();
  EXPECT_EQ(scores(*on_device, 297, 27), expected(adjuster_.adjustment(), 297, 27));
  EXPECT_EQ(scores(*on_device, 0, 3), expected(adjuster_.adjustment(), 0, 3));
}

TEST_F(CudaMatrixPairs, RoundedScoresAreThoseOfTheFormulaAndThoseBeyondTheLimitsAreUnknown) {
  const auto on_device = begin();
  for (const MatrixRounding& rounding :
       {MatrixRounding{3, -40, 48}, MatrixRounding{2, -500, 112}, MatrixRounding{0, -500, 500}}) {
    const std::vector<std::int32_t> all = expected(adjuster_.adjustment(), 33, 3, rounding);
    EXPECT_EQ(scores(*on_device, 33, 3, StopFlag::never(), rounding), all);
    const auto unknown = std::ranges::count(all, PairScorer::kUnknownScore);
    EXPECT_TRUE(rounding.shift != 2 || (unknown > 0 && unknown < std::ssize(all))) << unknown;
  }
}

// Tests every score of every matrix: each query and subject is one letter between flanks of W, so that low
// scores count, too.
TEST_F(CudaMatrixPairs, MatricesAreThoseOfTheProcessor) {
  Random random(5);
  for (const char* matrix : {"BLOSUM62", "BLOSUM45", "PAM30"}) {
    const Scoring scoring = protein(matrix, "11", "1");
    const stats::MatrixAdjuster adjuster = *stats::MatrixAdjuster::of(scoring);
    const std::size_t letters = Alphabet::protein().size();
    constexpr std::size_t kFlank = 40;
    constexpr std::int32_t kDear = 10'000;  // cost at which no gap pays
    std::vector<Residues> flanked;
    for (std::size_t letter = 0; letter < letters; ++letter) {
      flanked.emplace_back(2 * kFlank + 1, Alphabet::protein().encode('W'));
      flanked.back()[kFlank] = static_cast<Residue>(letter);
    }
    std::vector<std::span<const Residue>> spans(flanked.begin(), flanked.end());
    for (int composition = 0; composition < kCompositions; ++composition) {
      const auto draw = [&] { return adjuster.frequencies(residues_of_kinds(random, below(random, 500))); };
      const std::vector<Frequencies> of_queries(letters, draw()), of_subjects(letters, draw());
      const MatrixPairsProblem all{
          spans, spans, of_queries, of_subjects, &adjuster.adjustment(), static_cast<std::int32_t>(letters)};
      const auto on_device = device_->matrix_pairs(all, StopFlag::never());
      std::vector<MatrixPairs::Pair> pairs;
      std::vector<std::int32_t> expected;
      for (std::uint32_t q = 0; q < letters; ++q)
        for (std::uint32_t s = 0; s < letters; ++s) {
          pairs.push_back({q, s});
          expected.push_back(rounded_matrix_score(all, pairs.back(), {}, kDear, 1));
        }
      std::vector<std::int32_t> best(pairs.size(), -1);
      on_device->score(pairs, {}, kDear, 1, best, StopFlag::never());
      EXPECT_EQ(best, expected) << matrix;
    }
  }
}

TEST_F(CudaMatrixPairs, OneMatrixForAllWhereNothingIsAdjusted) {
  Random random(4);
  PairScores stated;
  for (std::int32_t& score : stated) score = static_cast<std::int32_t>(below(random, 100)) - 60;
  const PairAdjustment none = stats::no_adjustment(stated);
  const auto on_device = device_->matrix_pairs(problem(none), StopFlag::never());
  EXPECT_EQ(scores(*on_device, 130, 12), expected(none, 130, 12));
  const MatrixRounding narrow{0, -60, 38};  // the highest score, 39, is beyond these limits
  EXPECT_EQ(scores(*on_device, 130, 12, StopFlag::never(), narrow),
            std::vector<std::int32_t>(pairs_.size(), PairScorer::kUnknownScore));
}

TEST_F(CudaMatrixPairs, ManyThreadsAtATimeGetTheSame) {
  const auto on_device = begin();
  const std::vector<std::int32_t> alone = scores(*on_device, 50, 5);
  std::vector<std::vector<std::int32_t>> found(5);
  {
    std::vector<std::jthread> threads;
    threads.reserve(found.size());
    for (std::vector<std::int32_t>& one : found)
      threads.emplace_back([&] { one = scores(*on_device, 50, 5); });
  }
  for (const std::vector<std::int32_t>& one : found) EXPECT_EQ(one, alone);
}

TEST_F(CudaMatrixPairs, AStopEndsThemAndTheNextOnesWork) {
  const auto on_device = begin();
  const std::vector<std::int32_t> before = scores(*on_device, 50, 5);
  StopFlag requested;
  requested.request();
  EXPECT_THROW(scores(*on_device, 50, 5, requested), Interrupted);
  for (int k = 0; k < 20; ++k) {
    StopFlag stop;
    std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(100 << (k / 2)));
      stop.request();
    });
    try {
      EXPECT_EQ(scores(*on_device, 50, 5, stop), before);
    } catch (const Interrupted&) {
      continue;
    }
  }
  EXPECT_EQ(scores(*on_device, 50, 5), before);
}

TEST_F(CudaMatrixPairs, AFailedAllocationIsAnErrorAndTheNextOnesWork) {
  const auto on_device = begin();
  cuda::plan_faults({.memory = 1});
  EXPECT_THROW(scores(*on_device, 50, 5), Error);
  cuda::plan_faults({});
  EXPECT_EQ(scores(*on_device, 50, 5), scores(*begin(), 50, 5));
}

}  // namespace
}  // namespace alnus::test
