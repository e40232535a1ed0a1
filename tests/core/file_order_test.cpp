#include "core/file_order.h"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"

namespace alnus {
namespace {

// The letters of sequences. The header of a sequence is its letters, too.
using Letters = std::vector<std::string>;

// A set whose sequences have the file ordinals `places`. Without `places` they are in the order of the file.
struct Stored {
  SequenceSet sequences;
  std::vector<FileOrdinal> ordinals;
  SequenceSet set;

  explicit Stored(const Letters& letters, const std::vector<FileOrdinal>& places = {}) : ordinals(places) {
    SequenceSetBuilder builder(AlphabetKind::protein, "origin " + letters.front());
    for (const std::string& of_one : letters) builder.add_text(of_one, of_one);
    sequences = builder.finish();
    SequenceSet::Arrays arrays = sequences.arrays();
    arrays.file_ordinals = ordinals;
    set = SequenceSet(AlphabetKind::protein, arrays, nullptr, sequences.origin());
  }
};

Letters letters_of(const SequenceSet& set) {
  Letters result;
  for (SequenceSet::Index k = 0; k < set.size(); ++k) {
    std::string& letters = result.emplace_back();
    for (const Residue residue : set.residues(k)) letters += Alphabet::protein().decode(residue);
    EXPECT_EQ(set[k].header, letters);
    EXPECT_EQ(set.file_ordinal(k), FileOrdinal{k});
  }
  return result;
}

StopFlag& requested() {
  static StopFlag stop;
  stop.request();
  return stop;
}

const Stored& shuffled() {
  static const Stored stored({"ACDEF", "ACD", "AC", ""},
                             {FileOrdinal{2}, FileOrdinal{0}, FileOrdinal{3}, FileOrdinal{1}});
  return stored;
}

TEST(InFileOrder, SortsByPlaceInTheFile) {
  const SequenceSet ordered = in_file_order(shuffled().set, StopFlag::never());
  EXPECT_EQ(letters_of(ordered), (Letters{"ACD", "", "ACDEF", "AC"}));
  EXPECT_EQ(ordered.origin(), "origin ACDEF");
  EXPECT_EQ(letters_of(shuffled().set.in_file_order()), letters_of(ordered));
  EXPECT_EQ(letters_of(in_file_order(shuffled().set.part(0, 3), StopFlag::never())),
            (Letters{"ACD", "ACDEF", "AC"}));
}

TEST(InFileOrder, DoesNotCopyWhatIsInThatOrder) {
  const Stored stored({"AC", "ACD"});
  const SequenceSet ordered = in_file_order(stored.set, requested());
  EXPECT_EQ(ordered.arrays().residues.data(), stored.set.arrays().residues.data());
}

TEST(InFileOrder, EndsWhenAStopIsRequested) {
  EXPECT_THROW(in_file_order(shuffled().set, requested()), Interrupted);
}

TEST(JoinedInFileOrder, HasSetAfterSet) {
  const Stored stored({"W", "", "WY"});
  const std::array<SequenceSet, 4> sets = {stored.set.part(1, 3), SequenceSet(), shuffled().set, stored.set};
  const SequenceSet joined = joined_in_file_order(sets, StopFlag::never());
  EXPECT_EQ(letters_of(joined), (Letters{"", "WY", "ACD", "", "ACDEF", "AC", "W", "", "WY"}));
  EXPECT_EQ(joined.origin(), "origin W");
  EXPECT_EQ(joined.longest(), 5u);
  const SequenceSet none;
  EXPECT_EQ(joined_in_file_order({&none, 1}, StopFlag::never()).size(), 0u);
}

TEST(JoinedInFileOrder, KeepsQualities) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  builder.add_text("WY", "WY", "I!");
  builder.add_text("W", "W");
  const SequenceSet reads = builder.finish();
  const std::array<SequenceSet, 2> sets = {shuffled().set, reads};
  const SequenceSet joined = joined_in_file_order(sets, StopFlag::never());
  EXPECT_EQ(letters_of(joined), (Letters{"ACD", "", "ACDEF", "AC", "WY", "W"}));
  for (SequenceSet::Index k = 0; k < joined.size(); ++k) EXPECT_EQ(joined[k].quality, k == 4 ? "I!" : "");
  EXPECT_TRUE(joined_in_file_order({sets.data(), 1}, StopFlag::never()).arrays().qualities.empty());
}

TEST(JoinedInFileOrder, EndsWhenAStopIsRequested) {
  const Stored stored({"W", "WY"});
  EXPECT_THROW(joined_in_file_order({&stored.set, 1}, requested()), Interrupted);
}

}  // namespace
}  // namespace alnus
