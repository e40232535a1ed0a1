#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/device.h"

namespace alnus {
namespace {

SequenceSet of_lengths(const std::vector<std::size_t>& lengths) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (const std::size_t length : lengths) builder.add_text("", std::string(length, 'A'));
  return builder.finish();
}

std::vector<SequenceSet::Index> order(const Resident& resident) {
  std::vector<SequenceSet::Index> result;
  for (std::uint32_t position = 0; position < resident.size(); ++position)
    result.push_back(resident.index(position));
  return result;
}

TEST(Resident, OrdersByDecreasingLengthAndTiesByFileOrder) {
  const Resident resident(of_lengths({2, 5, 0, 5, 2}));
  EXPECT_EQ(order(resident), (std::vector<SequenceSet::Index>{1, 3, 0, 4, 2}));
  EXPECT_EQ(resident.length(0), 5u);
  EXPECT_EQ(resident.residues(4).size(), 0u);
}

TEST(Resident, LeavesSortedSequencesAsTheyAre) {
  EXPECT_EQ(order(Resident(of_lengths({5, 5, 2, 0}))), (std::vector<SequenceSet::Index>{0, 1, 2, 3}));
  EXPECT_EQ(Resident(SequenceSet{}).size(), 0u);
}

TEST(Resident, TiesFollowTheFileNotTheDatabase) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  builder.add_text("", "AA");
  builder.add_text("", "AA");
  builder.add_text("", "AAA");
  const SequenceSet stored = builder.finish();
  SequenceSet::Arrays arrays = stored.arrays();
  const std::vector<SequenceSet::Index> file_order{2, 1, 0};
  arrays.file_order = file_order;
  const Resident resident(SequenceSet(AlphabetKind::protein, arrays, nullptr, ""));
  EXPECT_EQ(order(resident), (std::vector<SequenceSet::Index>{2, 1, 0}));
}

}  // namespace
}  // namespace alnus
