// An alignment as three rows of equal length, for the reports that show it letter by letter.
#pragma once

#include <string>

#include "io/writer.h"

namespace alnus::io {

struct AlignedRows {
  std::string query, markup, subject;  // gaps: '-' in the sequence, ' ' in the markup
};

// The markup's characters for columns without a gap. `identical` = 0 repeats the letter in upper case.
struct Markup {
  char identical, positive, other;
};
inline constexpr Markup kBlastpMarkup = {0, '+', ' '};
inline constexpr Markup kBlastnMarkup = {'|', ' ', ' '};
inline constexpr Markup kEmbossMarkup = {'|', ':', '.'};

// The query runs forward. For a row on the minus strand the subject's reverse complement stands below the
// query.
AlignedRows aligned_rows(const SequenceView& query, const SequenceView& subject, const Row& row,
                         const SubstitutionMatrix& matrix, const Markup& markup);

// The number of letters in a row, without gaps.
std::size_t residues_in(std::string_view row);

}  // namespace alnus::io
