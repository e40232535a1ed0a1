#include "engine/self_scores.h"

#include "engine/scheduler.h"
#include "engine/stripe_regions.h"

namespace alnus::engine {
namespace {

// Writes each result to the place of its sequence. No two results share a place, so that no lock is needed.
class Collector : public Sink {
 public:
  Collector(const SortedSequences& sequences, std::span<std::int32_t> scores)
      : sequences_(sequences), scores_(scores) {}
  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    for (const PairResult& result : results) scores_[sequences_.index(result.row)] = result.score;
  }

 private:
  const SortedSequences& sequences_;
  const std::span<std::int32_t> scores_;
};

}  // namespace

void score_with_themselves(const RankedSequences& sequences, const Scoring& scoring, CallState& call,
                           std::span<std::int32_t> scores) {
  const SortedSequences& sorted = *sequences.sorted;
  std::vector<PositionPair> pairs;
  pairs.reserve(sorted.size());
  for (Position position = sorted.begin(); position < sorted.end(); ++position)
    pairs.push_back({position, position});
  const Problem problem{scoring, Detail::score};
  Scheduler scheduler(call, sequences.sorted, sequences.sorted, problem);
  Collector collector(sorted, scores);
  scheduler.run({.shape = TileShape::list, .pairs = pairs}, problem, collector);
}

}  // namespace alnus::engine
