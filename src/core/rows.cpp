// Rows as records, made from columns.
#include "alnus/results.h"
#include "alnus/row_columns.h"

namespace alnus {

Alignment Row::alignment() const {
  return {score, query_begin, query_end, subject_begin, subject_end, {cigar.begin(), cigar.end()}};
}

Row Columns::row(std::size_t i) const {
  Row row;
  for_each_row_column([&](const auto& column) {
    const auto values = this->*(column.in_columns);
    if (!values.empty()) column.set(row, values[i]);
  });
  if (!cigar_offsets.empty())
    row.cigar = cigar_runs.subspan(cigar_offsets[i], cigar_offsets[i + 1] - cigar_offsets[i]);
  for (std::size_t k = 0; k < kDenominators; ++k)
    if (!identity_range[k].empty() && identity_range[k][i].highest.denominator != 0)
      row.identity_range[k] = identity_range[k][i];
  return row;
}

}  // namespace alnus
