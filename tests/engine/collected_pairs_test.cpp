// Pairs of all pairs that the second test of adjusted scores drops while a stripe is collected, compared with
// every pair judged by itself; and the sample that the first stripe is planned for.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/adjusted_scores.h"
#include "engine/all_pairs_driver.h"
#include "engine/kept_sequences.h"
#include "support/all_pairs_result.h"
#include "support/device_check.h"
#include "support/engine_call.h"
#include "support/fake_device.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeBehaviour;
using test::FakeDevices;
using Index = SequenceSet::Index;

// Returns proteins of which some have stretches of few letters, some are relatives of the one before, and
// some nearly equal it. Short proteins of glycine and proline, of which most residues are masked, come in
// nearly equal pairs, too.
SequenceSet proteins_to_collect(unsigned seed, std::uint32_t count) {
  test::Random random(seed);
  SequenceSetBuilder builder(AlphabetKind::protein);
  test::Residues last = test::random_sequence(random, 100);
  const auto nearly_equal = [&](test::Residues one) {
    if (!one.empty()) one[test::below(random, one.size())] = static_cast<Residue>(test::below(random, 20));
    return one;
  };
  for (std::uint32_t k = 0; k < count; ++k) {
    test::Residues one = k % 5 == 1   ? test::relative(random, last, 30, 10)
                         : k % 5 == 2 ? nearly_equal(last)
                         : k % 5 == 3 ? test::repeat("GPPGHGPPPCGHGGP", 12 + test::below(random, 40))
                         : k % 5 == 4 ? nearly_equal(last)
                                      : test::random_sequence(random, test::below(random, 140));
    if (k % 5 == 1) {
      const test::Residues simple = test::repeat("QQPQ", 10 + test::below(random, 30));
      one.insert(one.begin() + static_cast<std::ptrdiff_t>(test::below(random, one.size() + 1)),
                 simple.begin(), simple.end());
    }
    builder.add("", one);
    last = one;
  }
  return builder.finish();
}

// Query, subject and E-value of a row.
using JudgedPair = std::tuple<Index, Index, double>;

class CollectedPairs : public testing::Test {
 protected:
  AllPairsOptions options_of(double limit, const SequenceSet& database) const {
    AllPairsOptions options;
    options.statistics = test::published_statistics(scoring_, database);
    options.statistics.composition = Composition::adjust;
    options.statistics.low_complexity = LowComplexity::statistics;
    options.filter.evalue = limit;
    options.fields.significance = true;
    return options;
  }

  // Returns the rows that each pair has that is judged by itself, without kept sequences. `dropped`: raised
  // by the number of pairs that pass the first test and not the second.
  std::vector<JudgedPair> each_by_itself(const AllPairs& pairs, const AllPairsOptions& options,
                                         std::size_t& dropped) {
    const SequenceSet &rows = pairs.rows(), &columns = pairs.columns();
    const auto judges = judges_of(rows, options.statistics, scoring_, StopFlag::never());
    const KeptSequences kept(rows, columns, scoring_, options.statistics, StopFlag::never());
    const double limit = *options.filter.evalue;
    std::vector<AdjustedScores::Candidate> candidates;
    for (Index row = 0; row < rows.size(); ++row)
      for (Index column = 0; column < columns.size(); ++column) {
        if (pairs.one_set() && (pairs.is_half() ? column <= row : column == row)) continue;
        const std::int32_t score =
            align_reference(rows.residues(row), columns.residues(column), scoring_, Detail::score).score;
        if (score == 0) continue;
        candidates.push_back({{row, column}, score, judges[row].get()});
        dropped += judges[row]->of(score, columns.length(column)).evalue <=
                       candidate_evalue(options.statistics, scoring_, limit) &&
                   !kept.may_be_hit({row, column}, score, *judges[row], limit);
      }
    const FakeDevices devices;
    EngineCall call(devices.pointers);
    const std::vector<std::optional<double>> adjusted =
        AdjustedScores(rows, columns, scoring_, options.statistics).of(candidates, limit, call);
    std::vector<JudgedPair> found;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (!adjusted[k]) continue;
      const auto [query, subject] = candidates[k].pair;
      const double evalue = *judges[query]->of(*adjusted[k], columns.length(subject)).evalue;
      if (evalue <= limit) found.emplace_back(query, subject, evalue);
    }
    return found;
  }

  std::vector<JudgedPair> found(const AllPairs& pairs, const AllPairsOptions& options, std::size_t& stripes) {
    const FakeDevices devices({{.concurrency = 2}, {.hands_over_scores = true}});
    EngineCall call(devices.pointers);
    std::vector<JudgedPair> listed;
    std::size_t count = 0;
    all_pairs(pairs, scoring_, options, {}, call, [&](const Stripe& stripe, const StripeState&) {
      for (const test::FoundRow& row : test::rows_of(stripe.listed))
        listed.emplace_back(row.query, row.subject, *row.evalue);
      ++count;
    });
    std::ranges::sort(listed);
    stripes = std::max(stripes, count);
    return listed;
  }

  void expect_each(const AllPairs& pairs) {
    std::size_t dropped = 0, stripes = 0, rows = 0;
    for (const double limit : {10.0, 1e-6}) {
      AllPairsOptions options = options_of(limit, pairs.columns());
      const std::vector<JudgedPair> expected = each_by_itself(pairs, options, dropped);
      rows += expected.size();
      // With the least memory no sequences are kept.
      for (const std::uint64_t memory : {8ULL << 30, 4ULL << 20, 1ULL << 18})
        for (const bool shortcuts : {true, false})
          for (const Detail detail : {Detail::score, Detail::alignment}) {
            if (detail == Detail::alignment && memory == 8ULL << 30) continue;
            options.memory_bytes = memory;
            options.shortcuts = shortcuts;
            options.fields.detail = detail;
            ASSERT_EQ(found(pairs, options, stripes), expected) << limit << ", " << memory;
          }
    }
    EXPECT_GT(dropped, 100u);
    EXPECT_GT(rows, 100u);
    EXPECT_GT(stripes, 3u);
  }

  const Scoring scoring_ = make_scoring({});
  const SequenceSet set_ = proteins_to_collect(1, 90);
};

TEST_F(CollectedPairs, OfASet) { expect_each(AllPairs(set_, nullptr, false)); }

TEST_F(CollectedPairs, OfTwoSets) {
  const SequenceSet others = proteins_to_collect(2, 30);
  expect_each(AllPairs(others, &set_, false));
}

// The nearest, of which there may be as many as there are columns, are all pairs that pass.
TEST_F(CollectedPairs, OfTheNearest) {
  const AllPairs pairs(set_, nullptr, false, {}, AllPairs::Rows::whole);
  AllPairsOptions options = options_of(10, set_);
  std::size_t dropped = 0, stripes = 0;
  const std::vector<JudgedPair> expected = each_by_itself(pairs, options, dropped);
  options.nearest = {{PairValue::score}, set_.size()};
  for (const std::uint64_t memory : {8ULL << 30, 4ULL << 20, 1ULL << 18}) {
    options.memory_bytes = memory;
    EXPECT_EQ(found(pairs, options, stripes), expected) << memory;
  }
  EXPECT_GT(dropped, 100u);
}

// A pair that is not listed has no sparse value, and one of score 0 has one if 0 passes the cutoff.
TEST_F(CollectedPairs, AsSparseValues) {
  const AllPairs pairs(set_, nullptr, false);
  AllPairsOptions options = options_of(10, set_);
  std::size_t dropped = 0;
  std::vector<std::pair<Index, Index>> expected;
  for (const auto& [query, subject, evalue] : each_by_itself(pairs, options, dropped))
    expected.emplace_back(subject, query);
  std::ranges::sort(expected);
  options.cutoff = Cutoff{{PairValue::score}, 1};
  for (const bool listed : {true, false})
    for (const std::uint64_t memory : {8ULL << 30, 4ULL << 20, 1ULL << 18}) {
      options.listed = listed;
      options.memory_bytes = memory;
      const FakeDevices devices({FakeBehaviour{.concurrency = 2}});
      std::vector<std::pair<Index, Index>> actual;
      for (const SparseValue& value : test::all_pairs_on(devices.pointers, pairs, scoring_, options).sparse)
        actual.emplace_back(value.row, value.column);
      EXPECT_EQ(actual, expected) << listed << ", " << memory;
    }
}

// Masks may decide about the second test: that of a nearly equal pair does not see them.
TEST_F(CollectedPairs, NearlyEqualOnesAreTestedWithoutMasks) {
  const ResolvedStatistics statistics = options_of(10, set_).statistics;
  const auto judges = judges_of(set_, statistics, scoring_, StopFlag::never());
  const KeptSequences kept(set_, set_, scoring_, statistics, StopFlag::never());
  const auto adjuster = *stats::MatrixAdjuster::of(scoring_);
  std::size_t unmasked = 0, different = 0;
  for (Index i = 0; i < set_.size(); ++i)
    for (Index j = 0; j < set_.size(); ++j) {
      const std::int32_t score =
          align_reference(set_.residues(i), set_.residues(j), scoring_, Detail::score).score;
      if (score == 0) continue;
      const auto terms = adjuster.scale_terms(adjuster.frequencies(set_.residues(i)));
      const bool replaced = must_unmask(kept.query(i), kept.subject(j), score);
      EXPECT_EQ(replaced, kept.subject(j).has_masked &&
                              static_cast<double>(score) >=
                                  0.9 * static_cast<double>(std::min(kept.query(i).own, kept.query(j).own)));
      const Frequencies masked = kept.subject(j).frequencies,
                        taken = replaced ? adjuster.frequencies(set_.residues(j)) : masked;
      const auto evalue = [&](const Frequencies& subject) {
        const double scale = stats::MatrixAdjuster::predicted_scale(terms, subject);
        return *judges[i]->of(scale * score, set_.length(j)).evalue;
      };
      // A limit at which the two E-values lie on different sides, if there is one.
      const double between = std::sqrt(evalue(masked) * evalue(taken));
      const double limit = 10 * std::pow(between / (10 * kPredictedFactor), 1 / 0.7);
      const bool decides = limit < 10 && limit > 0 && evalue(masked) != evalue(taken);
      for (const double one : {10.0, 1e-5, decides ? limit : 1.0})
        ASSERT_EQ(kept.may_be_hit({i, j}, score, *judges[i], one), evalue(taken) <= predicted_evalue(one));
      unmasked += replaced;
      different += decides;
    }
  EXPECT_GT(unmasked, 20u);
  EXPECT_GT(different, 20u);
}

// Nothing is tested by composition for nucleotides.
TEST(CollectedPairsOfDna, AreThoseWithoutShortcutsOnEveryStrand) {
  test::Random random(3);
  SequenceSetBuilder builder(AlphabetKind::dna);
  test::Residues last = test::random_sequence(random, 100, 4);
  for (int k = 0; k < 60; ++k) {
    test::Residues one = test::random_sequence(random, 1 + test::below(random, 120), 4);
    if (k % 3 == 0) {
      one = last;
      for (Residue& residue : one)
        if (test::below(random, 8) == 0) residue = static_cast<Residue>(test::below(random, 4));
    }
    if (k % 6 == 0) {
      std::ranges::reverse(one);
      for (Residue& residue : one) residue = static_cast<Residue>(3 - residue);
    }
    builder.add("", one);
    last = one;
  }
  const SequenceSet set = builder.finish();
  const Scoring scoring = make_scoring({.preset = "blastn", .alphabet = AlphabetKind::dna});
  const AllPairs pairs(set, nullptr, false);
  AllPairsOptions options;
  options.statistics = test::published_statistics(scoring, set);
  options.statistics.composition = Composition::adjust;
  options.statistics.low_complexity = LowComplexity::statistics;
  options.filter.evalue = 10;
  options.fields.significance = true;
  options.fields.detail = Detail::alignment;
  for (const Strands strands : {Strands::plus, Strands::both}) {
    options.fields.strands = strands;
    std::vector<test::FoundRow> expected;
    for (const bool shortcuts : {false, true})
      for (const std::uint64_t memory : {8ULL << 30, 1ULL << 19}) {
        options.shortcuts = shortcuts;
        options.memory_bytes = memory;
        const FakeDevices devices({FakeBehaviour{.concurrency = 2}});
        const auto result = test::all_pairs_on(devices.pointers, pairs, scoring, options);
        if (expected.empty()) expected = result.listed;
        EXPECT_EQ(result.listed, expected) << shortcuts << ", " << memory;
      }
    EXPECT_GT(expected.size(), 10u);
  }
}

// The first stripe is planned for the share of pairs that pass in a sample. Nine of ten pairs pass, many more
// than the default share, and yet no stripe is too large and made again.
TEST(FirstStripe, IsPlannedForASample) {
  const SequenceSet set = test::random_sequences(4, 800, 8);
  const Scoring scoring = test::scoring_of({Mode::global}, {11, 1});
  AllPairsOptions options;
  options.listed = false;
  options.fields.detail = Detail::score;
  options.cutoff = Cutoff{{PairValue::score}, -1000};
  options.memory_bytes = 8 << 20;
  const AllPairs pairs(set, nullptr, false);
  std::vector<SparseValue> all;
  for (const std::uint64_t memory : {8ULL << 30, 8ULL << 20}) {
    options.memory_bytes = memory;
    const FakeDevices devices({FakeBehaviour{.hands_over_scores = true}});
    EngineCall call(devices.pointers);
    std::vector<SparseValue> sparse;
    std::size_t stripes = 0;
    double left = 0;
    all_pairs(pairs, scoring, options, {}, call, [&](const Stripe& stripe, const StripeState& after) {
      sparse.insert(sparse.end(), stripe.sparse.begin(), stripe.sparse.end());
      ++stripes;
      left = after.left;
    });
    EXPECT_EQ(left, 1);
    EXPECT_EQ(call.progress().pairs_done, call.progress().pairs_total);
    EXPECT_EQ(stripes > 1, memory == 8ULL << 20);
    if (all.empty()) all = sparse;
    EXPECT_EQ(sparse, all);
  }
  EXPECT_EQ(all.size(), pairs.pairs_from(0));
}

}  // namespace
}  // namespace alnus::engine
