// Which rows are kept, by their alignments.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "alnus/coverage.h"
#include "alnus/identity.h"
#include "alnus/option_table.h"

namespace alnus {

// Rows that do not pass every limit which is set are left out. The identity of an alignment's own columns
// (Denominator::alignment and ungapped) says nothing of residues outside the alignment. A limit of such an
// identity therefore causes a warning in modes local and semiglobal, unless min_coverage or min_length is
// set. Percents above 0 and below 1 cause a warning, too, because a fraction may be meant; percents outside
// of 0 to 100 are Error(input).
struct RowFilter {
  std::optional<double> min_identity{};  // percent by `denominator`, 0 to 100
  std::optional<double> min_coverage{};  // percent, 0 to 100, by `coverage_of`
  Denominator denominator = Denominator::alignment;
  // The sequence whose coverage counts. The query of CoverageOf is the query of the row.
  CoverageOf coverage_of = CoverageOf::both;
  std::optional<std::uint32_t> min_length{};  // least number of columns of the alignment
  // True if a limit is set, so that the score of a row does not suffice to decide whether it passes.
  bool needs_alignments() const { return min_identity || min_coverage || min_length; }
};
template <>
inline constexpr std::tuple kOptions<RowFilter> = {
    CallOption{"min_identity", &RowFilter::min_identity, Numbers::percent, "X",
               "Leave out alignments with a lower identity, in percent (0 to 100); see --identity"},
    CallOption{
        "identity", &RowFilter::denominator, "WORD",
        "What the number of identical residues is divided by: the columns of the "
        "alignment, those without gaps (ungapped), the shorter, longer or mean length of the sequences, "
        "or the columns with end gaps (end-gaps), as in EMBOSS needle",
        "alignment"},
    CallOption{"min_coverage", &RowFilter::min_coverage, Numbers::percent, "X",
               "Leave out alignments that, from their first residue to their last, cover fewer percent of a "
               "sequence; see --coverage-of"},
    CallOption{"coverage_of", &RowFilter::coverage_of, "WORD",
               "The sequence that --min-coverage is about: both (each of them), shorter, longer, query or "
               "subject",
               "both"},
    CallOption{"min_length", &RowFilter::min_length, Counts{1}, "N",
               "Leave out alignments with fewer columns"},
};

}  // namespace alnus
