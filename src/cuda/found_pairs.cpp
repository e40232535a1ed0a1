#include "cuda/found_pairs.h"

#include <algorithm>
#include <span>
#include <utility>

namespace alnus::cuda {

std::uint64_t FoundPairs::size() const {
  std::uint64_t size = 0;
  for (std::size_t k = 0; k < used_; ++k) size += parts_[k].count;
  return size;
}

FoundPairs::Part& FoundPairs::add() {
  if (used_ == parts_.size()) parts_.emplace_back();
  Part& part = parts_[used_++];
  part.count = 0;
  return part;
}

void FoundPairs::take(FoundPairs& other) {
  for (std::size_t k = 0; k < other.used_; ++k) std::swap(add(), other.parts_[k]);
  other.clear();
}

void FoundPairs::hand_over(const Tile& tile, Sink& sink) {
  constexpr std::size_t kTogether = 1 << 19;  // candidates between two looks at the sink's flag
  pairs_.clear();
  pairs_.reserve(size());
  for (std::size_t k = 0; k < used_; ++k) {
    const std::span<const Candidate> all(parts_[k].candidates.data(), parts_[k].count);
    for (std::size_t begin = 0; begin < all.size(); begin += kTogether) {
      sink.stop_flag().throw_if_requested();
      for (const Candidate& candidate : all.subspan(begin, std::min(kTogether, all.size() - begin))) {
        const Position row = tile.row_range.begin + candidate.row,
                       column = parts_[k].first_column + candidate.column;
        if (column >= tile.columns_of(row).begin) pairs_.push_back({row, column, candidate.score});
      }
    }
  }
  sink.accept_pairs(tile, pairs_);
}

}  // namespace alnus::cuda
