// Coverage: the share of a sequence that its alignment reaches over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "alnus/export.h"
#include "alnus/identity.h"
#include "alnus/words.h"

namespace alnus {

// The sequence whose coverage counts: the shorter or the longer one, the query, the subject, or both of them,
// which means the lower of the two coverages. With equal lengths, `shorter` and `longer` both mean the lower
// of the two coverages.
enum class CoverageOf : std::uint8_t { shorter, longer, query, subject, both };
template <>
inline constexpr std::array kWords<CoverageOf> = {
    Word{"shorter", CoverageOf::shorter}, Word{"longer", CoverageOf::longer},
    Word{"query", CoverageOf::query}, Word{"subject", CoverageOf::subject}, Word{"both", CoverageOf::both}};

// The coverage of a query and a subject, as a fraction from 0 to 1. A span is the number of a sequence's
// residues from the first aligned one to the last; gaps do not count. A coverage is the span divided by the
// sequence's length, and 0 for a sequence without residues. A span must not be above its length; that is not
// checked.
ALNUS_API Fraction coverage(std::size_t query_span, std::size_t query_length, std::size_t subject_span,
                            std::size_t subject_length, CoverageOf of);

}  // namespace alnus
