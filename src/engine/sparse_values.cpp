#include "engine/sparse_values.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/passing_pairs.h"
#include "core/pieces.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

struct Batch {
  std::vector<Index> row, column;
  std::vector<double> value;
};

constexpr std::uint64_t kBytesOfPair = 2 * sizeof(Index) + sizeof(double);

}  // namespace

void emit_sparse(const AllPairs& pairs, const Stripe& stripe, const Cutoff& cutoff, const StopFlag& stop,
                 const std::function<void(const SparseValues&)>& emit) {
  const auto for_each = [&](const auto& take) {
    for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row) {
      throw_if_requested(stop);
      for_each_passing(stripe.values.front(), row, pairs.columns_of(row).end, stripe.passing, cutoff.kind,
                       cutoff.threshold, [&](Index column, double value) { take(row, column, value); });
    }
  };
  const std::uint64_t most = std::max<std::uint64_t>(1, cutoff.memory_bytes / 16 / kBytesOfPair);
  std::uint64_t left = 0;  // that are not in a batch which was handed over; they are counted first
  for_each([&](Index, Index, double) { ++left; });
  std::shared_ptr<Batch> batch;
  for_each([&](Index row, Index column, double value) {
    const std::uint64_t size = std::min(left, most);
    if (!batch) {
      batch = std::make_shared<Batch>();
      batch->row.reserve(size);
      batch->column.reserve(size);
      batch->value.reserve(size);
    }
    batch->row.push_back(row);
    batch->column.push_back(column);
    batch->value.push_back(value);
    if (batch->value.size() < size) return;
    left -= size;
    emit({batch->row, batch->column, batch->value, batch});
    batch.reset();
  });
}

}  // namespace alnus::engine
