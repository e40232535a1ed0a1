// Rows as records, made from columns.
#include <cmath>

#include "alnus/results.h"

namespace alnus {
namespace {

std::optional<double> value_at(std::span<const double> column, std::size_t i) {
  if (column.empty() || std::isnan(column[i])) return std::nullopt;
  return column[i];
}

std::int32_t coordinate_at(std::span<const std::int32_t> column, std::size_t i) {
  return column.empty() ? -1 : column[i];
}

}  // namespace

Alignment Row::alignment() const {
  return {score, query_begin, query_end, subject_begin, subject_end, {cigar.begin(), cigar.end()}};
}

Row Columns::row(std::size_t i) const {
  Row row;
  row.query = query[i];
  row.subject = subject[i];
  if (!strand.empty()) row.strand = strand[i];
  row.score = score[i];
  row.query_begin = coordinate_at(query_begin, i);
  row.query_end = coordinate_at(query_end, i);
  row.subject_begin = coordinate_at(subject_begin, i);
  row.subject_end = coordinate_at(subject_end, i);
  if (!cigar_offsets.empty())
    row.cigar = cigar_runs.subspan(cigar_offsets[i], cigar_offsets[i + 1] - cigar_offsets[i]);
  if (!length.empty())
    row.counts = {length[i], identical[i], positive[i], mismatches[i], gap_residues[i], gap_opens[i]};
  row.significance = {value_at(adjusted_score, i), value_at(bits, i),      value_at(evalue, i),
                      value_at(zscore, i),         value_at(zscore_se, i), value_at(zfit, i)};
  for (std::size_t k = 0; k < kDenominators; ++k)
    if (!identity_range[k].empty()) row.identity_range[k] = identity_range[k][i];
  return row;
}

}  // namespace alnus
