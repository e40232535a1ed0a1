#include "engine/stripe_sink.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

namespace alnus::engine {
namespace {

struct Nothing {};  // for threads that need no memory of their own

}  // namespace

void StripeSink::accept(const Tile& tile, std::span<const PairResult> results) { accept_all(tile, results); }

void StripeSink::accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) {
  accept_all(tile, pairs);
}

template <class Found>
void StripeSink::accept_all(const Tile& tile, std::span<const Found> found) {
  constexpr std::size_t kPiece = 1 << 12;
  share<Nothing>(found.size(), (found.size() + kPiece - 1) / kPiece,
                 [&](std::size_t piece, auto& collected, Nothing&) {
                   const std::size_t begin = piece * kPiece;
                   for (const Found& one : found.subspan(begin, std::min(kPiece, found.size() - begin)))
                     take(tile, one, collected);
                 });
}

void StripeSink::accept_packed(const Tile& tile, const PackedResults& packed) {
  constexpr std::uint64_t kPiece = 1 << 10;  // so many results stay in a cache
  struct Unpacked {
    std::vector<PairResult> results;
    std::vector<CigarRun> runs;
  };
  const std::uint64_t size = packed.size();
  share<Unpacked>(
      size, (size + kPiece - 1) / kPiece, [&](std::size_t piece, auto& collected, Unpacked& unpacked) {
        packed.unpack(piece * kPiece, std::min(size, (piece + 1) * kPiece), unpacked.results, unpacked.runs);
        for (const PairResult& result : unpacked.results) take(tile, result, collected);
      });
}

void StripeSink::accept_scores(const Tile& tile, const TileScores& scores) {
  constexpr std::uint32_t kRows = 8;  // rows of a piece: neighbouring rows' values may share cache lines
  const PositionRange rows = tile.row_range;
  const bool values_only = builder_.wants_values_only();
  std::vector<SequenceSet::Index> subjects;  // indices of the tile's columns, if only values are wanted
  for (Position column = scores.columns.begin; values_only && column < scores.columns.end; ++column)
    subjects.push_back(origin_.subjects + tile.columns->index(column));
  share<Nothing>(std::size_t{rows.size()} * scores.columns.size(), (rows.size() + kRows - 1) / kRows,
                 [&](std::size_t piece, auto& collected, Nothing&) {
                   const Position begin = rows.begin + static_cast<std::uint32_t>(piece) * kRows;
                   for (Position row = begin; row < std::min(begin + kRows, rows.end); ++row) {
                     const std::span<const std::int32_t> of_row = scores.of_row(tile, row);
                     if (values_only)
                       builder_.keep_values(origin_.queries + tile.rows->index(row),
                                            std::span(subjects).last(of_row.size()), of_row, origin_.query,
                                            only_mirrored_);
                     else
                       take_row(tile, row, of_row, collected);
                   }
                 });
}

// Calls take(piece, collected, of_thread) for all pieces, on several threads, since a GPU hands over millions
// of pairs at a time. Each thread takes one piece after another, with a Collected and an OfThread of its own.
template <class OfThread, class Take>
void StripeSink::share(std::size_t pairs, std::size_t pieces, const Take& take) {
  constexpr std::size_t kWorthAThread = 1 << 15;
  std::atomic<std::size_t> next{0};
  threads_.for_each(std::max<std::size_t>(pairs / kWorthAThread, 1), [&](std::size_t) {
    StripeBuilder::Collected collected(builder_);
    OfThread of_thread;
    for (std::size_t piece = next++; piece < pieces; piece = next++) take(piece, collected, of_thread);
    collected.finish();
  });
}

std::int32_t StripeSink::floor(Position row) const {
  return origin_.query == Origin::Query::i ? builder_.lowest(origin_.queries + queries_.index(row))
                                           : builder_.lowest();
}

std::uint32_t StripeSink::limit() const {
  return origin_.query == Origin::Query::i ? builder_.most_of_row() : 0;
}

void StripeSink::take_row(const Tile& tile, Position row, std::span<const std::int32_t> scores,
                          StripeBuilder::Collected& collected) const {
  const std::int32_t lowest = floor(row);
  PairResult result;
  result.row = row;
  result.column = tile.columns_of(row).begin;
  for (const std::int32_t score : scores) {
    result.score = score;
    if (score >= lowest) take(tile, result, collected);
    ++result.column;
  }
}

void StripeSink::take(const Tile& tile, const ScoredPair& pair, StripeBuilder::Collected& collected) const {
  take(tile, PairResult{pair.row, pair.column, pair.score}, collected);
}

void StripeSink::take(const Tile& tile, const PairResult& result, StripeBuilder::Collected& collected) const {
  SequenceSet::Index i = origin_.queries + tile.rows->index(result.row);
  SequenceSet::Index j = origin_.subjects + tile.columns->index(result.column);
  const bool mirror = origin_.query == Origin::Query::either ? i > j : origin_.query == Origin::Query::j;
  if (only_mirrored_ && mirror != *only_mirrored_) return;
  if (mirror) std::swap(i, j);
  collected.add(i, j, mirror, origin_.strand, result);
}

}  // namespace alnus::engine
