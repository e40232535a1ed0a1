// Positions from plain numbers, so that tests can write numbers.
#pragma once

#include <cstdint>

#include "core/index_spaces.h"

namespace alnus::test {

inline PositionRange positions(std::uint32_t begin, std::uint32_t end) {
  return {Position(begin), Position(end)};
}

inline PositionPair position_pair(std::uint32_t row, std::uint32_t column) {
  return {Position(row), Position(column)};
}

}  // namespace alnus::test
