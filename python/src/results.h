// Rows of a call, with the databases and the scoring that they belong to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alnus/database.h"
#include "alnus/html_report.h"
#include "alnus/output.h"
#include "alnus/results.h"
#include "alnus/scoring.h"

namespace alnus::python {

struct Rows {
  Columns columns;
  // The first row of each query of a search, and then the number of rows; empty for rows of other calls, and
  // for selected rows in another order.
  std::vector<std::uint64_t> first_row{};
  std::vector<QueryStatistics> query_statistics{};  // one for each query; empty if first_row is empty
  std::string statistics{};                         // how scores are judged, in words; empty: they are not
  Database queries, subjects;  // Columns::query and Columns::subject are indices in these
  Scoring scoring;
  Detail detail = Detail::alignment;
  // `stranded`: true if there is a column of strands. `significance`: true if there are columns of bit
  // scores, E-values and Z-scores. `hsps`: true if a pair may have several rows.
  bool stranded = false, significance = false, hsps = false;
  std::optional<double> max_evalue{};  // the highest E-value that a row may have; empty: any
  RowWriter::Grouping grouping = RowWriter::Grouping::by_query;
  ReportedJob job = ReportedJob::align;
  std::shared_ptr<const SearchSummary> summary{};  // null if these are not all rows of a search
};

// The rows with these numbers, in the order of `numbers`. A number may be repeated. Throws Error(input) for a
// number that is out of range.
Rows selected(const Rows& rows, std::span<const std::int64_t> numbers);

// One row, with databases that have its own two sequences alone.
Rows alone(const Rows& rows, std::size_t number);

// One alignment as a row. `query` and `subject` have one sequence each.
Rows rows_of_one(const Alignment& alignment, const Database& query, const Database& subject,
                 const Scoring& scoring, Detail detail);

}  // namespace alnus::python
