// What an upload writes to the device: the letters of four sequences side by side, with pads, their places
// and their lengths; and which slabs stay there.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "cuda/cuda_sequences.h"
#include "cuda/limits.h"
#include "cuda/on_device.h"
#include "support/device_check.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using namespace cuda;

template <class T>
std::vector<T> read(const T* there, std::size_t count) {
  std::vector<T> values(count);
  require(cudaMemcpy(values.data(), there, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

class CudaUploads : public testing::Test {
 protected:
  // Brings the slab, and expects that all of it is there.
  void bring(const CudaSequences& set, std::uint32_t number, const Letters& letters) {
    const SortedSequences& sorted = set.sorted();
    const Slab slab = set.bring(number, letters, stream_, uploader_);
    ASSERT_EQ(slab.range, set.slab_range(number));
    const std::uint32_t size = slab.range.size();
    const std::vector<std::uint32_t> lengths = read(slab.lengths, size);
    const std::vector<std::uint64_t> places = read(slab.places, (size + kSubjects - 1) / kSubjects);
    for (std::uint32_t k = 0; k < size; ++k) {
      ASSERT_EQ(lengths[k], sorted.length(slab.range.begin + k));
      ASSERT_EQ(slab.subjects.lengths[k], lengths[k]);
      ASSERT_EQ(slab.subjects.places[k / kSubjects], places[k / kSubjects]);
    }
    const std::uint8_t pad = static_cast<std::uint8_t>(letters.count() - 1);
    for (std::uint32_t first = 0; first < size; first += kSubjects) {
      std::vector<std::uint8_t> expected(kSubjects * (std::size_t{lengths[first]} + 2 * kPadColumns), pad);
      for (std::uint32_t i = 0; i < std::min(kSubjects, size - first); ++i) {
        std::uint8_t* next = expected.data() + kSubjects * kPadColumns + i;
        for (const Residue residue : sorted.residues(slab.range.begin + (first + i))) {
          *next = letters.of(residue);
          next += kSubjects;
        }
      }
      const std::uint8_t* const packed = slab.packed + places[first / kSubjects] - kSubjects * kPadColumns;
      ASSERT_TRUE(read(packed, expected.size()) == expected) << "subjects from " << first << " on";
    }
  }

  Stopper stopper_;
  Uploader uploader_{stopper_};
  const Stream stream_;
  const Letters letters_{SubstitutionMatrix::builtin("BLOSUM62")},
      all_letters_{SubstitutionMatrix::builtin("BLOSUM62"), Letters::Alike::several};
};

std::shared_ptr<const SortedSequences> random_set(Random& random, std::size_t count) {
  std::vector<Residues> sequences;
  while (sequences.size() < count)
    sequences.push_back(with_random_case(random, random_sequence(random, below(random, 60), 27)));
  return std::make_shared<const SortedSequences>(make_set(sequences));
}

TEST_F(CudaUploads, BringAnyNumberOfSequences) {
  Random random(111);
  for (const std::size_t count : {1, 2, 3, 4, 5, 7, 8, 9, 70}) {
    const CudaSequences set(random_set(random, count), std::make_shared<Residency>(0, 1 << 20));
    ASSERT_EQ(set.slab_count(), 1U);
    bring(set, 0, letters_);
    bring(set, 0, all_letters_);
  }
}

// Slabs of even numbers share a buffer, and so do those of odd numbers. Slabs that are there are not uploaded
// again, unless other letters are wanted.
TEST_F(CudaUploads, BringSlabsThatTakeTurns) {
  Random random(112);
  const auto sorted = random_set(random, 60);
  const auto residency = std::make_shared<Residency>(0, 4'000);
  const CudaSequences set(sorted, residency);
  ASSERT_GT(set.slab_count(), 3U);
  const auto uploads = [&] { return residency->counters().uploads; };
  struct Step {
    std::uint32_t slab;
    std::uint64_t uploads;
  };
  for (const auto [slab, expected] :
       {Step{0, 1}, {1, 2}, {0, 2}, {1, 2}, {2, 3}, {1, 3}, {0, 4}, {3, 5}, {0, 5}, {1, 6}}) {
    bring(set, slab, letters_);
    EXPECT_EQ(uploads(), expected) << slab;
    EXPECT_LE(residency->counters().resident_bytes, residency->bytes());
  }
  bring(set, 0, all_letters_);
  bring(set, 1, all_letters_);
  EXPECT_EQ(uploads(), 8U);
  EXPECT_EQ(set.resident_bytes(), residency->counters().resident_bytes);
}

// The residues of three quads take more than half a piece of pinned memory each. So each quad is a piece, and
// the last one of them has a few short sequences in addition.
TEST_F(CudaUploads, BringLargeSetsInPieces) {
  constexpr std::size_t kLong = kPieceBytes / kSubjects / 2 + 1'000;
  Residues longest(kLong);
  for (std::size_t i = 0; i < kLong; ++i) longest[i] = static_cast<Residue>(i * 7 % 20);
  std::vector<Residues> sequences;
  for (int k = 0; k < 12; ++k) sequences.emplace_back(longest.begin() + k, longest.end());
  for (int k = 0; k < 9; ++k) sequences.emplace_back(longest.begin() + k, longest.begin() + 30);
  const CudaSequences set(std::make_shared<const SortedSequences>(make_set(sequences)),
                          std::make_shared<Residency>(0, 1 << 30));
  ASSERT_EQ(set.slab_count(), 1U);
  bring(set, 0, letters_);
}

}  // namespace
}  // namespace alnus::test
