// Hits of searches that judge by adjusted scores, compared with every pair computed by itself.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "engine/adjusted_scores.h"
#include "engine/search_driver.h"
#include "support/adjusted_score_reference.h"
#include "support/engine_call.h"
#include "support/fake_device.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeDevices;
using test::FoundHits;
using test::FoundRow;
using test::published_statistics;

// Returns proteins of all lengths, some with stretches of few letters, some relatives.
SequenceSet proteins(unsigned seed, std::uint32_t count) {
  test::Random random(seed);
  SequenceSetBuilder builder(AlphabetKind::protein);
  test::Residues last = test::random_sequence(random, 120);
  for (std::uint32_t k = 0; k < count; ++k) {
    test::Residues one = k % 3 == 0 ? test::relative(random, last, 30, 10)
                                    : test::random_sequence(random, 1 + test::below(random, 160));
    if (k % 4 == 0) {
      const test::Residues simple = test::repeat("QQPQ", 20 + test::below(random, 30));
      one.insert(one.begin() + static_cast<std::ptrdiff_t>(test::below(random, one.size() + 1)),
                 simple.begin(), simple.end());
    }
    builder.add("", one);
    last = one;
  }
  return builder.finish();
}

struct Expected {
  SequenceSet::Index subject = 0;
  std::int32_t score = 0;
  double evalue = 0, unadjusted = 0;
};

class AdjustedSearch : public testing::Test {
 protected:
  std::vector<Expected> of_query(SequenceSet::Index query, const SearchOptions& options) {
    const auto judge = stats::judge_of(queries_.residues(query),
                                       options.statistics.model(options.statistics.method), scoring_);
    const FakeDevices devices;
    EngineCall call(devices.pointers);
    const AdjustedScores adjusted(queries_, subjects_, scoring_, options.statistics);
    std::vector<AdjustedScores::Candidate> pairs;
    for (SequenceSet::Index s = 0; s < subjects_.size(); ++s)
      pairs.push_back(
          {{query, s},
           align_reference(queries_.residues(query), subjects_.residues(s), scoring_, Detail::score).score});
    const std::vector<std::optional<double>> scores =
        adjusted.of(pairs, std::numeric_limits<double>::infinity(), call);
    std::vector<Expected> hits;
    for (SequenceSet::Index s = 0; s < subjects_.size(); ++s) {
      const std::uint64_t length = subjects_.length(s);
      const std::int32_t score = pairs[s].score;
      if (score == 0 || length == 0) continue;
      const Expected one{s, score, *judge->of(*scores[s], length).evalue, *judge->of(score, length).evalue};
      const double predicted = *judge->of(scale({query, s}, score, options) * score, length).evalue;
      if (one.unadjusted <= candidate_evalue(options.statistics, scoring_, options.evalue()) &&
          predicted <= kPredictedFactor * widened(options.evalue()) && one.evalue <= options.evalue())
        hits.push_back(one);
    }
    std::ranges::sort(hits, [](const Expected& a, const Expected& b) {
      if (a.evalue != b.evalue) return a.evalue < b.evalue;
      return a.score != b.score ? a.score > b.score : a.subject < b.subject;
    });
    if (hits.size() > options.asked.max_target_seqs) hits.resize(options.asked.max_target_seqs);
    return hits;
  }

  // Returns the factor that predicts the adjusted score from the stated one.
  double scale(IndexPair pair, std::int32_t score, const SearchOptions& options) const {
    if (options.statistics.composition != Composition::adjust) return 1;
    const auto adjuster = stats::MatrixAdjuster::of(scoring_);
    const std::span<const Residue> query = queries_.residues(pair.query),
                                   residues = subjects_.residues(pair.subject);
    const bool masks = options.statistics.low_complexity == LowComplexity::statistics;
    return stats::MatrixAdjuster::predicted_scale(
        adjuster->scale_terms(adjuster->frequencies(query)),
        adjuster->frequencies(masks
                                  ? test::with_masked_low_complexity(residues, query, score, scoring_.matrix)
                                  : test::Residues(residues.begin(), residues.end())));
  }

  void expect_hits(const SearchOptions& options) {
    const FakeDevices devices({{.concurrency = 2, .dawdle = true}, {}});
    EngineCall call(devices.pointers);
    FoundHits found;
    search(queries_, test::sorted(subjects_), scoring_, options, call,
           [&](SearchBatch& batch) { found.take(batch); });
    std::size_t next = 0, total = 0;
    for (SequenceSet::Index query = 0; query < queries_.size(); ++query) {
      for (const Expected& hit : of_query(query, options)) {
        ASSERT_LT(next, found.rows.size());
        const FoundRow& row = found.rows[next++];
        EXPECT_EQ(row.query, query);
        EXPECT_EQ(row.subject, hit.subject);
        EXPECT_EQ(row.alignment.score, hit.score);
        EXPECT_EQ(row.evalue, hit.evalue);
        ++total;
      }
    }
    EXPECT_EQ(found.rows.size(), total);
    EXPECT_GT(total, queries_.size());
  }

  SearchOptions options(Composition composition, LowComplexity low_complexity) {
    SearchOptions result;
    result.statistics = published_statistics(scoring_, subjects_);
    result.statistics.composition = composition;
    result.statistics.low_complexity = low_complexity;
    return result;
  }

  const Scoring scoring_ = make_scoring({});
  const SequenceSet queries_ = proteins(1, 12), subjects_ = proteins(2, 300);
};

TEST_F(AdjustedSearch, HitsAreThoseOfEveryPairDoneByItself) {
  for (const Composition composition : {Composition::adjust, Composition::none})
    for (const LowComplexity low_complexity : {LowComplexity::statistics, LowComplexity::none})
      for (const Detail detail : {Detail::score, Detail::alignment})
        for (const std::uint32_t most : {500, 3}) {
          if (composition == Composition::none && low_complexity == LowComplexity::none) continue;
          SearchOptions wanted = options(composition, low_complexity);
          wanted.asked.detail = detail;
          wanted.asked.max_target_seqs = most;
          ASSERT_NO_FATAL_FAILURE(expect_hits(wanted));
        }
}

TEST_F(AdjustedSearch, LittleMemory) {
  SearchOptions wanted = options(Composition::adjust, LowComplexity::statistics);
  wanted.memory_bytes = 8 << 20;
  expect_hits(wanted);
}

// A region of low complexity that two proteins share makes a hit without the mask, but none with it.
TEST_F(AdjustedSearch, SharedLowComplexityIsNoHit) {
  test::Random random(9);
  const auto with_repeat = [&](const char* unit) {
    test::Residues one = test::random_sequence(random, 100);
    const test::Residues simple = test::repeat(unit, 40);
    one.insert(one.begin() + 50, simple.begin(), simple.end());
    SequenceSetBuilder builder(AlphabetKind::protein);
    builder.add("", one);
    return builder.finish();
  };
  const SequenceSet query = with_repeat("Q"), subject = with_repeat("Q");
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  const std::vector<AdjustedScores::Candidate> pair{{{0, 0}}};
  const auto score = [&](Composition composition, LowComplexity low_complexity) {
    return *AdjustedScores(query, subject, scoring_, options(composition, low_complexity).statistics)
                .of(pair, std::numeric_limits<double>::infinity(), call)[0];
  };
  const double plain = score(Composition::adjust, LowComplexity::none);
  EXPECT_LT(plain, 200);  // by the stated matrix 40 glutamines score 200
  EXPECT_LT(score(Composition::none, LowComplexity::statistics), 60);
  EXPECT_LT(score(Composition::adjust, LowComplexity::statistics), 60);
}

// A query of low complexity finds itself and its near relatives, because these subjects are not masked.
TEST_F(AdjustedSearch, NearlyIdenticalSubjectsAreNotMasked) {
  const std::string glycines =
      "MDPGPKGHCHCGGHGHPPGHCGPPPGHGPGPCGPPPHHGPGPCGPPPGHGPGHPPPGPHH";  // similar to human PHGR1
  std::string relative = glycines, stranger = glycines;
  relative[20] = 'A';
  std::ranges::reverse(stranger);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (const std::string& letters : {glycines, relative, stranger}) builder.add("", test::encode(letters));
  const SequenceSet set = builder.finish();
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  std::vector<AdjustedScores::Candidate> pairs;
  for (SequenceSet::Index s = 0; s < set.size(); ++s)
    pairs.push_back(
        {{0, s}, align_reference(set.residues(0), set.residues(s), scoring_, Detail::score).score});
  const SearchOptions masked = options(Composition::adjust, LowComplexity::statistics);
  const SearchOptions plain = options(Composition::adjust, LowComplexity::none);
  const auto scores = [&](const SearchOptions& options) {
    return AdjustedScores(set, set, scoring_, options.statistics)
        .of(pairs, std::numeric_limits<double>::infinity(), call);
  };
  const std::vector<std::optional<double>> found = scores(masked), unmasked = scores(plain);
  EXPECT_EQ(found[0], unmasked[0]);
  EXPECT_EQ(found[1], unmasked[1]);
  EXPECT_LT(*found[2], 0.5 * *unmasked[2]);
}

TEST_F(AdjustedSearch, NothingToAlignIsScoreNull) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (const char* letters : {"", "X", "XXXXXXXXXXXXXXXXXXXX", "QQQQQQQQQQQQQQQQQQQQQQQQQ", "*"})
    builder.add("", test::encode(letters));
  const SequenceSet extremes = builder.finish();
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  std::vector<AdjustedScores::Candidate> pairs;
  for (SequenceSet::Index q = 0; q < extremes.size(); ++q)
    for (SequenceSet::Index s = 0; s < extremes.size(); ++s) pairs.push_back({{q, s}});
  const std::vector<std::optional<double>> scores =
      AdjustedScores(extremes, extremes, scoring_,
                     options(Composition::adjust, LowComplexity::statistics).statistics)
          .of(pairs, std::numeric_limits<double>::infinity(), call);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [query, subject] = pairs[k].pair;
    const bool stop = query == 4 && subject == 4;  // only a stop aligns with a stop
    EXPECT_EQ(scores[k], stop ? 1 : 0) << query << ' ' << subject;
  }
}

}  // namespace
}  // namespace alnus::engine
