// Coverage: the share of a sequence that its alignment reaches over.
#pragma once

#include <cstddef>
#include <cstdint>

#include "alnus/export.h"
#include "alnus/identity.h"

namespace alnus {

// The sequence whose coverage counts: the shorter or the longer one, the query, the subject, or both of them,
// which means the lower of the two coverages. With equal lengths, `shorter` and `longer` both mean the lower
// of the two coverages.
enum class CoverageOf : std::uint8_t { shorter, longer, query, subject, both };

// A span is the number of residues from the first aligned one to the last, gaps in the sequence not counted.
// Divided by the sequence's length it is the coverage; that of a sequence without residues is 0. A span must
// not be above its length; that is not checked.
ALNUS_API Fraction coverage(std::size_t query_span, std::size_t query_length, std::size_t subject_span,
                            std::size_t subject_length, CoverageOf of);

}  // namespace alnus
