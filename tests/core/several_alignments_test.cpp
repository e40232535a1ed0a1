// several_alignments_reference() gives what the definition says, found here by listing every alignment.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "alnus/alignment.h"
#include "core/aligned_pairs.h"
#include "support/device_check.h"
#include "support/scorings.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using Cells = std::set<std::pair<std::size_t, std::size_t>>;

Cells pairs_of(const Alignment& alignment) {
  Cells cells;
  for_each_aligned_pair(alignment, [&](std::size_t i, std::size_t j) { cells.emplace(i, j); });
  return cells;
}

bool share(const Cells& a, const Cells& b) {
  return std::ranges::any_of(a, [&](const auto& cell) { return b.contains(cell); });
}

// Every alignment of a pair: each sequence of steps between two cells in which alignments may begin and end.
class EveryAlignment {
 public:
  struct Found {
    std::int64_t score;
    Cells cells;
  };

  EveryAlignment(const Residues& query, const Residues& subject, const Scoring& scoring)
      : query_(query), subject_(subject), scoring_(scoring) {
    for (std::size_t i = 0; i <= query.size(); ++i)
      for (std::size_t j = 0; j <= subject.size(); ++j)
        if (may_begin(i, j)) extend(i, j, 0, Step::none, {});
  }

  // Returns the highest score of the alignments that share no aligned pair with `barred`, and that have a
  // pair.
  std::optional<std::int64_t> best_without(const Cells& barred) const {
    std::optional<std::int64_t> best;
    for (const Found& found : found_)
      if (!found.cells.empty() && !share(found.cells, barred) && (!best || found.score > *best))
        best = found.score;
    return best;
  }

 private:
  enum class Step { none, pair, deletion, insertion };

  bool may_begin(std::size_t i, std::size_t j) const {
    if (scoring_.mode == Mode::local) return true;
    return (i == 0 || scoring_.free_ends.query_begin) && (j == 0 || scoring_.free_ends.subject_begin) &&
           (i == 0 || j == 0);
  }
  bool may_end(std::size_t i, std::size_t j) const {
    if (scoring_.mode == Mode::local) return true;
    return (i == query_.size() && (j == subject_.size() || scoring_.free_ends.subject_end)) ||
           (j == subject_.size() && scoring_.free_ends.query_end);
  }
  void extend(std::size_t i, std::size_t j, std::int64_t score, Step last, const Cells& cells) {
    if (may_end(i, j)) found_.push_back({score, cells});
    if (i < query_.size() && j < subject_.size()) {
      Cells more = cells;
      more.emplace(i, j);
      extend(i + 1, j + 1, score + scoring_.matrix.value(query_[i], subject_[j]), Step::pair, more);
    }
    const auto cost = [&](Step step) { return scoring_.extend + (last == step ? 0 : scoring_.open); };
    if (j < subject_.size()) extend(i, j + 1, score - cost(Step::deletion), Step::deletion, cells);
    if (i < query_.size()) extend(i + 1, j, score - cost(Step::insertion), Step::insertion, cells);
  }

  const Residues& query_;
  const Residues& subject_;
  const Scoring& scoring_;
  std::vector<Found> found_;
};

// Both ends of the subject are free, and each set of the query's ends.
std::vector<ModeAndEnds> modes() {
  std::vector<ModeAndEnds> modes{{Mode::local}};
  for (const bool begin : {false, true})
    for (const bool end : {false, true}) modes.push_back({Mode::semiglobal, {begin, end, true, true}});
  return modes;
}

TEST(SeveralAlignments, AreThoseOfTheDefinition) {
  Random random{46};
  constexpr Gaps kGaps[] = {{2, 1}, {0, 1}, {1, 0}, {0, 0}};
  const SubstitutionMatrix matrix = matrix_of([](int q, int s) { return q == s ? 3 : -2; });
  for (const ModeAndEnds& mode : modes()) {
    for (const Gaps gaps : kGaps) {
      const Scoring scoring = scoring_of(mode, gaps, matrix);
      for (int k = 0; k < 6; ++k) {
        const Residues query = random_sequence(random, 1 + below(random, 3), 2),
                       subject = random_sequence(random, 1 + below(random, 5), 2);
        SCOPED_TRACE(describe(scoring, Detail::alignment) + " " + decode(query) + " " + decode(subject));
        const std::vector<Alignment> found = several_alignments_reference(query, subject, scoring, 100);
        const EveryAlignment every(query, subject, scoring);
        ASSERT_EQ(found.front(), align_reference(query, subject, scoring, Detail::alignment));
        Cells barred;
        const std::int64_t nothing = score_of_nothing(scoring, query.size());
        for (std::size_t n = 0; n < found.size(); ++n) {
          const Cells cells = pairs_of(found[n]);
          ASSERT_FALSE(share(cells, barred));
          ASSERT_EQ(rescore(found[n], query, subject, scoring), found[n].score);
          if (n > 0) {
            ASSERT_GT(found[n].score, nothing);
            ASSERT_FALSE(cells.empty());
            ASSERT_EQ(every.best_without(barred), found[n].score);
          }
          barred.insert(cells.begin(), cells.end());
        }
        const std::optional<std::int64_t> left = every.best_without(barred);
        ASSERT_TRUE(!left || *left <= nothing);
      }
    }
  }
}

TEST(SeveralAlignments, OfTwoRepeats) {
  const Scoring scoring = dna("1", "-3", "5", "2");
  const Residues query = encode("ACGTACGA", AlphabetKind::dna),
                 subject = encode("TTACGTACGATTTTACGTACGATT", AlphabetKind::dna);
  const std::vector<Alignment> found = several_alignments_reference(query, subject, scoring, 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].subject_begin, 2);
  EXPECT_EQ(found[1].subject_begin, 14);
  EXPECT_EQ(to_string(found[1].cigar), "8=");
  EXPECT_EQ(found[2].score, 4);  // TACG, which is not at the beginning of the query, with the first TACG
  EXPECT_EQ(found[2].query_begin, 3);
  EXPECT_EQ(found[2].subject_begin, 1);
  EXPECT_EQ(several_alignments_reference(query, subject, scoring, 1).size(), 1U);
}

TEST(SeveralAlignments, OfAnEmptySequenceThereIsOne) {
  const Scoring local = scoring_of({Mode::local}, {11, 1});
  EXPECT_EQ(several_alignments_reference({}, encode("ACD"), local, 5).size(), 1U);
  EXPECT_EQ(several_alignments_reference(encode("ACD"), {}, local, 5).size(), 1U);
  EXPECT_EQ(several_alignments_reference(encode("WWW"), encode("PPP"), local, 5).size(), 1U);
}

}  // namespace
}  // namespace alnus::test
