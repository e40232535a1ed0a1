#include "engine/weighted_sieve.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/common_subsequence.h"
#include "core/first_position.h"
#include "core/strands.h"
#include "engine/dense_columns.h"
#include "engine/list_scorer.h"
#include "engine/mirrored.h"
#include "engine/row_filter.h"
#include "engine/scheduler.h"

namespace alnus::engine {
namespace {

// What the weighted scoring adds for identical residues, in the matrix' units. With a low weight scores alone
// are a poor bound; with a high one fewer pairs fit 16 bits, and the difference is a poor bound.
constexpr std::int32_t kWeight = 3;
// A GPU prepares each row of a tile, and its columns once for all tiles. If there are so many times more rows
// than columns, it gets the rows as columns.
constexpr std::uint32_t kManyMoreRows = 8;
constexpr std::uint64_t kAllBytes = std::numeric_limits<std::uint64_t>::max();

Scoring weighted(Scoring scoring) {
  scoring.matrix = scoring.matrix.weighted(1, kWeight * scoring.scale, 0);
  return scoring;
}

// Returns, for each column, the number of rows whose entry in `stairs` is at or before this column. The
// entries never fall from one row to the next.
std::vector<Position> turned(std::span<const Position> stairs, std::uint32_t columns) {
  std::vector<Position> of_columns;
  of_columns.reserve(columns);
  std::uint32_t row = 0;
  for (std::uint32_t column = 0; column < columns; ++column) {
    while (row < stairs.size() && stairs[row].value() <= column) ++row;
    of_columns.emplace_back(row);
  }
  return of_columns;
}

PositionPair place_of(const ScoredPair& pair) { return {pair.row, pair.column}; }

// Returns the cells of the pairs of a region behind these ends, and how many pairs they are.
std::pair<std::uint64_t, std::uint64_t> cells_behind(const PairRegion& region,
                                                     std::span<const Position> ends) {
  const SortedSequences &rows = *region.queries.sorted, &columns = *region.subjects.sorted;
  std::uint64_t cells = 0, pairs = 0;
  for (Position row = rows.begin(); row < rows.end(); ++row) {
    const Position first = std::max(ends[row.value()], region.steps[row.value()]);
    cells += rows.length(row) * columns.residues({first, columns.end()});
    pairs += columns.end() - first;
  }
  return {cells, pairs};
}

}  // namespace

// The pairs of a region that lie between two stairs, as devices compute them: with the region's queries as
// rows or, if it is turned, with its subjects as rows. Positions of pairs are those of these rows and
// columns.
class WeightedSieve::Part {
 public:
  // `first`, `ends`: by position of a query, its first subject and the end of its subjects.
  Part(const PairRegion& region, Strand strand, std::span<const Position> first,
       std::span<const Position> ends, bool is_turned)
      : rows_(is_turned ? region.subjects.sorted : region.queries.on(strand)),
        columns_(is_turned ? region.queries.on(strand) : region.subjects.sorted),
        first_(is_turned ? turned(ends, rows_->size()) : std::vector(first.begin(), first.end())),
        ends_(is_turned ? turned(first, rows_->size()) : std::vector(ends.begin(), ends.end())) {}

  const SortedPtr& rows() const { return rows_; }
  const SortedPtr& columns() const { return columns_; }
  const std::vector<Position>& first() const { return first_; }
  bool empty() const { return std::ranges::equal(ends_, first_, std::ranges::less_equal{}); }
  bool has(const PositionPair& pair) const {
    return first_[pair.row.value()] <= pair.column && pair.column < ends_[pair.row.value()];
  }
  PairMatrix matrix() const {
    return {.shape = TileShape::staircase, .first_columns = first_, .end_columns = ends_};
  }
  // Returns all pairs of the part, in order.
  std::vector<PositionPair> pairs(std::uint64_t most_bytes) const {
    constexpr std::uint64_t kBytesOfPair = 24;  // of a pair and its scores
    std::vector<PositionPair> pairs;
    for (Position row = rows_->begin(); row < rows_->end(); ++row) {
      for (Position column = first_[row.value()]; column < ends_[row.value()]; ++column)
        pairs.push_back({row, column});
      if (pairs.size() * kBytesOfPair > most_bytes) throw StripeTooLarge{};
    }
    return pairs;
  }

 private:
  const SortedPtr &rows_, &columns_;
  const std::vector<Position> first_, ends_;
};

WeightedSieve::WeightedSieve(const Scoring& scoring, double least, const IdentityBound& bound,
                             CallState& call)
    : scoring_(scoring),
      weighted_(weighted(scoring)),
      least_(least),
      unit_(kWeight * scoring.scale),
      bound_(bound),
      call_(call) {}

std::vector<ScoredPair> WeightedSieve::find(const PairRegion& region, Strand strand, std::uint64_t most_bytes,
                                            std::uint64_t& kept) const {
  const std::uint64_t rows = region.queries.sorted->size(), columns = region.subjects.sorted->size();
  const bool is_turned = bound_.rules_out() && !call_.on_host() && strand == Strand::plus &&
                         rows > kManyMoreRows * columns && symmetric(scoring_);
  const std::vector<Position> ends = ends_by_length(region);
  const Part all(region, strand, region.steps, ends, is_turned);
  std::vector<ScoredPair> pairs;  // with their weighted scores
  if (bound_.rules_out()) {
    pairs = sieved(region, strand, ends, is_turned, most_bytes, kept);
    const auto [cells, behind] = cells_behind(region, ends);
    if (!call_.progress.counting().planned) call_.progress.expect(cells, behind);
    call_.progress.report(cells, behind);
  } else {
    const std::vector<PositionPair> listed = all.pairs(most_bytes);
    kept += listed.size();
    pairs = passing(all, listed);
  }
  const ExtraWork again(call_.progress);
  const std::vector<PositionPair> places = without_scores(pairs);
  const std::vector<std::int32_t> scores =
      ListScorer(call_, all.rows(), all.columns(), all.first(), places).scores(scoring_);
  std::size_t left = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (may_pass(all, places[k], (pairs[k].score - scores[k]) / unit_))
      pairs[left++] = {places[k].row, places[k].column, scores[k]};
  pairs.resize(left);
  if (is_turned) {
    for (ScoredPair& pair : pairs) std::swap(pair.row, pair.column);
    std::ranges::sort(pairs, {}, place_of);
  }
  return pairs;
}

// True if so many identical residues suffice for a pair of the part, with an alignment that has no more
// columns than the longer sequence has residues.
bool WeightedSieve::may_pass(const Part& part, const PositionPair& pair, std::int32_t identical) const {
  const std::size_t length = part.rows()->length(pair.row), other = part.columns()->length(pair.column);
  const auto columns = static_cast<std::int64_t>(std::max(length, other));
  return columns > 0 && is_at_least({identical, columns}, least_);
}

// Returns the pairs that the first two sieves leave, as find() does, with their weighted scores.
std::vector<ScoredPair> WeightedSieve::sieved(const PairRegion& region, Strand strand,
                                              std::span<const Position> all_ends, bool is_turned,
                                              std::uint64_t most_bytes, std::uint64_t& kept) const {
  std::vector<Position> ends = region.steps, behind = region.steps;
  const Problem common{subsequence_scoring(scoring_.matrix.alphabet()), Detail::score};
  if (!call_.on_host())
    ends = dense_ends(
        *region.queries.sorted, *region.subjects.sorted, region.steps,
        [&](const std::vector<PositionPair>& sample) {
          const ExtraWork besides(call_.progress);
          const Part part(region, strand, region.steps, all_ends, false);
          return without_scores(
              chosen(part, {.shape = TileShape::list, .pairs = sample}, common, 1, kAllBytes));
        },
        call_.progress.stop);
  for (std::size_t row = 0; row < ends.size(); ++row) {
    ends[row] = std::min(ends[row], all_ends[row]);
    behind[row] = std::max(behind[row], ends[row]);
  }

  std::vector<ScoredPair> in_dense;
  if (const Part dense(region, strand, region.steps, ends, is_turned); !dense.empty())
    in_dense = chosen(dense, dense.matrix(), {weighted_, Detail::score}, unit_, most_bytes);
  const Part sparse(region, strand, behind, all_ends, is_turned);
  const std::uint64_t bytes_left = most_bytes - std::min(most_bytes, in_dense.size() * sizeof(ScoredPair));
  const std::vector<PositionPair> possible =
      without_scores(chosen(sparse, sparse.matrix(), common, 1, bytes_left));
  kept += in_dense.size() + possible.size();
  const ExtraWork again(call_.progress);
  const std::vector<ScoredPair> others = passing(sparse, possible);
  std::vector<ScoredPair> all(in_dense.size() + others.size());
  std::ranges::merge(in_dense, others, all.begin(), {}, place_of, place_of);
  return all;
}

// Runs a matrix of pairs of the part, and returns those that may pass by these scores, to which each
// identical residue adds `unit`.
std::vector<ScoredPair> WeightedSieve::chosen(const Part& part, const PairMatrix& matrix,
                                              const Problem& problem, std::int32_t unit,
                                              std::uint64_t most_bytes) const {
  ChosenPairs pairs(
      floors_of(*part.rows(), unit), floors_of(*part.columns(), unit),
      [&](std::int32_t score, Position row, Position column) {
        return part.has({row, column}) && may_pass(part, {row, column}, score / unit);
      },
      most_bytes, call_);
  Scheduler(call_, part.rows(), part.columns(), problem).run(matrix, problem, pairs);
  if (pairs.too_many()) throw StripeTooLarge{};
  return pairs.scored_pairs();
}

// Returns, by position of a query, the end of the subjects that are long enough: a shorter one has too few
// residues for a common subsequence with which the pair may pass. Without the first sieve all are.
std::vector<Position> WeightedSieve::ends_by_length(const PairRegion& region) const {
  const SortedSequences &rows = *region.queries.sorted, &columns = *region.subjects.sorted;
  std::vector<Position> ends(rows.size(), columns.end());
  if (!bound_.rules_out()) return ends;
  for (Position row = rows.begin(); row < rows.end(); ++row) {
    const auto as_before = row > rows.begin() && rows.length(row) == rows.length(row - 1);
    const auto least = static_cast<std::size_t>(as_before ? 0 : bound_.least_common(rows.length(row)));
    ends[row.value()] =
        as_before
            ? ends[row.value() - 1]
            : first_position(columns.all(), [&](Position column) { return columns.length(column) < least; });
  }
  return ends;
}

// Returns a floor for each sequence: `unit` times the fewest identical residues with which the sequence may
// pass with another one.
std::vector<std::int32_t> WeightedSieve::floors_of(const SortedSequences& sequences,
                                                   std::int32_t unit) const {
  std::vector<std::int32_t> floors;
  floors.reserve(sequences.size());
  for (Position position = sequences.begin(); position < sequences.end(); ++position) {
    if (position > sequences.begin() && sequences.length(position) == sequences.length(position - 1)) {
      floors.push_back(floors.back());
      continue;
    }
    const std::int32_t least = bound_.least_common(sequences.length(position));
    // A floor that nearly all pairs reach would make GPUs list them all.
    constexpr std::int64_t kHighest = std::numeric_limits<std::int32_t>::max();
    floors.push_back(least > 1 ? static_cast<std::int32_t>(std::min(std::int64_t{unit} * least, kHighest))
                               : std::numeric_limits<std::int32_t>::min());
  }
  return floors;
}

// Returns those pairs of a sorted list of the part that may pass by their weighted scores.
std::vector<ScoredPair> WeightedSieve::passing(const Part& part, std::span<const PositionPair> pairs) const {
  const std::vector<std::int32_t> weighted =
      ListScorer(call_, part.rows(), part.columns(), part.first(), pairs).scores(weighted_);
  std::vector<ScoredPair> left;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (may_pass(part, pairs[k], weighted[k] / unit_))
      left.push_back({pairs[k].row, pairs[k].column, weighted[k]});
  return left;
}

}  // namespace alnus::engine
