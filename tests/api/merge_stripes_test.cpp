// The stripes and edges of the parts of all pairs, one after the other: which of them a merge refuses.
#include "jobs/merge_stripes.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "alnus/row_columns.h"
#include "api/support/errors.h"
#include "api/support/forged_parts.h"
#include "api/support/inputs.h"
#include "jobs/part_stripes.h"

namespace alnus::test {
namespace {

using engine::AllPairs;
using jobs::PairJob;
using jobs::StripeMerger;

using Element = std::pair<Index, Index>;  // row and column of the pair matrix

class MergedStripes : public ::testing::Test {
 protected:
  MergedStripes() {
    job_.kind = Plan::Job::all_pairs;
    job_.fields.detail = Detail::score;
    job_.value = {PairValue::score};
    files_.rows = "rows";
    files_.edges = "edges.tsv";
    files_.edge_threshold = 30;
  }

  AllPairs one_set() const {
    return {set_, nullptr, job_.self, {}, job_.nearest ? AllPairs::Rows::whole : AllPairs::Rows::half};
  }
  PairJob of(const AllPairs& pairs) const {
    return {files_,
            scoring_,
            pairs,
            job_.value,
            job_.nearest,
            Database(pairs.rows()),
            Database(pairs.columns()),
            job_.relations};
  }

  // A stripe that lists these pairs of one set.
  engine::Stripe stripe(IndexRange rows, std::uint64_t pairs, std::uint64_t empty = 0,
                        const std::vector<Element>& listed = {}) const {
    OwnedColumns columns;
    for (const auto& [row, column] : listed) {
      Row one;
      one.query = job_.nearest ? row : column;
      one.subject = job_.nearest ? column : row;
      columns.add(one, ColumnGroups::of(Detail::score, false, false));
    }
    engine::Stripe stripe;
    stripe.listed = columns.finish();
    stripe.rows = rows;
    stripe.pairs = pairs;
    stripe.empty = empty;
    return stripe;
  }
  io::ChunkBytes edges(const std::vector<Element>& pairs, double value = 40,
                       std::uint8_t relation = 0) const {
    const AllPairs matrix = one_set();
    std::vector<Index> rows, columns;
    for (const auto& [row, column] : pairs) {
      rows.push_back(row);
      columns.push_back(column);
    }
    const std::vector<double> values(pairs.size(), value);
    const std::vector<std::uint8_t> relations(pairs.size(), relation);
    return chunk_of(jobs::packed(of(matrix), SparseValues{rows, columns, values, nullptr, relations}));
  }

  const SequenceSet set_ = set_of({"MKTAYIAKQR", "WWWW", "ACDEFGHIKLMNP", "KKKKKK"});
  const Scoring scoring_ = default_scoring();
  PairFiles files_;
  jobs::Job job_;
};

// The first stripe has the rows before the third one, the second stripe the third row; the part ends there.
TEST_F(MergedStripes, OfHalfThePairMatrix) {
  const AllPairs pairs = one_set();
  const PairJob job = of(pairs);
  const char *const
      rows = "its rows are not those that come next",
      *const counts = "its counts are not those", *const none = "it lists a pair that is none of its rows",
      *const order = "its pairs are not in their order", *const sizes = "arrays have other sizes";
  const struct {
    std::string clause;
    engine::Stripe stripe;
    bool second = false;
  } cases[] = {
      {"", stripe({0, 2}, 1, 0, {{1, 0}})},
      {"", stripe({0, 2}, 1, 1)},
      {"", stripe({0, 3}, 3, 0, {{1, 0}, {2, 0}, {2, 1}})},
      {"", stripe({0, 3}, 3, 0, {{1, 0}, {2, 1}})},
      {"", stripe({0, 0}, 0)},
      {"", stripe({2, 3}, 2, 0, {{2, 1}}), true},
      {rows, stripe({1, 2}, 1)},
      {rows, stripe({0, 4}, 6)},
      {rows, stripe({0, 2}, 1), true},
      {sizes, stripe({0, 5}, 6)},
      {sizes, stripe({2, 1}, 0)},
      {counts, stripe({0, 2}, 0)},
      {counts, stripe({0, 2}, 2)},
      {counts, stripe({0, 2}, 1, 2)},
      {none, stripe({0, 2}, 1, 0, {{2, 0}})},
      {none, stripe({0, 2}, 1, 0, {{1, 1}})},
      {none, stripe({0, 2}, 1, 0, {{1, 2}})},
      {none, stripe({2, 3}, 2, 0, {{1, 0}}), true},
      {none, stripe({2, 3}, 2, 0, {{3, 0}}), true},
      {order, stripe({0, 3}, 3, 0, {{2, 0}, {1, 0}})},
      {order, stripe({0, 3}, 3, 0, {{2, 1}, {2, 0}})},
      {order, stripe({0, 3}, 3, 0, {{2, 1}, {2, 1}})},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE("case " + std::to_string(&one - cases));
    StripeMerger merger(job_, job);
    const std::vector<Block> blocks = {{{0, 1}, {0, 4}}, {{1, 3}, {0, 4}}};
    merger.begin(blocks);
    if (one.second) merger.stripe(chunk_of(jobs::packed(job, stripe({0, 2}, 1))));
    expect_refusal(one.clause, [&] { merger.stripe(chunk_of(jobs::packed(job, one.stripe))); });
  }
}

TEST_F(MergedStripes, OfPairsOfASequenceWithItself) {
  job_.self = true;
  const AllPairs pairs = one_set();
  const PairJob job = of(pairs);
  StripeMerger merger(job_, job);
  merger.begin(std::vector<Block>{{{0, 4}, {0, 4}}});
  expect_refusal("", [&] {
    merger.stripe(chunk_of(jobs::packed(job, stripe({0, 2}, 3, 0, {{0, 0}, {1, 0}, {1, 1}}))));
  });
  expect_refusal("", [&] { merger.edges(edges({{0, 0}, {1, 0}, {1, 1}})); });
  expect_refusal("none of its rows", [&] { merger.edges(edges({{1, 2}})); });
}

// The rows of the nearest pairs are on both sides of the diagonal, and have an order of their own.
TEST_F(MergedStripes, OfTheNearestPairs) {
  job_.nearest = true;
  files_.edge_threshold.reset();
  const AllPairs pairs = one_set();
  const PairJob job = of(pairs);
  const struct {
    std::string clause;
    std::vector<Element> listed;
  } cases[] = {{"", {{0, 3}, {0, 1}, {1, 2}, {1, 0}}},
               {"its pairs are not in their order", {{1, 0}, {0, 1}}},
               {"none of its rows", {{1, 1}}},
               {"none of its rows", {{2, 0}}}};
  for (const auto& one : cases) {
    StripeMerger merger(job_, job);
    merger.begin(std::vector<Block>{{{0, 4}, {0, 4}}});
    expect_refusal(one.clause, [&] {
      merger.stripe(chunk_of(jobs::packed(job, stripe({0, 2}, 6, 0, one.listed))));
    });
    if (!one.clause.empty()) continue;
    expect_refusal("", [&] { merger.edges(edges({{0, 3}, {1, 0}}, -1e300)); });
    expect_refusal("does not pass the threshold", [&] {
      merger.edges(edges({{1, 2}}, std::numeric_limits<double>::quiet_NaN()));
    });
  }
}

TEST_F(MergedStripes, WithEdges) {
  const AllPairs pairs = one_set();
  const PairJob job = of(pairs);
  const char *const none = "it has an edge that is none of its rows",
                    *const threshold = "not pass the threshold",
                    *const order = "its edges are not in their order";
  const struct {
    std::string clause;
    std::vector<Element> edges;
    double value = 40;
  } cases[] = {{"", {{1, 0}, {2, 0}, {2, 1}}},
               {"", {{2, 1}}, 30},
               {"", {}},
               {threshold, {{2, 1}}, 29.999},
               {threshold, {{2, 1}}, std::numeric_limits<double>::quiet_NaN()},
               {none, {{0, 0}}},
               {none, {{1, 1}}},
               {none, {{1, 2}}},
               {none, {{3, 0}}},
               {order, {{1, 0}, {1, 0}}},
               {order, {{2, 0}, {1, 0}}},
               {order, {{2, 1}, {2, 0}}},
               {"arrays have other sizes", {{4, 0}}},
               {"arrays have other sizes", {{3, 4}}}};
  const std::vector<Block> blocks = {{{0, 4}, {0, 4}}};
  const auto first = chunk_of(jobs::packed(job, stripe({0, 3}, 3)));
  for (const auto& one : cases) {
    SCOPED_TRACE("case " + std::to_string(&one - cases));
    StripeMerger merger(job_, job);
    merger.begin(blocks);
    expect_refusal(none, [&] { merger.edges(edges({{1, 0}})); });  // before any stripe
    merger.stripe(first);
    expect_refusal(one.clause, [&] { merger.edges(edges(one.edges, one.value)); });
  }
  StripeMerger merger(job_, job);
  merger.begin(blocks);
  merger.stripe(first);
  merger.edges(edges({{2, 0}}));
  expect_refusal(order, [&] {
    merger.edges(edges({{1, 0}}));
  });  // the edges of a stripe may come in several chunks
  merger.edges(edges({{2, 1}}));
  merger.stripe(chunk_of(jobs::packed(job, stripe({3, 4}, 3))));
  expect_refusal(none, [&] { merger.edges(edges({{2, 1}})); });
  expect_refusal("", [&] { merger.edges(edges({{3, 0}})); });
}

TEST_F(MergedStripes, WithEdgesOfRelations) {
  files_.rows.clear();
  files_.edge_threshold.reset();
  job_.relations = parse_relations("whole:30,related:1");
  const AllPairs pairs = one_set();
  const PairJob job = of(pairs);
  StripeMerger merger(job_, job);
  merger.begin(std::vector<Block>{{{0, 4}, {0, 4}}});
  merger.stripe(chunk_of(jobs::packed(job, stripe({0, 4}, 6))));
  expect_refusal("", [&] { merger.edges(edges({{1, 0}, {2, 0}}, 40, 0)); });
  expect_refusal("", [&] { merger.edges(edges({{2, 1}}, 1e-9, 1)); });
  expect_refusal("arrays have other sizes", [&] { merger.edges(edges({{3, 0}}, 40, 2)); });
  expect_refusal("its edges are not in their order", [&] { merger.edges(edges({{2, 0}}, 1e-9, 1)); });
  expect_refusal("none of its rows", [&] { merger.edges(edges({{3, 3}}, 40, 0)); });
}

TEST_F(MergedStripes, ThatHaveNoRowsOrNoEdges) {
  files_.rows.clear();
  const AllPairs pairs = one_set();
  const PairJob without_rows = of(pairs);
  const std::vector<Block> blocks = {{{0, 4}, {0, 4}}};
  StripeMerger merger(job_, without_rows);
  merger.begin(blocks);
  expect_refusal("it lists pairs, and the job lists none", [&] {
    merger.stripe(chunk_of(jobs::packed(without_rows, stripe({0, 2}, 1, 0, {{1, 0}}))));
  });
  expect_refusal("", [&] { merger.stripe(chunk_of(jobs::packed(without_rows, stripe({0, 4}, 6)))); });
  AllPairsSummary summary;
  expect_refusal("", [&] { merger.end(summary); });
  summary.edges = 1;
  expect_refusal("its counts are not those of its pairs", [&] { merger.end(summary); });

  files_.rows = "rows";
  files_.edges.clear();
  const PairJob without_edges = of(pairs);
  StripeMerger other(job_, without_edges);
  other.begin(blocks);
  other.stripe(chunk_of(jobs::packed(without_edges, stripe({0, 4}, 6))));
  expect_refusal("it has edges, and the job has none", [&] { other.edges(edges({{1, 0}})); });
}

TEST_F(MergedStripes, AreAllOfTheirPart) {
  const AllPairs pairs = one_set();
  const PairJob job = of(pairs);
  StripeMerger merger(job_, job);
  AllPairsSummary right;
  // Two parts, and a third one without work.
  for (const IndexRange rows : {IndexRange{0, 3}, {3, 4}}) {
    const std::vector<Block> blocks = {{rows, {0, 4}}};
    merger.begin(blocks);
    right = {};
    expect_refusal("the stripes of its last rows are missing", [&] { merger.end(right); });
    for (Index row = rows.begin; row < rows.end; ++row) {
      std::vector<Element> all;
      for (Index column = 1; column < row; ++column) all.emplace_back(row, column);
      const std::uint64_t empty = row == 0 ? 0 : 1;
      merger.stripe(chunk_of(jobs::packed(job, stripe({row, row + 1}, row, empty, all))));
      merger.edges(edges(all));
      right.empty += empty;
      right.listed += all.size();
      right.edges += all.size();
      if (row + 1 < rows.end) {
        expect_refusal("the stripes of its last rows are missing", [&] { merger.end(right); });
      }
    }
    expect_refusal("", [&] { merger.end(right); });
    for (std::uint64_t AllPairsSummary::*const count :
         {&AllPairsSummary::listed, &AllPairsSummary::empty, &AllPairsSummary::edges})
      for (const int off : {-1, 1}) {
        AllPairsSummary wrong = right;
        wrong.*count += static_cast<std::uint64_t>(off);
        expect_refusal("its counts are not those of its pairs", [&] { merger.end(wrong); });
      }
  }
  merger.begin({});
  expect_refusal("", [&] { merger.end({}); });
}

TEST_F(MergedStripes, WhoseSummaryCountsTheirPairs) {
  const char* const wrong_counts = "its counts are not those of its sequences";
  const std::vector<Block> blocks = {{{0, 1}, {0, 4}}, {{1, 3}, {0, 4}}};
  for (const bool nearest : {false, true})
    for (const bool self : {false, true}) {
      SCOPED_TRACE(std::string(nearest ? "nearest" : "half") + (self ? " with self" : ""));
      job_.nearest = nearest;
      job_.self = self;
      files_.rows = "rows";
      AllPairsSummary right;
      for (Index row = 0; row < 3; ++row)
        for (Index column = 0; column < (nearest ? 4 : row + 1); ++column) {
          if (row == column && !self) continue;
          ++right.pairs;
          right.cells += set_.length(row) * set_.length(column);
        }
      right.listed = right.pairs;
      const AllPairs pairs = one_set();
      const auto expect_counts = [&](const std::string& clause, const AllPairsSummary& summary) {
        expect_refusal(clause, [&] { require_counts(job_, of(pairs), blocks, summary); });
      };
      expect_counts("", right);
      for (std::uint64_t AllPairsSummary::*const count :
           {&AllPairsSummary::pairs, &AllPairsSummary::cells, &AllPairsSummary::listed,
            &AllPairsSummary::empty, &AllPairsSummary::filtered})
        for (const int off : {-1, 1}) {
          AllPairsSummary wrong = right;
          wrong.*count += static_cast<std::uint64_t>(off);
          expect_counts(wrong_counts, wrong);
        }
      for (std::uint64_t AllPairsSummary::*const count :
           {&AllPairsSummary::empty, &AllPairsSummary::filtered}) {
        AllPairsSummary other = right;
        other.listed -= 2;
        other.*count += 2;
        expect_counts("", other);
        other.listed = 0;
        other.*count = right.pairs;
        expect_counts("", other);
        other.listed = right.pairs + 1;
        other.*count = std::numeric_limits<std::uint64_t>::max();  // the sum is right, modulo 2^64
        expect_counts(wrong_counts, other);
      }
      files_.rows.clear();
      expect_counts(wrong_counts, right);
      right.listed = 0;
      expect_counts("", right);
      job_.fields.strands = Strands::both;
      expect_counts(wrong_counts, right);
      right.cells *= 2;
      expect_counts("", right);
      job_.fields.strands = Strands::plus;
    }
}

// ---- Values of every pair ----

TEST_F(MergedStripes, WithTheBytesOfTheirValues) {
  const auto bytes = [&](const AllPairs& pairs) { return jobs::bytes_of_values(of(pairs)); };
  const SequenceSet other = set_of({"MK", "A"});
  const AllPairs half(set_, nullptr, false), self(set_, nullptr, true), two(set_, &other, false),
      empty(random_set({.count = 0}), nullptr, true);
  const auto expect_bytes = [&](std::uint64_t of_pair) {
    EXPECT_EQ(bytes(half), 6 * of_pair);
    EXPECT_EQ(bytes(self), 10 * of_pair);
    EXPECT_EQ(bytes(two), 8 * of_pair);
    EXPECT_EQ(bytes(empty), 0u);
  };
  expect_bytes(0);
  files_.matrix = "matrix.npy";
  expect_bytes(4);
  files_.matrices = {{PairValue::identity, "identities.npy"}};
  expect_bytes(8);
  files_.phylip = "distances.phy";
  expect_bytes(16);
}

// Numbers that are no values of a pair are refused. All others come back as they were.
TEST_F(MergedStripes, WithValuesThatCanBe) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                   kInfinite = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<PairValue, std::vector<double>>> possible = {
      {PairValue::identity, {0, 37.5, 100}},
      {PairValue::distance, {0, 0.375, 1}},
      {PairValue::score, {-1e9, 0, 40, kInfinite}},
      {PairValue::score_distance, {0, 40, kInfinite}}};
  const std::vector<std::pair<PairValue, std::vector<double>>> impossible = {
      {PairValue::identity, {-0.5, 100.5, kNan}},
      {PairValue::distance, {-0.5, 1.5, kNan}},
      {PairValue::score, {kNan}},
      {PairValue::score_distance, {kNan}}};
  files_.matrix = "matrix.npy";
  files_.matrix_type = MatrixType::float32;
  for (const bool can_be : {true, false})
    for (const auto& [kind, values] : can_be ? possible : impossible)
      for (const double value : values) {
        SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + ": " + std::to_string(value));
        job_.value.kind = kind;
        const AllPairs pairs = one_set();
        const PairJob job = of(pairs);
        // Rows 1 and 2, of one and two pairs, in two columns. The last pair has this value.
        const std::vector<double> all = {0.25, 0.5, 0.75, value};
        engine::Stripe sent = stripe({1, 3}, 3);
        sent.values = {{{1, 3}, {0, 2}, all, nullptr}};
        const io::ChunkBytes chunk = chunk_of(jobs::packed(job, sent));
        expect_refusal(can_be ? "" : "arrays have other sizes", [&] {
          const engine::Stripe read = jobs::stripe_of(job, chunk);
          ASSERT_EQ(read.values.size(), 1u);
          EXPECT_EQ(read.values[0].row(1)[0], 0.25);
          EXPECT_EQ(read.values[0].row(2)[0], 0.75);
          EXPECT_EQ(read.values[0].row(2)[1], value);
        });
      }
}

}  // namespace
}  // namespace alnus::test
