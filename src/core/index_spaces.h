// The ways in which sequences are numbered. Each has a type of its own, so that code which mixes two of them
// does not compile:
// - an index is a sequence's place in the caller's SequenceSet (SequenceSet::Index, a plain integer);
// - a FileOrdinal is its place in the file that it came from (alnus/sequence_set.h);
// - a Position is its place by decreasing length (SortedSequences), the order in which devices work;
// - a Rank is its place in the order that decides which of two sequences of all pairs is the query.
#pragma once

#include <compare>
#include <cstdint>

#include "alnus/range.h"
#include "alnus/sequence_set.h"

namespace alnus {

class Position {
 public:
  constexpr Position() = default;
  constexpr explicit Position(std::uint32_t value) : value_(value) {}
  constexpr std::uint32_t value() const { return value_; }

  constexpr Position& operator++() {
    ++value_;
    return *this;
  }
  constexpr Position operator++(int) { return Position(value_++); }
  constexpr Position& operator--() {
    --value_;
    return *this;
  }
  constexpr Position operator--(int) { return Position(value_--); }
  constexpr Position& operator+=(std::uint32_t distance) {
    value_ += distance;
    return *this;
  }
  friend constexpr Position operator+(Position position, std::uint32_t distance) {
    return Position(position.value_ + distance);
  }
  friend constexpr Position operator-(Position position, std::uint32_t distance) {
    return Position(position.value_ - distance);
  }
  friend constexpr std::uint32_t operator-(Position a, Position b) { return a.value_ - b.value_; }
  constexpr auto operator<=>(const Position&) const = default;  // NOLINT(modernize-use-nullptr)

 private:
  std::uint32_t value_ = 0;
};

enum class Rank : std::uint32_t {};

using PositionRange = RangeOf<Position>;

// A pair of a pair matrix, whose rows are queries and whose columns are subjects. Pairs are ordered by
// row, then column.
struct PositionPair {
  Position row, column;
  constexpr auto operator<=>(const PositionPair&) const = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace alnus
