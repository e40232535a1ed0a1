#include "engine/columns_builder.h"

namespace alnus::engine {

ColumnsBuilder::ColumnsBuilder(const RowFields& fields)
    : cigars_(fields.detail == Detail::alignment && fields.cigars),
      groups_(ColumnGroups::of(fields.detail, fields.strands != Strands::plus, false, fields.hsps)) {
  significance_.set(ColumnGroup::significance, fields.significance);
}

void ColumnsBuilder::reserve(std::size_t rows) {
  columns_.reserve(rows, groups_);
  columns_.reserve(rows, significance_);
}

void ColumnsBuilder::add(IndexPair pair, const AlignedPair& aligned, Strand strand) {
  row_.query = pair.query;
  row_.subject = pair.subject;
  row_.strand = strand;
  row_.hsp = aligned.hsp;
  std::optional<AlignmentCounts> counts;
  if (groups_.has(ColumnGroup::counts)) counts = aligned.counts;
  row_.set(aligned, counts);
  columns_.add(row_, groups_);
  if (cigars_) columns_.add_cigar(aligned.cigar);
}

void ColumnsBuilder::add(const Significance& significance) {
  if (!significance_.has(ColumnGroup::significance)) return;
  row_.significance = significance;
  columns_.add(row_, significance_);
}

void ColumnsBuilder::add(Denominator denominator, const IdentityRange& range) {
  columns_.add(denominator, range);
}

Columns ColumnsBuilder::finish() {
  if (cigars_) columns_.begin_cigars();
  return columns_.finish();
}

void set_rows(Columns rows, std::vector<std::uint64_t> first_row, SearchBatch& batch) {
  struct Owner {
    std::shared_ptr<const void> columns;
    std::vector<std::uint64_t> first_row;
  };
  const auto owner = std::make_shared<const Owner>(Owner{rows.owner, std::move(first_row)});
  batch.rows = std::move(rows);
  batch.rows.owner = owner;
  batch.first_row = owner->first_row;
}

}  // namespace alnus::engine
