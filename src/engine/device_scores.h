// Scores of pairs by matrices of their own, on those devices of a call that can (core/matrix_pairs.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/coarse_scores.h"
#include "core/matrix_pairs.h"
#include "engine/call.h"

namespace alnus::engine {

// By any number of threads at a time.
class DeviceScores {
 public:
  // A gap of n residues costs open + n * extend. What the problem shows must live as long.
  DeviceScores(const MatrixPairsProblem& problem, std::int32_t open, std::int32_t extend, Call& call);
  DeviceScores(const DeviceScores&) = delete;
  DeviceScores& operator=(const DeviceScores&) = delete;

  // How many devices there are. Where there are none, the processor has all pairs to itself.
  std::size_t count() const { return devices_.size(); }
  // False for a pair with too many cells, which the processor has to score.
  bool takes(MatrixPairs::Pair pair) const {
    return MatrixPairs::takes(problem_.queries[pair.query].size(), problem_.subjects[pair.subject].size());
  }

  // Both return the scores of pairs that are taken, on the `device`-th device: the one exactly, the other as
  // PairScorer::coarse_scores tells them. A score that this way does not tell is PairScorer::kUnknownScore;
  // where the device has failed there are none.
  std::vector<std::int32_t> scores(std::size_t device, std::span<const MatrixPairs::Pair> pairs);
  std::vector<std::int32_t> coarse_scores(std::size_t device, std::span<const MatrixPairs::Pair> pairs);

 private:
  struct Chosen {
    Device* device = nullptr;
    std::unique_ptr<MatrixPairs> pairs{};
    std::atomic<bool> failed = false;
  };
  // A device that lacks memory leaves its pairs to the processor, and one that fails is retired. True if the
  // work ended well.
  template <typename Work>
  bool attempt(Chosen& chosen, const Work& work);
  std::vector<std::int32_t> score(Chosen& chosen, std::span<const MatrixPairs::Pair> pairs,
                                  const MatrixRounding& rounding, std::int32_t open, std::int32_t extend);

  const MatrixPairsProblem problem_;
  const std::int32_t open_, extend_;
  const CoarseScores coarse_;
  Call& call_;
  std::vector<std::unique_ptr<Chosen>> devices_;
};

}  // namespace alnus::engine
