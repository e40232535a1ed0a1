#include "engine/nearest_pairs.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/pair_value.h"

namespace alnus::engine {
namespace {

// A row is cut to the pairs that it keeps when it has collected twice as many and kFewPairs more, so that
// rows that keep few pairs are not cut too often.
constexpr std::size_t kFewPairs = 16;

}  // namespace

double nearness(const MatrixValue& value, const Scoring& scoring, std::int32_t score, std::int32_t self_score,
                const AlignmentCounts& counts, std::size_t length, std::size_t other_length) {
  if (value.kind == PairValue::score) return score;
  if (value.kind == PairValue::score_distance) return static_cast<double>(score) - self_score;
  const double of_pair = value_of(value, scoring, score, self_score, counts, length, other_length);
  return is_distance(value.kind) ? -of_pair : of_pair;
}

bool NearPair::operator<(const NearPair& other) const {
  const auto by = [](const NearPair& one) {
    return std::tuple(-one.nearness, -std::int64_t{one.pair.aligned.score}, one.pair.j);
  };
  return by(*this) < by(other);
}

std::uint64_t NearestPairs::bytes_of_row(std::uint32_t count, std::uint64_t columns) {
  return std::min<std::uint64_t>(columns, 2 * std::uint64_t{count} + kFewPairs) * sizeof(NearPair);
}

NearestPairs::NearestPairs(IndexRange rows, std::uint32_t count)
    : rows_(rows), count_(count), least_(rows.size()), of_rows_(rows.size()) {
  for (std::atomic<double>& least : least_) least = -std::numeric_limits<double>::infinity();
}

void NearestPairs::take(std::span<const NearPair> pairs) {
  for (const NearPair& pair : pairs) {
    const Index row = pair.pair.i - rows_.begin;
    if (pair.nearness < least_[row].load(std::memory_order_relaxed)) continue;
    const std::lock_guard lock(locks_[row % locks_.size()]);
    std::vector<NearPair>& of_row = of_rows_[row];
    of_row.push_back(pair);
    if (of_row.size() < 2 * std::size_t{count_} + kFewPairs) continue;
    keep_best(of_row);
    const double least = std::max_element(of_row.begin(), of_row.end())->nearness;  // of the worst kept pair
    least_[row].store(least, std::memory_order_relaxed);
  }
}

void NearestPairs::keep_best(std::vector<NearPair>& of_row) const {
  if (of_row.size() <= count_) return;
  std::nth_element(of_row.begin(), of_row.begin() + count_, of_row.end());
  of_row.resize(count_);
}

std::vector<ListedPair> NearestPairs::finish(CallState& call) {
  constexpr std::size_t kPiece = 256;  // rows
  const auto for_each_row = [&](const auto& body) {
    call.for_each_piece(of_rows_.size(), kPiece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) body(row);
    });
  };
  for_each_row([&](std::size_t row) {
    keep_best(of_rows_[row]);
    std::sort(of_rows_[row].begin(), of_rows_[row].end());
  });
  std::vector<std::size_t> begins{0};  // of each row, in `all`
  for (const std::vector<NearPair>& of_row : of_rows_) begins.push_back(begins.back() + of_row.size());
  std::vector<ListedPair> all(begins.back());
  for_each_row([&](std::size_t row) {
    std::ranges::transform(of_rows_[row], all.begin() + static_cast<std::ptrdiff_t>(begins[row]),
                           &NearPair::pair);
    of_rows_[row] = {};
  });
  return all;
}

}  // namespace alnus::engine
