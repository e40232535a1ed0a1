#include "engine/stripe_sink.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

namespace alnus::engine {
namespace {

// What a thread that takes results works with.
struct OfThread {
  StripeBuilder::Collected collected;
  std::vector<PairResult> results{};  // unpacked ones
  std::vector<CigarRun> runs{};       // of their CIGARs
};

}  // namespace

void StripeSink::accept(const Tile& tile, std::span<const PairResult> results) { accept_all(tile, results); }

void StripeSink::accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) {
  accept_all(tile, pairs);
}

template <class Found>
void StripeSink::accept_all(const Tile& tile, std::span<const Found> found) {
  constexpr std::size_t kPiece = 1 << 12;
  share(found.size(), found.size(), kPiece, [&](std::size_t begin, std::size_t end, OfThread& own) {
    for (const Found& one : found.subspan(begin, end - begin)) take(tile, one, own.collected);
  });
}

void StripeSink::accept_packed(const Tile& tile, const PackedResults& packed) {
  constexpr std::size_t kPiece = 1 << 10;  // so many results stay in a cache
  share(packed.size(), packed.size(), kPiece, [&](std::size_t begin, std::size_t end, OfThread& own) {
    packed.unpack(begin, end, own.results, own.runs);
    for (const PairResult& result : own.results) take(tile, result, own.collected);
  });
}

void StripeSink::accept_scores(const Tile& tile, const TileScores& scores) {
  constexpr std::size_t kRows = 8;  // rows of a piece: neighbouring rows' values may share cache lines
  const PositionRange rows = tile.row_range;
  const bool values_only = builder_.wants_values_only();
  std::vector<SequenceSet::Index> subjects;  // indices of the tile's columns, if only values are wanted
  for (Position column = scores.columns.begin; values_only && column < scores.columns.end; ++column)
    subjects.push_back(origin_.subjects + tile.columns->index(column));
  const std::size_t pairs = std::size_t{rows.size()} * scores.columns.size();
  share(pairs, rows.size(), kRows, [&](std::size_t begin, std::size_t end, OfThread& own) {
    for (std::size_t k = begin; k < end; ++k) {
      const Position row = rows.begin + static_cast<std::uint32_t>(k);
      const std::span<const std::int32_t> of_row = scores.of_row(tile, row);
      if (values_only) {
        builder_.keep_values(origin_.queries + tile.rows->index(row), std::span(subjects).last(of_row.size()),
                             of_row, origin_);
        continue;
      }
      const std::int32_t lowest = floor(row);
      PairResult result{row, tile.columns_of(row).begin};
      for (const std::int32_t score : of_row) {
        result.score = score;
        if (score >= lowest) take(tile, result, own.collected);
        ++result.column;
      }
    }
  });
}

// Calls take(begin, end, of_thread) for all pieces of [0, size), on several threads, since a GPU hands over
// millions of pairs at a time. Each thread takes one piece after another, with an OfThread of its own.
template <class Take>
void StripeSink::share(std::size_t pairs, std::size_t size, std::size_t piece, const Take& take) {
  constexpr std::size_t kWorthAThread = 1 << 15;
  std::atomic<std::size_t> next{0};
  threads_.for_each(std::max<std::size_t>(pairs / kWorthAThread, 1), [&](std::size_t) {
    OfThread own{StripeBuilder::Collected(builder_)};
    for (std::size_t begin = piece * next++; begin < size; begin = piece * next++)
      take(begin, std::min(begin + piece, size), own);
    own.collected.finish();
  });
}

std::int32_t StripeSink::floor(Position row) const {
  return origin_.query == Origin::Query::i ? builder_.lowest(origin_.queries + queries_.index(row))
                                           : builder_.lowest();
}

std::int32_t StripeSink::floor_in(Position row, PositionRange columns) const {
  if (columns.size() == 0) return floor(row);
  const std::size_t query = queries_.length(row), subject = subjects_.length(columns.end - 1);
  const std::int32_t as_i = builder_.lowest_of_lengths(query, subject),
                     as_j = builder_.lowest_of_lengths(subject, query);
  const auto by = origin_.query;
  return std::max(floor(row), by == Origin::Query::i   ? as_i
                              : by == Origin::Query::j ? as_j
                                                       : std::min(as_i, as_j));
}

std::uint32_t StripeSink::limit() const {
  return origin_.query == Origin::Query::i ? builder_.most_of_row() : 0;
}

void StripeSink::take(const Tile& tile, const ScoredPair& pair, StripeBuilder::Collected& collected) const {
  take(tile, PairResult{pair.row, pair.column, pair.score}, collected);
}

void StripeSink::take(const Tile& tile, const PairResult& result, StripeBuilder::Collected& collected) const {
  SequenceSet::Index i = origin_.queries + tile.rows->index(result.row);
  SequenceSet::Index j = origin_.subjects + tile.columns->index(result.column);
  const bool mirror = origin_.mirrors(i, j);
  if (!origin_.keeps(mirror)) return;
  if (mirror) std::swap(i, j);
  collected.add(i, j, mirror, origin_.strand, result);
}

}  // namespace alnus::engine
