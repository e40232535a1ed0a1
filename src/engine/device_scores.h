// Scores pairs, each under a matrix of its own, on the devices of a call that can do so
// (core/matrix_pairs.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/coarse_scores.h"
#include "core/matrix_pairs.h"
#include "engine/call_state.h"

namespace alnus::engine {

// Any number of threads may use an object at a time.
class DeviceScores {
 public:
  // A gap of n residues costs open + n * extend. The arrays that the problem refers to must outlive the
  // object.
  DeviceScores(const MatrixPairsProblem& problem, std::int32_t open, std::int32_t extend, CallState& call);

  // Number of devices that score such pairs. If it is 0, the CPU scores all pairs.
  std::size_t count() const { return devices_.size(); }
  // False for a pair that is too large for devices (MatrixPairs::takes), which the CPU has to score.
  bool takes(MatrixPairs::Pair pair) const {
    return MatrixPairs::takes(problem_.queries[pair.query].size(), problem_.subjects[pair.subject].size());
  }

  // Both score `pairs`, all of which takes() must accept, on device number `device`. scores() gives exact
  // scores, coarse_scores() those of PairScorer::coarse_scores. A score that cannot be told is
  // PairScorer::kUnknownScore. If the device has failed, the result is empty. Throw Interrupted when the
  // call's stop is requested.
  std::vector<std::int32_t> scores(std::size_t device, std::span<const MatrixPairs::Pair> pairs);
  std::vector<std::int32_t> coarse_scores(std::size_t device, std::span<const MatrixPairs::Pair> pairs);

 private:
  struct Chosen {
    Device* device = nullptr;
    std::unique_ptr<MatrixPairs> pairs{};
    std::atomic<bool> failed = false;
  };
  // Does `work` and returns true if it succeeded. After an Error(memory) or Error(device) the device gets no
  // more pairs of this object, and the CPU has to score them; Error(device) also retires the device for the
  // call.
  template <typename Work>
  bool attempt(Chosen& chosen, const Work& work);
  std::vector<std::int32_t> score(Chosen& chosen, std::span<const MatrixPairs::Pair> pairs,
                                  const MatrixRounding& rounding, std::int32_t open, std::int32_t extend);

  const MatrixPairsProblem problem_;
  const std::int32_t open_, extend_;
  const CoarseScores coarse_;
  CallState& call_;
  std::vector<std::unique_ptr<Chosen>> devices_;
};

}  // namespace alnus::engine
