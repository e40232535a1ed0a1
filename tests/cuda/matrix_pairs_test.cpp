// Scores by matrices of pairs' own on a GPU.
#include "core/matrix_pairs.h"

#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "alnus/error.h"
#include "core/device.h"
#include "cuda/cuda_device.h"
#include "cuda/runtime.h"
#include "support/matrix_score.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

#ifdef ALNUS_CUDA_EMULATION
constexpr std::size_t kLongest = 530, kSubjects = 5;
#else
constexpr std::size_t kLongest = 5000, kSubjects = 60;
#endif

constexpr std::int32_t kLetters = 24;

class CudaMatrixPairs : public testing::Test {
 protected:
  CudaMatrixPairs() {
    Random random(3);
    // Around the rows of a lane, of a warp and of a pass, and for teams of warps.
    for (const std::size_t length : {0UL, 1UL, 7UL, 8UL, 33UL, 255UL, 257UL, 513UL, kLongest})
      queries_.push_back(random_sequence(random, length));
    for (const std::size_t length : {0UL, 1UL, 31UL, 32UL, kLongest})
      subjects_.push_back(random_sequence(random, length));
    while (subjects_.size() < kSubjects) subjects_.push_back(random_sequence(random, 1 + below(random, 900)));
    for (std::uint32_t q = 0; q < queries_.size(); ++q)
      for (std::uint32_t s = 0; s < subjects_.size(); ++s) pairs_.push_back({q, s});
    for (const Residues& query : queries_) query_spans_.emplace_back(query);
    for (const Residues& subject : subjects_) subject_spans_.emplace_back(subject);
    for (std::size_t k = 0; k < pairs_.size() * kLetters * kLetters; ++k)
      tables_.push_back(static_cast<std::int16_t>(static_cast<int>(below(random, 100)) - 60));
  }

  std::unique_ptr<MatrixPairs> begin() {
    return device_->matrix_pairs({query_spans_, subject_spans_, kLetters}, StopFlag::never());
  }
  std::vector<std::int32_t> scores(MatrixPairs& on_device, std::int32_t open, std::int32_t extend,
                                   const StopFlag& stop = StopFlag::never()) {
    std::vector<std::int32_t> best(pairs_.size(), -1);
    on_device.score(pairs_, tables_, open, extend, best, stop);
    return best;
  }
  std::vector<std::int32_t> expected(std::int32_t open, std::int32_t extend) const {
    std::vector<std::int32_t> best;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      std::vector<std::int32_t> scores(kMaxLetters * kMaxLetters);
      for (std::size_t s = 0; s < kLetters; ++s)
        for (std::size_t q = 0; q < kLetters; ++q)
          scores[s * kMaxLetters + q] = tables_[(k * kLetters + s) * kLetters + q];
      best.push_back(static_cast<std::int32_t>(
          matrix_score(queries_[pairs_[k].query], subjects_[pairs_[k].subject], scores, open, extend)));
    }
    return best;
  }

  const std::unique_ptr<Device> device_ = cuda::make_cuda_device({});
  std::vector<Residues> queries_, subjects_;
  std::vector<std::span<const Residue>> query_spans_, subject_spans_;
  std::vector<MatrixPairs::Pair> pairs_;
  std::vector<std::int16_t> tables_;
};

TEST_F(CudaMatrixPairs, ScoresAreThoseOfTheFormula) {
  const auto on_device = begin();
  EXPECT_EQ(scores(*on_device, 130, 12), expected(130, 12));
  EXPECT_EQ(scores(*on_device, 0, 3), expected(0, 3));
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
