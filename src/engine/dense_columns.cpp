#include "engine/dense_columns.h"

#include <algorithm>

namespace alnus::engine {
namespace {

// The sample: so many bands of rows, in each band so many blocks of columns, and so many pairs of a block.
// The pairs of kNeighbours bands on both sides count with those of a band.
constexpr std::uint32_t kBands = 64, kBlocksOfBand = 32, kPairsOfBlock = 16, kNeighbours = 2;
// A region with fewer pairs has no dense columns: a list of them takes little time.
constexpr std::uint64_t kFewPairs = 1 << 19;

// Cuts a region into bands of rows, and each band into blocks of columns.
class Blocks {
 public:
  Blocks(const SortedSequences& rows, const SortedSequences& columns, std::span<const Position> steps)
      : rows_(rows),
        columns_(columns),
        steps_(steps),
        height_((rows.size() + kBands - 1) / kBands),
        count_((rows.size() + height_ - 1) / height_) {}

  std::uint32_t bands() const { return count_; }
  std::uint32_t band_of(Position row) const { return row.value() / height_; }
  PositionRange rows_of(std::uint32_t band) const {
    return {Position(band * height_), Position(std::min((band + 1) * height_, rows_.size()))};
  }
  std::uint32_t block_of(std::uint32_t band, Position column) const {
    return (column - first(band)) / width(band);
  }
  PositionRange columns_of(std::uint32_t band, std::uint32_t block) const {
    const auto after = [&](std::uint32_t blocks) {
      return first(band) + std::min(blocks * width(band), columns_.end() - first(band));
    };
    return {after(block), after(block + 1)};
  }
  // Adds pairs of the block that lie evenly in it.
  void add_sample(std::uint32_t band, std::uint32_t block, std::vector<PositionPair>& sample) const {
    constexpr std::uint32_t kStride = 5;  // has no divisor in common with kPairsOfBlock
    const PositionRange rows = rows_of(band), columns = columns_of(band, block);
    for (std::uint32_t k = 0; k < kPairsOfBlock; ++k) {
      const std::uint32_t across = k * kStride % kPairsOfBlock;
      const Position row = rows.begin + part(k, rows.size()),
                     column = columns.begin + part(across, columns.size());
      if (column < columns.end && column >= steps_[row.value()]) sample.push_back({row, column});
    }
  }

 private:
  static std::uint32_t part(std::uint32_t k, std::uint32_t size) {
    return static_cast<std::uint32_t>(std::uint64_t{k} * size / kPairsOfBlock);
  }
  Position first(std::uint32_t band) const { return steps_[rows_of(band).begin.value()]; }
  std::uint32_t width(std::uint32_t band) const {
    return std::max(1U, (columns_.end() - first(band) + kBlocksOfBand - 1) / kBlocksOfBand);
  }

  const SortedSequences &rows_, &columns_;
  const std::span<const Position> steps_;
  const std::uint32_t height_, count_;
};

std::uint64_t pairs_behind(const SortedSequences& columns, std::span<const Position> steps) {
  std::uint64_t pairs = 0;
  for (const Position step : steps) pairs += columns.end() - step;
  return pairs;
}

}  // namespace

double slowness_of_lists(const SortedSequences& rows, const SortedSequences& columns) {
  constexpr double kOfCells = 6, kCellsOfPair = 2.25e6;  // cells of a tile in the time that each pair takes
  const auto mean_length = [](const SortedSequences& sequences) {
    return static_cast<double>(sequences.residues(sequences.all())) / std::max(sequences.size(), 1U);
  };
  return kOfCells + kCellsOfPair / std::max(mean_length(rows) * mean_length(columns), 1.0);
}

std::size_t blocks_in_tiles(std::span<const ColumnBlock> blocks, double slowness) {
  double list = 0, tiles = 0;
  for (const ColumnBlock& block : blocks) list += slowness * block.wanted;
  double least = list;
  std::size_t best = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    tiles += blocks[k].pairs;
    list -= slowness * blocks[k].wanted;
    if (tiles + list < least) {
      least = tiles + list;
      best = k + 1;
    }
  }
  return best;
}

std::vector<Position> dense_ends(const SortedSequences& rows, const SortedSequences& columns,
                                 std::span<const Position> steps, const Sieve& sieve, const StopFlag& stop) {
  std::vector<Position> ends(steps.begin(), steps.end());
  if (pairs_behind(columns, steps) < kFewPairs) return ends;
  const Blocks blocks(rows, columns, steps);
  std::vector<PositionPair> sample;
  for (std::uint32_t band = 0; band < blocks.bands(); ++band)
    for (std::uint32_t block = 0; block < kBlocksOfBand; ++block) blocks.add_sample(band, block, sample);
  std::ranges::sort(sample);
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  stop.throw_if_requested();

  // How many pairs of each block are in the sample, and how many of these the sieve leaves.
  std::vector<ColumnBlock> sampled(std::size_t{blocks.bands()} * kBlocksOfBand);
  const auto of = [&](const PositionPair& pair) -> ColumnBlock& {
    const std::uint32_t band = blocks.band_of(pair.row);
    return sampled[band * kBlocksOfBand + blocks.block_of(band, pair.column)];
  };
  for (const PositionPair& pair : sample) of(pair).pairs += 1;
  for (const PositionPair& pair : sieve(sample)) of(pair).wanted += 1;

  const double slowness = slowness_of_lists(rows, columns);
  Position least = columns.end();  // of the bands behind
  for (std::uint32_t band = blocks.bands(); band-- > 0;) {
    const PositionRange of_band = blocks.rows_of(band);
    std::vector<ColumnBlock> expected;
    for (std::uint32_t block = 0; block < kBlocksOfBand; ++block) {
      ColumnBlock near;
      const std::uint32_t last = std::min(band + kNeighbours, blocks.bands() - 1);
      for (std::uint32_t other = band - std::min(band, kNeighbours); other <= last; ++other) {
        near.pairs += sampled[other * kBlocksOfBand + block].pairs;
        near.wanted += sampled[other * kBlocksOfBand + block].wanted;
      }
      const double all = static_cast<double>(of_band.size()) * blocks.columns_of(band, block).size();
      expected.push_back({all, near.pairs > 0 ? all * near.wanted / near.pairs : 0});
    }
    const std::size_t tiled = blocks_in_tiles(expected, slowness);
    const Position end = tiled == 0 ? steps[of_band.begin.value()]
                                    : blocks.columns_of(band, static_cast<std::uint32_t>(tiled - 1)).end;
    least = std::min(least, end);
    for (Position row = of_band.begin; row < of_band.end; ++row) ends[row.value()] = least;
  }
  return ends;
}

}  // namespace alnus::engine
