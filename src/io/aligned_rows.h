// An alignment as three rows of equal length, for the reports that show it letter by letter.
#pragma once

#include <string>

#include "io/writer.h"

namespace alnus::io {

struct AlignedRows {
  std::string query, markup, subject;  // in columns with a gap: '-' for the gap, ' ' in the markup
};

// The markup's characters for columns without a gap: for equal letters (case ignored), for different letters
// whose matrix score is above 0, and for other letters. `identical` = 0 repeats the letter in upper case.
struct Markup {
  char identical, positive, other;
};
inline constexpr Markup kBlastpMarkup = {0, '+', ' '};
inline constexpr Markup kBlastnMarkup = {'|', ' ', ' '};
inline constexpr Markup kEmbossMarkup = {'|', ':', '.'};

// Returns the aligned columns of a row, which must have its CIGAR. The query runs forward. For a row on the
// minus strand the subject's reverse complement stands below the query.
AlignedRows aligned_rows(const SequenceView& query, const SequenceView& subject, const Row& row,
                         const SubstitutionMatrix& matrix, const Markup& markup);

// Returns the number of letters in a row's text, in which '-' is a gap.
std::size_t residues_in(std::string_view row);

}  // namespace alnus::io
