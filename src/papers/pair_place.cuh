// The pair of a thread of a PairMethod, and where its result goes.
#pragma once

#include "papers/method.h"

namespace alnus::cuda::papers {

struct PairPlace {
  std::uint32_t row = 0, column = 0;  // positions
  std::uint64_t result = 0;           // index in PairWindow::scores or ::results
  bool exists = false;                // false: the thread has no pair

  __device__ PairPlace(const PairWindow& window, const PairBlock& block) {
    if (window.pairs) {
      result = block.row + threadIdx.x;
      if (result >= window.numbers.end) return;
      row = window.pairs[result].row.value();
      column = window.pairs[result].column.value();
      exists = true;
    } else {
      row = block.row + threadIdx.x / PairMethod::kSide;
      column = block.column + threadIdx.x % PairMethod::kSide;
      if (row >= window.numbers.end) return;
      const RowPlaces places = window.places[row - window.numbers.begin];
      result = places.first + (column - places.begin);
      exists = column >= places.begin && column < places.end;
    }
  }
};

}  // namespace alnus::cuda::papers
