// Results: rows in columns. A row is a pair of sequences with its score and whatever else was asked for.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/export.h"
#include "alnus/identity.h"
#include "alnus/range.h"
#include "alnus/sequence_set.h"
#include "alnus/statistics.h"
#include "alnus/strand.h"

namespace alnus {

// One row as a record. Its spans live as long as the memory of the columns that it came from.
struct ALNUS_API Row {
  SequenceSet::Index query = 0, subject = 0;  // as Columns::query and Columns::subject
  Strand strand = Strand::plus;               // as Columns::strand
  std::int32_t hsp = 1;                       // as Columns::hsp
  std::int32_t score = 0;                     // in units of 1/scoring.scale
  // Coordinates are 0-based and half-open; -1: not asked for (Alignment in alnus/alignment.h).
  std::int32_t query_begin = -1, query_end = -1, subject_begin = -1, subject_end = -1;
  std::span<const CigarRun> cigar;
  std::optional<AlignmentCounts> counts;  // with Detail::alignment only
  Significance significance;
  // One range for each denominator; empty if that range was not asked for, or the row has none.
  std::array<std::optional<IdentityRange>, kDenominators> identity_range{};

  // Takes what an alignment says: an Alignment, or a struct that has members of the same names. `its_counts`
  // is empty without Detail::alignment. The CIGAR stays the alignment's; it is empty where no CIGARs are
  // wanted, and for an alignment of nothing.
  template <class Aligned>
  void set(const Aligned& aligned, const std::optional<AlignmentCounts>& its_counts) {
    score = aligned.score;
    query_begin = aligned.query_begin;
    query_end = aligned.query_end;
    subject_begin = aligned.subject_begin;
    subject_end = aligned.subject_end;
    cigar = aligned.cigar;
    counts = its_counts;
  }
  Alignment alignment() const;  // a copy that owns its CIGAR
};

// Rows as columns. Each column is a flat array with one value for each row, or empty if it was not asked for.
// All arrays belong to `owner`: whoever holds a copy of `owner` may keep and read them.
struct ALNUS_API Columns {
  // The two sequences of each row, as indices in `sequences()` of the call's databases. Rows of all pairs
  // have indices in `in_file_order().sequences()` of the databases, by which rows and columns of the pair
  // matrix are numbered.
  std::span<const SequenceSet::Index> query, subject;
  // The strand that was aligned, of the query or, in rows of all pairs, of the longer sequence. The column is
  // empty if only plus strands were asked for. On the minus strand that sequence's reverse complement is
  // aligned to the other sequence. Coordinates of both sequences still count along the sequences as they were
  // given, with begin before end. The CIGAR runs along the subject, and so through the query from its end to
  // its begin, as in SAM.
  std::span<const Strand> strand;
  // The number of the alignment among those of its pair, from 1 on (docs/ties.md). The column is empty if
  // only the first alignments were asked for.
  std::span<const std::int32_t> hsp;
  std::span<const std::int32_t> score;  // in units of 1/scoring.scale
  // Detail::alignment fills all four columns of coordinates, Detail::ends those of the ends. On the minus
  // strand query and subject run in opposite directions, so that where one ends the other begins: if rows may
  // be on the minus strand, Detail::ends fills all four columns, with -1 for what is not known.
  std::span<const std::int32_t> query_end, subject_end;
  std::span<const std::int32_t> query_begin, subject_begin;
  // Counts of the alignment (AlignmentCounts), with Detail::alignment only.
  std::span<const std::int32_t> length, identical, positive, mismatches, gap_residues, gap_opens;
  // The CIGAR of row i: cigar_runs[cigar_offsets[i]] up to before cigar_runs[cigar_offsets[i + 1]].
  std::span<const std::uint64_t> cigar_offsets;  // size() + 1 entries
  std::span<const CigarRun> cigar_runs;
  // The significance of each row (alnus/statistics.h). NaN: this row has no such value.
  std::span<const double> adjusted_score, bits, evalue, zscore, zscore_se, zfit;
  // One column for each denominator. Rows beyond the first of their pair have kNoIdentityRange.
  std::array<std::span<const IdentityRange>, kDenominators> identity_range;

  std::shared_ptr<const void> owner;

  std::size_t size() const { return score.size(); }
  Row row(std::size_t i) const;
};

// Columns that come together: all rows of a call have the columns of a group, or none has.
enum class ColumnGroup : std::uint8_t {
  pair,          // every row has them
  strand,        // with strands other than plus alone
  hsp,           // where a pair may have several rows
  ends,          // with Detail::ends and Detail::alignment
  begins,        // with Detail::alignment, and with Detail::ends where rows have strands
  counts,        // with Detail::alignment
  significance,  // where scores are judged
};

// A set of groups.
class ColumnGroups {
 public:
  // The groups of columns that rows of this detail have. `strands`: rows may be on the minus strand;
  // `significance`: scores are judged; `hsps`: a pair may have several rows.
  static constexpr ColumnGroups of(Detail detail, bool strands, bool significance, bool hsps = false) {
    const bool ends = detail != Detail::score, alignment = detail == Detail::alignment;
    ColumnGroups groups;
    groups.set(ColumnGroup::pair, true);
    groups.set(ColumnGroup::strand, strands);
    groups.set(ColumnGroup::hsp, hsps);
    groups.set(ColumnGroup::ends, ends);
    groups.set(ColumnGroup::begins, alignment || (ends && strands));
    groups.set(ColumnGroup::counts, alignment);
    groups.set(ColumnGroup::significance, significance);
    return groups;
  }
  constexpr bool has(ColumnGroup group) const { return ((bits_ >> static_cast<unsigned>(group)) & 1) != 0; }
  constexpr void set(ColumnGroup group, bool has) {
    const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(group));
    bits_ = static_cast<std::uint8_t>(has ? bits_ | bit : bits_ & ~bit);
  }

 private:
  std::uint8_t bits_ = 0;
};

// The names that a column has in tables (formats 6, 7 and 10), if tables print its values as they are: whole
// numbers, where a number below 0 stands for an unknown one, or numbers with two decimals. Columns that
// tables print in other ways have no name here; src/io/columns.cpp has them.
struct TableName {
  std::string_view name;   // BLAST's name, if BLAST has the column
  std::string_view title;  // in the line "# Fields:"
};

// A column with one value for each row. `in_row` is the member of Row, of its AlignmentCounts or of its
// Significance that has a row's value.
template <class Value, class InRow>
struct RowColumn {
  using value_type = Value;
  std::string_view name;
  std::span<const Value> Columns::*in_columns;
  InRow in_row;
  ColumnGroup group;
  TableName in_tables;

  constexpr RowColumn(std::string_view its_name, std::span<const Value> Columns::*columns, InRow row,
                      ColumnGroup its_group, TableName table = {})
      : name(its_name), in_columns(columns), in_row(row), group(its_group), in_tables(table) {}

  Value of(const Row& row) const {
    if constexpr (std::is_same_v<InRow, std::int32_t AlignmentCounts::*>)
      return (*row.counts).*in_row;
    else if constexpr (std::is_same_v<InRow, std::optional<double> Significance::*>)
      return (row.significance.*in_row).value_or(std::numeric_limits<double>::quiet_NaN());
    else
      return row.*in_row;
  }
  void set(Row& row, Value value) const {
    if constexpr (std::is_same_v<InRow, std::int32_t AlignmentCounts::*>) {
      if (!row.counts) row.counts.emplace();
      (*row.counts).*in_row = value;
    } else if constexpr (std::is_same_v<InRow, std::optional<double> Significance::*>)
      row.significance.*in_row = std::isnan(value) ? std::nullopt : std::optional(value);
    else {
      row.*in_row = value;
    }
  }
};
// All columns but those of CIGARs and of identity ranges. Whatever appends, copies, selects, packs, checks or
// shows columns goes through this table, and pickles and files of parts have them in its order. A new column
// is a member of Columns, a member of Row (or of what a Row has), and a line here.
inline constexpr std::tuple kRowColumns = {
    RowColumn{"query", &Columns::query, &Row::query, ColumnGroup::pair},
    RowColumn{"subject", &Columns::subject, &Row::subject, ColumnGroup::pair},
    RowColumn{"strand", &Columns::strand, &Row::strand, ColumnGroup::strand},
    RowColumn{"score", &Columns::score, &Row::score, ColumnGroup::pair},
    RowColumn{"hsp", &Columns::hsp, &Row::hsp, ColumnGroup::hsp, TableName{"hsp", "alignment of pair"}},
    RowColumn{"query_begin", &Columns::query_begin, &Row::query_begin, ColumnGroup::begins},
    RowColumn{"query_end", &Columns::query_end, &Row::query_end, ColumnGroup::ends},
    RowColumn{"subject_begin", &Columns::subject_begin, &Row::subject_begin, ColumnGroup::begins},
    RowColumn{"subject_end", &Columns::subject_end, &Row::subject_end, ColumnGroup::ends},
    RowColumn{"length", &Columns::length, &AlignmentCounts::columns, ColumnGroup::counts},
    RowColumn{"identical", &Columns::identical, &AlignmentCounts::identical, ColumnGroup::counts,
              TableName{"nident", "identical"}},
    RowColumn{"positive", &Columns::positive, &AlignmentCounts::positive, ColumnGroup::counts,
              TableName{"positive", "positives"}},
    RowColumn{"mismatches", &Columns::mismatches, &AlignmentCounts::mismatches, ColumnGroup::counts,
              TableName{"mismatch", "mismatches"}},
    RowColumn{"gap_residues", &Columns::gap_residues, &AlignmentCounts::gap_residues, ColumnGroup::counts,
              TableName{"gaps", "gaps"}},
    RowColumn{"gap_opens", &Columns::gap_opens, &AlignmentCounts::gap_opens, ColumnGroup::counts,
              TableName{"gapopen", "gap opens"}},
    RowColumn{"adjusted_score", &Columns::adjusted_score, &Significance::adjusted_score,
              ColumnGroup::significance, TableName{"adjscore", "adjusted score"}},
    RowColumn{"bits", &Columns::bits, &Significance::bits, ColumnGroup::significance},
    RowColumn{"evalue", &Columns::evalue, &Significance::evalue, ColumnGroup::significance},
    RowColumn{"zscore", &Columns::zscore, &Significance::zscore, ColumnGroup::significance,
              TableName{"zscore", "z-score"}},
    RowColumn{"zscore_se", &Columns::zscore_se, &Significance::zscore_se, ColumnGroup::significance,
              TableName{"zscore_se", "standard error of z-score"}},
    RowColumn{"zfit", &Columns::zfit, &Significance::zfit, ColumnGroup::significance},
};

// Calls use(column) for each of kRowColumns.
template <class Use>
constexpr void for_each_row_column(const Use& use) {
  std::apply([&](const auto&... column) { (use(column), ...); }, kRowColumns);
}

// Calls use(span) for each column of `rows`, also for those that are empty and for those of identity ranges,
// but not for the two arrays of CIGARs.
template <class Rows, class Use>
inline void for_each_span(Rows& rows, const Use& use) {
  for_each_row_column([&](const auto& column) { use(rows.*(column.in_columns)); });
  for (auto& range : rows.identity_range) use(range);
}

// The statistics that judge the scores of one query, for the heads of reports.
struct QueryStatistics {
  std::string description;  // "spouge: lambda 0.267, K 0.041 (published), ..."; empty: scores are not judged
  struct Karlin {
    double lambda = 0, K = 0, H = 0;
    double search_space = 0;             // effective, in cells, as BLAST prints it
    std::int64_t length_adjustment = 0;  // residues that BLAST takes off the query and every subject
  };
  std::optional<Karlin> karlin{};  // empty for a StatisticsMethod without these parameters
};

// Hits of consecutive queries; each query has all its hits in one batch. The hits of query `queries.begin +
// q` are the rows from first_row[q] up to before first_row[q + 1]. Queries come in their order. The hits of a
// query come by ascending E-value, then by descending adjusted score (where there are any) and score, then by
// the file ordinal of the subject. Where a hit has several alignments (SearchOptions::max_hsps), its rows
// follow each other by ascending Columns::hsp, and its best row decides about its place.
struct SearchBatch {
  IndexRange queries;
  std::span<const std::uint64_t> first_row;  // queries.size() + 1 entries; belong to rows.owner
  Columns rows;
  std::vector<QueryStatistics> query_statistics;  // one for each query, if they were asked for
  std::string statistics;                         // how all scores are judged, in words; empty: not judged
};

// Values of the pair matrix: rows [rows.begin, rows.end), one after the other, each with a value for every
// column of [columns.begin, columns.end). Rows and columns number the sequences in the order of their files
// (Block in alnus/plan.h). In all pairs of one set, row j has values for the columns before j, and for column
// j if sequences are paired with themselves; the other elements are uninitialised memory and must not be
// read.
struct ValueStripe {
  IndexRange rows, columns;
  std::span<const double> values;  // belongs to `owner`
  std::shared_ptr<const void> owner;

  // The values of row j, from column columns.begin on.
  std::span<const double> row(SequenceSet::Index j) const {
    return values.subspan(std::size_t{j - rows.begin} * columns.size(), columns.size());
  }
};

// Some pairs of the pair matrix, with the row, the column and the value of each. Rows and columns are
// numbered as in a ValueStripe. In all pairs of one set the column of a pair is before its row, or the same,
// except with AllPairsOptions::top_k, where a row has columns on both sides.
struct SparseValues {
  std::span<const SequenceSet::Index> row, column;
  std::span<const double> value;
  std::shared_ptr<const void> owner;  // owns all arrays
  // With AllPairsOptions::relations: which of them, counted from 0, the value is of. Without meaning
  // otherwise.
  std::span<const std::uint8_t> relation{};

  std::size_t size() const { return value.size(); }
};

}  // namespace alnus
