// The pairs of a tile, from where its queries and subjects lie in device memory.
#pragma once

#include "cuda/kernels/search.h"

namespace alnus::cuda {

// The query of a row with the subject of a column.
__device__ inline DevicePair tile_pair(const TileSequences& all, std::uint32_t row, std::uint32_t column) {
  const std::uint64_t query = all.query_offsets[row];
  const std::uint32_t subject = all.first_column + column;
  return {
      {all.queries + query, 1, static_cast<std::uint32_t>(all.query_offsets[row + 1] - query)},
      {all.packed + all.places[subject / kSubjects] + subject % kSubjects, kSubjects, all.lengths[subject]}};
}

}  // namespace alnus::cuda
