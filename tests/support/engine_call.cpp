#include "support/engine_call.h"

#include <gtest/gtest.h>

namespace alnus::test {
namespace {

// Expects a value for each row, or no values, as in a column that was not asked for.
template <class Value>
void expect_whole(std::span<const Value> column, std::size_t rows) {
  EXPECT_TRUE(column.empty() || column.size() == rows) << column.size() << " values of " << rows << " rows";
}

void expect_whole(const Columns& columns) {
  const std::size_t rows = columns.size();
  EXPECT_EQ(columns.query.size(), rows);
  EXPECT_EQ(columns.subject.size(), rows);
  for (const auto column :
       {columns.query_end, columns.subject_end, columns.query_begin, columns.subject_begin, columns.length,
        columns.identical, columns.positive, columns.mismatches, columns.gap_residues, columns.gap_opens})
    expect_whole(column, rows);
  for (const auto column : {columns.bits, columns.evalue, columns.zscore, columns.zscore_se, columns.zfit})
    expect_whole(column, rows);
  for (const auto column : columns.identity_range) expect_whole(column, rows);
  if (columns.cigar_offsets.empty()) {
    EXPECT_TRUE(columns.cigar_runs.empty());
    return;
  }
  ASSERT_EQ(columns.cigar_offsets.size(), rows + 1);
  EXPECT_EQ(columns.cigar_offsets.front(), 0u);
  EXPECT_EQ(columns.cigar_offsets.back(), columns.cigar_runs.size());
}

}  // namespace

EngineCall::EngineCall(std::span<Device* const> devices, int threads)
    : devices_(devices.begin(), devices.end()),
      own_threads_(std::make_unique<ThreadPool>(threads)),
      call_(devices_, *own_threads_) {
  take_notes();
}

EngineCall::EngineCall(std::span<Device* const> devices, ThreadPool& threads)
    : devices_(devices.begin(), devices.end()), call_(devices_, threads) {
  take_notes();
}

void EngineCall::take_notes() {
  call_.progress.warn = [this](const std::string& warning) {
    const std::lock_guard lock(mutex_);
    warnings_.push_back(warning);
  };
  call_.retired = [this](const Device& device) {
    const std::lock_guard lock(mutex_);
    retired_.push_back(&device);
  };
}

std::vector<FoundRow> rows_of(const Columns& columns) {
  std::vector<FoundRow> rows;
  append(rows, columns);
  return rows;
}

void append(std::vector<FoundRow>& rows, const Columns& columns) {
  expect_whole(columns);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Row row = columns.row(i);
    rows.push_back({row.query, row.subject, row.alignment(), row.counts, row.significance.bits,
                    row.significance.evalue, row.significance.zscore});
  }
}

FoundRow reference_row(const SequenceSet& queries, const SequenceSet& subjects, IndexPair pair,
                       const Scoring& scoring, Detail detail) {
  const auto query = queries.residues(pair.query), subject = subjects.residues(pair.subject);
  FoundRow row{pair.query, pair.subject, align_reference(query, subject, scoring, detail)};
  if (detail == Detail::alignment) row.counts = count(row.alignment, query, subject, scoring.matrix);
  return row;
}

void FoundHits::take(const SearchBatch& batch) {
  EXPECT_EQ(batch.queries.begin, queries.size());
  ASSERT_GT(batch.queries.size(), 0u);
  ASSERT_EQ(batch.first_row.size(), batch.queries.size() + std::size_t{1});
  EXPECT_EQ(batch.first_row.front(), 0u);
  EXPECT_EQ(batch.first_row.back(), batch.rows.size());
  for (std::uint32_t q = 0; q < batch.queries.size(); ++q) {
    queries.push_back(batch.queries.begin + q);
    for (std::uint64_t i = batch.first_row[q]; i < batch.first_row[q + 1]; ++i)
      EXPECT_EQ(batch.rows.query[i], batch.queries.begin + q);
  }
  append(rows, batch.rows);
  query_statistics.insert(query_statistics.end(), batch.query_statistics.begin(),
                          batch.query_statistics.end());
  batches.push_back(batch.queries.size());
}

std::shared_ptr<const SortedSequences> sorted(const SequenceSet& set) {
  return std::make_shared<const SortedSequences>(set);
}

engine::ResolvedStatistics published_statistics(const Scoring& scoring, const SequenceSet& database) {
  engine::ResolvedStatistics options;
  options.parameters = stats::published_parameters(scoring);
  options.method = options.by_parameters();
  options.space = stats::search_space_of(database);
  return options;
}

}  // namespace alnus::test
