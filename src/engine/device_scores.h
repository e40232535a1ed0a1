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
#include "stats/adjusted_matrix.h"

namespace alnus::engine {

class DeviceScores {
 public:
  // A gap of n residues costs open + n * extend. What the problem shows must live as long.
  DeviceScores(const MatrixPairsProblem& problem, std::int32_t open, std::int32_t extend, Call& call);
  DeviceScores(const DeviceScores&) = delete;
  DeviceScores& operator=(const DeviceScores&) = delete;

  // How many devices there are. Where there are none, the processor has all pairs to itself.
  std::size_t count() const { return devices_.size(); }

  // Pairs that one device scores together.
  class Batch {
   public:
    // For up to so many pairs.
    Batch(DeviceScores& scores, std::size_t most);
    // Begins anew: the number deals batches out to the devices.
    void begin(std::size_t number, std::size_t pairs);

    // The k-th pair, by any number of threads, each with pairs of its own. It is left to the processor where
    // it has too many cells, or scores beyond 16 bits.
    void set(std::size_t k, MatrixPairs::Pair pair, const stats::PairScores& scores);
    // Those that are not left to the processor.
    std::vector<std::size_t> taken() const;
    // Of pairs that are taken, in the order of these numbers; nothing where the device has failed. The coarse
    // ones as PairScorer::coarse_scores tells them.
    std::vector<std::int32_t> coarse_scores(std::span<const std::size_t> numbers) const;
    std::vector<std::int32_t> scores(std::span<const std::size_t> numbers) const;

   private:
    enum class State : std::uint8_t { left, taken, fits_coarse };
    using Tables = std::unique_ptr<std::int16_t[]>;
    std::vector<std::int32_t> score(std::span<const std::size_t> numbers, const Tables& tables,
                                    std::int32_t open, std::int32_t extend) const;

    DeviceScores& all_;
    const std::size_t table_size_;
    std::size_t number_ = 0;
    std::vector<MatrixPairs::Pair> pairs_;
    std::vector<State> states_;
    Tables tables_, coarse_tables_;
  };

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

  const MatrixPairsProblem problem_;
  const std::int32_t open_, extend_;
  const CoarseScores coarse_;
  Call& call_;
  std::vector<std::unique_ptr<Chosen>> devices_;
};

}  // namespace alnus::engine
