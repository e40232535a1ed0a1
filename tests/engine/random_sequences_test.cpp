// Random sequences are the same on every machine and in every release, as the calibrations are that were made
// with them.
// with them.
#include <gtest/gtest.h>

#include "engine/random_pairs.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

TEST(RandomSequences, AreTheSameEverywhere) {
  const SequenceSet set =
      RandomSequences(AlphabetKind::dna, Background{0.25, 0.25, 0.25, 0.25}).draw(5, 2, 24);
  EXPECT_EQ(test::decode(set.residues(0), AlphabetKind::dna), "TATTATTGGTCAGGGCTTTTCTTT");
  EXPECT_EQ(test::decode(set.residues(1), AlphabetKind::dna), "GCTGGATGACACTTCTGTACACAG");
}

}  // namespace
}  // namespace alnus::engine
