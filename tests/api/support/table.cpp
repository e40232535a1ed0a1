#include "api/support/table.h"

#include <bit>
#include <cmath>

namespace alnus::test {
namespace {

constexpr const char* kIntegers[] = {"score",         "query_end",    "subject_end", "query_begin",
                                     "subject_begin", "length",       "identical",   "positive",
                                     "mismatches",    "gap_residues", "gap_opens"};
constexpr const char* kSignificance[] = {"bits", "evalue", "zscore", "zscore_se", "zfit", "adjusted_score"};

std::array<std::span<const std::int32_t>, 11> integers_of(const Columns& c) {
  return {c.score,     c.query_end, c.subject_end, c.query_begin,  c.subject_begin, c.length,
          c.identical, c.positive,  c.mismatches,  c.gap_residues, c.gap_opens};
}

std::array<std::span<const double>, 6> significance_of(const Columns& c) {
  return {c.bits, c.evalue, c.zscore, c.zscore_se, c.zfit, c.adjusted_score};
}

std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(std::isnan(value) ? std::nan("") : value);
}

template <class Vector>
Vector at_indices(const Vector& column, const std::vector<std::size_t>& indices) {
  Vector chosen;
  if (column.empty()) return chosen;
  for (const std::size_t i : indices) chosen.push_back(column.at(i));
  return chosen;
}

class Difference {
 public:
  template <class Vector>
  void compare(const std::string& name, const Vector& actual, const Vector& expected) {
    if (!text_.empty() || actual == expected) return;
    if (actual.size() != expected.size()) {
      text_ = name + " has " + std::to_string(actual.size()) + " values instead of " +
              std::to_string(expected.size());
      return;
    }
    std::size_t i = 0;
    while (actual[i] == expected[i]) ++i;
    text_ = name + " differs in row " + std::to_string(i) + ": " + testing::PrintToString(actual[i]) +
            " instead of " + testing::PrintToString(expected[i]);
  }
  testing::AssertionResult result() const {
    return text_.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << text_;
  }

 private:
  std::string text_;
};

}  // namespace

void Table::append(const Columns& rows) {
  const std::size_t count = rows.size();
  query.insert(query.end(), rows.query.begin(), rows.query.end());
  subject.insert(subject.end(), rows.subject.begin(), rows.subject.end());
  strand.insert(strand.end(), rows.strand.begin(), rows.strand.end());
  const auto from_integers = integers_of(rows);
  for (std::size_t k = 0; k < integers.size(); ++k)
    integers[k].insert(integers[k].end(), from_integers[k].begin(), from_integers[k].end());
  if (!rows.cigar_offsets.empty()) {
    EXPECT_EQ(rows.cigar_offsets.size(), count + 1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto runs =
          rows.cigar_runs.subspan(rows.cigar_offsets[i], rows.cigar_offsets[i + 1] - rows.cigar_offsets[i]);
      cigars.emplace_back(runs.begin(), runs.end());
    }
  }
  const auto from_significance = significance_of(rows);
  for (std::size_t k = 0; k < significance.size(); ++k)
    for (const double value : from_significance[k]) significance[k].push_back(bits_of(value));
  for (std::size_t k = 0; k < kDenominators; ++k)
    for (const IdentityRange& range : rows.identity_range[k])
      identity_range[k].push_back({range.lowest.numerator, range.lowest.denominator, range.highest.numerator,
                                   range.highest.denominator});
}

testing::AssertionResult same(const Table& actual, const Table& expected) {
  Difference difference;
  difference.compare("query", actual.query, expected.query);
  difference.compare("subject", actual.subject, expected.subject);
  difference.compare("strand", actual.strand, expected.strand);
  for (std::size_t k = 0; k < actual.integers.size(); ++k)
    difference.compare(kIntegers[k], actual.integers[k], expected.integers[k]);
  difference.compare("cigar", actual.cigars, expected.cigars);
  for (std::size_t k = 0; k < actual.significance.size(); ++k)
    difference.compare(kSignificance[k], actual.significance[k], expected.significance[k]);
  for (std::size_t k = 0; k < kDenominators; ++k)
    difference.compare("identity_range " + std::to_string(k), actual.identity_range[k],
                       expected.identity_range[k]);
  return difference.result();
}

Table rows_of(const Table& whole, const std::vector<std::size_t>& indices) {
  Table part;
  part.query = at_indices(whole.query, indices);
  part.subject = at_indices(whole.subject, indices);
  part.strand = at_indices(whole.strand, indices);
  for (std::size_t k = 0; k < whole.integers.size(); ++k)
    part.integers[k] = at_indices(whole.integers[k], indices);
  part.cigars = at_indices(whole.cigars, indices);
  for (std::size_t k = 0; k < whole.significance.size(); ++k)
    part.significance[k] = at_indices(whole.significance[k], indices);
  for (std::size_t k = 0; k < kDenominators; ++k)
    part.identity_range[k] = at_indices(whole.identity_range[k], indices);
  return part;
}

Table part_of(const Table& whole, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> indices;
  for (std::size_t i = begin; i < end; ++i) indices.push_back(i);
  return rows_of(whole, indices);
}

std::vector<double> doubles(std::span<const double> column) { return {column.begin(), column.end()}; }

void SearchRows::add(const SearchBatch& batch) {
  EXPECT_EQ(batch.queries.begin, hits.size()) << "queries do not follow each other";
  ASSERT_EQ(batch.first_row.size(), batch.queries.size() + 1);
  EXPECT_EQ(batch.first_row.front(), 0u);
  EXPECT_EQ(batch.first_row.back(), batch.rows.size());
  for (std::uint32_t q = 0; q < batch.queries.size(); ++q) {
    ASSERT_LE(batch.first_row[q], batch.first_row[q + 1]);
    hits.push_back(batch.first_row[q + 1] - batch.first_row[q]);
    for (std::uint64_t i = batch.first_row[q]; i < batch.first_row[q + 1]; ++i)
      EXPECT_EQ(batch.rows.query[i], batch.queries.begin + q);
  }
  rows.append(batch.rows);
  batch_sizes.push_back(batch.rows.size());
  statistics = batch.statistics;
}

testing::AssertionResult same(const SearchRows& actual, const SearchRows& expected) {
  if (actual.hits != expected.hits) return testing::AssertionFailure() << "hits of queries differ in number";
  return same(actual.rows, expected.rows);
}

std::uint64_t bytes_of(const Columns& rows) {
  std::uint64_t bytes = rows.query.size_bytes() + rows.subject.size_bytes() + rows.strand.size_bytes();
  for (const auto& column : integers_of(rows)) bytes += column.size_bytes();
  bytes += rows.cigar_offsets.size_bytes() + rows.cigar_runs.size_bytes();
  for (const auto& column : significance_of(rows)) bytes += column.size_bytes();
  for (const auto& column : rows.identity_range) bytes += column.size_bytes();
  return bytes;
}

}  // namespace alnus::test
