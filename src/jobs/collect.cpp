#include "jobs/collect.h"

#include <utility>

#include "alnus/row_columns.h"
#include "engine/columns_builder.h"

namespace alnus::jobs {

void ColumnCollector::add(const Columns& rows) {
  if (rows.size() > 0 || parts_.empty()) parts_.push_back(rows);
}

Columns ColumnCollector::finish() {
  if (parts_.empty()) return {};
  if (parts_.size() > 1 && parts_.front().size() == 0) parts_.erase(parts_.begin());
  if (parts_.size() == 1) return std::exchange(parts_, {}).front();
  OwnedColumns all;
  all.reserve_for(parts_);
  for (const Columns& part : parts_) all.append(part);
  parts_.clear();
  return all.finish();
}

void SearchCollector::add(const SearchBatch& batch) {
  if (!std::exchange(begun_, true)) all_.queries = {batch.queries.begin, batch.queries.begin};
  all_.queries.end = batch.queries.end;
  all_.statistics = batch.statistics;
  for (const std::uint64_t row : batch.first_row.subspan(1)) first_row_.push_back(row_count_ + row);
  row_count_ += batch.rows.size();
  all_.query_statistics.insert(all_.query_statistics.end(), batch.query_statistics.begin(),
                               batch.query_statistics.end());
  rows_.add(batch.rows);
}

SearchBatch SearchCollector::finish() {
  engine::set_rows(rows_.finish(), std::move(first_row_), all_);
  return std::move(all_);
}

}  // namespace alnus::jobs
