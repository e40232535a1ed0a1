#include "engine/device_scores.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "alnus/error.h"
#include "core/pair_scorer.h"

namespace alnus::engine {

DeviceScores::DeviceScores(const MatrixPairsProblem& problem, std::int32_t open, std::int32_t extend,
                           Call& call)
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
    if (call_.is_retired(*chosen.device)) return false;  // and told of
    call_.retire(*chosen.device);
    if (call_.progress.warn)
      call_.progress.warn(fmt::format("Device {} failed, and the processor does its work: {}",
                                      chosen.device->info().name, error.marked()));
    return false;
  }
}

DeviceScores::Batch::Batch(DeviceScores& scores, std::size_t most)
    : all_(scores),
      table_size_(static_cast<std::size_t>(scores.problem_.letters) *
                  static_cast<std::size_t>(scores.problem_.letters)),
      tables_(std::make_unique_for_overwrite<std::int16_t[]>(most * table_size_)),
      coarse_tables_(std::make_unique_for_overwrite<std::int16_t[]>(most * table_size_)) {}

void DeviceScores::Batch::begin(std::size_t number, std::size_t pairs) {
  number_ = number;
  pairs_.resize(pairs);
  states_.assign(pairs, State::left);
}

void DeviceScores::Batch::set(std::size_t k, MatrixPairs::Pair pair, const stats::PairScores& scores) {
  using Limits = std::numeric_limits<std::int16_t>;
  const MatrixPairsProblem& problem = all_.problem_;
  if (!MatrixPairs::takes(problem.queries[pair.query].size(), problem.subjects[pair.subject].size())) return;
  const auto [lowest, highest] = std::ranges::minmax(scores);
  if (lowest < Limits::min() || highest > Limits::max()) return;
  const auto letters = static_cast<std::size_t>(problem.letters);
  std::int16_t *exact = &tables_[k * table_size_], *coarse = &coarse_tables_[k * table_size_];
  for (std::size_t s = 0; s < letters; ++s)
    for (std::size_t q = 0; q < letters; ++q) {
      const std::int32_t score = scores[s * kMaxLetters + q];
      *exact++ = static_cast<std::int16_t>(score);
      *coarse++ = static_cast<std::int16_t>(all_.coarse_.rounded(score));
    }
  pairs_[k] = pair;
  states_[k] = all_.coarse_.fit(scores) ? State::fits_coarse : State::taken;
}

std::vector<std::size_t> DeviceScores::Batch::taken() const {
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < states_.size(); ++k)
    if (states_[k] != State::left) numbers.push_back(k);
  return numbers;
}

std::vector<std::int32_t> DeviceScores::Batch::score(std::span<const std::size_t> numbers,
                                                     const Tables& tables, std::int32_t open,
                                                     std::int32_t extend) const {
  std::vector<MatrixPairs::Pair> pairs;
  for (const std::size_t number : numbers) pairs.push_back(pairs_[number]);
  std::vector<std::int16_t> some;
  std::span<const std::int16_t> of_pairs(tables.get(), pairs_.size() * table_size_);
  if (pairs.size() < pairs_.size()) {
    some.reserve(pairs.size() * table_size_);
    for (const std::size_t number : numbers)
      some.insert(some.end(), &tables[number * table_size_], &tables[number * table_size_] + table_size_);
    of_pairs = some;
  }
  std::vector<std::int32_t> best(pairs.size());
  Chosen& chosen = *all_.devices_[number_ % all_.devices_.size()];
  const bool ended = all_.attempt(
      chosen, [&] { chosen.pairs->score(pairs, of_pairs, open, extend, best, all_.call_.progress.stop); });
  return ended ? best : std::vector<std::int32_t>{};
}

std::vector<std::int32_t> DeviceScores::Batch::coarse_scores(std::span<const std::size_t> numbers) const {
  const CoarseScores& coarse = all_.coarse_;
  std::vector<std::int32_t> best =
      score(numbers, coarse_tables_, coarse.first - coarse.extend, coarse.extend);
  for (std::size_t k = 0; k < best.size(); ++k) {
    const bool known = states_[numbers[k]] == State::fits_coarse && best[k] <= coarse.highest_known;
    best[k] = known ? best[k] << coarse.shift : PairScorer::kUnknownScore;
  }
  return best;
}

std::vector<std::int32_t> DeviceScores::Batch::scores(std::span<const std::size_t> numbers) const {
  return score(numbers, tables_, all_.open_, all_.extend_);
}

}  // namespace alnus::engine
