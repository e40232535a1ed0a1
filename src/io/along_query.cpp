#include "io/along_query.h"

#include <algorithm>

namespace alnus::io {

AlongQuery::AlongQuery(const SequenceView& subject, const Row& row) : subject_(subject), row_(row) {
  if (row.strand == Strand::plus || row.subject_begin < 0 || row.subject_end < 0) return;
  const auto begin = static_cast<std::size_t>(row.subject_begin);
  const auto length = static_cast<std::size_t>(row.subject_end - row.subject_begin);
  residues_ = reverse_complement(subject.residues.subspan(begin, length));
  cigar_.assign(row.cigar.rbegin(), row.cigar.rend());
  subject_.residues = residues_;
  row_.cigar = cigar_;
  row_.strand = Strand::plus;
  row_.subject_begin = 0;
  row_.subject_end = static_cast<std::int32_t>(length);
}

SubjectRange subject_range(const Row& row) {
  // An unknown coordinate is -1 in the result, as in the row.
  const std::int32_t first = row.subject_begin < 0 ? -1 : row.subject_begin + 1;
  return row.strand == Strand::plus ? SubjectRange{first, row.subject_end}
                                    : SubjectRange{row.subject_end, first};
}

}  // namespace alnus::io
