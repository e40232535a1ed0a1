// Session::align on the strands of DNA, and the columns of rows on the minus strand.
#include <algorithm>
#include <gtest/gtest.h>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/strands.h"
#include "api/support/table.h"
#include "support/scorings.h"

namespace alnus::test {
namespace {

class ApiStrandAlignScorings : public testing::TestWithParam<NamedScoring> {
 protected:
  const Scoring& scoring_ = GetParam().scoring;
  const SequenceSet queries_ = strands_set({.seed = 5, .count = 14}),
                    subjects_ = strands_set({.seed = 6, .count = 14});
  Session session_{session_options()};
};

TEST_P(ApiStrandAlignScorings, PairsComeOnTheirBetterStrandInTheirOrder) {
  const std::vector<IndexPair> pairs = random_pairs(7, 150, queries_, subjects_);
  for (const Strands strands : kAllStrands) {
    const std::vector<StrandRow> expected = strand_rows(queries_, subjects_, pairs, scoring_, strands);
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      for (const bool cigars : {true, false}) {
        const AlignOptions options{
            .detail = detail, .cigars = cigars, .strands = strands, .statistics = no_statistics()};
        EXPECT_TRUE(equal(session_.align(queries_, subjects_, pairs, scoring_, options), expected,
                          {strands, detail, cigars}))
            << to_string(strands) << ", detail " << static_cast<int>(detail);
      }
    }
  }
}

TEST_P(ApiStrandAlignScorings, AlignAllTakesEveryQueryWithEverySubject) {
  const std::vector<IndexPair> pairs = every_pair(queries_, subjects_);
  for (const Strands strands : kAllStrands) {
    const std::vector<StrandRow> expected = strand_rows(queries_, subjects_, pairs, scoring_, strands);
    std::vector<Columns> batches;
    const AlignSummary summary =
        session_.align_all(queries_, subjects_, scoring_, {.strands = strands, .statistics = no_statistics()},
                           [&](const Columns& batch, const std::string&) { batches.push_back(batch); });
    EXPECT_TRUE(equal(batches, expected, {strands})) << to_string(strands);
    EXPECT_EQ(summary.pairs, pairs.size());
    EXPECT_EQ(summary.cells, number_of(strands) * queries_.total_residues() * subjects_.total_residues());
    EXPECT_EQ(summary.empty, expected.size() - without_empty(expected, scoring_).size());
  }
}

INSTANTIATE_TEST_SUITE_P(, ApiStrandAlignScorings, testing::ValuesIn(strand_scorings()),
                         [](const auto& info) { return info.param.name; });

class ApiStrandAlign : public testing::Test {
 protected:
  const Scoring scoring_ = dna("2", "-3", "5", "2");
  const SequenceSet queries_ = strands_set({.seed = 5, .count = 18}),
                    subjects_ = strands_set({.seed = 6, .count = 20});
  const std::vector<IndexPair> pairs_ = every_pair(queries_, subjects_);
  Session session_{session_options()};
};

TEST_F(ApiStrandAlign, ThePlusStrandIsTheDefault) {
  const Columns rows = session_.align(queries_, subjects_, pairs_, scoring_);
  EXPECT_TRUE(rows.strand.empty());
  EXPECT_TRUE(
      equal(rows, strand_rows(queries_, subjects_, pairs_, scoring_, Strands::plus), {Strands::plus}));
}

TEST_F(ApiStrandAlign, ARowOfTheMinusStrandRescoresToItsScore) {
  const Columns rows = session_.align(queries_, subjects_, pairs_, scoring_, {.strands = Strands::minus});
  const SequenceSet turned = other_strands(queries_);
  std::size_t aligned = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Alignment along_subject = rows.row(i).alignment();
    if (along_subject.score == 0) continue;
    const auto length = static_cast<std::int32_t>(queries_.length(rows.query[i]));
    along_subject.query_begin = length - rows.query_end[i];
    along_subject.query_end = length - rows.query_begin[i];
    EXPECT_EQ(
        rescore(along_subject, turned.residues(rows.query[i]), subjects_.residues(rows.subject[i]), scoring_),
        along_subject.score);
    ++aligned;
  }
  EXPECT_GT(aligned, 200u);
}

TEST_F(ApiStrandAlign, AnEmptyLocalAlignmentHasNoCoordinatesOnEitherStrand) {
  const SequenceSet queries = set_of({"AAAA"}, AlphabetKind::dna),
                    subjects = set_of({"CCCC", "AAAA"}, AlphabetKind::dna);
  for (const Strands strands : kAllStrands) {
    const std::vector<IndexPair> pair = {{0, 0}};
    const Columns rows = session_.align(queries, subjects, pair, scoring_, {.strands = strands});
    EXPECT_EQ(rows.score[0], 0);
    for (const auto& column : {rows.query_begin, rows.query_end, rows.subject_begin, rows.subject_end})
      EXPECT_EQ(column[0], 0) << to_string(strands);
    EXPECT_TRUE(rows.row(0).cigar.empty());
  }
}

TEST_F(ApiStrandAlign, ProteinsHaveOneStrand) {
  const SequenceSet set = relatives_set(1, 3, 30);
  const std::vector<IndexPair> pairs = every_pair(set, set);
  for (const Strands strands : {Strands::minus, Strands::both}) {
    const std::string text =
        input_error([&] { session_.align(set, set, pairs, default_scoring(), {.strands = strands}); });
    EXPECT_NE(text.find("strands"), std::string::npos) << text;
    EXPECT_NE(input_error([&] {
                session_.cost_of_align(set, set, pairs, false, default_scoring(), {.strands = strands});
              }),
              "");
  }
}

TEST_F(ApiStrandAlign, SeveralBatchesFollowEachOther) {
  const SequenceSet set = strands_set({.seed = 9, .count = 60, .longest = 20});
  const std::vector<IndexPair> pairs = random_pairs(2, 30'000, set, set);
  const AlignOptions options{.detail = Detail::ends, .strands = Strands::both};
  std::vector<std::vector<Columns>> all;
  for (const auto& [threads, memory] : {std::pair<int, std::uint64_t>{1, 1 << 30}, {4, 4 << 20}}) {
    Session session(session_options(threads, memory));
    std::vector<Columns>& batches = all.emplace_back();
    session.align(set, set, pairs, scoring_, options,
                  [&](const Columns& batch, const std::string&) { batches.push_back(batch); });
  }
  EXPECT_GT(all[1].size(), all[0].size());
  Table one, other;
  for (const Columns& batch : all[0]) one.append(batch);
  for (const Columns& batch : all[1]) other.append(batch);
  EXPECT_TRUE(same(other, one));
  const std::span<const IndexPair> first(pairs.data(), 500);
  EXPECT_TRUE(equal(session_.align(set, set, first, scoring_, options),
                    strand_rows(set, set, first, scoring_, Strands::both), {Strands::both, Detail::ends}));
}

TEST_F(ApiStrandAlign, TheCostIsThatOfTheStrands) {
  for (const Strands strands : kAllStrands) {
    const AlignOptions options{.strands = strands};
    for (const bool all : {false, true}) {
      const Cost cost = session_.cost_of_align(queries_, subjects_, pairs_, all, scoring_, options);
      EXPECT_EQ(cost.pairs, pairs_.size());
      EXPECT_EQ(cost.cells, number_of(strands) * queries_.total_residues() * subjects_.total_residues());
    }
  }
}

}  // namespace
}  // namespace alnus::test
