// Rows in columns that own their memory.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "alnus/results.h"

namespace alnus {

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
  // Begins the column of CIGARs, so that even an object without rows has this column.
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
