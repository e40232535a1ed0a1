// Rows of a call with what they are of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alnus/database.h"
#include "alnus/output.h"
#include "alnus/results.h"
#include "alnus/scoring.h"

namespace alnus::python {

struct Rows {
  Columns columns;
  // The first row of each query of a search, and the end; empty for rows of other calls.
  std::vector<std::uint64_t> first_row{};
  std::vector<QueryStatistics> query_statistics{};  // of a search, for each query
  std::string statistics{};
  Database queries, subjects;  // in which Columns::query and Columns::subject count
  Scoring scoring;
  Detail detail = Detail::alignment;
  bool stranded = false, significance = false;  // there are columns of strands, and of significance
  std::optional<double> max_evalue{};           // no row's E-value is above it
  RowWriter::Grouping grouping = RowWriter::Grouping::by_query;
};

// The rows of these numbers, in this order, which may repeat. Throws Error(input) for one that is out of
// range.
Rows selected(const Rows& rows, std::span<const std::int64_t> numbers);

// One row with its two sequences and nothing else.
Rows alone(const Rows& rows, std::size_t number);

// One alignment as rows.
Rows rows_of_one(const Alignment& alignment, const Database& query, const Database& subject,
                 const Scoring& scoring, Detail detail);

}  // namespace alnus::python
