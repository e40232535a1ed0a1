// Identity: the share of identical residues, of what users divide them by.
#pragma once

#include <cstddef>
#include <cstdint>

#include "alnus/alignment.h"

namespace alnus {

// Columns of the alignment with gaps, those without; the sequences' lengths.
enum class Denominator : std::uint8_t { alignment, ungapped, shorter, longer, mean };
inline constexpr std::size_t kDenominators = 5;

// Not always in lowest terms; the denominator is above 0.
struct Fraction {
  std::int64_t numerator = 0, denominator = 1;
  bool operator==(const Fraction&) const = default;
};

struct IdentityRange {
  Fraction lowest, highest;
};

// 0 where the denominator would be.
Fraction identity_of(const AlignmentCounts& counts, std::size_t query_length, std::size_t subject_length,
                     Denominator denominator);

}  // namespace alnus
