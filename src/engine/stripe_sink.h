// The sink that takes a stripe of all pairs from devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/device.h"
#include "core/thread_pool.h"
#include "engine/stripe_builder.h"

namespace alnus::engine {

// Hands the pairs of one region to the stripe's builder, on several threads.
class StripeSink : public Sink {
 public:
  StripeSink(StripeBuilder& builder, const SortedSequences& queries, const SortedSequences& subjects,
             Origin origin, ThreadPool& threads)
      : builder_(builder), queries_(queries), subjects_(subjects), origin_(origin), threads_(threads) {}

  void accept(const Tile& tile, std::span<const PairResult> results) override;
  void accept_pairs(const Tile& tile, std::span<const ScoredPair> pairs) override;
  void accept_scores(const Tile& tile, const TileScores& scores) override;
  void accept_packed(const Tile& tile, const PackedResults& packed) override;
  std::int32_t floor(Position row) const override;
  std::int32_t floor_in(Position row, PositionRange columns) const override;
  std::uint32_t limit() const override;

 private:
  template <class Found>
  void accept_all(const Tile& tile, std::span<const Found> found);
  template <class Take>
  void share(std::size_t pairs, std::size_t size, std::size_t piece, const Take& take);
  void take(const Tile& tile, const PairResult& result, StripeBuilder::Collected& collected) const;
  void take(const Tile& tile, const ScoredPair& pair, StripeBuilder::Collected& collected) const;

  StripeBuilder& builder_;
  const SortedSequences &queries_, &subjects_;
  const Origin origin_;
  ThreadPool& threads_;
};

}  // namespace alnus::engine
