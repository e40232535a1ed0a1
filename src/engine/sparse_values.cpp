#include "engine/sparse_values.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/pair_value.h"
#include "core/pieces.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

struct Batch {
  std::vector<Index> row, column;
  std::vector<double> value;
};

constexpr std::uint64_t kBytesOfPair = 2 * sizeof(Index) + sizeof(double);

// Calls take(column, value) for those pairs of a stripe's row, in order, that come before column `end` and
// pass. `wanted`: for each of the stripe's values, 0 where the pair does not pass whatever its value; empty:
// there are none such.
template <class Take>
void for_each_passing(const ValueStripe& stripe, Index row, Index end, std::span<const char> wanted,
                      PairValue kind, double threshold, const Take& take) {
  const std::span<const double> values = stripe.row(row);
  const auto before = static_cast<std::size_t>(values.data() - stripe.values.data());
  for (Index column = stripe.columns.begin; column < end; ++column) {
    const std::size_t place = column - stripe.columns.begin;
    if (passes(kind, values[place], threshold) && (wanted.empty() || wanted[before + place] != 0))
      take(column, values[place]);
  }
}

}  // namespace

void emit_sparse(const AllPairs& pairs, const ValueStripe& values, std::span<const char> passing,
                 const Cutoff& cutoff, const StopFlag& stop,
                 const std::function<void(const SparseValues&)>& emit) {
  const auto for_each = [&](const auto& take) {
    for (Index row = values.rows.begin; row < values.rows.end; ++row) {
      throw_if_requested(stop);
      for_each_passing(values, row, pairs.columns_of(row).end, passing, cutoff.kind, cutoff.threshold,
                       [&](Index column, double value) { take(row, column, value); });
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
