// Work that can be stopped between two pieces of it, and sorting, between two comparisons.
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

// Calls body(begin, end) for one piece of [0, size) after the other, `piece` long but for the last. Throws
// Interrupted before a piece when `stop` is requested.
template <typename Body>
void in_pieces(std::uint64_t size, std::uint64_t piece, const StopFlag& stop, Body body) {
  for (std::uint64_t begin = 0; begin < size; begin += piece) {
    throw_if_requested(stop);
    body(begin, std::min(begin + piece, size));
  }
}

// The comparison `before`, which throws Interrupted when `stop` is requested. What a sort that it ends leaves
// behind is in no order.
template <typename Before>
auto stoppable(Before before, const StopFlag& stop) {
  return [before, &stop](const auto& a, const auto& b) {
    throw_if_requested(stop);
    return before(a, b);
  };
}

// The numbers below `count` in the order of `before`, which must not take two of them for equal.
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
