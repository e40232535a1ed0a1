#include "core/sorted_sequences.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace alnus {
namespace {

SequenceSet of_lengths(const std::vector<std::size_t>& lengths) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (const std::size_t length : lengths) builder.add_text("", std::string(length, 'A'));
  return builder.finish();
}

using Indices = std::vector<SequenceSet::Index>;

Indices order(const SortedSequences& sorted) {
  Indices result;
  for (Position position = sorted.begin(); position < sorted.end(); ++position)
    result.push_back(sorted.index(position));
  return result;
}

TEST(SortedSequences, OrdersByDecreasingLengthAndTiesByFileOrder) {
  const SortedSequences sorted(of_lengths({2, 5, 0, 5, 2}));
  EXPECT_EQ(order(sorted), (Indices{1, 3, 0, 4, 2}));
  EXPECT_EQ(sorted.length(sorted.begin()), 5u);
  EXPECT_EQ(sorted.residues(sorted.end() - 1).size(), 0u);
}

TEST(SortedSequences, LeavesSortedSequencesAsTheyAre) {
  EXPECT_EQ(order(SortedSequences(of_lengths({5, 5, 2, 0}))), (Indices{0, 1, 2, 3}));
  EXPECT_EQ(SortedSequences(SequenceSet{}).size(), 0u);
}

TEST(SortedSequences, TiesFollowTheFileNotTheDatabase) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  builder.add_text("", "AA");
  builder.add_text("", "AA");
  builder.add_text("", "AAA");
  const SequenceSet stored = builder.finish();
  SequenceSet::Arrays arrays = stored.arrays();
  const std::vector<FileOrdinal> ordinals{FileOrdinal{2}, FileOrdinal{1}, FileOrdinal{0}};
  arrays.file_ordinals = ordinals;
  const SortedSequences sorted(SequenceSet(AlphabetKind::protein, arrays, nullptr, ""));
  EXPECT_EQ(order(sorted), (Indices{2, 1, 0}));
}

TEST(SortedSequences, TiesFollowGivenRanks) {
  const std::vector<Rank> ranks{Rank{9}, Rank{3}, Rank{10}, Rank{1}, Rank{8}};
  EXPECT_EQ(order(SortedSequences(of_lengths({2, 5, 0, 5, 2}), ranks)), (Indices{3, 1, 4, 0, 2}));
}

TEST(SortedSequences, EndsWhenAStopIsRequested) {
  StopFlag stop;
  const SequenceSet sorted = of_lengths({5, 2}), unsorted = of_lengths({2, 5}), one = of_lengths({2});
  const std::vector<Rank> ranks{Rank{0}, Rank{1}};
  EXPECT_EQ(order(SortedSequences(unsorted, stop)), (Indices{1, 0}));
  stop.request();
  for (const SequenceSet& set : {sorted, unsorted, one})
    EXPECT_THROW(SortedSequences(set, stop), Interrupted) << set.size() << " sequences";
  EXPECT_THROW(SortedSequences(unsorted, ranks, stop), Interrupted);
}

TEST(SortedSequences, CountsResiduesBeforeEachPositionAndOfARange) {
  const SortedSequences sorted(of_lengths({2, 7, 0, 5}));
  std::vector<std::uint64_t> before;
  for (Position position = sorted.begin(); position <= sorted.end(); ++position)
    before.push_back(sorted.residues_before(position));
  EXPECT_EQ(before, (std::vector<std::uint64_t>{0, 7, 12, 14, 14}));
  EXPECT_EQ(sorted.residues({Position(1), Position(3)}), 7u);
  EXPECT_EQ(sorted.residues(sorted.all()), 14u);
}

TEST(SortedSequences, AreTheSameInOneMemoryAndOneOrder) {
  const SequenceSet set = of_lengths({4, 4, 2});
  const std::vector<Rank> as_stored{Rank{0}, Rank{1}, Rank{2}}, turned{Rank{1}, Rank{0}, Rank{2}};
  const SortedSequences sorted(set);
  EXPECT_TRUE(same_sequences(sorted, SortedSequences(set)));
  EXPECT_TRUE(same_sequences(sorted, SortedSequences(set, as_stored)));
  EXPECT_FALSE(same_sequences(sorted, SortedSequences(set, turned)));
  EXPECT_FALSE(same_sequences(sorted, SortedSequences(set.part(0, 2))));
  EXPECT_FALSE(same_sequences(sorted, SortedSequences(of_lengths({4, 4, 2}))));
}

}  // namespace
}  // namespace alnus
