// Identity: the share of identical residues, by each of the denominators that users divide by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "alnus/alignment.h"
#include "alnus/export.h"
#include "alnus/words.h"

namespace alnus {

// What the identical residues are divided by: the columns of the alignment, its columns without gaps, the
// shorter, longer or mean length of the two sequences, or the columns of the alignment and of its end gaps:
// with_end_gaps counts one extra column per unaligned residue, as EMBOSS needle does.
enum class Denominator : std::uint8_t { alignment, ungapped, shorter, longer, mean, with_end_gaps };
template <>
inline constexpr std::array kWords<Denominator> = {
    Word{"alignment", Denominator::alignment}, Word{"ungapped", Denominator::ungapped},
    Word{"shorter", Denominator::shorter},     Word{"longer", Denominator::longer},
    Word{"mean", Denominator::mean},           Word{"end_gaps", Denominator::with_end_gaps}};
inline constexpr std::size_t kDenominators = 6;

// A fraction, not always in lowest terms. The denominator is above 0, except in kNoIdentityRange.
struct Fraction {
  std::int64_t numerator = 0, denominator = 1;
  bool operator==(const Fraction&) const = default;
};

// The lowest and the highest identity over all alignments of a pair that have its best score.
struct IdentityRange {
  Fraction lowest, highest;
};

// Stands in columns for the range of a row that has none: a further alignment of a pair.
inline constexpr IdentityRange kNoIdentityRange{{0, 0}, {0, 0}};

// The identity of a pair, as a fraction from 0 to 1; 0 if the divisor that `denominator` chooses is 0.
ALNUS_API Fraction identity_of(const AlignmentCounts& counts, std::size_t query_length,
                               std::size_t subject_length, Denominator denominator);

}  // namespace alnus
