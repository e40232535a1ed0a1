// Which pairs a pair matrix has, counted one by one, and scorings with query and subject swapped.
#include <gtest/gtest.h>
#include <vector>

#include "alnus/alignment.h"
#include "engine/all_pairs_driver.h"
#include "engine/mirrored.h"
#include "support/device_check.h"

namespace alnus::engine {
namespace {

SequenceSet of_lengths(const std::vector<std::size_t>& lengths) {
  std::vector<test::Residues> sequences;
  for (const std::size_t length : lengths) sequences.push_back(test::repeat("A", length));
  return test::make_set(sequences);
}

bool has_column(const AllPairs& pairs, std::uint32_t row, std::uint32_t column) {
  return !pairs.is_half() || column < row || (pairs.self() && column == row);
}

// Compares all counts of a block with those of its pairs.
void expect_counts(const AllPairs& pairs) {
  const Block& block = pairs.block();
  std::uint64_t all_pairs = 0, all_cells = 0;
  EXPECT_EQ(pairs.pairs_from(pairs.rows().size()), 0u);
  for (std::uint32_t row = pairs.rows().size(); row-- > 0;) {
    std::uint32_t first = 0, count = 0;
    std::uint64_t of_row = 0, cells = 0;
    for (std::uint32_t column = block.columns.begin; column < block.columns.end; ++column) {
      if (!has_column(pairs, row, column)) continue;
      if (count++ == 0) first = column;
      const bool is_pair = pairs.self() || !pairs.one_set() || row != column;
      EXPECT_EQ(pairs.has(row, column), is_pair);
      of_row += is_pair;
      cells += is_pair ? pairs.rows().length(row) * pairs.columns().length(column) : 0;
    }
    ASSERT_EQ(pairs.columns_of(row).size(), count) << row;
    ASSERT_TRUE(count == 0 || pairs.columns_of(row).begin == first) << row;
    ASSERT_EQ(pairs.pairs_of(row), of_row) << row;
    if (row >= block.rows.begin && row < block.rows.end) {
      all_pairs += of_row;
      all_cells += cells;
    }
    ASSERT_EQ(pairs.pairs_from(row), all_pairs) << row;
    ASSERT_EQ(pairs.cells_from(row), all_cells) << row;
  }
}

TEST(PairMatrix, BlocksHaveTheirRowsAndColumnsOfTheWhole) {
  using Rows = AllPairs::Rows;
  const SequenceSet set = of_lengths({3, 1, 4, 0, 5}), other = of_lengths({2, 0, 6, 1});
  struct Kind {
    const SequenceSet* against;
    bool self;
    Rows rows;
  };
  for (const Kind& kind :
       {Kind{nullptr, false, Rows::half}, Kind{nullptr, true, Rows::half}, Kind{nullptr, false, Rows::whole},
        Kind{nullptr, true, Rows::whole}, Kind{&other, false, Rows::half}}) {
    const std::uint32_t columns = kind.against ? kind.against->size() : set.size();
    ASSERT_NO_FATAL_FAILURE(expect_counts(AllPairs(set, kind.against, kind.self, {}, kind.rows)));
    for (std::uint32_t row = 0; row <= set.size(); ++row)
      for (std::uint32_t row_end = row; row_end <= set.size(); ++row_end)
        for (std::uint32_t column = 0; column <= columns; ++column)
          for (std::uint32_t column_end = column; column_end <= columns; ++column_end) {
            const Block block{{row, row_end}, {column, column_end}};
            const AllPairs pairs(set, kind.against, kind.self, block, kind.rows);
            EXPECT_EQ(pairs.is_whole(), block == (Block{{0, set.size()}, {0, columns}}));
            ASSERT_NO_FATAL_FAILURE(expect_counts(pairs))
                << row << " to " << row_end << ", " << column << " to " << column_end;
          }
  }
}

TEST(Mirrored, ScoresAreThoseOfSwappedSequences) {
  test::Random random(1);
  const SubstitutionMatrix asymmetric = test::matrix_of(
      [](int query, int subject) { return query == subject ? 5 : (3 * query + subject) % 5 - 3; });
  for (const test::ModeAndEnds& mode : test::all_modes())
    for (const bool symmetric_matrix : {true, false}) {
      const Scoring scoring =
          symmetric_matrix ? test::scoring_of(mode, {3, 1}) : test::scoring_of(mode, {3, 1}, asymmetric);
      const Scoring swapped = mirrored(scoring);
      EXPECT_EQ(symmetric(scoring), symmetric_matrix && swapped.free_ends == scoring.free_ends)
          << test::name_of(mode);
      EXPECT_EQ(mirrored(swapped).free_ends, scoring.free_ends);
      for (int k = 0; k < 5; ++k) {
        const test::Residues a = test::random_sequence(random, 12), b = test::random_sequence(random, 9);
        const auto score = [](const test::Residues& query, const test::Residues& subject, const Scoring& by) {
          return align_reference(query, subject, by, Detail::score).score;
        };
        EXPECT_EQ(score(a, b, scoring), score(b, a, swapped)) << test::name_of(mode);
      }
    }
}

}  // namespace
}  // namespace alnus::engine
