// Streamed results, collected: for callers who want all of them at once.
#pragma once

#include <memory>
#include <vector>

#include "alnus/results.h"

namespace alnus::api {

// Columns of rows, one batch after the other. A column is in the result if it is in every batch that has
// rows.
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

}  // namespace alnus::api
