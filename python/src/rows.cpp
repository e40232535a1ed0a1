#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "alnus/error.h"
#include "alnus/row_columns.h"
#include "results.h"

namespace alnus::python {

Rows selected(const Rows& rows, std::span<const std::int64_t> numbers) {
  const std::size_t size = rows.columns.size();
  for (const std::int64_t number : numbers)
    if (number < 0 || static_cast<std::size_t>(number) >= size)
      throw Error(ErrorKind::input,
                  "There is no row " + std::to_string(number) + " among " + std::to_string(size) + ".");
  OwnedColumns chosen;
  chosen.append(rows.columns, numbers);
  Rows result = rows;
  result.columns = chosen.finish();
  result.summary.reset();
  const std::span<const SequenceSet::Index> query_of_row = result.columns.query;
  // If the queries are still in their order, the chosen rows count as rows of a search, with a first row for
  // each query.
  if (std::ranges::is_sorted(query_of_row) && !rows.first_row.empty()) {
    std::size_t row = 0;
    for (std::size_t query = 0; query + 1 < rows.first_row.size(); ++query) {
      result.first_row[query] = row;
      while (row < query_of_row.size() && query_of_row[row] == query) ++row;
    }
    result.first_row.back() = query_of_row.size();
  } else {
    result.first_row.clear();
    result.query_statistics.clear();
  }
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
  std::optional<AlignmentCounts> counts;
  if (detail == Detail::alignment)
    counts = count(alignment, query.sequences().residues(0), subject.sequences().residues(0), scoring.matrix);
  Row row;
  row.set(alignment, counts);
  OwnedColumns one;
  one.add(row, ColumnGroups::of(detail, false, false));
  if (detail == Detail::alignment) one.add_cigar(alignment.cigar);
  return {
      .columns = one.finish(), .queries = query, .subjects = subject, .scoring = scoring, .detail = detail};
}

}  // namespace alnus::python
