#include "engine/device_scores.h"

#include <fmt/format.h>

#include "alnus/error.h"

namespace alnus::engine {

DeviceScores::DeviceScores(const MatrixPairsProblem& problem, std::int32_t open, std::int32_t extend,
                           CallState& call)
    : problem_(problem), open_(open), extend_(extend), coarse_(open, extend), call_(call) {
  for (Device* device : call.devices) {
    if (call.is_retired(*device)) continue;
    auto chosen = std::make_unique<Chosen>();
    chosen->device = device;
    attempt(*chosen, [&] { chosen->pairs = device->matrix_pairs(problem, call.progress.stop); });
    if (chosen->pairs) devices_.push_back(std::move(chosen));
  }
}

template <typename Work>
bool DeviceScores::attempt(Chosen& chosen, const Work& work) {
  if (chosen.failed) return false;
  try {
    work();
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::memory) throw;
    if (chosen.failed.exchange(true) || error.kind() == ErrorKind::memory) return false;
    const bool is_new = call_.retire(*chosen.device);  // else it was retired before, with a warning
    if (is_new && call_.progress.warn)
      call_.progress.warn(fmt::format("Device {} failed, and the processor does its work: {}",
                                      chosen.device->info().name, error.marked()));
    return false;
  }
}

std::vector<std::int32_t> DeviceScores::score(Chosen& chosen, std::span<const MatrixPairs::Pair> pairs,
                                              const MatrixRounding& rounding, std::int32_t open,
                                              std::int32_t extend) {
  std::vector<std::int32_t> best(pairs.size());
  if (pairs.empty()) return best;
  const bool ended =
      attempt(chosen, [&] { chosen.pairs->score(pairs, rounding, open, extend, best, call_.progress.stop); });
  return ended ? best : std::vector<std::int32_t>{};
}

std::vector<std::int32_t> DeviceScores::scores(std::size_t device, std::span<const MatrixPairs::Pair> pairs) {
  return score(*devices_[device], pairs, {}, open_, extend_);
}

std::vector<std::int32_t> DeviceScores::coarse_scores(std::size_t device,
                                                      std::span<const MatrixPairs::Pair> pairs) {
  const MatrixRounding rounding{coarse_.shift, -CoarseScores::kLowest, CoarseScores::kHighest};
  std::vector<std::int32_t> best =
      score(*devices_[device], pairs, rounding, coarse_.first - coarse_.extend, coarse_.extend);
  for (std::int32_t& one : best)
    one = one <= coarse_.highest_known ? one << coarse_.shift : PairScorer::kUnknownScore;
  return best;
}

}  // namespace alnus::engine
