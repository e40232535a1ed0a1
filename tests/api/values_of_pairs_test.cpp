// Session::z_values and Session::identity_range.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/expected.h"
#include "api/support/inputs.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

bool same(const ZValue& a, const ZValue& b) {
  return a.z == b.z && a.standard_error == b.standard_error && a.log_p == b.log_p &&
         a.goodness == b.goodness && a.side == b.side;
}

void expect_same(const std::vector<ZValue>& actual, const std::vector<ZValue>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k)
    EXPECT_TRUE(same(actual[k], expected[k])) << "pair " << k << ": z " << actual[k].z.value_or(NAN)
                                              << " instead of " << expected[k].z.value_or(NAN);
}

class ApiZValues : public testing::Test {
 protected:
  std::vector<ZValue> z_values(const std::vector<IndexPair>& pairs, const ShuffleOptions& options) {
    return session_.z_values(queries_, subjects_, pairs, {}, scoring_, options);
  }
  const SequenceSet queries_ = relatives_set(1, 5, 40), subjects_ = relatives_set(1, 7, 45);
  const std::vector<IndexPair> pairs_ = {{4, 6}, {0, 0}, {2, 3}, {2, 5}, {2, 3}, {3, 1}};
  Scoring scoring_ = default_scoring();
  Session session_{session_options()};
};

TEST_F(ApiZValues, ScoresMayBeGivenOrAreComputed) {
  for (const char* mode : {"local", "global", "semiglobal"}) {
    scoring_ = default_scoring(mode);
    std::vector<std::int32_t> scores;
    for (const ExpectedRow& row : expected_rows(queries_, subjects_, pairs_, scoring_))
      scores.push_back(row.alignment.score);
    const ShuffleOptions options{.shuffles = 20};
    expect_same(session_.z_values(queries_, subjects_, pairs_, scores, scoring_, options),
                z_values(pairs_, options));
  }
}

TEST_F(ApiZValues, DependOnResiduesScoringAndSeedAlone) {
  const ShuffleOptions options{.shuffles = 20, .seed = 5};
  const std::vector<ZValue> all = z_values(pairs_, options);
  EXPECT_TRUE(same(all[2], all[4])) << "the same pair twice";
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const auto [query, subject] = pairs_[k];
    const Database query_alone = Database(queries_).part(query, query + 1);
    const Database subject_alone = joined(random_set({.count = 2}), subjects_.part(subject, subject + 1));
    const std::vector<IndexPair> pair = {{0, 2}};
    expect_same(session_.z_values(query_alone, subject_alone, pair, {}, scoring_, options), {all[k]});
  }
  std::vector<IndexPair> backwards = pairs_;
  std::ranges::reverse(backwards);
  std::vector<ZValue> found = z_values(backwards, options);
  std::ranges::reverse(found);
  expect_same(found, all);
  EXPECT_FALSE(same(z_values(pairs_, {.shuffles = 20, .seed = 6})[0], all[0]));
}

// The Z-value is compared with one from the test's own shuffles, from which it differs by chance.
TEST_F(ApiZValues, AreStandardDeviationsFromTheMeanOfShuffles) {
  Random random(3);
  for (const ShuffleOptions::Sides sides : {ShuffleOptions::Sides::query, ShuffleOptions::Sides::subject}) {
    const ZValue actual = z_values({{0, 0}}, {.shuffles = 1000, .sides = sides}).front();
    EXPECT_EQ(actual.side,
              sides == ShuffleOptions::Sides::query ? ShuffledSide::query : ShuffledSide::subject);
    const auto query = queries_.residues(0), subject = subjects_.residues(0);
    std::vector<double> scores;
    for (int k = 0; k < 1000; ++k) {
      const auto fixed = sides == ShuffleOptions::Sides::query ? subject : query;
      const auto moved = sides == ShuffleOptions::Sides::query ? query : subject;
      Residues shuffled(moved.begin(), moved.end());
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      const Alignment alignment = sides == ShuffleOptions::Sides::query
                                      ? align_reference(shuffled, fixed, scoring_, Detail::score)
                                      : align_reference(fixed, shuffled, scoring_, Detail::score);
      scores.push_back(alignment.score);
    }
    const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / 1000;
    double squares = 0;
    for (const double score : scores) squares += (score - mean) * (score - mean);
    const double z =
        (align_reference(query, subject, scoring_, Detail::score).score - mean) / std::sqrt(squares / 999);
    ASSERT_TRUE(actual.z && actual.standard_error);
    EXPECT_GT(*actual.standard_error, 0);
    EXPECT_NEAR(*actual.z, z, 6 * *actual.standard_error);
    ASSERT_TRUE(actual.log_p);
    EXPECT_LT(*actual.log_p, 0);
  }
}

TEST_F(ApiZValues, OfBothSidesTheLowerCounts) {
  ShuffleOptions options{.shuffles = 30};
  const std::vector<ZValue> both = z_values(pairs_, options);
  options.sides = ShuffleOptions::Sides::query;
  const std::vector<ZValue> query = z_values(pairs_, options);
  options.sides = ShuffleOptions::Sides::subject;
  const std::vector<ZValue> subject = z_values(pairs_, options);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    ASSERT_TRUE(both[k].z && query[k].z && subject[k].z);
    EXPECT_EQ(both[k].z, std::min(query[k].z, subject[k].z));
    EXPECT_EQ(both[k].side, *query[k].z < *subject[k].z ? ShuffledSide::query : ShuffledSide::subject);
    EXPECT_EQ(both[k].log_p, subject[k].log_p) << "of the subject's shuffles, if there are any";
  }
}

TEST_F(ApiZValues, AreEmptyWhereShufflingDoesNotChangeTheScore) {
  const SequenceSet set = set_of({"", "W", "AAAAAAAA", "MKVLAWGHE"});
  const std::vector<IndexPair> pairs = every_pair(set, set);
  const std::vector<ZValue> values = session_.z_values(set, set, pairs, {}, scoring_, {.shuffles = 20});
  for (std::size_t k = 0; k + 1 < pairs.size(); ++k)
    EXPECT_FALSE(values[k].z || values[k].standard_error || values[k].log_p || values[k].goodness) << k;
  EXPECT_TRUE(values.back().z);
  EXPECT_TRUE(session_.z_values(set, set, std::vector<IndexPair>{}, {}, scoring_).empty());
}

TEST_F(ApiZValues, FewerThanTenShufflesIsAnError) {
  EXPECT_NE(input_error([&] { z_values(pairs_, {.shuffles = 9}); }).find("shuffles"), std::string::npos);
  EXPECT_EQ(z_values(pairs_, {.shuffles = 10}).size(), pairs_.size());
}

TEST_F(ApiZValues, AnIndexOrANumberOfScoresThatDoesNotFitIsAnError) {
  EXPECT_NE(input_error([&] { z_values({{5, 0}}, {.shuffles = 10}); }), "");
  EXPECT_NE(input_error([&] { z_values({{0, 7}}, {.shuffles = 10}); }), "");
  const std::vector<std::int32_t> one_score = {5};
  EXPECT_NE(input_error([&] { session_.z_values(queries_, subjects_, pairs_, one_score, scoring_); }), "");
}

// ---- Identity ranges ----

constexpr Denominator kAll[] = {Denominator::alignment, Denominator::ungapped, Denominator::shorter,
                                Denominator::longer,    Denominator::mean,     Denominator::with_end_gaps};

bool less(const Fraction& a, const Fraction& b) {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}
bool equal(const Fraction& a, const Fraction& b) { return !less(a, b) && !less(b, a); }

// Makes every global alignment of a pair, and keeps the lowest and highest identity of those that score best.
class EveryGlobalAlignment {
 public:
  EveryGlobalAlignment(std::span<const Residue> query, std::span<const Residue> subject,
                       const Scoring& scoring, Denominator by)
      : query_(query), subject_(subject), scoring_(scoring), by_(by) {
    visit(0, 0, {});
  }
  IdentityRange range;
  std::int64_t best = INT64_MIN;

 private:
  void visit(std::size_t i, std::size_t j, std::vector<CigarRun> runs) {
    if (i == query_.size() && j == subject_.size()) return end(runs);
    const auto go = [&](CigarOp op, std::size_t next_i, std::size_t next_j) {
      std::vector<CigarRun> more = runs;
      if (!more.empty() && more.back().op() == op)
        more.back() = {op, more.back().length() + 1};
      else
        more.push_back({op, 1});
      visit(next_i, next_j, std::move(more));
    };
    if (i < query_.size() && j < subject_.size())
      go(query_[i] == subject_[j] ? CigarOp::equal : CigarOp::mismatch, i + 1, j + 1);
    if (i < query_.size()) go(CigarOp::insertion, i + 1, j);
    if (j < subject_.size()) go(CigarOp::deletion, i, j + 1);
  }
  void end(const std::vector<CigarRun>& runs) {
    Alignment alignment{
        0, 0, static_cast<std::int32_t>(query_.size()), 0, static_cast<std::int32_t>(subject_.size()), runs};
    const std::int64_t score = rescore(alignment, query_, subject_, scoring_);
    if (score < best) return;
    const Fraction identity =
        identity_of(count(runs, query_, subject_, scoring_.matrix), query_.size(), subject_.size(), by_);
    if (score > best) range = {identity, identity};
    best = score;
    if (less(identity, range.lowest)) range.lowest = identity;
    if (less(range.highest, identity)) range.highest = identity;
  }

  std::span<const Residue> query_, subject_;
  const Scoring& scoring_;
  Denominator by_;
};

TEST(ApiIdentityRange, IsThatOfEveryAlignmentOfTheBestScore) {
  Session session(session_options());
  Random random(4);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (int k = 0; k < 12; ++k)
    builder.add("s" + std::to_string(k), random_sequence(random, below(random, 6), 3));
  const SequenceSet set = builder.finish();
  const std::vector<IndexPair> pairs = every_pair(set, set);
  for (const Gaps& gaps : {Gaps{2, 1}, Gaps{0, 1}}) {
    const Scoring scoring = scoring_of({Mode::global}, gaps);
    for (const Denominator by : kAll) {
      const std::vector<IdentityRange> found = session.identity_range(set, set, pairs, scoring, by);
      ASSERT_EQ(found.size(), pairs.size());
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const EveryGlobalAlignment every(set.residues(pairs[k].query), set.residues(pairs[k].subject),
                                         scoring, by);
        EXPECT_TRUE(equal(found[k].lowest, every.range.lowest) &&
                    equal(found[k].highest, every.range.highest))
            << pairs[k].query << ", " << pairs[k].subject << ": " << found[k].lowest.numerator << "/"
            << found[k].lowest.denominator << " to " << found[k].highest.numerator << "/"
            << found[k].highest.denominator;
        EXPECT_GT(found[k].lowest.denominator, 0);
        EXPECT_GT(found[k].highest.denominator, 0);
      }
    }
  }
}

TEST(ApiIdentityRange, HoldsTheIdentityOfTheAlignment) {
  Session session(session_options());
  const SequenceSet set = relatives_set(1, 10, 50);
  const std::vector<IndexPair> pairs = every_pair(set, set);
  for (const char* mode : {"local", "global", "semiglobal"}) {
    const Scoring scoring = default_scoring(mode);
    const std::vector<ExpectedRow> rows = expected_rows(set, set, pairs, scoring);
    for (const Denominator by : kAll) {
      const std::vector<IdentityRange> found = session.identity_range(set, set, pairs, scoring, by);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto query = set.residues(pairs[k].query), subject = set.residues(pairs[k].subject);
        const Fraction identity = identity_of(count(rows[k].alignment, query, subject, scoring.matrix),
                                              query.size(), subject.size(), by);
        EXPECT_FALSE(less(identity, found[k].lowest));
        EXPECT_FALSE(less(found[k].highest, identity));
      }
    }
  }
}

TEST(ApiIdentityRange, IsNothingOfOneWhereNothingIsAligned) {
  Session session(session_options());
  const SequenceSet set = set_of({"WWW", "CCC", ""});
  const std::vector<IndexPair> pairs = {{0, 1}, {2, 0}, {2, 2}};
  for (const Denominator by : kAll)
    for (const IdentityRange& range : session.identity_range(set, set, pairs, default_scoring(), by)) {
      EXPECT_EQ(range.lowest, (Fraction{0, 1}));
      EXPECT_EQ(range.highest, (Fraction{0, 1}));
    }
}

// Two alignments score -1: AG over CG (one match of 1, one mismatch of -2), and A-G over -CG (one match of 1,
// two gap residues of -1).
TEST(ApiIdentityRange, OfAPairWithTwoBestAlignments) {
  Session session(session_options());
  ScoringOptions words;
  words.alphabet = AlphabetKind::dna;
  words.mode = "global";
  words.match = "1";
  words.mismatch = "-2";
  words.gap_open = "0";
  words.gap_extend = "1";
  const SequenceSet set = set_of({"AG", "CG"}, AlphabetKind::dna);
  const std::vector<IndexPair> pairs = {{0, 1}};
  const IdentityRange range =
      session.identity_range(set, set, pairs, make_scoring(words), Denominator::alignment).front();
  EXPECT_TRUE(equal(range.lowest, {1, 3}));
  EXPECT_TRUE(equal(range.highest, {1, 2}));
}

}  // namespace
}  // namespace alnus::test
