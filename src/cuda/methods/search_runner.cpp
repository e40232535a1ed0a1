// Tiles of scores by a method that searches with one query at a time. Lists of pairs are no searches.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <vector>

#include "cuda/methods/runner.h"

namespace alnus::cuda {
namespace {

// Scores of a list of pairs, by their places in it.
class ListScores : public Sink {
 public:
  explicit ListScores(const std::vector<PairIndex>& pairs) : pairs_(pairs), scores_(pairs.size()) {}
  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    for (const PairResult& result : results) {
      const auto before = [](const PairIndex& a, const PairIndex& b) {
        return a.row != b.row ? a.row < b.row : a.column < b.column;
      };
      const auto place =
          std::lower_bound(pairs_.begin(), pairs_.end(), PairIndex{result.row, result.column}, before);
      scores_[place - pairs_.begin()] = result.score;
    }
  }
  std::int32_t operator[](std::size_t place) const { return scores_[place]; }

 private:
  const std::vector<PairIndex>& pairs_;
  std::vector<std::int32_t> scores_;
};

class SearchRunner : public Runner {
 public:
  SearchRunner(std::unique_ptr<SearchMethod> method, int multiprocessors)
      : method_(std::move(method)), multiprocessors_(multiprocessors) {}

  const PaperMethod& paper() const override { return method_->paper(); }
  double expected_gcups() const override { return method_->expected_gcups(); }
  Layout layout() const override { return method_->layout(); }
  std::string declines(const Problem& problem) const override {
    if (problem.scoring.mode != Mode::local)
      return fmt::format("Method {} is for mode local, as its paper is.", paper().name);
    return method_->declines(problem.scoring);
  }
  bool does(const Tile& tile, const Problem& problem) const override {
    return problem.detail == Detail::score && tile.shape != TileShape::list &&
           !may_pass_32_bits(tile, problem.scoring);
  }
  std::uint64_t bytes(const Tile& tile, const Problem& /*problem*/) const override {
    return scores_of(tile) * sizeof(std::int32_t);
  }

  void run(const Tile& tile, const Problem& problem, Sink& sink, SequenceStore& sequences,
           Device& usual) override {
    score_rows(tile, problem.scoring, sequences);
    score_high_pairs_again(tile, problem, usual);
    if (sink.limit() > 0) return sink.accept(tile, best_of_rows(tile, sink));
    sink.accept_scores(tile, {tile.column_range, scores_.data()});
  }

 private:
  static bool may_pass_32_bits(const Tile& tile, const Scoring& scoring) {
    if (tile.row_range.size() == 0 || tile.column_range.size() == 0) return false;
    const std::uint64_t rows = tile.rows->length(tile.row_range.begin),
                        columns = tile.columns->length(tile.column_range.begin);
    constexpr std::uint64_t kLimit = 1 << 30;
    return std::min(rows, columns) * static_cast<std::uint64_t>(std::max(scoring.matrix.highest(), 0)) >
           kLimit;
  }

  static std::uint64_t scores_of(const Tile& tile) {
    return std::uint64_t{tile.row_range.size()} * tile.column_range.size();
  }
  // Where the scores of a row are, from the tile's first column on.
  static std::uint64_t place_of(const Tile& tile, std::uint32_t row) {
    return std::uint64_t{row - tile.row_range.begin} * tile.column_range.size();
  }

  void score_rows(const Tile& tile, const Scoring& scoring, SequenceStore& sequences) {
    const std::uint64_t count = scores_of(tile);
    std::int32_t* const scores = device_scores_.reserve(count);
    fill_zero(scores, count * sizeof *scores, stream_);
    const Sequences subjects = sequences.of(*tile.columns);
    for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      const std::span<const Residue> query = tile.rows->residues(row);
      const Range columns = tile.columns_of(row);
      if (query.empty() || columns.size() == 0) continue;
      std::int32_t* const first = scores + place_of(tile, row) + (columns.begin - tile.column_range.begin);
      method_->score({query, scoring, subjects, *tile.columns, columns, first, multiprocessors_, stream_});
      stream_.wait();
    }
    copy_to_host(scores_.reserve(count), scores, count, stream_);
    stream_.wait();
  }

  // What the method's integers may not have held.
  void score_high_pairs_again(const Tile& tile, const Problem& problem, Device& usual) {
    Tile high;
    high.rows = tile.rows;
    high.columns = tile.columns;
    high.shape = TileShape::list;
    std::vector<std::int32_t*> places;
    for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      std::int32_t* score = scores_.data() + place_of(tile, row);
      for (std::uint32_t column = tile.column_range.begin; column < tile.column_range.end;
           ++column, ++score) {
        if (*score <= method_->highest_score()) continue;
        high.pairs.push_back({row, column});
        high.cells += tile.rows->length(row) * tile.columns->length(column);
        places.push_back(score);
      }
    }
    if (high.pairs.empty()) return;
    ListScores scores(high.pairs);
    usual.run(high, problem, scores);
    for (std::size_t i = 0; i < places.size(); ++i) *places[i] = scores[i];
  }

  std::span<const PairResult> best_of_rows(const Tile& tile, const Sink& sink) {
    results_.clear();
    for (std::uint32_t row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      const std::span<const std::int32_t> scores =
          TileScores{tile.column_range, scores_.data()}.of_row(tile, row);
      std::int32_t least = sink.floor(row);
      if (sink.limit() < scores.size()) {
        std::vector<std::int32_t> best(scores.begin(), scores.end());
        std::ranges::nth_element(best, best.begin() + (sink.limit() - 1), std::greater<>());
        least = std::max(least, best[sink.limit() - 1]);
      }
      const std::uint32_t first = tile.columns_of(row).begin;
      for (std::uint32_t i = 0; i < scores.size(); ++i) {
        if (scores[i] < least) continue;
        PairResult& result = results_.emplace_back();
        result.row = row;
        result.column = first + i;
        result.score = scores[i];
      }
    }
    return results_;
  }

  const std::unique_ptr<SearchMethod> method_;
  const int multiprocessors_;
  Stream stream_;
  DeviceArray<std::int32_t> device_scores_;
  PinnedArray<std::int32_t> scores_;
  std::vector<PairResult> results_;
};

}  // namespace

std::unique_ptr<Runner> make_search_runner(std::unique_ptr<SearchMethod> method, int multiprocessors) {
  return std::make_unique<SearchRunner>(std::move(method), multiprocessors);
}

}  // namespace alnus::cuda
