// Work that can be stopped between two of its pieces, and sorting that can be stopped between two
// comparisons.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "alnus/error.h"
#include "core/stop_flag.h"

namespace alnus {

inline void throw_if_requested(const StopFlag& stop) {
  if (stop.requested()) throw Interrupted{};
}

// Calls body(begin, end) for [0, size), piece after piece. Each piece is `piece` long; the last one may be
// shorter. Throws Interrupted before a piece when `stop` is requested.
template <typename Body>
void in_pieces(std::uint64_t size, std::uint64_t piece, const StopFlag& stop, Body body) {
  for (std::uint64_t begin = 0; begin < size; begin += piece) {
    throw_if_requested(stop);
    body(begin, std::min(begin + piece, size));
  }
}

// The comparison `before`, but it throws Interrupted when `stop` is requested. A sort that is ended by the
// exception leaves its elements in no order.
template <typename Before>
auto stoppable(Before before, const StopFlag& stop) {
  return [before, &stop](const auto& a, const auto& b) {
    throw_if_requested(stop);
    return before(a, b);
  };
}

// The numbers from 0 to count - 1, sorted by `before`, which must order any two different numbers.
template <typename Number, typename Before>
std::vector<Number> sorted_numbers(Number count, const StopFlag& stop, Before before) {
  constexpr std::uint64_t kPiece = 1 << 16;
  std::vector<Number> numbers;
  numbers.reserve(count);
  in_pieces(count, kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t number = begin; number < end; ++number) numbers.push_back(static_cast<Number>(number));
  });
  std::sort(numbers.begin(), numbers.end(), stoppable(before, stop));
  return numbers;
}

}  // namespace alnus
