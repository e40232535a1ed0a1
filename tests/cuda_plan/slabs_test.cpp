// The letters that stand for residues on a GPU, and the slabs in which sequences come to it. These tests need
// no GPU.
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

#include "cuda/cuda_sequences.h"
#include "cuda/kernels/search.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using namespace cuda;

bool score_alike(const SubstitutionMatrix& matrix, Residue a, Residue b) {
  for (Residue other = 0; other < kMaxLetters; ++other)
    if (matrix.value(a, other) != matrix.value(b, other) || matrix.value(other, a) != matrix.value(other, b))
      return false;
  return true;
}

TEST(Letters, AreOneForResiduesThatScoreAlikeAndScoreAsThese) {
  // With the third matrix one letter scores unlike the others only as a query, and one only as a subject.
  for (const SubstitutionMatrix& matrix :
       {SubstitutionMatrix::builtin("BLOSUM62"), SubstitutionMatrix::match_mismatch("2", "-3"),
        matrix_of([](int query, int subject) { return query == 3     ? 1
                                                      : subject == 5 ? 2
                                                                     : 0; }),
        matrix_of([](int, int) { return 1; })})
    for (const Letters::Alike alike : {Letters::Alike::one, Letters::Alike::several}) {
      SCOPED_TRACE(matrix.name());
      const Letters letters(matrix, alike);
      const int codes = Alphabet::of(matrix.alphabet()).size();
      std::set<std::uint8_t> different;
      for (Residue a = 0; a < kMaxLetters; ++a) {
        different.insert(letters.of(a));
        EXPECT_LT(letters.of(a) + 1U, letters.count());
        for (Residue b = 0; b < kMaxLetters; ++b) {
          const bool told_apart = alike == Letters::Alike::several && (a < codes || b < codes);
          EXPECT_EQ(letters.of(a) == letters.of(b), told_apart ? a == b : score_alike(matrix, a, b))
              << int{a} << ", " << int{b};
          EXPECT_EQ(letters.scores()[std::size_t{letters.of(a)} * kMaxLetters + letters.of(b)],
                    matrix.value(a, b));
        }
      }
      EXPECT_EQ(letters.count(), different.size() + 1);
      for (unsigned residue = 0; residue < 255; ++residue)
        EXPECT_EQ(letters.table()[residue], letters.of(residue & kCodeMask)) << residue;
      EXPECT_EQ(letters.table()[255], letters.count() - 1) << "the pad is the last letter";
    }
}

// Bytes of device memory of a quad of which the longest sequence has `longest` residues: the residues with
// pads, the place of the quad and the lengths of four sequences.
std::uint64_t bytes_of_quad(std::size_t longest) {
  return kSubjects * (longest + 2 * kPadColumns) + sizeof(std::uint64_t) + kSubjects * sizeof(std::uint32_t);
}
std::uint64_t bytes_of(const SortedSequences& sorted, PositionRange range) {
  std::uint64_t bytes = 0;
  for (Position first = range.begin; first < range.end; first += kSubjects)
    bytes += bytes_of_quad(sorted.length(first));
  return bytes;
}

// If the budget does not suffice for all sequences, a slab has as many quads as fit half of it, and at least
// one.
TEST(Slabs, HaveAsManyQuadsAsFit) {
  Random random(96);
  for (const std::uint32_t count : {1U, 3U, 4U, 5U, 8U, 9U, 101U}) {
    std::vector<Residues> sequences;
    for (std::uint32_t k = 0; k < count; ++k)
      sequences.push_back(random_sequence(random, below(random, 300)));
    const auto sorted = std::make_shared<const SortedSequences>(make_set(sequences));
    const std::uint64_t all = bytes_of(*sorted, sorted->all());
    std::vector<std::uint64_t> budgets = {2 * all, all, all - 1, 1};
    // Half of these budgets is what the first slabs take, or a byte less.
    for (std::uint32_t end = kSubjects; end < count; end += 2 * kSubjects)
      for (const std::uint64_t less : {0, 1})
        budgets.push_back(2 * (bytes_of(*sorted, {sorted->begin(), Position(end)}) - less));
    for (const std::uint64_t budget : budgets) {
      SCOPED_TRACE(testing::Message() << count << " sequences, " << budget << " of " << all << " bytes");
      const CudaSequences set(sorted, std::make_shared<Residency>(0, budget));
      const std::uint64_t most = all <= budget ? budget : budget / 2;
      EXPECT_TRUE(all > budget || set.slab_count() == 1);
      Position next = sorted->begin();
      for (std::uint32_t slab = 0; slab < set.slab_count(); ++slab) {
        const PositionRange range = set.slab_range(slab);
        EXPECT_EQ(range.begin, next);
        EXPECT_EQ(range.begin.value() % kSubjects, 0U);
        ASSERT_GT(range.size(), 0U);
        const std::uint64_t bytes = bytes_of(*sorted, range);
        EXPECT_TRUE(bytes <= most || range.size() <= kSubjects);
        if (range.end < sorted->end()) {
          EXPECT_GT(bytes + bytes_of_quad(sorted->length(range.end)), most);
        }
        for (Position position = range.begin; position < range.end; ++position)
          EXPECT_EQ(set.slab_of(position), slab);
        next = range.end;
      }
      EXPECT_EQ(next, sorted->end());
    }
  }
}

}  // namespace
}  // namespace alnus::test
