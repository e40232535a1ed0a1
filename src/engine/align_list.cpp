#include "engine/align_list.h"

#include <mutex>
#include <numeric>
#include <utility>

#include "engine/columns_builder.h"

namespace alnus::engine {
namespace {

// Writes each result to all places where its pair stands in a list.
class Collector : public Sink {
 public:
  // `order`: the indices of `pairs`, sorted by pair.
  Collector(std::span<const PositionPair> pairs, std::span<const std::size_t> order)
      : pairs_(pairs), order_(order) {
    list_.pairs.resize(pairs.size());
  }

  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    std::size_t run_count = 0;
    for (const PairResult& result : results) run_count += result.cigar.size();
    std::vector<CigarRun> runs;
    runs.reserve(run_count);  // no run moves from now on
    for (const PairResult& result : results) {
      const std::size_t begin = runs.size();
      runs.insert(runs.end(), result.cigar.begin(), result.cigar.end());
      AlignedPair aligned = without_cigar(result);
      aligned.cigar = std::span(runs).subspan(begin);
      const PositionPair pair{result.row, result.column};
      auto place = std::ranges::lower_bound(order_, pair, {}, [&](std::size_t i) { return pairs_[i]; });
      for (; place != order_.end() && pairs_[*place] == pair; ++place) list_.pairs[*place] = aligned;
    }
    if (runs.empty()) return;
    const std::lock_guard lock(mutex_);
    list_.runs.push_back(std::move(runs));
  }
  AlignedList take() { return std::move(list_); }

 private:
  std::span<const PositionPair> pairs_;
  std::span<const std::size_t> order_;
  AlignedList list_;
  std::mutex mutex_;  // guards list_.runs
};

}  // namespace

AlignedPair on_minus_strand(AlignedPair aligned, std::size_t length) {
  const auto reversed = [length](std::int32_t coordinate) {
    return coordinate < 0 ? coordinate : static_cast<std::int32_t>(length) - coordinate;
  };
  aligned.query_begin = reversed(std::exchange(aligned.query_end, reversed(aligned.query_begin)));
  return aligned;
}

AlignedList align_list(Scheduler& scheduler, std::span<const PositionPair> pairs, const Problem& problem) {
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return pairs[i]; });
  std::vector<PositionPair> distinct;
  distinct.reserve(pairs.size());
  for (const std::size_t i : order)
    if (distinct.empty() || distinct.back() != pairs[i]) distinct.push_back(pairs[i]);

  Collector collector(pairs, order);
  scheduler.run({.shape = TileShape::list, .pairs = distinct}, problem, collector);
  return collector.take();
}

std::vector<Position> positions_of(const SortedSequences& sequences, const StopFlag& stop) {
  std::vector<Position> result(sequences.size());
  for (Position position = sequences.begin(); position < sequences.end(); ++position) {
    stop.throw_if_requested();
    result[sequences.index(position)] = position;
  }
  return result;
}

std::uint64_t result_bytes(std::size_t query_length, std::size_t subject_length, Detail detail) {
  // A CIGAR seldom has more runs than the shorter sequence has residues. It is held twice: as a device handed
  // it over, and in its column.
  const std::size_t runs = detail == Detail::alignment ? std::min(query_length, subject_length) : 0;
  return sizeof(AlignedPair) + sizeof(PositionPair) + sizeof(std::size_t) + kBytesOfRow +
         2 * runs * sizeof(CigarRun);
}

}  // namespace alnus::engine
