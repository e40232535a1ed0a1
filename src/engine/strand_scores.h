// The scores of all pairs on both strands, which decide on which strand a pair is aligned.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "alnus/strand.h"
#include "core/device.h"
#include "core/strands.h"

namespace alnus::engine {

// Bytes that a pair takes in StrandScores and in the list of pairs to align.
inline constexpr std::uint64_t kBytesOfStrandScore =
    sizeof(std::int32_t) + sizeof(Strand) + sizeof(PositionPair);

// Keeps, for each pair of a staircase, the higher of its scores on the two strands, and that strand: plus if
// both score the same. Both strands of a row have the same position.
class StrandScores {
 public:
  // `first_columns`: as in Tile; must outlive the object. A row has the columns from its first column to the
  // end of `columns`.
  StrandScores(const SortedSequences& rows, const SortedSequences& columns,
               std::span<const Position> first_columns);

  // The sink for the scores of one strand. The pass of the plus strand must come before that of the minus
  // strand.
  class Pass : public Sink {
   public:
    // `floor`: returns the lowest score of interest (min_score) of a row.
    Pass(StrandScores& scores, Strand strand, std::function<std::int32_t(Position)> floor)
        : scores_(scores), strand_(strand), floor_(std::move(floor)) {}
    void accept(const Tile& tile, std::span<const PairResult> results) override;
    void accept_scores(const Tile& tile, const TileScores& scores) override;
    std::int32_t floor(Position row) const override { return floor_(row); }

   private:
    StrandScores& scores_;
    const Strand strand_;
    const std::function<std::int32_t(Position)> floor_;
  };

  // Calls visit(column, score, strand) for each pair of the row, but for pairs that devices kept back on both
  // strands.
  template <class Visit>
  void of_row(Position row, const Visit& visit) const {
    for (std::uint64_t i = begins_[row.value()]; i < begins_[row.value() + 1]; ++i)
      if (scores_[i] != kKeptBack)
        visit(first_columns_[row.value()] + static_cast<std::uint32_t>(i - begins_[row.value()]), scores_[i],
              strands_[i]);
  }

 private:
  static constexpr std::int32_t kKeptBack = std::numeric_limits<std::int32_t>::min();
  void take(Position row, Position column, std::int32_t score, Strand strand) {
    const std::uint64_t i = begins_[row.value()] + (column - first_columns_[row.value()]);
    if (strand == Strand::minus && !prefers_minus(scores_[i], score)) return;
    scores_[i] = score;
    strands_[i] = strand;
  }

  const std::span<const Position> first_columns_;
  std::vector<std::uint64_t> begins_;  // where each row begins in the two arrays; the last is their size
  std::vector<std::int32_t> scores_;
  std::vector<Strand> strands_;
};

}  // namespace alnus::engine
