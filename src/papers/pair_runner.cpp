// Computes tiles by a method that aligns pairs. A tile is cut into blocks of pairs, and a window is as many
// blocks as there is memory for. (The paper's windows are squares.)
#include <algorithm>
#include <vector>

#include "cuda/limits.h"
#include "cuda/staging.h"
#include "papers/runner.h"
#include "papers/tile_results.h"

namespace alnus::cuda::papers {
namespace {

constexpr std::uint32_t kSide = PairMethod::kSide, kBlockPairs = kSide * kSide;

class PairRunner : public Runner {
 public:
  PairRunner(std::unique_ptr<PairMethod> method, std::uint64_t memory_bytes)
      : method_(std::move(method)), most_words_(memory_bytes / sizeof(std::uint32_t)) {}

  const PaperMethod& paper() const override { return method_->paper(); }
  double expected_gcups() const override { return method_->expected_gcups(); }
  std::string declines(const Problem& /*problem*/) const override { return {}; }
  Layout layout() const override { return {}; }
  bool needs_rows() const override { return true; }
  bool does(const Tile& /*tile*/, const Problem& problem) const override {
    const SubstitutionMatrix& matrix = problem.scoring.matrix;
    return matrix.lowest() >= INT16_MIN && matrix.highest() <= INT16_MAX;
  }
  std::uint64_t bytes(const Tile& tile, const Problem& problem) const override {
    const std::uint64_t pairs = tile.shape == TileShape::list
                                    ? tile.pairs.size()
                                    : std::uint64_t{tile.row_range.size()} * tile.column_range.size();
    const bool scores = only_scores(tile, problem);
    if (pairs > (scores ? kMostMethodScores : kMostMethodResults)) return UINT64_MAX;
    return most_words_ * sizeof(std::uint32_t) + pairs * (scores ? sizeof(std::int32_t) : sizeof(PairResult));
  }

  void run(const Tile& tile, const Problem& problem, Sink& sink, SequenceStore& sequences, Device& usual,
           Stopper& stopper) override {
    const bool scores = only_scores(tile, problem);
    compute(tile, problem, sequences, scores, stopper);
    replace_left(tile, problem, sink, usual, scores);
    if (!scores) return sink.accept(tile, {results_.data(), count_});
    const TileScores of_tile{tile.column_range, scores_.data()};
    if (sink.limit() > 0) return sink.accept(tile, best_of_rows(tile, of_tile, sink));
    sink.accept_scores(tile, of_tile);
  }
  void settle() override { stream_.wait(); }

 private:
  static bool only_scores(const Tile& tile, const Problem& problem) {
    return problem.detail == Detail::score && tile.shape != TileShape::list;
  }

  // The blocks of one window: [first, end).
  struct Part {
    std::size_t first, end;
  };

  void compute(const Tile& tile, const Problem& problem, SequenceStore& sequences, bool scores,
               Stopper& stopper) {
    staging_.clear();
    const auto places = staging_.add(places_of(tile, scores));
    const auto pairs = staging_.add(tile.pairs);
    std::vector<PairBlock> blocks;
    const std::vector<Part> parts = cut(tile, problem.detail, blocks);
    const auto blocks_at = staging_.add(blocks);
    staging_.upload(stream_);

    const bool list = tile.shape == TileShape::list;
    PairWindow window{};
    window.rows = sequences.of(*tile.rows, stopper);
    window.columns = sequences.of(*tile.columns, stopper);
    window.pairs = list ? staging_.at(pairs) : nullptr;
    window.places = list ? nullptr : staging_.at(places);
    window.numbers =
        list ? KernelRange{0, static_cast<std::uint32_t>(tile.pairs.size())} : kernel_range(tile.row_range);
    window.workspace = workspace_.reserve(words_);
    window.stop = stopper.word();
    if (scores) {
      window.scores = device_scores_.reserve(count_);
      // In a staircase the method does not write all scores.
      fill_zero(window.scores, count_ * sizeof *window.scores, stream_);
    } else {
      window.results = device_results_.reserve(count_);
    }
    runs_.resize(std::max(runs_.size(), parts.size()));
    for (std::size_t k = 0; k < parts.size(); ++k) {
      window.blocks = staging_.at(blocks_at) + parts[k].first;
      window.block_count = static_cast<std::uint32_t>(parts[k].end - parts[k].first);
      method_->fill(window, problem, stream_);
      if (problem.detail == Detail::alignment) trace(window, problem, runs_[k], stopper);
    }
    if (scores)
      copy_to_host(scores_.reserve(count_), window.scores, count_, stream_);
    else
      copy_to_host(results_.reserve(count_), window.results, count_, stream_);
    stopper.wait(stream_);
  }

  // The places of all rows' results. Sets count_ to the number of the tile's scores or results.
  std::vector<RowPlaces> places_of(const Tile& tile, bool scores) {
    count_ = tile.pairs.size();
    if (tile.shape == TileShape::list) return {};
    std::vector<RowPlaces> places;
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      const PositionRange columns = tile.columns_of(row);
      const std::uint32_t before = scores ? columns.begin - tile.column_range.begin : 0;
      places.push_back({count_ + before, columns.begin.value(), columns.end.value()});
      count_ += scores ? tile.column_range.size() : columns.size();
    }
    return places;
  }

  std::vector<Part> cut(const Tile& tile, Detail detail, std::vector<PairBlock>& blocks) {
    std::vector<Part> parts;
    std::uint64_t words = 0;  // of the last part
    words_ = 0;
    const auto add = [&](std::uint32_t row, std::uint32_t column, std::size_t m, std::size_t n) {
      PairBlock block{row, column, static_cast<std::uint32_t>(n), PairBlock::kLeftOut};
      std::uint64_t needed = method_->workspace(static_cast<std::uint32_t>(m), block.longest, detail);
      const bool fits = std::max(m, n) <= method_->longest() && needed <= most_words_;
      if (!fits) needed = 0;
      if (parts.empty() || words + needed > most_words_) {
        parts.push_back({blocks.size(), blocks.size()});
        words = 0;
      }
      if (fits) block.workspace = words;
      words += needed;
      words_ = std::max(words_, words);
      blocks.push_back(block);
      parts.back().end = blocks.size();
    };
    if (tile.shape == TileShape::list) {
      for (std::size_t first = 0; first < tile.pairs.size(); first += kBlockPairs) {
        std::size_t m = 0, n = 0;
        for (std::size_t k = first; k < std::min(first + kBlockPairs, tile.pairs.size()); ++k) {
          m = std::max(m, tile.rows->length(tile.pairs[k].row));
          n = std::max(n, tile.columns->length(tile.pairs[k].column));
        }
        add(static_cast<std::uint32_t>(first), 0, m, n);
      }
    } else {
      for (Position row = tile.row_range.begin; row < tile.row_range.end; row += kSide) {
        const PositionRange columns = tile.columns_of(row);  // columns of the next rows begin there or later
        for (Position column = columns.begin; column < columns.end; column += kSide)
          add(row.value(), column.value(), tile.rows->length(row), tile.columns->length(column));
      }
    }
    return parts;
  }

  void trace(const PairWindow& window, const Problem& problem, PinnedArray<CigarRun>& runs,
             Stopper& stopper) {
    std::uint64_t* const totals = totals_.reserve(2);  // [0]: runs of all pairs; [1]: runs that are written
    fill_zero(totals, 2 * sizeof *totals, stream_);
    method_->trace(window, problem, problem.cigars ? totals : nullptr, stream_);
    if (!problem.cigars) return;
    std::uint64_t& total = *host_total_.reserve(1);
    copy_to_host(&total, totals, 1, stream_);
    stopper.wait(stream_);
    CigarRun* const device_runs = device_runs_.reserve(total);
    method_->write_cigars(window, problem, device_runs, runs.reserve(total), totals + 1, stream_);
    copy_to_host(runs.data(), device_runs, total, stream_);
  }

  // Has the usual device do the pairs that the method has left to it.
  void replace_left(const Tile& tile, const Problem& problem, const Sink& sink, Device& usual, bool scores) {
    std::vector<LeftPair> left;
    if (scores) {
      for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
        Position column = tile.columns_of(row).begin;
        for (const std::int32_t& score : TileScores{tile.column_range, scores_.data()}.of_row(tile, row)) {
          if (score == kBeyond)
            left.push_back({{row, column}, static_cast<std::uint64_t>(&score - scores_.data())});
          ++column;
        }
      }
    } else {
      for (std::uint64_t place = 0; place < count_; ++place) {
        const PairResult& result = results_.data()[place];
        if (result.score == kBeyond) left.push_back({{result.row, result.column}, place});
      }
    }
    left_runs_.clear();
    if (left.empty()) return;

    workspace_ = {};  // the usual device needs memory, too
    do_again(tile, problem, left, sink, usual, [&](std::uint64_t place, const PairResult& result) {
      if (scores) {
        scores_.data()[place] = result.score;
      } else {
        results_.data()[place] = result;
        results_.data()[place].cigar = left_runs_.emplace_back(result.cigar.begin(), result.cigar.end());
      }
    });
  }

  const std::unique_ptr<PairMethod> method_;
  const std::uint64_t most_words_;
  Stream stream_;
  Staging staging_;
  DeviceArray<std::uint32_t> workspace_;
  std::uint64_t words_ = 0;  // words that the largest part needs
  std::uint64_t count_ = 0;  // number of scores or results
  DeviceArray<std::int32_t> device_scores_;
  PinnedArray<std::int32_t> scores_;
  DeviceArray<PairResult> device_results_;
  PinnedArray<PairResult> results_;
  DeviceArray<std::uint64_t> totals_;
  PinnedArray<std::uint64_t> host_total_;
  DeviceArray<CigarRun> device_runs_;
  std::vector<PinnedArray<CigarRun>> runs_;       // CIGARs of each part; the results point into them
  std::vector<std::vector<CigarRun>> left_runs_;  // CIGARs of the pairs that the usual device has done
};

}  // namespace

std::unique_ptr<Runner> make_pair_runner(std::unique_ptr<PairMethod> method, std::uint64_t memory_bytes) {
  return std::make_unique<PairRunner>(std::move(method), memory_bytes);
}

}  // namespace alnus::cuda::papers
