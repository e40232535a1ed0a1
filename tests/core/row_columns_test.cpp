#include "alnus/row_columns.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace alnus {
namespace {

using ::testing::ElementsAre;

constexpr auto kAllGroups = ColumnGroups::of(Detail::alignment, true, true, true);

// A row whose values differ from each other and from those of other rows.
Row numbered(std::int32_t number) {
  Row row;
  std::int32_t value = 100 * number;
  for_each_row_column([&]<class Value, class InRow>(const RowColumn<Value, InRow>& column) {
    if constexpr (std::is_same_v<Value, Strand>)
      column.set(row, number % 2 == 0 ? Strand::plus : Strand::minus);
    else
      column.set(row, static_cast<Value>(++value));
  });
  return row;
}

// For each column, whether it has values.
std::vector<bool> filled(const Columns& rows) {
  std::vector<bool> result;
  for_each_row_column([&](const auto& column) { result.push_back(!(rows.*(column.in_columns)).empty()); });
  return result;
}

void expect_same(const Row& row, const Row& expected) {
  for_each_row_column(
      [&](const auto& column) { EXPECT_EQ(column.of(row), column.of(expected)) << column.name; });
}

Columns three_rows() {
  OwnedColumns rows;
  for (std::int32_t number = 1; number <= 3; ++number) {
    rows.add(numbered(number), kAllGroups);
    rows.add_cigar(std::vector<CigarRun>(static_cast<std::size_t>(number), CigarRun{CigarOp::equal, 5}));
    rows.add(Denominator::shorter, {{number, 10}, {number, 5}});
  }
  return rows.finish();
}

TEST(RowColumns, EachValueOfARowComesBack) {
  const Columns rows = three_rows();
  ASSERT_EQ(rows.size(), 3u);
  for (std::int32_t number = 1; number <= 3; ++number) {
    const Row row = rows.row(static_cast<std::size_t>(number - 1));
    expect_same(row, numbered(number));
    EXPECT_EQ(row.cigar.size(), static_cast<std::size_t>(number));
    ASSERT_TRUE(row.identity_range[static_cast<std::size_t>(Denominator::shorter)]);
    EXPECT_EQ(row.identity_range[static_cast<std::size_t>(Denominator::shorter)]->lowest,
              (Fraction{number, 10}));
    EXPECT_FALSE(row.identity_range[static_cast<std::size_t>(Denominator::longer)]);
  }
}

TEST(RowColumns, EachValueIsThatOfItsColumn) {
  Row row;
  row.query = 1, row.subject = 2, row.strand = Strand::minus, row.score = 3;
  row.query_begin = 4, row.query_end = 5, row.subject_begin = 6, row.subject_end = 7;
  row.counts = {8, 9, 10, 11, 12, 13};
  row.significance = {14, 15, 16, 17, 18, 19};
  OwnedColumns rows;
  rows.add(row, kAllGroups);
  const Columns columns = rows.finish();
  EXPECT_THAT(columns.query, ElementsAre(1));
  EXPECT_THAT(columns.subject, ElementsAre(2));
  EXPECT_THAT(columns.strand, ElementsAre(Strand::minus));
  EXPECT_THAT(columns.score, ElementsAre(3));
  EXPECT_THAT(columns.query_begin, ElementsAre(4));
  EXPECT_THAT(columns.query_end, ElementsAre(5));
  EXPECT_THAT(columns.subject_begin, ElementsAre(6));
  EXPECT_THAT(columns.subject_end, ElementsAre(7));
  EXPECT_THAT(columns.length, ElementsAre(8));
  EXPECT_THAT(columns.identical, ElementsAre(9));
  EXPECT_THAT(columns.positive, ElementsAre(10));
  EXPECT_THAT(columns.mismatches, ElementsAre(11));
  EXPECT_THAT(columns.gap_residues, ElementsAre(12));
  EXPECT_THAT(columns.gap_opens, ElementsAre(13));
  EXPECT_THAT(columns.adjusted_score, ElementsAre(14));
  EXPECT_THAT(columns.bits, ElementsAre(15));
  EXPECT_THAT(columns.evalue, ElementsAre(16));
  EXPECT_THAT(columns.zscore, ElementsAre(17));
  EXPECT_THAT(columns.zscore_se, ElementsAre(18));
  EXPECT_THAT(columns.zfit, ElementsAre(19));
  EXPECT_EQ(columns.row(0).counts, row.counts);
  EXPECT_EQ(columns.row(0).query_end, 5);
  EXPECT_EQ(columns.row(0).significance.evalue, 16);
}

TEST(RowColumns, AValueOfSignificanceThatIsMissingIsNaN) {
  Row row = numbered(1);
  row.significance.evalue.reset();
  OwnedColumns rows;
  rows.add(row, kAllGroups);
  const Columns columns = rows.finish();
  EXPECT_TRUE(std::isnan(columns.evalue[0]));
  EXPECT_FALSE(columns.row(0).significance.evalue);
}

TEST(RowColumns, ACallHasTheGroupsOfItsDetail) {
  const auto count = [](ColumnGroups groups) {
    OwnedColumns rows;
    rows.add(numbered(1), groups);
    return std::ranges::count(filled(rows.finish()), true);
  };
  EXPECT_EQ(count(ColumnGroups::of(Detail::score, false, false)), 3);       // query, subject, score
  EXPECT_EQ(count(ColumnGroups::of(Detail::score, true, false)), 4);        // these 3 and the strand
  EXPECT_EQ(count(ColumnGroups::of(Detail::ends, false, false)), 5);        // these 3 and both ends
  EXPECT_EQ(count(ColumnGroups::of(Detail::ends, true, false)), 8);         // all of these and both begins
  EXPECT_EQ(count(ColumnGroups::of(Detail::alignment, false, false)), 13);  // these 3, coordinates, 6 counts
  EXPECT_EQ(count(ColumnGroups::of(Detail::alignment, true, true)), 20);
  EXPECT_EQ(count(ColumnGroups::of(Detail::alignment, true, true, true)), 21);
}

TEST(OwnedColumns, AppendedRowsFollowEachOther) {
  OwnedColumns all;
  const std::vector<Columns> parts = {three_rows(), three_rows()};
  all.reserve_for(parts);
  for (const Columns& part : parts) all.append(part);
  EXPECT_EQ(all.size(), 6u);
  const Columns rows = all.finish();
  EXPECT_EQ(all.size(), 0u);
  expect_same(rows.row(1), numbered(2));
  expect_same(rows.row(5), numbered(3));
  EXPECT_THAT(rows.cigar_offsets, ElementsAre(0, 1, 3, 6, 7, 9, 12));
  EXPECT_EQ(rows.cigar_runs.size(), 12u);
  EXPECT_EQ(rows.identity_range[static_cast<std::size_t>(Denominator::shorter)].size(), 6u);
}

TEST(OwnedColumns, ChosenRowsAreInTheOrderOfTheirNumbers) {
  OwnedColumns some;
  const std::vector<std::size_t> numbers = {2, 0, 2};
  some.append(three_rows(), std::span<const std::size_t>(numbers));
  const Columns rows = some.finish();
  ASSERT_EQ(rows.size(), 3u);
  expect_same(rows.row(0), numbered(3));
  expect_same(rows.row(1), numbered(1));
  EXPECT_THAT(rows.cigar_offsets, ElementsAre(0, 3, 4, 7));
}

TEST(OwnedColumns, NoRowsMayHaveCigars) {
  OwnedColumns none;
  none.begin_cigars();
  EXPECT_THAT(none.finish().cigar_offsets, ElementsAre(0));
  EXPECT_TRUE(OwnedColumns().finish().cigar_offsets.empty());
}

}  // namespace
}  // namespace alnus
