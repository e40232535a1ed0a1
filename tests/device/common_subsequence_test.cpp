// Scorings whose best score is the length of a longest common subsequence: devices have kernels of their own.
#include "core/common_subsequence.h"

#include <gtest/gtest.h>
#include <vector>

#include "device/implementations.h"
#include "support/scorings.h"

namespace alnus::test {
namespace {

// Queries around the limits of words (64 rows) and strips (8 words), and subjects around the columns that
// strips compute at a time (256).
Workload lengths_around_limits(AlphabetKind alphabet, std::size_t letters) {
  Random random(71);
  Workload work{.alphabet = alphabet, .details = {Detail::score}};
  for (const std::size_t length : {0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513, 600, 1025})
    work.queries.push_back(random_sequence(random, length, letters));
  for (const std::size_t length : {0, 1, 2, 64, 255, 256, 257, 300, 513})
    for (int k = 0; k < 3; ++k) {
      const Residues& query = work.queries[below(random, work.queries.size())];
      work.subjects.push_back(k > 0 && query.size() >= 64 ? relative(random, query, 5, 2)
                                                          : random_sequence(random, length, letters));
    }
  for (Residues& subject : work.subjects)
    for (Residue& residue : subject) residue = static_cast<Residue>(residue % letters);
  return work;
}

TEST(CommonSubsequences, OfProteins) {
  const Workload work = lengths_around_limits(AlphabetKind::protein, 24);
  EXPECT_TRUE(equals_reference(work, subsequence_scoring(AlphabetKind::protein)));
}

// Few rows, and all pairs of a set: the sequences in the lanes are then columns.
TEST(CommonSubsequences, OfFewRowsAndOfASet) {
  Workload work = lengths_around_limits(AlphabetKind::protein, 24);
  EXPECT_TRUE(equals_reference(triangle_of(work.subjects), subsequence_scoring(AlphabetKind::protein)));
  work.queries.erase(work.queries.begin() + 3, work.queries.end() - 2);
  EXPECT_TRUE(equals_reference(work, subsequence_scoring(AlphabetKind::protein)));
}

TEST(CommonSubsequences, OfFewLetters) {
  const Workload work = lengths_around_limits(AlphabetKind::dna, 2);
  for (const Mode mode : {Mode::local, Mode::global, Mode::semiglobal}) {
    Scoring scoring = dna("2.5", "-1.5", "0", "0");
    scoring.mode = mode;
    scoring.free_ends = mode == Mode::semiglobal ? FreeEnds::all() : FreeEnds{};
    EXPECT_TRUE(equals_reference(work, scoring));
  }
}

// Letters may be common without being equal, in one direction alone.
TEST(CommonSubsequences, OfUnequalLetters) {
  const SubstitutionMatrix matrix =
      matrix_of([](int query, int subject) { return (query + 2 * subject) % 3 == 0 ? 7 : -query; });
  Workload work = lengths_around_limits(AlphabetKind::protein, 20);
  EXPECT_TRUE(equals_reference(work, scoring_of({Mode::global, {}}, {0, 0}, matrix)));
  work.queries.erase(work.queries.begin() + 3, work.queries.end() - 2);
  EXPECT_TRUE(equals_reference(work, scoring_of({Mode::global, {}}, {0, 0}, matrix)));
}

TEST(CommonSubsequences, OfEqualSequences) {
  Workload work{.details = {Detail::score}};
  for (const std::size_t length : {1, 64, 128, 512, 577, 2049}) {
    work.queries.push_back(repeat("W", length));
    work.subjects.push_back(repeat("W", length));
  }
  EXPECT_TRUE(equals_reference(work, subsequence_scoring(AlphabetKind::protein)));
}

}  // namespace
}  // namespace alnus::test
