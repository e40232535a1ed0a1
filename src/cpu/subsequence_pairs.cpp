#include "cpu/subsequence_pairs.h"

#include <algorithm>
#include <array>

#include "core/common_subsequence.h"

namespace alnus::cpu {
namespace {

constexpr std::size_t kMostLanes = 8;  // 512 bits
constexpr std::int32_t kWordRows = 64;

// The profile of longer sequences would take more than 34 MB.
constexpr std::uint64_t kLongest = 1 << 20;

// Larger scores are left to kernels that refuse them.
constexpr std::int64_t kHighest = 1'000'000'000;

std::int32_t divided(std::int32_t number, std::int32_t by) { return (number + by - 1) / by; }

}  // namespace

bool SubsequencePairs::takes(const Tile& tile, const Problem& problem) {
  if (problem.detail != Detail::score || tile.shape == TileShape::list || tile.row_range.size() == 0 ||
      tile.column_range.size() == 0)
    return false;
  const std::uint64_t row = tile.rows->length(tile.row_range.begin),
                      column = tile.columns->length(tile.column_range.begin);
  const std::int64_t unit = subsequence_unit(problem.scoring);
  return unit > 0 && std::max(row, column) <= kLongest &&
         unit * static_cast<std::int64_t>(std::min(row, column)) <= kHighest;
}

std::uint64_t SubsequencePairs::bytes(const KernelSet& kernels, const Tile& tile) {
  const std::uint64_t longest =
      std::max(tile.rows->length(tile.row_range.begin), tile.columns->length(tile.column_range.begin));
  // A word of each lane for each letter in the profile, and one more in the workspace.
  const std::uint64_t words = longest / kWordRows + kStripWords + kChunkColumns;
  return words * (kLetters + 1) * static_cast<std::uint64_t>(kernels.subsequence.lanes) *
         sizeof(std::uint64_t);
}

std::span<const Residue> SubsequencePairs::residues(InLanes side, std::uint32_t number) const {
  return side == InLanes::rows ? tile_->rows->residues(tile_->row_range.begin + number)
                               : tile_->columns->residues(tile_->column_range.begin + number);
}

// The lanes that stay empty decide, and the profiles. To make the profile of a sequence takes about as long
// as a pair.
SubsequencePairs::InLanes SubsequencePairs::faster() const {
  const std::uint64_t rows = tile_->row_range.size(), columns = tile_->column_range.size();
  const auto lanes = static_cast<std::uint64_t>(kernels_->subsequence.lanes);
  const auto padded = [&](std::uint64_t count) { return (count + lanes - 1) / lanes * lanes; };
  return padded(rows) * columns + rows < rows * padded(columns) + columns ? InLanes::rows : InLanes::columns;
}

void SubsequencePairs::prepare(InLanes side, std::uint32_t first, std::uint32_t end) {
  const auto lanes = static_cast<std::size_t>(kernels_->subsequence.lanes);
  const std::int32_t words =
      std::max(divided(static_cast<std::int32_t>(residues(side, first).size()), kWordRows), 1);
  job_.strips = divided(words, kStripWords);
  job_.strip_words = divided(words, job_.strips);
  const auto strip_words = static_cast<std::size_t>(job_.strip_words);
  const std::size_t size = static_cast<std::size_t>(job_.strips) * kLetters * strip_words * lanes;
  auto* profile = reinterpret_cast<std::uint64_t*>(profile_.at_least(size * sizeof(std::uint64_t)));
  std::fill_n(profile, size, std::uint64_t{0});
  // By letter in a lane: the letters of the other side that are common.
  std::array<std::vector<std::size_t>, kMaxLetters> common;
  for (std::size_t one = 0; one < kMaxLetters; ++one)
    for (std::size_t other = 0; other < kMaxLetters; ++other) {
      const std::size_t query = side == InLanes::rows ? one : other, subject = one + other - query;
      if (scoring_->matrix.value(static_cast<Residue>(query), static_cast<Residue>(subject)) > 0)
        common[one].push_back(other);
    }
  for (std::uint32_t number = first; number < end; ++number) {
    const std::span<const Residue> letters = residues(side, number);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const std::size_t word = i / kWordRows;
      for (const std::size_t other : common[letters[i] & kCodeMask])
        profile[((word / strip_words * kLetters + other) * strip_words + word % strip_words) * lanes +
                (number - first)] |= std::uint64_t{1} << i % kWordRows;
    }
  }
  job_.profile = profile;
  job_.workspace = workspace_.at_least(kernels_->subsequence.workspace(job_.strips));
}

void SubsequencePairs::score(InLanes side, std::uint32_t first, std::uint32_t end, std::uint32_t number) {
  std::array<std::int32_t, kMostLanes> lengths{};
  const std::span<const Residue> other =
      residues(side == InLanes::rows ? InLanes::columns : InLanes::rows, number);
  job_.subject = other.data();
  job_.columns = static_cast<std::int32_t>(other.size());
  job_.length = lengths.data();
  kernels_->subsequence.run(job_);
  const std::size_t width = tile_->column_range.size();
  for (std::uint32_t k = first; k < end; ++k)
    scores_[side == InLanes::rows ? k * width + number : number * width + k] = unit_ * lengths[k - first];
}

void SubsequencePairs::run(const KernelSet& kernels, const Tile& tile, const Scoring& scoring,
                           const StopFlag& stop_flag) {
  kernels_ = &kernels;
  tile_ = &tile;
  scoring_ = &scoring;
  unit_ = subsequence_unit(scoring);
  job_ = {};
  job_.stop_flag = stop_flag.raw();
  const std::uint32_t rows = tile.row_range.size(), columns = tile.column_range.size();
  scores_.assign(std::size_t{rows} * columns, 0);
  const auto first_column = [&](std::uint32_t row) {
    return tile.columns_of(tile.row_range.begin + row).begin - tile.column_range.begin;
  };
  const auto lanes = static_cast<std::uint32_t>(kernels.subsequence.lanes);
  const InLanes side = faster();
  const std::uint32_t count = side == InLanes::rows ? rows : columns;
  for (std::uint32_t first = 0; first < count; first += lanes) {
    const std::uint32_t end = std::min(first + lanes, count);
    stop_flag.throw_if_requested();
    prepare(side, first, end);
    if (side == InLanes::rows)
      for (std::uint32_t column = first_column(first); column < columns; ++column)
        score(side, first, end, column);
    else  // the first columns of rows never fall
      for (std::uint32_t row = 0; row < rows && first_column(row) < end; ++row) score(side, first, end, row);
  }
  stop_flag.throw_if_requested();
}

}  // namespace alnus::cpu
