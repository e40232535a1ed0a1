// The columns of rows, each described once, and rows in columns that own their memory.
//
// Whatever appends, copies, selects, packs, checks or shows columns goes through kRowColumns. A new column is
// a member of Columns, a member of Row (or of what a Row has), and a line of this table.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "alnus/results.h"

namespace alnus {

// Columns that come together: all rows of a call have the columns of a group, or none has.
enum class ColumnGroup : std::uint8_t {
  pair,          // every row has them
  strand,        // with strands other than plus alone
  ends,          // with Detail::ends and Detail::alignment
  begins,        // with Detail::alignment, and with Detail::ends where rows have strands
  counts,        // with Detail::alignment
  significance,  // where scores are judged
};

// A set of groups.
class ColumnGroups {
 public:
  // The groups that rows of such a call have.
  static constexpr ColumnGroups of(Detail detail, bool strands, bool significance) {
    const bool ends = detail != Detail::score, alignment = detail == Detail::alignment;
    ColumnGroups groups;
    groups.set(ColumnGroup::pair, true);
    groups.set(ColumnGroup::strand, strands);
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

// A column with one value for each row. `in_row` is the member of Row, of its AlignmentCounts or of its
// Significance that has a row's value.
template <class Value, class InRow>
struct RowColumn {
  using value_type = Value;
  std::string_view name;
  std::span<const Value> Columns::*in_columns;
  InRow in_row;
  ColumnGroup group;

  constexpr RowColumn(std::string_view its_name, std::span<const Value> Columns::*columns, InRow row,
                      ColumnGroup its_group)
      : name(its_name), in_columns(columns), in_row(row), group(its_group) {}

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
// All columns but those of CIGARs and of identity ranges. Pickles and files of parts have them in this order.
inline constexpr std::tuple kRowColumns = {
    RowColumn{"query", &Columns::query, &Row::query, ColumnGroup::pair},
    RowColumn{"subject", &Columns::subject, &Row::subject, ColumnGroup::pair},
    RowColumn{"strand", &Columns::strand, &Row::strand, ColumnGroup::strand},
    RowColumn{"score", &Columns::score, &Row::score, ColumnGroup::pair},
    RowColumn{"query_begin", &Columns::query_begin, &Row::query_begin, ColumnGroup::begins},
    RowColumn{"query_end", &Columns::query_end, &Row::query_end, ColumnGroup::ends},
    RowColumn{"subject_begin", &Columns::subject_begin, &Row::subject_begin, ColumnGroup::begins},
    RowColumn{"subject_end", &Columns::subject_end, &Row::subject_end, ColumnGroup::ends},
    RowColumn{"length", &Columns::length, &AlignmentCounts::columns, ColumnGroup::counts},
    RowColumn{"identical", &Columns::identical, &AlignmentCounts::identical, ColumnGroup::counts},
    RowColumn{"positive", &Columns::positive, &AlignmentCounts::positive, ColumnGroup::counts},
    RowColumn{"mismatches", &Columns::mismatches, &AlignmentCounts::mismatches, ColumnGroup::counts},
    RowColumn{"gap_residues", &Columns::gap_residues, &AlignmentCounts::gap_residues, ColumnGroup::counts},
    RowColumn{"gap_opens", &Columns::gap_opens, &AlignmentCounts::gap_opens, ColumnGroup::counts},
    RowColumn{"adjusted_score", &Columns::adjusted_score, &Significance::adjusted_score,
              ColumnGroup::significance},
    RowColumn{"bits", &Columns::bits, &Significance::bits, ColumnGroup::significance},
    RowColumn{"evalue", &Columns::evalue, &Significance::evalue, ColumnGroup::significance},
    RowColumn{"zscore", &Columns::zscore, &Significance::zscore, ColumnGroup::significance},
    RowColumn{"zscore_se", &Columns::zscore_se, &Significance::zscore_se, ColumnGroup::significance},
    RowColumn{"zfit", &Columns::zfit, &Significance::zfit, ColumnGroup::significance},
};

// Calls use(column) for each of kRowColumns.
template <class Use>
constexpr void for_each_row_column(const Use& use) {
  std::apply([&](const auto&... column) { (use(column), ...); }, kRowColumns);
}

// Calls use(span) for the column of each kind in `rows`, those of identity ranges too, but not for the two
// arrays of CIGARs.
template <class Rows, class Use>
inline void for_each_span(Rows& rows, const Use& use) {
  for_each_row_column([&](const auto& column) { use(rows.*(column.in_columns)); });
  for (auto& range : rows.identity_range) use(range);
}

// Rows in columns that can grow. All rows must have the same columns.
class OwnedColumns {
 public:
  std::size_t size() const { return std::get<kScore>(values_).size(); }
  void reserve(std::size_t rows, ColumnGroups groups) {
    for_each([&](const auto& column, auto& values) {
      if (groups.has(column.group)) values.reserve(rows);
    });
  }

  // Makes room for exactly the rows of these parts.
  void reserve_for(std::span<const Columns> parts) {
    const auto sum_of = [&](const auto& size_in) {
      std::size_t sum = 0;
      for (const Columns& part : parts) sum += size_in(part);
      return sum;
    };
    for_each([&](const auto& column, auto& values) {
      values.reserve(sum_of([&](const Columns& part) { return (part.*(column.in_columns)).size(); }));
    });
    for (std::size_t k = 0; k < kDenominators; ++k)
      identity_range_[k].reserve(sum_of([&](const Columns& part) { return part.identity_range[k].size(); }));
    cigar_offsets_.reserve(sum_of([](const Columns& part) { return part.cigar_offsets.size(); }));
    cigar_runs_.reserve(sum_of([](const Columns& part) { return part.cigar_runs.size(); }));
  }

  // Appends a row's values to the columns of these groups.
  void add(const Row& row, ColumnGroups groups) {
    for_each([&](const auto& column, auto& values) {
      if (groups.has(column.group)) values.push_back(column.of(row));
    });
  }
  // Appends a row's CIGAR. Rows have CIGARs all or none.
  void add_cigar(std::span<const CigarRun> cigar) {
    begin_cigars();
    cigar_runs_.insert(cigar_runs_.end(), cigar.begin(), cigar.end());
    cigar_offsets_.push_back(cigar_runs_.size());
  }
  // Rows without a single one have the column of CIGARs too, if they begin it.
  void begin_cigars() {
    if (cigar_offsets_.empty()) cigar_offsets_.push_back(0);
  }
  void add(Denominator denominator, const IdentityRange& range) {
    identity_range_[static_cast<std::size_t>(denominator)].push_back(range);
  }

  // Appends all rows.
  void append(const Columns& rows) {
    for_each_column(rows, [](auto& values, const auto& column) {
      values.insert(values.end(), column.begin(), column.end());
    });
    if (rows.cigar_offsets.empty()) return;
    begin_cigars();
    const std::uint64_t before = cigar_runs_.size() - rows.cigar_offsets.front();
    for (const std::uint64_t offset : rows.cigar_offsets.subspan(1))
      cigar_offsets_.push_back(before + offset);
    cigar_runs_.insert(cigar_runs_.end(), rows.cigar_runs.begin(), rows.cigar_runs.end());
  }
  // Appends the rows with these numbers, in this order. A number may be repeated, and must be below
  // rows.size().
  template <std::integral Number>
  void append(const Columns& rows, std::span<const Number> numbers) {
    for_each_column(rows, [&](auto& values, const auto& column) {
      if (column.empty()) return;
      values.reserve(values.size() + numbers.size());
      for (const Number number : numbers) values.push_back(column[static_cast<std::size_t>(number)]);
    });
    if (rows.cigar_offsets.empty()) return;
    begin_cigars();
    for (const Number number : numbers) {
      const std::uint64_t* const offset = &rows.cigar_offsets[static_cast<std::size_t>(number)];
      add_cigar(rows.cigar_runs.subspan(offset[0], offset[1] - offset[0]));
    }
  }

  // Hands each array over to use(vector): those of kRowColumns, those of identity ranges, and the offsets and
  // runs of CIGARs.
  template <class Use>
  void for_each_array(const Use& use) {
    for_each([&](const auto&, auto& values) { use(values); });
    for (auto& range : identity_range_) use(range);
    use(cigar_offsets_);
    use(cigar_runs_);
  }

  // The rows, as columns that own their memory. Leaves this object empty.
  Columns finish() {
    const auto owner = std::make_shared<OwnedColumns>(std::exchange(*this, {}));
    Columns columns;
    owner->for_each([&](const auto& column, const auto& values) { columns.*(column.in_columns) = values; });
    for (std::size_t k = 0; k < kDenominators; ++k) columns.identity_range[k] = owner->identity_range_[k];
    columns.cigar_offsets = owner->cigar_offsets_;
    columns.cigar_runs = owner->cigar_runs_;
    columns.owner = owner;
    return columns;
  }

 private:
  static constexpr std::size_t kScore = 3;
  static_assert(std::get<kScore>(kRowColumns).in_columns == &Columns::score);

  template <class... Column>
  static std::tuple<std::vector<typename Column::value_type>...> vectors_of(const std::tuple<Column...>&);

  // Calls use(column of kRowColumns, vector).
  template <class Use>
  void for_each(const Use& use) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (use(std::get<k>(kRowColumns), std::get<k>(values_)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(kRowColumns)>>());
  }
  // Calls use(vector, span of `rows`) for each of kRowColumns and for the columns of identity ranges.
  template <class Use>
  void for_each_column(const Columns& rows, const Use& use) {
    for_each([&](const auto& column, auto& values) { use(values, rows.*(column.in_columns)); });
    for (std::size_t k = 0; k < kDenominators; ++k) use(identity_range_[k], rows.identity_range[k]);
  }

  decltype(vectors_of(kRowColumns)) values_;
  std::array<std::vector<IdentityRange>, kDenominators> identity_range_;
  std::vector<std::uint64_t> cigar_offsets_;
  std::vector<CigarRun> cigar_runs_;
};

}  // namespace alnus
