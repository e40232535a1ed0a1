// Collectors that join streamed batches, for callers who want all results at once.
#pragma once

#include <vector>

#include "alnus/results.h"

namespace alnus::jobs {

// Joins batches of rows in the order in which they are added. All batches that have rows must have the same
// columns; the result has these.
class ColumnCollector {
 public:
  void add(const Columns& rows);
  Columns finish();

 private:
  std::vector<Columns> parts_;
};

class SearchCollector {
 public:
  void add(const SearchBatch& batch);
  SearchBatch finish();

 private:
  ColumnCollector rows_;
  std::uint64_t row_count_ = 0;
  bool begun_ = false;
  SearchBatch all_;
  std::vector<std::uint64_t> first_row_{0};
};

}  // namespace alnus::jobs
