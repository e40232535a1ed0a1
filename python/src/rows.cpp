#include <algorithm>
#include <string>
#include <utility>

#include "alnus/error.h"
#include "results.h"
#include "row_columns.h"

namespace alnus::python {

Rows selected(const Rows& rows, std::span<const std::int64_t> numbers) {
  const std::size_t size = rows.columns.size();
  for (const std::int64_t number : numbers)
    if (number < 0 || static_cast<std::size_t>(number) >= size)
      throw Error(ErrorKind::input,
                  "There is no row " + std::to_string(number) + " among " + std::to_string(size) + ".");
  RowColumns made;
  Columns columns = rows.columns;
  made.each(columns, [&](auto& values, const auto& column) {
    if (column.empty()) return;
    values.reserve(numbers.size());
    for (const std::int64_t number : numbers) values.push_back(column[static_cast<std::size_t>(number)]);
  });
  const std::span<const std::uint64_t> offsets = columns.cigar_offsets;
  if (!offsets.empty()) {
    made.cigar_offsets.push_back(0);
    for (const std::int64_t number : numbers) {
      const auto runs = columns.cigar_runs.subspan(
          offsets[static_cast<std::size_t>(number)],
          offsets[static_cast<std::size_t>(number) + 1] - offsets[static_cast<std::size_t>(number)]);
      made.cigar_runs.insert(made.cigar_runs.end(), runs.begin(), runs.end());
      made.cigar_offsets.push_back(made.cigar_runs.size());
    }
  }
  Rows result = rows;
  // If the queries are still in their order, the chosen rows count as rows of a search, with a first row for
  // each query.
  if (std::is_sorted(made.query.begin(), made.query.end()) && !rows.first_row.empty()) {
    std::size_t row = 0;
    for (std::size_t query = 0; query + 1 < rows.first_row.size(); ++query) {
      result.first_row[query] = row;
      while (row < made.query.size() && made.query[row] == query) ++row;
    }
    result.first_row.back() = made.query.size();
  } else {
    result.first_row.clear();
    result.query_statistics.clear();
  }
  result.columns = columns_of(std::move(made));
  return result;
}

Rows alone(const Rows& rows, std::size_t number) {
  const auto place = static_cast<std::int64_t>(number);
  Rows one = selected(rows, {&place, 1});
  const SequenceSet::Index query = one.columns.query[0], subject = one.columns.subject[0];
  one.queries = rows.queries.part(query, query + 1);
  one.subjects = rows.subjects.part(subject, subject + 1);
  one.first_row.clear();
  one.query_statistics.clear();
  static constexpr SequenceSet::Index kFirst = 0;
  one.columns.query = one.columns.subject = {&kFirst, 1};
  return one;
}

Rows rows_of_one(const Alignment& alignment, const Database& query, const Database& subject,
                 const Scoring& scoring, Detail detail) {
  RowColumns one;
  one.query = {0};
  one.subject = {0};
  one.score = {alignment.score};
  if (detail != Detail::score) {
    one.query_end = {alignment.query_end};
    one.subject_end = {alignment.subject_end};
  }
  if (detail == Detail::alignment) {
    one.query_begin = {alignment.query_begin};
    one.subject_begin = {alignment.subject_begin};
    const AlignmentCounts counts =
        count(alignment, query.sequences().residues(0), subject.sequences().residues(0), scoring.matrix);
    one.length = {counts.columns};
    one.identical = {counts.identical};
    one.positive = {counts.positive};
    one.mismatches = {counts.mismatches};
    one.gap_residues = {counts.gap_residues};
    one.gap_opens = {counts.gap_opens};
    one.cigar_offsets = {0, alignment.cigar.size()};
    one.cigar_runs = alignment.cigar;
  }
  return {.columns = columns_of(std::move(one)),
          .queries = query,
          .subjects = subject,
          .scoring = scoring,
          .detail = detail};
}

}  // namespace alnus::python
