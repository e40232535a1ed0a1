#include "papers/tile_results.h"

#include <algorithm>
#include <cstddef>

#include "cuda/limits.h"

namespace alnus::cuda::papers {
namespace {

using Take = std::function<void(std::uint64_t place, const PairResult& result)>;

class Replacements : public Sink {
 public:
  Replacements(std::span<const LeftPair> left, const Sink& sink, const Take& take)
      : left_(left), sink_(sink), take_(take) {}
  const StopFlag& stop_flag() const override { return sink_.stop_flag(); }
  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    for (const PairResult& result : results)
      take_(std::ranges::lower_bound(left_, PositionPair{result.row, result.column}, {}, &LeftPair::pair)
                ->place,
            result);
  }

 private:
  const std::span<const LeftPair> left_;  // sorted by pair
  const Sink& sink_;                      // of the tile
  const Take& take_;
};

}  // namespace

std::vector<PairResult> best_of_rows(const Tile& tile, const TileScores& scores, const Sink& sink) {
  std::vector<PairResult> results;
  std::vector<std::int32_t> best;
  for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    const std::span<const std::int32_t> of_row = scores.of_row(tile, row);
    std::int32_t least = sink.floor(row);
    if (sink.limit() < of_row.size()) {
      best.assign(of_row.begin(), of_row.end());
      const auto last = best.begin() + (sink.limit() - 1);
      std::ranges::nth_element(best, last, std::greater<>());
      least = std::max(least, *last);
    }
    const Position first = tile.columns_of(row).begin;
    for (std::uint32_t i = 0; i < of_row.size(); ++i) {
      if (of_row[i] < least) continue;
      PairResult& result = results.emplace_back();
      result.row = row;
      result.column = first + i;
      result.score = of_row[i];
    }
  }
  return results;
}

void do_again(const Tile& tile, const Problem& problem, std::span<LeftPair> left, const Sink& sink,
              Device& usual, const Take& take) {
  std::ranges::sort(left, {}, &LeftPair::pair);
  for (std::size_t first = 0; first < left.size(); first += kMostListedPairs) {
    const std::span<const LeftPair> some =
        left.subspan(first, std::min<std::size_t>(kMostListedPairs, left.size() - first));
    Tile list;
    list.rows = tile.rows;
    list.columns = tile.columns;
    list.device_columns = tile.device_columns;
    list.shape = TileShape::list;
    for (const LeftPair& one : some) {
      list.pairs.push_back(one.pair);
      list.cells += tile.rows->length(one.pair.row) * tile.columns->length(one.pair.column);
    }
    Replacements replacements(some, sink, take);
    usual.run(list, problem, replacements);
  }
}

}  // namespace alnus::cuda::papers
