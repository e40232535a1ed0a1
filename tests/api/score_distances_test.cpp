// Session::all_pairs: score distances, which are the lower self score of a pair less the pair's score. Those
// of blank sequences are the largest.
#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/strands.h"
#include "support/blank.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

using Values = std::map<std::pair<Index, Index>, double>;  // by row and column

AllPairsOptions score_distances(bool self = false) {
  AllPairsOptions options;
  options.self = self;
  options.statistics = no_statistics();
  options.value = MatrixValue{.kind = PairValue::score_distance};
  return options;
}

// Returns the values of all pairs of two sets, or of one set if `against` is null.
Values values_of(Session& session, const SequenceSet& set, const SequenceSet* against, const Scoring& scoring,
                 const AllPairsOptions& options) {
  Values values;
  PairSink sink;
  sink.values = [&](const ValueStripe& stripe) {
    for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row) {
      const Index end = against ? stripe.columns.end : std::min(stripe.columns.end, row + options.self);
      for (Index column = stripe.columns.begin; column < end; ++column)
        values[{row, column}] = stripe.row(row)[column - stripe.columns.begin];
    }
  };
  if (against)
    session.all_pairs(set, *against, scoring, options, sink);
  else
    session.all_pairs(set, scoring, options, sink);
  return values;
}

// Computes scores and score distances by one call of align() for each pair. `against` is null for one set.
class OneByOne {
 public:
  OneByOne(Session& session, const Scoring& scoring) : session_(session), scoring_(scoring) {}

  std::int64_t score(const SequenceSet& set, Index i, const SequenceSet& other, Index j) {
    const auto letters = [](const SequenceSet& of, Index k) { return decode(of.residues(k), of.alphabet()); };
    return session_.align(letters(set, i), letters(other, j), scoring_, Detail::score).score;
  }
  double distance(const SequenceSet& set, Index i, const SequenceSet& other, Index j,
                  std::int64_t score_of_pair) {
    if (is_blank(set.residues(i), set.alphabet()) || is_blank(other.residues(j), set.alphabet()))
      return kLargestScoreDistance;
    const std::int64_t lower = std::min(score(set, i, set, i), score(other, j, other, j));
    return static_cast<double>(lower - score_of_pair) / scoring_.scale;
  }
  Values distances(const SequenceSet& set, const SequenceSet* against, bool self) {
    Values values;
    for (Index i = 0; i < set.size(); ++i)
      for (Index j = against ? 0 : i + (self ? 0 : 1); j < (against ? against->size() : set.size()); ++j) {
        const SequenceSet& other = against ? *against : set;
        values[against ? std::pair(i, j) : std::pair(j, i)] =
            distance(set, i, other, j, score(set, i, other, j));
      }
    return values;
  }

 private:
  Session& session_;
  const Scoring& scoring_;
};

// Sequences among which some are empty, of one residue, or equal.
SequenceSet some_sequences(unsigned seed, AlphabetKind alphabet) {
  const SequenceSet some = joined(random_set({.seed = seed, .count = 7, .longest = 30, .alphabet = alphabet}),
                                  relatives_set(seed, 5, 30, alphabet));
  return joined(joined(some, set_of({"", "A"}, alphabet)), some.part(3, 5));
}

class ApiScoreDistances : public testing::TestWithParam<NamedScoring> {
 protected:
  const Scoring& scoring_ = GetParam().scoring;
  const AlphabetKind alphabet_ = scoring_.matrix.alphabet();
  const SequenceSet set_ = some_sequences(1, alphabet_), against_ = some_sequences(2, alphabet_).part(2, 12);
  Session session_{session_options()};
  OneByOne by_definition_{session_, scoring_};
};

TEST_P(ApiScoreDistances, OfASetAreThoseOfItsPairsOneByOne) {
  for (const bool self : {false, true}) {
    const Values expected = by_definition_.distances(set_, nullptr, self);
    EXPECT_EQ(values_of(session_, set_, nullptr, scoring_, score_distances(self)), expected);
    for (Index i = 0; self && i < set_.size(); ++i)
      EXPECT_EQ((expected.at({i, i})), set_.length(i) > 0 ? 0 : kLargestScoreDistance);
  }
}

TEST_P(ApiScoreDistances, OfTwoSetsAreThoseOfTheirPairsOneByOne) {
  EXPECT_EQ(values_of(session_, set_, &against_, scoring_, score_distances()),
            by_definition_.distances(set_, &against_, false));
}

TEST_P(ApiScoreDistances, OfABlockAreThoseOfItsPairs) {
  Random random(3);
  for (const SequenceSet* against : {static_cast<const SequenceSet*>(nullptr), &against_}) {
    AllPairsOptions options = score_distances(against == nullptr);
    const Values whole = values_of(session_, set_, against, scoring_, options);
    const auto part_of = [&](Index size) {
      const auto a = static_cast<Index>(below(random, size + 1)),
                 b = static_cast<Index>(below(random, size + 1));
      return IndexRange{std::min(a, b), std::max(a, b)};
    };
    for (int times = 0; times < 15; ++times) {
      const Block block{part_of(set_.size()), part_of(against ? against->size() : set_.size())};
      options.block = block;
      Values expected = whole;
      std::erase_if(expected, [&](const auto& value) {
        const auto [row, column] = value.first;
        return row < block.rows.begin || row >= block.rows.end || column < block.columns.begin ||
               column >= block.columns.end;
      });
      EXPECT_EQ(values_of(session_, set_, against, scoring_, options), expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ApiScoreDistances, testing::ValuesIn(scorings()),
                         [](const auto& info) { return info.param.name; });

// A pair's score is that of its better strand; self scores are those of the plus strand.
TEST(ApiScoreDistancesOfStrands, AreMeasuredFromThePlusStrand) {
  Session session(session_options());
  const SequenceSet set = strands_set({.seed = 3, .count = 12}),
                    against = strands_set({.seed = 4, .count = 9});
  for (const auto& [name, scoring] : strand_scorings()) {
    OneByOne by_definition(session, scoring);
    for (const Strands strands : kAllStrands) {
      AllPairsOptions options = score_distances(true);
      options.strands = strands;
      Values expected;
      for (const StrandRow& row : strand_pairs(set, scoring, strands, true))
        expected[{row.subject, row.query}] =
            by_definition.distance(set, row.query, set, row.subject, row.result.alignment.score);
      EXPECT_EQ(values_of(session, set, nullptr, scoring, options), expected) << name << to_string(strands);
      options.self = false;
      expected.clear();
      for (const StrandRow& row : strand_pairs(set, against, scoring, strands))
        expected[{row.query, row.subject}] =
            by_definition.distance(set, row.query, against, row.subject, row.result.alignment.score);
      EXPECT_EQ(values_of(session, set, &against, scoring, options), expected) << name << to_string(strands);
    }
  }
}

TEST(ApiScoreDistancesOfDecimals, HaveThem) {
  Session session(session_options());
  ScoringOptions words{.matrix = "GONNET", .gap_open = "10.5", .gap_extend = "0.5"};
  for (const char* mode : {"local", "global", "semiglobal"}) {
    words.mode = mode;
    const Scoring scoring = make_scoring(words);
    ASSERT_EQ(scoring.scale, 10);
    const SequenceSet set = some_sequences(5, AlphabetKind::protein);
    const Values found = values_of(session, set, nullptr, scoring, score_distances(true));
    EXPECT_EQ(found, OneByOne(session, scoring).distances(set, nullptr, true));
    EXPECT_TRUE(std::ranges::any_of(found, [](const auto& value) {
      return value.second != static_cast<double>(static_cast<std::int64_t>(value.second));
    }));
  }
}

TEST(ApiScoreDistancesOfManySequences, AreTheSameInManyStripesAndBesideRows) {
  const SequenceSet set = random_set({.count = 500, .shortest = 0, .longest = 12});
  const Scoring scoring = default_scoring("global");
  Session session(session_options()), small(session_options(1, 8 << 20));
  const Values expected = values_of(session, set, nullptr, scoring, score_distances());
  EXPECT_EQ(expected.size(), 500u * 499 / 2);
  EXPECT_EQ(values_of(small, set, nullptr, scoring, score_distances()), expected);
  AllPairsOptions options = score_distances();
  options.filter.min_score = -20;
  OneByOne by_definition(session, scoring);
  std::map<std::pair<Index, Index>, std::int32_t> scores;
  std::size_t values = 0;
  PairSink sink;
  sink.rows = [&](const Columns& rows, const std::string&) {
    for (std::size_t i = 0; i < rows.size(); i += 100)
      scores[{rows.subject[i], rows.query[i]}] = rows.score[i];
  };
  sink.values = [&](const ValueStripe& stripe) {
    for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row)
      for (Index column = 0; column < row; ++column, ++values)
        ASSERT_EQ(stripe.row(row)[column], (expected.at({row, column})));
  };
  session.all_pairs(set, scoring, options, sink);
  EXPECT_EQ(values, expected.size());
  EXPECT_GT(scores.size(), 10u);
  for (const auto& [place, score] : scores)
    EXPECT_EQ(expected.at(place), by_definition.distance(set, place.second, set, place.first, score));
}

// In this matrix every letter scores more with other letters than with itself.
TEST(ApiScoreDistancesBelowZero, AreWhereAPairScoresMoreThanItsSequences) {
  const Scoring scoring = scoring_of(
      {Mode::global}, {5, 1}, matrix_of([](int query, int subject) { return query == subject ? -2 : 3; }));
  Session session(session_options());
  const SequenceSet set = set_of({"ARN", "RNA", ""});
  constexpr double kLargest = kLargestScoreDistance;
  EXPECT_EQ(values_of(session, set, nullptr, scoring, score_distances(true)), (Values{{{0, 0}, 0},
                                                                                      {{1, 0}, -15},
                                                                                      {{1, 1}, 0},
                                                                                      {{2, 0}, kLargest},
                                                                                      {{2, 1}, kLargest},
                                                                                      {{2, 2}, kLargest}}));
}

// What a call finds of the pairs of a set in which some sequences are blank.
class ApiScoreDistancesOfBlanks : public testing::Test {
 protected:
  struct Found {
    std::vector<std::pair<Index, Index>> sparse;  // rows and columns
    std::string said;
  };
  Found sparse_of(const SequenceSet& set, const Scoring& scoring, AllPairsOptions options) {
    Found found;
    PairSink sink;
    sink.sparse = [&](const SparseValues& batch) {
      for (std::size_t k = 0; k < batch.size(); ++k) found.sparse.emplace_back(batch.row[k], batch.column[k]);
    };
    RunControl control;
    control.on_message = [&](const Message& message) { found.said += message.text() + "\n"; };
    session_.all_pairs(set, scoring, options, sink, control);
    return found;
  }
  Session session_{session_options()};
};

// The sequences 2 and 3 are blank.
TEST_F(ApiScoreDistancesOfBlanks, AreTheLargestAndNoEdges) {
  const SequenceSet proteins = set_of({"CASSLGQAYEQYF", "CASSPTSGGQETQYF", "", "XXXX", "CASSLGQAYEQYY"}),
                    dna = set_of({"ACGTACGT", "ACGTTTGT", "", "NNNN", "ACGTACGA"}, AlphabetKind::dna);
  for (const char* mode : {"local", "global", "semiglobal"})
    for (const SequenceSet* set : {&proteins, &dna}) {
      const Scoring scoring =
          make_scoring({.mode = mode, .gap_open = "2", .gap_extend = "1", .alphabet = set->alphabet()});
      const Values values = values_of(session_, *set, nullptr, scoring, score_distances(true));
      for (const auto& [place, value] : values) {
        const bool blank = place.first == 2 || place.first == 3 || place.second == 2 || place.second == 3;
        EXPECT_EQ(value == kLargestScoreDistance, blank) << mode << place.first << " " << place.second;
      }
      AllPairsOptions options = score_distances();
      for (const double cutoff : {5.0, 1000.0, 2e9}) {
        options.cutoff = cutoff;
        const Found found = sparse_of(*set, scoring, options);
        EXPECT_LE(found.sparse.size(), 3u);
        for (const auto& [row, column] : found.sparse) {
          EXPECT_TRUE(row == 1 || row == 4) << mode << cutoff;
          EXPECT_TRUE(column < 2) << mode << cutoff;
        }
        EXPECT_TRUE(cutoff < 100 || found.sparse.size() == 3) << found.sparse.size();
        EXPECT_THAT(found.said, HasSubstr("2 sequences of "));
        EXPECT_THAT(found.said, HasSubstr("(the first is 's2')"));
      }
      options.cutoff = kLargestScoreDistance;
      EXPECT_EQ(sparse_of(*set, scoring, options).sparse.size(), 10u) << "the threshold passes all values";
    }
}

TEST_F(ApiScoreDistancesOfBlanks, AreNobodysNeighbours) {
  const SequenceSet set = set_of({"CASSLGQAYEQYF", "CASSPTSGGQETQYF", "", "XXXX", "CASSLGQAYEQYY", "X"});
  for (const char* mode : {"local", "global", "semiglobal"})
    for (const PairValue kind :
         {PairValue::score, PairValue::identity, PairValue::distance, PairValue::score_distance}) {
      AllPairsOptions options;
      options.statistics = no_statistics();
      options.value = MatrixValue{kind, Denominator::longer};
      options.top_k = 4;
      const Found found = sparse_of(set, default_scoring(mode), options);
      EXPECT_EQ(found.sparse,
                (std::vector<std::pair<Index, Index>>{{0, 1}, {0, 4}, {1, 0}, {1, 4}, {4, 0}, {4, 1}}))
          << mode << static_cast<int>(kind);
      EXPECT_THAT(found.said, HasSubstr("nobody's neighbours"));
    }
}

TEST_F(ApiScoreDistancesOfBlanks, OfSetsWithoutThemNothingIsSaid) {
  AllPairsOptions options = score_distances();
  options.cutoff = 3;
  EXPECT_EQ(sparse_of(set_of({"CASS", "XAA"}), default_scoring("global"), options).said, "");
}

TEST(ApiScoreDistancesCancelled, AtOnceThrow) {
  Session session(session_options());
  std::stop_source source;
  source.request_stop();
  RunControl run;
  run.stop = source.get_token();
  PairSink sink;
  bool called = false;
  sink.values = [&](const ValueStripe&) { called = true; };
  const SequenceSet set = random_set({.count = 30});
  EXPECT_TRUE(thrown_by([&] {
                session.all_pairs(set, default_scoring(), score_distances(), sink, run);
              }).interrupted);
  EXPECT_FALSE(called);
  EXPECT_EQ(values_of(session, set, nullptr, default_scoring(), score_distances()).size(), 30u * 29 / 2);
}

}  // namespace
}  // namespace alnus::test
