// Columns of rows that own their memory, so that values can be added and changed one by one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "alnus/results.h"

namespace alnus::python {

// The columns of Columns, under the same names.
struct RowColumns {
  std::vector<SequenceSet::Index> query, subject;
  std::vector<Strand> strand;
  std::vector<std::int32_t> score, query_begin, query_end, subject_begin, subject_end;
  std::vector<std::int32_t> length, identical, positive, mismatches, gap_residues, gap_opens;
  std::vector<std::uint64_t> cigar_offsets;
  std::vector<CigarRun> cigar_runs;
  std::vector<double> adjusted_score, bits, evalue, zscore, zscore_se, zfit;
  std::array<std::vector<IdentityRange>, kDenominators> identity_range;

  // Calls use(vector of this object, span of `columns`) for each column that has one value for each row. The
  // offsets and the runs of CIGARs are not among these columns.
  template <class Use>
  void each(Columns& columns, const Use& use) {
    use(query, columns.query);
    use(subject, columns.subject);
    use(strand, columns.strand);
    use(score, columns.score);
    use(query_begin, columns.query_begin);
    use(query_end, columns.query_end);
    use(subject_begin, columns.subject_begin);
    use(subject_end, columns.subject_end);
    use(length, columns.length);
    use(identical, columns.identical);
    use(positive, columns.positive);
    use(mismatches, columns.mismatches);
    use(gap_residues, columns.gap_residues);
    use(gap_opens, columns.gap_opens);
    use(adjusted_score, columns.adjusted_score);
    use(bits, columns.bits);
    use(evalue, columns.evalue);
    use(zscore, columns.zscore);
    use(zscore_se, columns.zscore_se);
    use(zfit, columns.zfit);
    for (std::size_t k = 0; k < kDenominators; ++k) use(identity_range[k], columns.identity_range[k]);
  }
};

// Adds the rows of a batch to `rows`. All batches of a call must have the same columns.
inline void append(RowColumns& rows, Columns batch) {
  rows.each(batch, [](auto& values, const auto& column) {
    values.insert(values.end(), column.begin(), column.end());
  });
  if (batch.cigar_offsets.empty()) return;
  if (rows.cigar_offsets.empty()) rows.cigar_offsets.push_back(0);
  const std::uint64_t before = rows.cigar_runs.size();
  for (const std::uint64_t offset : batch.cigar_offsets.subspan(1))
    rows.cigar_offsets.push_back(before + offset - batch.cigar_offsets.front());
  rows.cigar_runs.insert(rows.cigar_runs.end(), batch.cigar_runs.begin(), batch.cigar_runs.end());
}

// Columns that show the columns of `made` and own its memory.
inline Columns columns_of(RowColumns made) {
  auto owner = std::make_shared<RowColumns>(std::move(made));
  Columns columns;
  owner->each(columns, [](const auto& values, auto& column) { column = values; });
  columns.cigar_offsets = owner->cigar_offsets;
  columns.cigar_runs = owner->cigar_runs;
  columns.owner = std::move(owner);
  return columns;
}

}  // namespace alnus::python
