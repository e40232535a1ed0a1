// Copies of results, so that all columns of two calls can be compared bit by bit.
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
  // Scores, ends, begins and counts, in the order of the members of Columns.
  std::array<std::vector<std::int32_t>, 11> integers;
  std::vector<std::vector<CigarRun>> cigars;
  // Bit scores, E-values, Z-scores with error and fit, and adjusted scores: the bits of the doubles. Every
  // NaN has the same bits here.
  std::array<std::vector<std::uint64_t>, 6> significance;
  std::array<std::vector<std::array<std::int64_t, 4>>, kDenominators> identity_range;

  Table() = default;
  explicit Table(const Columns& rows) { append(rows); }
  void append(const Columns& rows);
  std::size_t size() const { return query.size(); }
  bool operator==(const Table&) const = default;
};

// Success if both tables are the same. A failure tells the first column and row that differ.
testing::AssertionResult same(const Table& actual, const Table& expected);

// Rows [begin, end).
Table part_of(const Table& whole, std::size_t begin, std::size_t end);
// The rows of `indices`, in their order.
Table rows_of(const Table& whole, const std::vector<std::size_t>& indices);

std::vector<double> doubles(std::span<const double> column);

// Collects the batches of a search. Checks that batches are consecutive and have whole queries.
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

// Returns how many bytes the values of all columns take.
std::uint64_t bytes_of(const Columns& rows);

}  // namespace alnus::test
