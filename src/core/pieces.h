// Work that can be stopped between two pieces of it.
#pragma once

#include <algorithm>
#include <cstdint>

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

}  // namespace alnus
