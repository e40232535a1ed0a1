#include "cpu/tiny_pairs.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/first_position.h"

namespace alnus::cpu {
namespace {

constexpr std::size_t kMostLanes = 64;

// Tells which pairs have lane values that a kernel's lanes hold.
class Limits {
 public:
  Limits(const Scoring& scoring, const TinyKernel& kernel)
      : local_(scoring.mode == Mode::local),
        extend_(scoring.extend),
        best_match_(std::max(scoring.matrix.highest(), 0)) {
    // Room below score 0. In mode local, gaps open from the floor and diagonals begin there. In the other
    // modes H is at least -open on the borders and at least -2 open in every cell; a gap that opens takes off
    // another `open`, and a diagonal adds at least `worst`.
    const std::int64_t open = scoring.open, worst = pad_score(scoring);
    zero_ = kernel.lowest + (local_ ? std::max(open, -worst) : 3 * open - worst);
    highest_ = kernel.highest;
  }
  std::int64_t zero() const { return zero_; }
  // True if the lanes hold all values of a pair. `most`: the highest score of the query with any subject.
  bool hold(std::int64_t rows, std::int64_t most, std::int64_t columns) const {
    const std::int64_t score = std::min(most, std::min(rows, columns) * best_match_);
    return zero_ + score + extend_ * (rows + columns + (local_ ? 1 : 0)) <= highest_;
  }

 private:
  const bool local_;
  const std::int64_t extend_, best_match_;
  std::int64_t zero_ = 0, highest_ = 0;
};

Rules rules_of(const Scoring& scoring, std::int64_t zero) {
  const FreeEnds& free = scoring.free_ends;
  Rules rules;
  rules.local = scoring.mode == Mode::local;
  rules.free_query_begin = free.query_begin;
  rules.free_query_end = free.query_end;
  rules.free_subject_begin = free.subject_begin;
  rules.free_subject_end = free.subject_end;
  rules.open = scoring.open;
  rules.extend = scoring.extend;
  rules.zero = static_cast<std::int32_t>(zero);
  return rules;
}

}  // namespace

PositionRange TinyPairs::done(Position row, PositionRange columns) const {
  if (!any()) return {columns.end, columns.end};
  return {std::clamp(first_done(row), columns.begin, columns.end),
          std::clamp(done_end_, columns.begin, columns.end)};
}

AlignmentCounts TinyPairs::counts(Position row, Position column) const {
  const std::uint16_t packed = counts_[place(row, column)];
  const auto both_lengths =
      static_cast<std::int32_t>(tile_->rows->length(row) + tile_->columns->length(column));
  AlignmentCounts counts;
  counts.identical = layout_.identical(packed);
  counts.mismatches = layout_.pairs(packed) - counts.identical;
  counts.gap_residues = layout_.gaps(packed, both_lengths);
  counts.columns = layout_.pairs(packed) + counts.gap_residues;
  return counts;
}

void TinyPairs::run(const KernelSet& kernels, const ScoringTables& tables, const Tile& tile, bool identities,
                    bool forced, const StopFlag& stop_flag) {
  const Scoring& scoring = tables.scoring();
  const FreeEnds& free = scoring.free_ends;
  identities_ = identities;
  layout_ = IdentityCounts::of(scoring.mode != Mode::local && !free.query_begin && !free.query_end &&
                               !free.subject_begin && !free.subject_end);
  longest_ = identities ? layout_.longest() : kTinyColumns;
  const auto first_shorter = [&](std::size_t length) {
    return first_position(tile.column_range,
                          [&](Position column) { return tile.columns->length(column) < length; });
  };
  first_ = first_shorter(static_cast<std::size_t>(longest_) + 1);
  done_end_ = first_shorter(1);
  if (first_ == done_end_) return;
  tile_ = &tile;
  tables_ = &tables;
  stop_flag_ = &stop_flag;
  forced_ = forced;
  take_rows();
  constexpr double kIdentityCell = 3;
  if (identities) {
    run_width(kernels.identities, kIdentityCell);
  } else {
    run_width(kernels.tiny8, 0.5);
    run_width(kernels.tiny16, 1);
  }
  if (std::ranges::all_of(rows_, [&](const TinyRow& row) { return row.first_done == done_end_; })) clear();
}

void TinyPairs::take_rows() {
  rows_.clear();
  for (Position position = tile_->row_range.begin; position < tile_->row_range.end; ++position) {
    const std::span<const Residue> residues = tile_->rows->residues(position);
    TinyRow& row = rows_.emplace_back();
    row.query.residues = residues.data();
    row.query.rows = static_cast<std::int32_t>(residues.size());
    row.most = tables_->best_scores().of(residues);
    row.first_done = done_end_;
    for (const Residue residue : residues) row.letters |= 1U << (residue & kCodeMask);
  }
}

// True if a row takes less time with a batch in these kernels than in the other kernels. `vector_cell` is the
// time of a vector of cells; the unit of time is a cell of one lane in the kernel tiny16. `other` is the time
// of a pair in the other kernels: a term for its cells, one for the profile's columns, and a constant,
// measured on a Zen 4 core with 12 to 250 residues.
bool TinyPairs::is_faster(const TinyRow& row, PositionRange batch, double vector_cell) const {
  const auto columns = static_cast<double>(tile_->columns->length(batch.begin));
  const double cells = row.query.rows * columns;
  const bool local = tables_->scoring().mode == Mode::local;
  const double other = identities_ ? 4 * cells + 15000
                       : local     ? 0.5 * cells + 700
                                   : 0.75 * cells + 40 * columns + 7000;
  return vector_cell * cells <= batch.size() * other;
}

// Scores each row with the columns that are not done yet, in those batches whose values fit this width and
// that are faster here. Only the first batch, of the longest subjects, may leave lanes empty.
void TinyPairs::run_width(const TinyKernel& kernel, double cell) {
  const Limits limits(tables_->scoring(), kernel);
  const auto lanes = static_cast<std::uint32_t>(kernel.lanes);
  const std::uint32_t columns = done_end_ - first_, batches = (columns + lanes - 1) / lanes;
  const auto batch_of = [&](std::uint32_t number) {
    const std::uint32_t after = (batches - number - 1) * lanes;
    return PositionRange{done_end_ - std::min(after + lanes, columns), done_end_ - after};
  };
  const std::int32_t most_rows = identities_ ? longest_ : std::numeric_limits<std::int32_t>::max();
  for (TinyRow& row : rows_) {
    const auto suits = [&](std::uint32_t number) {
      const PositionRange batch = batch_of(number);
      const auto length = static_cast<std::int64_t>(tile_->columns->length(batch.begin));
      return row.query.rows > 0 && row.query.rows <= most_rows &&
             limits.hold(row.query.rows, row.most, length) &&
             (forced_ || is_faster(row, batch, cell * kernel.lanes));
    };
    const std::uint32_t first = first_position(IndexRange{0, batches}, suits);
    row.columns = {first == batches ? row.first_done : std::min(batch_of(first).begin, row.first_done),
                   row.first_done};
    row.first_done = row.columns.begin;
  }
  if (std::ranges::all_of(rows_, [](const TinyRow& row) { return row.columns.size() == 0; })) return;
  scores_.resize(rows_.size() * tile_->column_range.size());
  if (identities_) counts_.resize(scores_.size());
  for (std::uint32_t number = 0; number < batches; ++number) run_batch(kernel, batch_of(number));
}

void TinyPairs::run_batch(const TinyKernel& kernel, PositionRange batch) {
  TinyJob job;
  queries_.clear();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Position position = tile_->row_range.begin + static_cast<std::uint32_t>(k);
    const TinyRow& row = rows_[k];
    if (batch.begin < row.columns.begin || batch.begin >= row.columns.end ||
        batch.end <= tile_->columns_of(position).begin)
      continue;
    queries_.push_back(row.query);
    queries_.back().scores = &scores_[place(position, batch.begin)];
    if (identities_) queries_.back().counts = &counts_[place(position, batch.begin)];
    job.used |= row.letters;
  }
  if (queries_.empty()) return;
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  std::array<std::int32_t, kMostLanes> lengths;
  const std::size_t columns = tile_->columns->length(batch.begin);
  std::uint8_t* const letters = letters_.at_least(columns * lanes);
  std::fill_n(letters, columns * lanes, kPadLetter);
  for (std::uint32_t lane = 0; lane < batch.size(); ++lane) {
    const std::span<const Residue> residues = tile_->columns->residues(batch.begin + lane);
    lengths[lane] = static_cast<std::int32_t>(residues.size());
    for (std::size_t j = 0; j < residues.size(); ++j) letters[j * lanes + lane] = residues[j] & kCodeMask;
  }
  job.rules = rules_of(tables_->scoring(), Limits(tables_->scoring(), kernel).zero());
  job.queries = queries_.data();
  job.query_count = static_cast<std::int32_t>(queries_.size());
  job.scores = tables_->scores32();
  job.counts = layout_;
  job.letters = letters;
  job.columns = static_cast<std::int32_t>(columns);
  job.lengths = lengths.data();
  job.lanes_used = static_cast<std::int32_t>(batch.size());
  job.workspace = workspace_.at_least(kernel.workspace(job.columns));
  job.stop_flag = stop_flag_->raw();
  kernel.run(job);
  stop_flag_->throw_if_requested();
}

}  // namespace alnus::cpu
