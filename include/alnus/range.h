// Ranges of consecutive numbers.
#pragma once

#include <cstdint>

namespace alnus {

// The numbers from `begin` up to before `end`.
template <class Number>
struct RangeOf {
  Number begin{}, end{};
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(end - begin); }
  constexpr bool operator==(const RangeOf&) const = default;
};
using IndexRange = RangeOf<std::uint32_t>;  // numbers are of type SequenceSet::Index

}  // namespace alnus
