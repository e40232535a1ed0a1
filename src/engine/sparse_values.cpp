#include "engine/sparse_values.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "core/pair_value.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;

struct Batch {
  std::vector<Index> row, column;
  std::vector<double> value;
  std::vector<std::uint8_t> relation;
};

constexpr std::uint64_t kBytesOfPair = 2 * sizeof(Index) + sizeof(double) + sizeof(std::uint8_t);

}  // namespace

std::int32_t lowest_passing(const Cutoff& cutoff, const Scoring& scoring, std::int32_t self_score) {
  const PairValue kind = cutoff.value.kind;
  // No score below `low` passes, and every score from `high` on does.
  std::int32_t low = std::numeric_limits<std::int32_t>::min(),
               high = std::numeric_limits<std::int32_t>::max();
  while (low < high) {
    const std::int32_t middle = std::midpoint(low, high);  // below `high`
    if (passes(kind, value_of_score(kind, scoring, middle, self_score), cutoff.threshold))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

void emit_sparse(std::span<const SparseValue> values, std::uint64_t memory_bytes, const StopFlag& stop,
                 const std::function<void(const SparseValues&)>& emit) {
  constexpr std::size_t kBetweenLooks = 1 << 16;
  const std::size_t most = std::max<std::uint64_t>(1, memory_bytes / 16 / kBytesOfPair);
  while (!values.empty()) {
    const std::size_t size = std::min(most, values.size());
    const auto batch = std::make_shared<Batch>();
    batch->row.reserve(size);
    batch->column.reserve(size);
    batch->value.reserve(size);
    batch->relation.reserve(size);
    for (std::size_t k = 0; k < size; ++k) {
      if (k % kBetweenLooks == 0) stop.throw_if_requested();
      batch->row.push_back(values[k].row);
      batch->column.push_back(values[k].column);
      batch->value.push_back(values[k].value);
      batch->relation.push_back(values[k].relation);
    }
    values = values.subspan(size);
    emit({batch->row, batch->column, batch->value, batch, batch->relation});
  }
}

}  // namespace alnus::engine
