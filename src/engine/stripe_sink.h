// The sink that takes a stripe of all pairs from devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/device.h"
#include "core/thread_pool.h"
#include "engine/stripe_builder.h"

namespace alnus::engine {

// Hands the pairs of one region to the stripe's builder, on several threads.
class StripeSink : public Sink {
 public:
  // `only_mirrored`, for Origin::Query::either: true keeps only pairs whose query is j, false only pairs
  // whose query is i; nullopt keeps all.
  StripeSink(StripeBuilder& builder, const SortedSequences& queries, Origin origin,
             std::optional<bool> only_mirrored, ThreadPool& threads)
      : builder_(builder),
        queries_(queries),
        origin_(origin),
        only_mirrored_(only_mirrored),
        threads_(threads) {}

  void accept(const Tile& tile, std::span<const PairResult> results) override;
  void accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) override;
  void accept_scores(const Tile& tile, const TileScores& scores) override;
  void accept_packed(const Tile& tile, const PackedResults& packed) override;
  std::int32_t floor(Position row) const override;
  std::uint32_t limit() const override;

 private:
  template <class Found>
  void accept_all(const Tile& tile, std::span<const Found> found);
  template <class OfThread, class Take>
  void share(std::size_t pairs, std::size_t pieces, const Take& take);
  void take(const Tile& tile, const PairResult& result, StripeBuilder::Collected& collected) const;
  void take(const Tile& tile, const ScoredPair& pair, StripeBuilder::Collected& collected) const;
  // Takes the scores of one row, one for each of tile.columns_of(row).
  void take_row(const Tile& tile, Position row, std::span<const std::int32_t> scores,
                StripeBuilder::Collected& collected) const;

  StripeBuilder& builder_;
  const SortedSequences& queries_;
  const Origin origin_;
  const std::optional<bool> only_mirrored_;
  ThreadPool& threads_;
};

}  // namespace alnus::engine
