#include "engine/columns_builder.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace alnus::engine {
namespace {

double or_nan(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

void ColumnsBuilder::reserve(std::size_t rows) {
  Arrays& c = columns_;
  const auto all = [rows](auto&... columns) { (columns.reserve(rows), ...); };
  all(c.query, c.subject, c.score);
  if (fields_.strands != Strands::plus) all(c.strand);
  if (fields_.detail != Detail::score) all(c.query_end, c.subject_end, c.query_begin, c.subject_begin);
  if (fields_.detail == Detail::alignment)
    all(c.length, c.identical, c.positive, c.mismatches, c.gap_residues, c.gap_opens);
  if (fields_.significance) all(c.adjusted_score, c.bits, c.evalue, c.zscore, c.zscore_se, c.zfit);
}

void ColumnsBuilder::add(IndexPair pair, const AlignedPair& aligned, Strand strand) {
  Arrays& c = columns_;
  c.query.push_back(pair.query);
  c.subject.push_back(pair.subject);
  c.score.push_back(aligned.score);
  if (fields_.strands != Strands::plus) c.strand.push_back(strand);
  if (fields_.detail == Detail::score) return;
  c.query_end.push_back(aligned.query_end);
  c.subject_end.push_back(aligned.subject_end);
  if (fields_.detail == Detail::alignment || fields_.strands != Strands::plus) {
    c.query_begin.push_back(aligned.query_begin);
    c.subject_begin.push_back(aligned.subject_begin);
  }
  if (fields_.detail == Detail::ends) return;
  c.length.push_back(aligned.counts.columns);
  c.identical.push_back(aligned.counts.identical);
  c.positive.push_back(aligned.counts.positive);
  c.mismatches.push_back(aligned.counts.mismatches);
  c.gap_residues.push_back(aligned.counts.gap_residues);
  c.gap_opens.push_back(aligned.counts.gap_opens);
  if (!fields_.cigars) return;
  c.cigar_offsets.push_back(c.cigar_runs.size());
  c.cigar_runs.insert(c.cigar_runs.end(), aligned.cigar.begin(), aligned.cigar.end());
}

void ColumnsBuilder::add(const Significance& significance) {
  if (!fields_.significance) return;
  columns_.adjusted_score.push_back(or_nan(significance.adjusted_score));
  columns_.bits.push_back(or_nan(significance.bits));
  columns_.evalue.push_back(or_nan(significance.evalue));
  columns_.zscore.push_back(or_nan(significance.zscore));
  columns_.zscore_se.push_back(or_nan(significance.zscore_se));
  columns_.zfit.push_back(or_nan(significance.zfit));
}

void ColumnsBuilder::add(Denominator denominator, const IdentityRange& range) {
  columns_.identity_range[static_cast<std::size_t>(denominator)].push_back(range);
}

Columns ColumnsBuilder::finish() {
  if (fields_.detail == Detail::alignment && fields_.cigars)
    columns_.cigar_offsets.push_back(columns_.cigar_runs.size());
  const auto arrays = std::make_shared<const Arrays>(std::exchange(columns_, {}));
  Columns columns;
  columns.query = arrays->query;
  columns.subject = arrays->subject;
  columns.strand = arrays->strand;
  columns.score = arrays->score;
  columns.query_end = arrays->query_end;
  columns.subject_end = arrays->subject_end;
  columns.query_begin = arrays->query_begin;
  columns.subject_begin = arrays->subject_begin;
  columns.length = arrays->length;
  columns.identical = arrays->identical;
  columns.positive = arrays->positive;
  columns.mismatches = arrays->mismatches;
  columns.gap_residues = arrays->gap_residues;
  columns.gap_opens = arrays->gap_opens;
  columns.cigar_offsets = arrays->cigar_offsets;
  columns.cigar_runs = arrays->cigar_runs;
  columns.adjusted_score = arrays->adjusted_score;
  columns.bits = arrays->bits;
  columns.evalue = arrays->evalue;
  columns.zscore = arrays->zscore;
  columns.zscore_se = arrays->zscore_se;
  columns.zfit = arrays->zfit;
  for (std::size_t k = 0; k < kDenominators; ++k) columns.identity_range[k] = arrays->identity_range[k];
  columns.owner = arrays;
  return columns;
}

}  // namespace alnus::engine
