// An alignment as three rows of equal length, for the reports that show it letter by letter.
#pragma once

#include <string>

#include "io/writer.h"

namespace alnus::io {

struct AlignedRows {
  std::string query, markup, subject;  // '-' in a sequence for a gap, ' ' below or above it in the markup
};

// What the markup says of a column without a gap. identical = 0 repeats the letter in upper case.
struct Markup {
  char identical, positive, other;
};
inline constexpr Markup kBlastpMarkup = {0, '+', ' '};
inline constexpr Markup kBlastnMarkup = {'|', ' ', ' '};
inline constexpr Markup kEmbossMarkup = {'|', ':', '.'};

// The query runs forward. On the minus strand it is the subject's reverse complement that stands below it.
AlignedRows aligned_rows(const SequenceView& query, const SequenceView& subject, const Row& row,
                         const SubstitutionMatrix& matrix, const Markup& markup);

// Letters other than gaps.
std::size_t residues_in(std::string_view row);

}  // namespace alnus::io
