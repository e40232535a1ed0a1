// Results as values that stand alone, so that all columns of two calls can be compared bit by bit.
#pragma once

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/results.h"
#include "alnus/search.h"

namespace alnus::test {

// A copy of the columns of one or more batches.
struct Table {
  std::vector<SequenceSet::Index> query, subject;
  std::vector<Strand> strand;
  // Score, ends, begins and counts, as Columns has them in turn.
  std::array<std::vector<std::int32_t>, 11> integers;
  std::vector<std::vector<CigarRun>> cigars;
  // Bits, E-value and Z-scores by their bits; every NaN is the same.
  std::array<std::vector<std::uint64_t>, 6> significance;
  std::array<std::vector<std::array<std::int64_t, 4>>, kDenominators> identity_range;

  Table() = default;
  explicit Table(const Columns& rows) { append(rows); }
  void append(const Columns& rows);
  std::size_t size() const { return query.size(); }
  bool operator==(const Table&) const = default;
};

// Says which column differs, and in which row.
testing::AssertionResult same(const Table& actual, const Table& expected);

// Rows [begin, end).
Table part_of(const Table& whole, std::size_t begin, std::size_t end);
// The rows of `indices`, in their order.
Table rows_of(const Table& whole, const std::vector<std::size_t>& indices);

std::vector<double> doubles(std::span<const double> column);

// What a search handed over, batch by batch; checks that batches are consecutive and their queries whole.
class SearchRows {
 public:
  SearchRows() = default;
  explicit SearchRows(const SearchBatch& batch) { add(batch); }
  void add(const SearchBatch& batch);
  SearchSink sink() {
    return [this](const SearchBatch& batch) { add(batch); };
  }

  Table rows;
  std::vector<std::uint64_t> hits;  // of each query
  std::vector<std::size_t> batch_sizes;
  std::string statistics;
  bool operator==(const SearchRows& other) const { return rows == other.rows && hits == other.hits; }
};

testing::AssertionResult same(const SearchRows& actual, const SearchRows& expected);

// How many bytes the arrays of a batch have.
std::uint64_t bytes_of(const Columns& rows);

}  // namespace alnus::test
