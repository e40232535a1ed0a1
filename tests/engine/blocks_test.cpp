// The results of blocks of the pair matrix, joined, are those of the whole matrix.
#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "engine/all_pairs_driver.h"
#include "support/all_pairs_result.h"
#include "support/device_check.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::AllPairsResult;
using test::FakeDevices;
using test::FoundRow;
using test::random_sequences;
using test::scoring_of;

// A pair matrix of one or two sets.
struct Matrix {
  std::string name;
  SequenceSet set;
  std::optional<SequenceSet> against{};
  bool self = false;

  AllPairs pairs(const std::optional<Block>& block = {}) const {
    return {set, against ? &*against : nullptr, self, block};
  }
  std::uint32_t rows() const { return set.size(); }
  std::uint32_t columns() const { return against ? against->size() : set.size(); }
};

std::vector<Matrix> matrices() {
  const SequenceSet set = random_sequences(41, 40, 25), other = random_sequences(42, 23, 25);
  return {{"one set", set}, {"one set with itself", set, {}, true}, {"two sets", set, other}};
}

// Returns symmetric scorings, and one that is asymmetric by its matrix and one by its free ends.
std::vector<Scoring> scorings() {
  const auto asymmetric = test::matrix_of([](int q, int s) { return q == s ? 5 : (3 * q + s) % 5 - 3; });
  return {scoring_of({Mode::local}, {3, 1}), scoring_of({Mode::global}, {11, 1}),
          scoring_of({Mode::local}, {2, 1}, asymmetric),
          scoring_of({Mode::semiglobal, {.query_begin = true, .subject_end = true}}, {11, 1})};
}

// Cuts [0, size) into pieces, some of which may be empty.
std::vector<IndexRange> cut(std::mt19937& random, std::uint32_t size, std::size_t pieces) {
  std::vector<std::uint32_t> ends{0, size};
  while (ends.size() <= pieces) ends.push_back(static_cast<std::uint32_t>(random() % (size + 1)));
  std::ranges::sort(ends);
  std::vector<IndexRange> ranges;
  for (std::size_t k = 0; k < pieces; ++k) ranges.push_back({ends[k], ends[k + 1]});
  return ranges;
}

// Returns the sorting key of output rows: the row of the pair matrix, then the column. With one set, the row
// is the later sequence.
auto place(const Matrix& matrix) {
  return [&matrix](const FoundRow& row) {
    return matrix.against ? std::pair(row.query, row.subject) : std::pair(row.subject, row.query);
  };
}

AllPairsResult compute(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options) {
  const FakeDevices devices({{.concurrency = 2}, {}});
  return test::all_pairs_on(devices.pointers, pairs, scoring, options);
}

// Adds the results of a block. None of its values may be there already.
void add(AllPairsResult& all, AllPairsResult block) {
  all.listed.insert(all.listed.end(), block.listed.begin(), block.listed.end());
  all.values.merge(block.values);
  EXPECT_TRUE(block.values.empty());
  all.pairs += block.pairs;
  all.empty += block.empty;
}

void expect_whole(const Matrix& matrix, const Scoring& scoring, const AllPairsOptions& options,
                  const AllPairsResult& whole, const std::vector<IndexRange>& rows,
                  const std::vector<IndexRange>& columns) {
  AllPairsResult together;
  std::uint64_t pairs = 0, cells = 0;
  for (const IndexRange& of_rows : rows)
    for (const IndexRange& of_columns : columns) {
      const AllPairs block = matrix.pairs(Block{of_rows, of_columns});
      AllPairsResult result = compute(block, scoring, options);
      EXPECT_TRUE(std::ranges::is_sorted(result.listed, {}, place(matrix)));
      EXPECT_EQ(result.pairs, block.pairs_from(0));
      pairs += block.pairs_from(0);
      cells += block.cells_from(0);
      add(together, std::move(result));
    }
  EXPECT_EQ(pairs, matrix.pairs().pairs_from(0));
  EXPECT_EQ(cells, matrix.pairs().cells_from(0));
  EXPECT_EQ(together.pairs, whole.pairs);
  EXPECT_EQ(together.empty, whole.empty);
  EXPECT_EQ(together.values, whole.values);
  // Joined blocks of whole rows are in order already.
  if (columns.size() > 1) std::ranges::sort(together.listed, {}, place(matrix));
  EXPECT_EQ(together.listed, whole.listed);
}

class Blocks : public testing::TestWithParam<std::size_t> {
 protected:
  const Matrix matrix = matrices()[GetParam()];
};

TEST_P(Blocks, OfAnyPartitionAreTheWhole) {
  std::mt19937 random(43);
  AllPairsOptions options;
  options.values = {{PairValue::identity, Denominator::longer}};
  for (const Scoring& scoring : scorings()) {
    SCOPED_TRACE(test::describe(scoring, Detail::alignment));
    const AllPairsResult whole = compute(matrix.pairs(), scoring, options);
    ASSERT_GT(whole.listed.size(), 100u);
    const auto all_rows = cut(random, matrix.rows(), 1), all_columns = cut(random, matrix.columns(), 1);
    for (const std::uint64_t memory : {std::uint64_t{8} << 30, std::uint64_t{1} << 16}) {
      options.memory_bytes = memory;
      expect_whole(matrix, scoring, options, whole, cut(random, matrix.rows(), 4), all_columns);
      expect_whole(matrix, scoring, options, whole, all_rows, cut(random, matrix.columns(), 4));
      expect_whole(matrix, scoring, options, whole, cut(random, matrix.rows(), 3),
                   cut(random, matrix.columns(), 3));
    }
  }
}

TEST_P(Blocks, OfFilteredPairsWithSignificance) {
  std::mt19937 random(44);
  const Scoring scoring = make_scoring({});
  AllPairsOptions options;
  options.fields.significance = true;
  options.fields.cigars = false;
  options.min_score = 12;
  options.filter.evalue = 20;
  options.statistics = test::published_statistics(scoring, matrix.against.value_or(matrix.set));
  const AllPairsResult whole = compute(matrix.pairs(), scoring, options);
  ASSERT_GT(whole.listed.size(), 5u);
  ASSERT_LT(whole.listed.size(), whole.pairs);
  EXPECT_TRUE(std::ranges::all_of(whole.listed, [](const FoundRow& row) { return row.evalue <= 20; }));
  for (int times = 0; times < 5; ++times)
    expect_whole(matrix, scoring, options, whole, cut(random, matrix.rows(), 3),
                 cut(random, matrix.columns(), 3));
}

TEST_P(Blocks, SinglePairs) {
  const Scoring scoring = scorings().back();
  const AllPairsOptions options;
  const AllPairsResult whole = compute(matrix.pairs(), scoring, options);
  std::size_t found = 0;
  for (std::uint32_t row = 0; row < matrix.rows(); row += 7)
    for (std::uint32_t column = 0; column < matrix.columns(); column += 3) {
      const AllPairs block = matrix.pairs(Block{{row, row + 1}, {column, column + 1}});
      const AllPairsResult one = compute(block, scoring, options);
      const auto wanted = std::ranges::find(whole.listed, std::pair(row, column), place(matrix));
      EXPECT_EQ(block.pairs_from(0), wanted == whole.listed.end() ? 0u : 1u);
      ASSERT_EQ(one.listed.size(), block.pairs_from(0));
      if (one.listed.empty()) continue;
      EXPECT_EQ(one.listed.front(), *wanted);
      ++found;
    }
  EXPECT_GT(found, 10u);
}

TEST_P(Blocks, ThatLeaveTheMatrixAreRefused) {
  const std::uint32_t rows = matrix.rows(), columns = matrix.columns();
  for (const Block& block : {Block{{0, rows + 1}, {0, columns}},
                             {{0, rows}, {0, columns + 1}},
                             {{5, 4}, {0, columns}},
                             {{0, rows}, {5, 4}},
                             {{rows + 1, rows + 1}, {0, columns}},
                             {{0, rows}, {UINT32_MAX, UINT32_MAX}}}) {
    try {
      const AllPairs pairs = matrix.pairs(block);
      ADD_FAILURE() << "rows " << block.rows.begin << " to " << block.rows.end << ", columns "
                    << block.columns.begin << " to " << block.columns.end;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
    }
  }
  EXPECT_TRUE(matrix.pairs(Block{{0, rows}, {0, columns}}).is_whole());
  EXPECT_FALSE(matrix.pairs(Block{{1, rows}, {0, columns}}).is_whole());
}

TEST_P(Blocks, WithoutPairs) {
  const Scoring scoring = scorings().front();
  for (const Block& block : {Block{{3, 3}, {0, 5}}, {{3, 5}, {4, 4}}, {{0, 0}, {0, 0}}}) {
    const AllPairsResult result = compute(matrix.pairs(block), scoring, {});
    EXPECT_EQ(result.pairs, 0u);
    EXPECT_TRUE(result.listed.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(AllPairs, Blocks, testing::Range<std::size_t>(0, 3), [](const auto& info) {
  std::string name = matrices()[info.param].name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

}  // namespace
}  // namespace alnus::engine
