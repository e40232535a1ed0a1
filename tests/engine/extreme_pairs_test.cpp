// Adjusted scores of 25,000 pairs of extreme composition and length equal those of AdjustedScoreReference
// with every instruction set. Under sanitizers there are 4,000 pairs. With ALNUS_FULL_TESTS=1 (see
// support/sizes.h) there are 100,000.
#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cpu/isa_choice.h"
#include "engine/adjusted_scores.h"
#include "support/adjusted_score_reference.h"
#include "support/device_check.h"
#include "support/engine_call.h"
#include "support/extreme_proteins.h"
#include "support/matrix_score.h"
#include "support/sizes.h"

namespace alnus::engine {
namespace {

using Scores = std::vector<std::optional<double>>;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct Rectangle {
  std::string matrix;
  std::uint32_t queries = 0, subjects = 0;
};
void PrintTo(const Rectangle& rectangle, std::ostream* out) { *out << rectangle.matrix; }
// Together these rectangles have 100,100 pairs.
const Rectangle kRectangles[] = {{"BLOSUM62", 220, 300}, {"BLOSUM45", 110, 155}, {"PAM30", 110, 155}};

// Returns half of `count`, and under sanitizers a fifth, except in the full tests.
std::uint32_t sampled(std::uint32_t count) {
  return test::full_tests() ? count : count / (test::kSanitized ? 5 : 2);
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const cpu::KernelSet* kernels : cpu::supported_kernels()) names.emplace_back(kernels->isa);
  return names;
}

Scoring scoring_of(const std::string& matrix) {
  ScoringOptions options;
  options.matrix = matrix;
  return make_scoring(options);
}

// The pairs of every query with every subject.
class ExtremePairs : public testing::Test {
 protected:
  using Reference = test::AdjustedScoreReference;

  ExtremePairs(const Scoring& scoring, std::uint32_t queries, std::uint32_t subjects)
      : scoring_(scoring),
        queries_(test::extreme_proteins(1, sampled(queries))),
        subjects_(test::extreme_proteins(2, sampled(subjects))) {
    for (SequenceSet::Index q = 0; q < queries_.size(); ++q)
      for (SequenceSet::Index s = 0; s < subjects_.size(); ++s) pairs_.push_back({q, s});
  }

  ResolvedStatistics options(Composition composition) const {
    ResolvedStatistics result = test::published_statistics(scoring_, subjects_);
    result.composition = composition;
    result.low_complexity = LowComplexity::statistics;
    return result;
  }

  // Returns the adjusted scores. If there are `judges`, they judge every second pair (is_judged()). A judged
  // pair may be left without a score.
  Scores adjusted(const ResolvedStatistics& options, double limit, const std::string& isa = "auto",
                  const std::vector<stats::ScoreJudgePtr>& judges = {}) const {
    std::vector<AdjustedScores::Candidate> candidates;
    for (const IndexPair& pair : pairs_) {
      candidates.push_back({pair});
      if (judges.empty() || !is_judged(candidates.size() - 1)) continue;
      candidates.back().judge = judges[pair.query].get();
      candidates.back().score = stated_score(pair);
    }
    test::EngineCall call({});
    call->isa = isa;
    return AdjustedScores(queries_, subjects_, scoring_, options).of(candidates, limit, call);
  }
  static bool is_judged(std::size_t pair) { return pair % 2 == 1; }
  std::int32_t stated_score(IndexPair pair) const {
    const test::Residues query = test::without_case(queries_.residues(pair.query)),
                         subject = test::without_case(subjects_.residues(pair.subject));
    const PairScores stated = scores_of([&](Residue q, Residue s) { return scoring_.matrix.value(q, s); });
    return static_cast<std::int32_t>(
        test::matrix_score(query, subject, stated, scoring_.open, scoring_.extend));
  }
  template <typename Score>
  static PairScores scores_of(Score score) {
    PairScores result;
    for (std::size_t q = 0; q < kMaxLetters; ++q)
      for (std::size_t s = 0; s < kMaxLetters; ++s)
        result[s * kMaxLetters + q] = score(static_cast<Residue>(q), static_cast<Residue>(s));
    return result;
  }
  // Expects equal scores, bit by bit. Only pairs that were judged may have no score.
  void expect_equal(const Scores& found, const std::vector<double>& expected, bool judged = false) const {
    ASSERT_EQ(found.size(), expected.size());
    int wrong = 0;
    for (std::size_t k = 0; k < found.size() && wrong < 5; ++k) {
      if (!found[k] && judged && is_judged(k)) continue;
      const bool equal = found[k] && std::isfinite(*found[k]) &&
                         std::bit_cast<std::uint64_t>(*found[k]) == std::bit_cast<std::uint64_t>(expected[k]);
      EXPECT_TRUE(equal) << describe(k) << found[k].value_or(NAN) << " is not " << expected[k];
      wrong += !equal;
    }
  }

  std::string describe(std::size_t pair) const {
    const auto letters = [](const SequenceView& sequence) {
      constexpr std::size_t kShown = 60;
      return fmt::format("{}, {} residues: {}\n", sequence.header, sequence.size(),
                         test::decode(sequence.residues.first(std::min(sequence.size(), kShown))));
    };
    return letters(queries_[pairs_[pair].query]) + letters(subjects_[pairs_[pair].subject]);
  }

  // Expects finite bit scores and E-values. An E-value may be 0 only if it is too small for a double.
  void expect_significance(const ResolvedStatistics& options, const std::vector<double>& scores) const {
    for (const StatisticsMethod method : {StatisticsMethod::spouge, StatisticsMethod::karlin}) {
      const std::vector<stats::ScoreJudgePtr> judges =
          stats::judges_of(queries_, options.model(method), scoring_);
      for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const std::size_t length = subjects_.length(pairs_[k].subject);
        const stats::ScoreJudge* judge = judges[pairs_[k].query].get();
        ASSERT_EQ(judge == nullptr, queries_.length(pairs_[k].query) == 0);
        if (judge == nullptr || length == 0) continue;
        const Significance found = judge->of(scores[k], length);
        constexpr double kUnderflow = 650;  // in units of 1 / lambda; E-values of higher scores may be 0
        const double nats = options.parameters->lambda * scores[k] / scoring_.scale;
        ASSERT_TRUE(std::isfinite(*found.bits)) << describe(k);
        ASSERT_TRUE(std::isfinite(*found.evalue)) << describe(k);
        ASSERT_TRUE(*found.evalue > 0 || (*found.evalue == 0 && nats > kUnderflow))
            << describe(k) << "score " << scores[k] << ", E-value " << *found.evalue;
      }
    }
  }

  const Scoring scoring_;
  const SequenceSet queries_, subjects_;
  std::vector<IndexPair> pairs_;
};

class AdjustedExtremePairs : public ExtremePairs, public testing::WithParamInterface<Rectangle> {
 protected:
  AdjustedExtremePairs()
      : ExtremePairs(scoring_of(GetParam().matrix), GetParam().queries, GetParam().subjects) {
    for (SequenceSet::Index q = 0; q < queries_.size(); ++q)
      by_query_.push_back(reference_.query(queries_.residues(q)));
    for (SequenceSet::Index s = 0; s < subjects_.size(); ++s)
      by_subject_.push_back(reference_.subject(subjects_.residues(s)));
  }

  // Returns the scores of AdjustedScoreReference, and checks some of them by align_reference() with the
  // pair's matrix.
  std::vector<double> expected() {
    std::vector<double> scores;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const Reference::Sequence &query = by_query_[pairs_[k].query],
                                &subject = by_subject_[pairs_[k].subject];
      scores.push_back(reference_.score(query, subject));
      constexpr std::size_t kEvery = 97, kMostCells = 1'000'000;
      if (k % kEvery == 0 && query.residues.size() * subject.residues.size() < kMostCells) {
        EXPECT_EQ(scores.back(), by_align_reference(query, subject)) << describe(k);
      }
    }
    return scores;
  }
  // Returns `scores` as they are when pairs are judged. Judged pairs have a score by the stated matrix, which
  // shows if they are nearly identical. The subject of a nearly identical pair is not masked, so that its
  // score is another one.
  std::vector<double> with_stated_scores(std::vector<double> scores) {
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      if (!is_judged(k)) continue;
      const auto query = queries_.residues(pairs_[k].query), subject = subjects_.residues(pairs_[k].subject);
      const Reference::Sequence seen = reference_.subject(subject, query, stated_score(pairs_[k]));
      if (seen.residues != by_subject_[pairs_[k].subject].residues)
        scores[k] = reference_.score(by_query_[pairs_[k].query], seen);
    }
    return scores;
  }
  double by_align_reference(const Reference::Sequence& query, const Reference::Sequence& subject) {
    const PairScores scores = reference_.matrix(query, subject);
    Scoring scoring = scoring_;
    scoring.matrix = test::matrix_of([&](int q, int s) {
      return scores[static_cast<std::size_t>(s) * kMaxLetters + static_cast<std::size_t>(q)];
    });
    scoring.open = reference_.open();
    scoring.extend = reference_.extend();
    return static_cast<double>(
               align_reference(query.residues, subject.residues, scoring, Detail::score).score) /
           reference_.adjuster().factor();
  }

  Reference reference_{scoring_};
  std::vector<Reference::Sequence> by_query_, by_subject_;
};

TEST_P(AdjustedExtremePairs, ScoresAreThoseOfTheReference) {
  const auto nothing_known = [](const Reference::Sequence& sequence) {
    return !sequence.residues.empty() && std::ranges::all_of(sequence.residues, [](Residue residue) {
      return residue == Alphabet::protein().encode('X');
    });
  };
  EXPECT_GT(std::ranges::count_if(by_subject_, nothing_known), std::ssize(by_subject_) / 6);

  const std::vector<double> scores = expected();
  EXPECT_GT(std::ranges::count_if(scores, [](double score) { return score > 0; }), std::ssize(scores) / 4);
  const ResolvedStatistics adjust = options(Composition::adjust);
  for (const std::string& isa : instruction_sets()) {
    SCOPED_TRACE(isa);
    expect_equal(adjusted(adjust, kNoLimit, isa), scores);
  }
  expect_significance(adjust, scores);

  // With a limit, coarse scores are computed first, and judged pairs may be left without a score.
  const std::vector<stats::ScoreJudgePtr> judges =
      stats::judges_of(queries_, adjust.model(StatisticsMethod::spouge), scoring_);
  const Scores judged = adjusted(adjust, 10, "auto", judges);
  expect_equal(judged, with_stated_scores(scores), true);
  for (const bool left_out : {false, true}) {
    std::size_t count = 0;
    for (std::size_t k = 1; k < judged.size(); k += 2) count += judged[k].has_value() != left_out;
    EXPECT_GT(count, judged.size() / 100) << left_out;
  }
}

// Compares the scores of all letters, including those that are not in the pair.
TEST_P(AdjustedExtremePairs, MatricesAreThoseOfTheReference) {
  constexpr SequenceSet::Index kEvery = 9;
  const auto adjuster = stats::MatrixAdjuster::of(scoring_);
  for (SequenceSet::Index q = 0; q < queries_.size(); ++q) {
    std::vector<SequenceSet::Index> some;
    std::vector<Frequencies> frequencies;
    for (SequenceSet::Index s = q % kEvery; s < subjects_.size(); s += kEvery) {
      some.push_back(s);
      frequencies.push_back(adjuster->frequencies(by_subject_[s].residues));
    }
    std::vector<const Frequencies*> pointers;
    for (const Frequencies& one : frequencies) pointers.push_back(&one);
    std::vector<PairScores> found(some.size());
    stats::make_matrices(adjuster->adjustment(), adjuster->frequencies(by_query_[q].residues), pointers,
                         found);
    for (std::size_t k = 0; k < some.size(); ++k)
      ASSERT_EQ(found[k], reference_.matrix(by_query_[q], by_subject_[some[k]])) << q << ' ' << some[k];
  }
  const std::size_t matrices = queries_.size() * subjects_.size() / kEvery;
  EXPECT_LT(reference_.ties(), static_cast<std::int64_t>(1 + matrices / 100));
}

INSTANTIATE_TEST_SUITE_P(Engine, AdjustedExtremePairs, testing::ValuesIn(kRectangles),
                         [](const auto& info) { return info.param.matrix; });

// Returns a scoring whose matrix cannot be adjusted. By default E-values then depend on the query's letters
// (Composition::scale).
Scoring not_adjustable(const std::function<int(int query, int subject, int stated)>& change) {
  Scoring scoring = scoring_of("BLOSUM62");
  const SubstitutionMatrix stated = scoring.matrix;
  scoring.matrix = test::matrix_of([&](int q, int s) {
    return change(q, s, stated.value(static_cast<Residue>(q), static_cast<Residue>(s)));
  });
  return scoring;
}
const Residue kStop = Alphabet::protein().encode('*');

struct ScaledExtremePairs : ExtremePairs {
  explicit ScaledExtremePairs(const Scoring& scoring) : ExtremePairs(scoring, 90, 120) {}

  void expect_scores_of_the_stated_matrix() {
    EXPECT_FALSE(stats::MatrixAdjuster::of(scoring_));
    const Residue unknown = Alphabet::protein().encode('X');
    const PairScores stated = scores_of([&](Residue q, Residue s) {
      return q == unknown || s == unknown ? -scoring_.scale : scoring_.matrix.value(q, s);
    });
    std::vector<double> expected;
    for (const auto [q, s] : pairs_)
      expected.push_back(static_cast<double>(test::matrix_score(
          test::without_case(queries_.residues(q)), test::with_masked_low_complexity(subjects_.residues(s)),
          stated, scoring_.open, scoring_.extend)));
    for (const std::string& isa : instruction_sets())
      expect_equal(adjusted(options(Composition::scale), kNoLimit, isa), expected);
    expect_significance(options(Composition::scale), expected);
  }
};

struct LopsidedExtremePairs : ScaledExtremePairs {
  LopsidedExtremePairs()
      : ScaledExtremePairs(
            not_adjustable([](int query, int, int stated) { return stated - (query == kStop); })) {}
};
TEST_F(LopsidedExtremePairs, ScoresAreThoseOfTheStatedMatrix) { expect_scores_of_the_stated_matrix(); }

// A stop with a stop scores -600, which is -191 when multiplied by lambda.
struct SteepExtremePairs : ScaledExtremePairs {
  SteepExtremePairs()
      : ScaledExtremePairs(not_adjustable([](int query, int subject, int stated) {
          return query == kStop && subject == kStop ? -600 : stated;
        })) {}
};
TEST_F(SteepExtremePairs, ScoresAreThoseOfTheStatedMatrix) { expect_scores_of_the_stated_matrix(); }

}  // namespace
}  // namespace alnus::engine
