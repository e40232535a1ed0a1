#include "io/aligned_rows.h"

#include <algorithm>

namespace alnus::io {

AlignedRows aligned_rows(const SequenceView& query, const SequenceView& subject, const Alignment& alignment,
                         const SubstitutionMatrix& matrix, const Markup& markup) {
  const Alphabet& alphabet = Alphabet::of(matrix.alphabet());
  std::size_t columns = 0;
  for (const CigarRun run : alignment.cigar) columns += run.length();
  AlignedRows rows{std::string(columns, '-'), std::string(columns, ' '), std::string(columns, '-')};
  const Residue* q = query.residues.data() + alignment.query_begin;
  const Residue* s = subject.residues.data() + alignment.subject_begin;
  std::size_t column = 0;
  for (const CigarRun run : alignment.cigar) {
    const std::size_t end = column + run.length();
    const bool equal = run.op() == CigarOp::equal, mismatch = run.op() == CigarOp::mismatch;
    for (std::size_t k = 0; mismatch && k < run.length(); ++k)
      rows.markup[column + k] = matrix.value(q[k], s[k]) > 0 ? markup.positive : markup.other;
    for (std::size_t k = 0; equal && k < run.length(); ++k)
      rows.markup[column + k] = markup.identical == 0 ? alphabet.decode(q[k] & kCodeMask) : markup.identical;
    if (run.op() != CigarOp::deletion)
      for (std::size_t k = column; k < end; ++k) rows.query[k] = alphabet.decode(*q++);
    if (run.op() != CigarOp::insertion)
      for (std::size_t k = column; k < end; ++k) rows.subject[k] = alphabet.decode(*s++);
    column = end;
  }
  return rows;
}

std::size_t residues_in(std::string_view row) {
  return row.size() - static_cast<std::size_t>(std::count(row.begin(), row.end(), '-'));
}

}  // namespace alnus::io
