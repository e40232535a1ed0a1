#include "cuda/methods/tile_results.h"

#include <algorithm>
#include <cstddef>

namespace alnus::cuda {
namespace {

bool before(const PairIndex& a, const PairIndex& b) {
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}

using Take = std::function<void(std::uint64_t place, const PairResult& result)>;

class Replacements : public Sink {
 public:
  Replacements(std::span<const LeftPair> left, const Take& take) : left_(left), take_(take) {}
  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    for (const PairResult& result : results)
      take_(std::ranges::lower_bound(left_, PairIndex{result.row, result.column}, before, &LeftPair::pair)
                ->place,
            result);
  }

 private:
  const std::span<const LeftPair> left_;  // by pair
  const Take& take_;
};

}  // namespace

std::vector<PairResult> best_of_rows(const Tile& tile, const TileScores& scores, const Sink& sink) {
  std::vector<PairResult> results;
  std::vector<std::int32_t> best;
  for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
    const std::span<const std::int32_t> of_row = scores.of_row(tile, row);
    std::int32_t least = sink.floor(row);
    if (sink.limit() < of_row.size()) {
      best.assign(of_row.begin(), of_row.end());
      const auto last = best.begin() + (sink.limit() - 1);
      std::ranges::nth_element(best, last, std::greater<>());
      least = std::max(least, *last);
    }
    const std::uint32_t first = tile.columns_of(row).begin;
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

void do_again(const Tile& tile, const Problem& problem, std::span<LeftPair> left, Device& usual,
              const Take& take) {
  constexpr std::size_t kMost = 1 << 20;  // at a time: the host holds all of their results
  std::ranges::sort(left, before, &LeftPair::pair);
  for (std::size_t first = 0; first < left.size(); first += kMost) {
    const std::span<const LeftPair> some = left.subspan(first, std::min(kMost, left.size() - first));
    Tile list;
    list.rows = tile.rows;
    list.columns = tile.columns;
    list.shape = TileShape::list;
    for (const LeftPair& one : some) {
      list.pairs.push_back(one.pair);
      list.cells += tile.rows->length(one.pair.row) * tile.columns->length(one.pair.column);
    }
    Replacements replacements(some, take);
    usual.run(list, problem, replacements);
  }
}

}  // namespace alnus::cuda
