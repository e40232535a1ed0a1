#include "io/aligned_rows.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/sequences.h"

namespace alnus::io {
namespace {

// Every pair of letters, as the matrix scores it, beside gaps in both sequences.
TEST(AlignedRows, MarkEachColumnByItsLetters) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::builtin("BLOSUM62");
  const std::string letters = "ARNDCQEGHILKMFPSTWYV";
  for (const Markup& markup : {kBlastpMarkup, kBlastnMarkup, kEmbossMarkup})
    for (Residue q = 0; q < 20; ++q)
      for (Residue s = 0; s < 20; ++s) {
        // Two residues before the alignment, an insertion, the pair, a deletion, and one residue behind it.
        const test::Residues query = {0, 1, 2, q, static_cast<Residue>(q | kLowerCase), 3},
                             subject = {4, s, s, 5, 6, 7};
        const CigarOp op = q == s ? CigarOp::equal : CigarOp::mismatch;
        const std::vector<CigarRun> cigar = {{CigarOp::insertion, 1}, {op, 2}, {CigarOp::deletion, 2}};
        Row row;
        row.query_begin = 2, row.query_end = 5, row.subject_begin = 1, row.subject_end = 5;
        row.cigar = cigar;
        const AlignedRows rows = aligned_rows({query, "q"}, {subject, "s"}, row, matrix, markup);
        const char mark = q == s                   ? markup.identical == 0 ? letters[q] : markup.identical
                          : matrix.value(q, s) > 0 ? markup.positive
                                                   : markup.other;
        const char lower = static_cast<char>(letters[q] - 'A' + 'a');
        EXPECT_EQ(rows.query, std::string("N") + letters[q] + lower + "--");
        EXPECT_EQ(rows.subject, std::string("-") + letters[s] + letters[s] + "QE");
        EXPECT_EQ(rows.markup, std::string(" ") + mark + mark + "  ") << letters[q] << letters[s];
        EXPECT_EQ(residues_in(rows.query), 3u);
        EXPECT_EQ(residues_in(rows.subject), 4u);
      }
  EXPECT_EQ(residues_in(""), 0u);
}

}  // namespace
}  // namespace alnus::io
