// Adjusted scores of nucleotides: DUST masks the query, and the compositions of both sequences scale the
// score.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <vector>

#include "core/dust.h"
#include "engine/adjusted_scores.h"
#include "stats/pair_scale.h"
#include "support/device_check.h"
#include "support/engine_call.h"
#include "support/fake_device.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeDevices;

// Returns nucleotide sequences without N: some of few letters, some with a microsatellite, and relatives.
SequenceSet nucleotides(unsigned seed, std::uint32_t count) {
  test::Random random(seed);
  SequenceSetBuilder builder(AlphabetKind::dna);
  test::Residues last = test::random_sequence(random, 120, 4);
  for (std::uint32_t k = 0; k < count; ++k) {
    test::Residues one = test::random_sequence(random, 1 + test::below(random, 160), 4);
    if (k % 3 == 0)
      for (std::size_t i = 0; i < std::min(one.size(), last.size()); ++i)
        if (test::below(random, 10) > 0) one[i] = last[i];
    if (k % 4 == 0) {
      const test::Residues simple = test::encode("ACACACACACACACACACACACACACA", AlphabetKind::dna);
      one.insert(one.begin() + static_cast<std::ptrdiff_t>(test::below(random, one.size() + 1)),
                 simple.begin(), simple.end());
    }
    if (k % 5 == 0)
      for (Residue& residue : one)
        if (test::below(random, 3) > 0) residue = static_cast<Residue>(residue % 2 == 0 ? 0 : 3);  // A or T
    builder.add("", one);
    last = one;
  }
  return builder.finish();
}

class AdjustedDna : public testing::Test {
 protected:
  AdjustedDna() {
    for (SequenceSet::Index q = 0; q < queries_.size(); ++q)
      for (SequenceSet::Index s = 0; s < subjects_.size(); ++s) pairs_.push_back({q, s});
  }
  AdjustedScores scores(Composition composition, LowComplexity low_complexity) const {
    ResolvedStatistics options = test::published_statistics(scoring_, subjects_);
    options.composition = composition;
    options.low_complexity = low_complexity;
    return AdjustedScores(queries_, subjects_, scoring_, options);
  }
  std::vector<std::int32_t> own_scores() const {
    std::vector<std::int32_t> result;
    for (const auto& [query, subject] : pairs_)
      result.push_back(
          align_reference(queries_.residues(query), subjects_.residues(subject), scoring_, Detail::score)
              .score);
    return result;
  }

  const Scoring scoring_ = make_scoring({.preset = "blastn", .alphabet = AlphabetKind::dna});
  const SequenceSet queries_ = nucleotides(1, 20), subjects_ = nucleotides(2, 40);
  std::vector<IndexPair> pairs_;
};

TEST_F(AdjustedDna, AreThoseOfTheMaskedQueryTimesWhatTheyAreWorth) {
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  const Residue unknown = Alphabet::dna().encode('N');
  Scoring of_masks = scoring_;
  of_masks.matrix = test::matrix_of(
      [&](int query, int subject) {
        return query == unknown || subject == unknown ? -1 : query == subject ? 2 : -3;
      },
      AlphabetKind::dna);
  const auto scale = stats::PairScale::of(scoring_);
  ASSERT_TRUE(scale.has_value());
  const std::vector<std::int32_t> own = own_scores();
  std::vector<AdjustedScores::Candidate> candidates;
  for (std::size_t k = 0; k < pairs_.size(); ++k) candidates.push_back({pairs_[k], own[k]});
  for (const Composition composition : {Composition::adjust, Composition::none})
    for (const LowComplexity low_complexity : {LowComplexity::statistics, LowComplexity::none}) {
      const std::vector<std::optional<double>> found =
          scores(composition, low_complexity).of(candidates, std::numeric_limits<double>::infinity(), call);
      int lower = 0;
      for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const std::span<const Residue> given = queries_.residues(pairs_[k].query),
                                       subject = subjects_.residues(pairs_[k].subject);
        test::Residues query(given.begin(), given.end());
        if (low_complexity == LowComplexity::statistics) {
          Dust dust;
          for (const Region& region : dust.find(given))
            std::fill_n(query.begin() + static_cast<std::ptrdiff_t>(region.begin), region.size(), unknown);
        }
        double expected = align_reference(query, subject, of_masks, Detail::score).score;
        if (composition == Composition::adjust)
          expected *=
              scale->worth(stats::PairScale::frequencies(query), stats::PairScale::frequencies(subject));
        EXPECT_EQ(found[k], expected);
        lower += expected < align_reference(given, subject, scoring_, Detail::score).score;
      }
      EXPECT_EQ(lower > 20,
                composition == Composition::adjust || low_complexity == LowComplexity::statistics);
    }
}

}  // namespace
}  // namespace alnus::engine
