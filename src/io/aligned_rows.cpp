#include "io/aligned_rows.h"

#include <algorithm>

#include "io/along_query.h"

namespace alnus::io {

AlignedRows aligned_rows(const SequenceView& query, const SequenceView& given_subject, const Row& given_row,
                         const SubstitutionMatrix& matrix, const Markup& markup) {
  const AlongQuery along(given_subject, given_row);
  const SequenceView& subject = along.subject();
  const Row& row = along.row();
  const Alphabet& alphabet = Alphabet::of(matrix.alphabet());
  std::size_t columns = 0;
  for (const CigarRun run : row.cigar) columns += run.length();
  AlignedRows rows{std::string(columns, '-'), std::string(columns, ' '), std::string(columns, '-')};
  const Residue* q = query.residues.data() + row.query_begin;
  const Residue* s = subject.residues.data() + row.subject_begin;
  std::size_t column = 0;
  for (const CigarRun run : row.cigar) {
    const std::size_t end = column + run.length();
    const bool equal = run.op() == CigarOp::equal;
    for (; column < end && run.op() == CigarOp::insertion; ++column)
      rows.query[column] = alphabet.decode(*q++);
    for (; column < end && run.op() == CigarOp::deletion; ++column)
      rows.subject[column] = alphabet.decode(*s++);
    for (; column < end; ++column, ++q, ++s) {
      rows.query[column] = alphabet.decode(*q);
      rows.subject[column] = alphabet.decode(*s);
      rows.markup[column] = !equal ? matrix.value(*q, *s) > 0 ? markup.positive : markup.other
                            : markup.identical == 0 ? alphabet.decode(*q & kCodeMask)
                                                    : markup.identical;
    }
  }
  return rows;
}

std::size_t residues_in(std::string_view row) {
  return row.size() - static_cast<std::size_t>(std::count(row.begin(), row.end(), '-'));
}

}  // namespace alnus::io
