// Adjusted scores of parts of pairs: AdjustedScores::within().
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <vector>

#include "engine/adjusted_scores.h"
#include "support/adjusted_score_reference.h"
#include "support/engine_call.h"
#include "support/matrix_score.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

using test::EngineCall;

// Returns sequences of which some have regions of low complexity, and some are relatives of others.
SequenceSet sequences(unsigned seed, AlphabetKind kind) {
  test::Random random(seed);
  const std::size_t letters = kind == AlphabetKind::dna ? 4 : 20;
  std::vector<test::Residues> all;
  const test::Residues ancestor = test::random_sequence(random, 90, letters);
  for (int k = 0; k < 8; ++k) {
    test::Residues one =
        k % 2 ? ancestor : test::random_sequence(random, 60 + test::below(random, 40), letters);
    for (int change = 0; change < 4 * k; ++change)
      one[test::below(random, one.size())] = static_cast<Residue>(test::below(random, letters));
    if (k % 4 > 1) {
      test::Residues simple = test::encode("ACACACACACACACACACACACACACACACAC", kind);
      one.insert(one.begin() + static_cast<std::ptrdiff_t>(test::below(random, one.size())), simple.begin(),
                 simple.end());
    }
    all.push_back(std::move(one));
  }
  return test::make_set(all, kind);
}

struct Choice {
  AlphabetKind kind;
  Composition composition;
  LowComplexity low_complexity;
};

class AdjustedParts : public testing::TestWithParam<Choice> {
 protected:
  AdjustedParts() {
    options_ = test::published_statistics(scoring_, subjects_);
    options_.composition = GetParam().composition;
    options_.low_complexity = GetParam().low_complexity;
    for (SequenceSet::Index q = 0; q < queries_.size(); ++q)
      for (SequenceSet::Index s = 0; s < subjects_.size(); ++s) {
        const std::int32_t best =
            align_reference(queries_.residues(q), subjects_.residues(s), scoring_, Detail::score).score;
        parts_.push_back({{q, s}, best, best, {0, queries_.length(q)}, {0, subjects_.length(s)}});
      }
  }

  const Scoring scoring_ = GetParam().kind == AlphabetKind::dna
                               ? make_scoring({.preset = "blastn", .alphabet = AlphabetKind::dna})
                               : make_scoring({});
  const SequenceSet queries_ = sequences(1, GetParam().kind), subjects_ = sequences(2, GetParam().kind);
  ResolvedStatistics options_;
  std::vector<AdjustedScores::Part> parts_;
};

TEST_P(AdjustedParts, TheWholeRectangleHasTheScoreOfThePair) {
  EngineCall call({});
  const AdjustedScores adjusted(queries_, subjects_, scoring_, options_);
  std::vector<AdjustedScores::Candidate> candidates;
  for (const AdjustedScores::Part& part : parts_) candidates.push_back({part.pair, part.best});
  const auto of_pairs = adjusted.of(candidates, std::numeric_limits<double>::infinity(), call);
  const std::vector<double> of_parts = adjusted.within(parts_, call);
  for (std::size_t k = 0; k < parts_.size(); ++k) EXPECT_EQ(of_parts[k], of_pairs[k]) << k;
}

TEST_P(AdjustedParts, ARectangleCanScoreNoMoreThanItsPair) {
  EngineCall call({});
  const AdjustedScores adjusted(queries_, subjects_, scoring_, options_);
  const std::vector<double> whole = adjusted.within(parts_, call);
  test::Random random{5};
  for (AdjustedScores::Part& part : parts_) {
    const auto cut = [&](Region& region) {
      region.begin = test::below(random, region.end);
      region.end = region.begin + 1 + test::below(random, region.end - region.begin);
    };
    cut(part.query);
    cut(part.subject);
    part.score = align_reference(
                     queries_.residues(part.pair.query).subspan(part.query.begin, part.query.size()),
                     subjects_.residues(part.pair.subject).subspan(part.subject.begin, part.subject.size()),
                     scoring_, Detail::score)
                     .score;
  }
  const std::vector<double> of_parts = adjusted.within(parts_, call);
  int lower = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    EXPECT_LE(of_parts[k], whole[k]) << k;
    lower += of_parts[k] < whole[k];
  }
  EXPECT_GT(lower, 20);
  if (GetParam().composition != Composition::adjust || GetParam().kind == AlphabetKind::dna ||
      GetParam().low_complexity == LowComplexity::none)
    return;
  // By references alone, of proteins whose matrices are adjusted.
  test::AdjustedScoreReference reference(scoring_);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const auto& [pair, best, score, of_query, of_subject, barred] = parts_[k];
    const auto query = reference.query(queries_.residues(pair.query)),
               subject =
                   reference.subject(subjects_.residues(pair.subject), queries_.residues(pair.query), best);
    const std::int64_t expected =
        test::matrix_score(std::span(query.residues).subspan(of_query.begin, of_query.size()),
                           std::span(subject.residues).subspan(of_subject.begin, of_subject.size()),
                           reference.matrix(query, subject), reference.open(), reference.extend());
    EXPECT_EQ(of_parts[k] * reference.adjuster().factor(), expected) << k;
  }
}

// A sequence is its own subject: without the residues of the main diagonal it scores what is left.
TEST_P(AdjustedParts, WhatIsBarredIsNotAligned) {
  EngineCall call({});
  const AdjustedScores adjusted(queries_, queries_, scoring_, options_);
  for (SequenceSet::Index q = 0; q < queries_.size(); ++q) {
    const auto residues = queries_.residues(q);
    std::vector<ResiduePair> diagonal;
    for (std::size_t i = 0; i < residues.size(); ++i) diagonal.push_back({i, i});
    const auto several = several_alignments_reference(residues, residues, scoring_, 2);
    const AdjustedScores::Part whole{
        {q, q}, several[0].score, several[0].score, {0, residues.size()}, {0, residues.size()}};
    AdjustedScores::Part rest = whole;
    rest.score = several.at(1).score;
    rest.barred = [&] { return diagonal; };
    const double of_whole = adjusted.within({&whole, 1}, call).front(),
                 of_rest = adjusted.within({&rest, 1}, call).front();
    EXPECT_LT(of_rest, of_whole / 2) << q;
    if (GetParam().composition == Composition::none) {
      EXPECT_LE(of_rest, rest.score) << q;
    }
  }
}

TEST_P(AdjustedParts, ThePredictedScaleIsThatOfBothCompositions) {
  EngineCall call({});
  const AdjustedScores adjusted(queries_, subjects_, scoring_, options_);
  std::vector<AdjustedScores::Candidate> candidates;
  for (const AdjustedScores::Part& part : parts_) candidates.push_back({part.pair, part.best});
  const std::vector<double> scales = adjusted.predicted_scales(candidates, call);
  if (GetParam().composition != Composition::adjust || GetParam().kind == AlphabetKind::dna) {
    EXPECT_TRUE(scales.empty());
    return;
  }
  const auto adjuster = *stats::MatrixAdjuster::of(scoring_);
  const test::AdjustedScoreReference reference(scoring_);
  ASSERT_EQ(scales.size(), candidates.size());
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const auto [query, subject] = candidates[k].pair;
    const auto q = queries_.residues(query), s = subjects_.residues(subject);
    const test::Residues as_scored = GetParam().low_complexity == LowComplexity::none
                                         ? test::Residues(s.begin(), s.end())
                                         : reference.subject(s, q, candidates[k].score).residues;
    EXPECT_EQ(scales[k], stats::MatrixAdjuster::predicted_scale(adjuster.scale_terms(adjuster.frequencies(q)),
                                                                adjuster.frequencies(as_scored)))
        << k;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Choices, AdjustedParts,
    testing::Values(Choice{AlphabetKind::protein, Composition::adjust, LowComplexity::statistics},
                    Choice{AlphabetKind::protein, Composition::adjust, LowComplexity::none},
                    Choice{AlphabetKind::protein, Composition::none, LowComplexity::statistics},
                    Choice{AlphabetKind::dna, Composition::adjust, LowComplexity::statistics},
                    Choice{AlphabetKind::dna, Composition::none, LowComplexity::statistics}),
    [](const auto& info) {
      return std::string(info.param.kind == AlphabetKind::dna ? "Dna" : "Proteins") +
             (info.param.composition == Composition::adjust ? "Adjusted" : "") +
             (info.param.low_complexity == LowComplexity::statistics ? "Masked" : "");
    });

}  // namespace
}  // namespace alnus::engine
