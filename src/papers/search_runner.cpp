// Computes tiles of scores by a method that searches with one query at a time. Lists of pairs are left to the
// usual device.
#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "cuda/limits.h"
#include "papers/runner.h"
#include "papers/tile_results.h"

namespace alnus::cuda::papers {
namespace {

class SearchRunner : public Runner {
 public:
  SearchRunner(std::unique_ptr<SearchMethod> method, int multiprocessors)
      : method_(std::move(method)), multiprocessors_(multiprocessors) {}

  const PaperMethod& paper() const override { return method_->paper(); }
  double expected_gcups() const override { return method_->expected_gcups(); }
  Layout layout() const override { return method_->layout(); }
  bool needs_rows() const override { return false; }
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
    if (tile.row_range.size() == 0 || tile.column_range.size() == 0) return 0;
    return scores_of(tile) * sizeof(std::int32_t) + method_->bytes(tile.rows->length(tile.row_range.begin),
                                                                   *tile.columns, tile.column_range,
                                                                   multiprocessors_);
  }

  void run(const Tile& tile, const Problem& problem, Sink& sink, SequenceStore& sequences, Device& usual,
           Stopper& stopper) override {
    score_rows(tile, problem.scoring, sequences, stopper);
    score_high_pairs_again(tile, problem, sink, usual);
    const TileScores scores{tile.column_range, scores_.data()};
    if (sink.limit() > 0) return sink.accept(tile, best_of_rows(tile, scores, sink));
    sink.accept_scores(tile, scores);
  }
  void settle() override { stream_.wait(); }

 private:
  static bool may_pass_32_bits(const Tile& tile, const Scoring& scoring) {
    if (tile.row_range.size() == 0 || tile.column_range.size() == 0) return false;
    const std::uint64_t rows = tile.rows->length(tile.row_range.begin),
                        columns = tile.columns->length(tile.column_range.begin);
    return std::min(rows, columns) * static_cast<std::uint64_t>(std::max(scoring.matrix.highest(), 0)) >
           kHighest32;
  }

  static std::uint64_t scores_of(const Tile& tile) {
    return std::uint64_t{tile.row_range.size()} * tile.column_range.size();
  }
  // The place of the score that a row has with the tile's first column.
  static std::uint64_t place_of(const Tile& tile, Position row) {
    return std::uint64_t{row - tile.row_range.begin} * tile.column_range.size();
  }

  void score_rows(const Tile& tile, const Scoring& scoring, SequenceStore& sequences, Stopper& stopper) {
    const std::uint64_t count = scores_of(tile);
    std::int32_t* const scores = device_scores_.reserve(count);
    fill_zero(scores, count * sizeof *scores, stream_);
    const Sequences subjects = sequences.of(*tile.columns, stopper);
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      const std::span<const Residue> query = tile.rows->residues(row);
      const PositionRange columns = tile.columns_of(row);
      if (query.empty() || columns.size() == 0) continue;
      std::int32_t* const first = scores + place_of(tile, row) + (columns.begin - tile.column_range.begin);
      method_->score({query, scoring, subjects, *tile.columns, columns, first, multiprocessors_,
                      stopper.word(), stream_});
      stopper.wait(stream_);
    }
    copy_to_host(scores_.reserve(count), scores, count, stream_);
    stopper.wait(stream_);
  }

  // Has the usual device score the pairs again that may exceed the method's integers.
  void score_high_pairs_again(const Tile& tile, const Problem& problem, const Sink& sink, Device& usual) {
    std::vector<LeftPair> high;
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      std::uint64_t place = place_of(tile, row);
      for (Position column = tile.column_range.begin; column < tile.column_range.end; ++column, ++place)
        if (scores_.data()[place] > method_->highest_score()) high.push_back({{row, column}, place});
    }
    do_again(tile, problem, high, sink, usual,
             [&](std::uint64_t place, const PairResult& result) { scores_.data()[place] = result.score; });
  }

  const std::unique_ptr<SearchMethod> method_;
  const int multiprocessors_;
  Stream stream_;
  DeviceArray<std::int32_t> device_scores_;
  PinnedArray<std::int32_t> scores_;
};

}  // namespace

std::unique_ptr<Runner> make_search_runner(std::unique_ptr<SearchMethod> method, int multiprocessors) {
  return std::make_unique<SearchRunner>(std::move(method), multiprocessors);
}

}  // namespace alnus::cuda::papers
