#include "io/aligned_rows.h"

#include <algorithm>

namespace alnus::io {

AlignedRows aligned_rows(const SequenceView& query, const SequenceView& subject, const Alignment& alignment,
                         const SubstitutionMatrix& matrix, const Markup& markup) {
  const Alphabet& alphabet = Alphabet::of(matrix.alphabet());
  AlignedRows rows;
  auto i = static_cast<std::size_t>(alignment.query_begin);
  auto j = static_cast<std::size_t>(alignment.subject_begin);
  for (const CigarRun run : alignment.cigar) {
    for (std::uint32_t k = 0; k < run.length(); ++k) {
      char mark = ' ';
      if (run.op() == CigarOp::equal && markup.identical == 0)
        mark = alphabet.decode(query.residues[i] & kCodeMask);
      else if (run.op() == CigarOp::equal)
        mark = markup.identical;
      else if (run.op() == CigarOp::mismatch)
        mark = matrix.value(query.residues[i], subject.residues[j]) > 0 ? markup.positive : markup.other;
      rows.markup += mark;
      rows.query += run.op() == CigarOp::deletion ? '-' : alphabet.decode(query.residues[i++]);
      rows.subject += run.op() == CigarOp::insertion ? '-' : alphabet.decode(subject.residues[j++]);
    }
  }
  return rows;
}

std::size_t residues_in(std::string_view row) {
  return row.size() - static_cast<std::size_t>(std::count(row.begin(), row.end(), '-'));
}

}  // namespace alnus::io
