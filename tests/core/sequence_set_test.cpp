#include "alnus/sequence_set.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "support/unread_letters.h"

namespace alnus {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Action>
std::string input_error(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(SequenceView, HeaderSplitsIntoIdAndTitle) {
  EXPECT_EQ((SequenceView{{}, "sp|P1|X \t A protein "}.id()), "sp|P1|X");
  EXPECT_EQ((SequenceView{{}, "sp|P1|X \t A protein "}.title()), "A protein ");
  EXPECT_EQ((SequenceView{{}, "id"}.id()), "id");
  EXPECT_EQ((SequenceView{{}, "id"}.title()), "");
  EXPECT_EQ((SequenceView{{}, "id  "}.title()), "");
  EXPECT_EQ((SequenceView{{}, " title"}.id()), "");
  EXPECT_EQ((SequenceView{{}, ""}.title()), "");
}

TEST(SequenceView, AnIdThatIsGivenMayHaveBlanks) {
  EXPECT_EQ((SequenceView{{}, "sample 1 the first", {}, 8}.id()), "sample 1");
  EXPECT_EQ((SequenceView{{}, "sample 1 the first", {}, 8}.title()), "the first");
  EXPECT_EQ((SequenceView{{}, " a\tb ", {}, 5}.id()), " a\tb ");
  EXPECT_EQ((SequenceView{{}, " a\tb ", {}, 5}.title()), "");
  EXPECT_EQ((SequenceView{{}, "title", {}, 0}.id()), "");
}

TEST(SequenceSet, DefaultIsEmpty) {
  const SequenceSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.size(), 0u);
  EXPECT_EQ(set.total_residues(), 0u);
  EXPECT_EQ(set.longest(), 0u);
}

TEST(SequenceSetBuilder, KeepsRecordsInOrder) {
  SequenceSetBuilder builder(AlphabetKind::protein, "file.fasta");
  builder.add_text("a first", "ACDy");
  builder.add_text("b", "");
  builder.add("c", std::array<Residue, 2>{1, 2});
  EXPECT_EQ(builder.size(), 3u);
  const SequenceSet set = builder.finish();

  ASSERT_EQ(set.size(), 3u);
  EXPECT_EQ(set.origin(), "file.fasta");
  EXPECT_EQ(set.alphabet(), AlphabetKind::protein);
  EXPECT_EQ(set.total_residues(), 6u);
  EXPECT_EQ(set.longest(), 4u);
  EXPECT_EQ(set[0].header, "a first");
  EXPECT_EQ(Alphabet::protein().decode(set.residues(0)[3]), 'y');
  EXPECT_EQ(set.length(1), 0u);
  EXPECT_EQ(set[2].residues[1], 2);
  EXPECT_EQ(set.file_ordinal(2), FileOrdinal{2});
}

TEST(SequenceSetBuilder, IsEmptyAfterFinish) {
  SequenceSetBuilder builder(AlphabetKind::dna);
  builder.add_text("a", "ACGT");
  const SequenceSet first = builder.finish();
  EXPECT_EQ(builder.size(), 0u);
  builder.add_text("b", "TT");
  const SequenceSet second = builder.finish();
  EXPECT_EQ(first[0].id(), "a");
  EXPECT_EQ(second[0].id(), "b");
  EXPECT_EQ(second.size(), 1u);
}

TEST(SequenceSetBuilder, TakesTheCodesOfItsAlphabetAlone) {
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    const int letters = Alphabet::of(kind).size();
    for (int byte = 0; byte < 256; ++byte) {
      SequenceSetBuilder builder(kind, "memory");
      builder.add("a", {});
      std::vector<Residue> residues(100, 1);
      residues[70] = static_cast<Residue>(byte);
      if (byte < letters || (byte >= kLowerCase && byte < kLowerCase + letters)) {
        builder.add("b second", residues);
        EXPECT_EQ(builder.finish().residues(1)[70], byte);
        continue;
      }
      EXPECT_THAT(
          input_error([&] { builder.add("b second", residues); }),
          AllOf(HasSubstr("memory, record 2 ('b'): "), HasSubstr("index 70 is " + std::to_string(byte)),
                HasSubstr("0 to " + std::to_string(letters - 1))));
      EXPECT_EQ(builder.size(), 1u);
      EXPECT_EQ(builder.finish().total_residues(), 0u);
    }
  }
}

TEST(SequenceSetBuilder, TakesNoSequenceBeyondAllCoordinates) {
  const test::UnreadLetters many;
  SequenceSetBuilder builder(AlphabetKind::protein);
  const auto error = AllOf(HasSubstr("Record 1 ('id'): "), HasSubstr("2147483647"));
  EXPECT_THAT(input_error([&] { builder.add("id", many.residues()); }), error);
  EXPECT_THAT(input_error([&] { builder.add_text("id", many.letters()); }), error);
  EXPECT_EQ(builder.size(), 0u);
}

TEST(SequenceSetBuilder, TakesSequencesOfOtherSets) {
  SequenceSetBuilder first(AlphabetKind::protein), second(AlphabetKind::protein), dna(AlphabetKind::dna);
  first.add_text("a", "MK");
  first.add_text("b with a title", "ACDy");
  const SequenceSet set = first.finish();
  second.add_from(set, 1);
  const SequenceSet copy = second.finish();
  ASSERT_EQ(copy.size(), 1u);
  EXPECT_EQ(copy[0].header, "b with a title");
  EXPECT_EQ(Alphabet::protein().decode(copy.residues(0)[3]), 'y');
  EXPECT_THAT(input_error([&] { dna.add_from(set, 0); }),
              AllOf(HasSubstr("'a'"), HasSubstr("protein"), HasSubstr("dna")));
}

TEST(SequenceSetBuilder, TakesIdsWithBlanks) {
  SequenceSetBuilder builder(AlphabetKind::protein, "file");
  builder.add_text("a the first", "A");
  builder.add_text("sample 1 title", "C");
  builder.set_id_bytes(8);
  builder.add_text("c the last", "D");
  const SequenceSet set = builder.finish();
  const auto ids_of = [](const SequenceSet& some) {
    std::vector<std::string> ids;
    for (SequenceSet::Index i = 0; i < some.size(); ++i) ids.emplace_back(some[i].id());
    return ids;
  };
  EXPECT_THAT(ids_of(set), ElementsAre("a", "sample 1", "c"));
  EXPECT_EQ(set[1].title(), "title");
  EXPECT_THAT(ids_of(set.part(1, 3)), ElementsAre("sample 1", "c"));
  EXPECT_EQ(set.find_id_with(" "), SequenceSet::Index{1});
  EXPECT_EQ(set.find_id_with("\t"), std::nullopt);
  EXPECT_EQ(set.part(2, 3).find_id_with(" "), std::nullopt);

  const std::array<FileOrdinal, 3> ordinals{FileOrdinal{2}, FileOrdinal{1}, FileOrdinal{0}};
  SequenceSet::Arrays arrays = set.arrays();
  arrays.file_ordinals = ordinals;
  EXPECT_THAT(ids_of(SequenceSet(AlphabetKind::protein, arrays, nullptr, "").in_file_order()),
              ElementsAre("c", "sample 1", "a"));

  SequenceSetBuilder other(AlphabetKind::protein);
  for (SequenceSet::Index i = 0; i < set.size(); ++i) other.add_from(set, i);
  EXPECT_THAT(ids_of(other.finish()), ElementsAre("a", "sample 1", "c"));
}

TEST(SequenceSetBuilder, AnIdLiesInItsHeader) {
  SequenceSetBuilder builder(AlphabetKind::protein, "file");
  EXPECT_THAT(input_error([&] { builder.set_id_bytes(1); }), HasSubstr("1 bytes"));
  builder.add_text("a b", "A");
  EXPECT_THAT(input_error([&] { builder.set_id_bytes(4); }),
              AllOf(HasSubstr("file, record 1"), HasSubstr("4 bytes"), HasSubstr("has 3")));
  EXPECT_NE(input_error([&] { builder.set_id_bytes(SequenceView::kToFirstBlank); }), "");
  builder.set_id_bytes(1);
  EXPECT_TRUE(builder.finish().arrays().id_bytes.empty()) << "every id ends at its first blank";
}

TEST(SequenceSetBuilder, TakesQualities) {
  SequenceSetBuilder builder(AlphabetKind::dna), copier(AlphabetKind::dna);
  builder.add_text("a", "AC");
  builder.add_text("b", "ACGT", "!I~@");
  builder.add_text("c", "");
  builder.add("d", std::vector<Residue>{1}, "5");
  builder.add_text("e", "ACG");
  const SequenceSet set = builder.finish();
  const auto qualities = [](const SequenceSet& of) {
    std::vector<std::string> all;
    for (SequenceSet::Index i = 0; i < of.size(); ++i) all.emplace_back(of[i].quality);
    return all;
  };
  EXPECT_THAT(qualities(set), ElementsAre("", "!I~@", "", "5", ""));
  EXPECT_THAT(qualities(set.part(1, 4)), ElementsAre("!I~@", "", "5"));
  for (const SequenceSet::Index i : {1, 4, 3}) copier.add_from(set, i);
  EXPECT_THAT(qualities(copier.finish()), ElementsAre("!I~@", "", "5"));
  copier.add_text("a", "AC");
  EXPECT_TRUE(copier.finish().arrays().qualities.empty());
}

TEST(SequenceSetBuilder, TakesOneQualityForEachResidue) {
  SequenceSetBuilder builder(AlphabetKind::dna);
  for (const char* quality : {"I", "III", "I ", "I\x7f"}) {
    EXPECT_THAT(input_error([&] { builder.add_text("read x", "AC", quality); }),
                AllOf(HasSubstr("Record 1 ('read'): "), HasSubstr("2 letters"), HasSubstr("'!' to '~'")))
        << quality;
    EXPECT_EQ(builder.size(), 0u);
  }
}

TEST(SequenceSet, CopiesShareTheArraysAndOutliveTheOriginal) {
  SequenceSet copy;
  {
    SequenceSetBuilder builder(AlphabetKind::protein);
    builder.add_text("a", "ACD");
    const SequenceSet set = builder.finish();
    copy = set;
    EXPECT_EQ(copy.arrays().residues.data(), set.arrays().residues.data());
  }
  EXPECT_EQ(copy.residues(0)[0], Alphabet::protein().encode('A'));
}

TEST(SequenceSet, FileOrdinalsComeFromTheArraysWhereGiven) {
  const std::array<Residue, 3> residues{0, 1, 2};
  const std::array<std::uint64_t, 3> offsets{0, 2, 3};
  const std::array<char, 2> headers{'x', 'y'};
  const std::array<std::uint64_t, 3> header_offsets{0, 1, 2};
  const std::array<FileOrdinal, 2> ordinals{FileOrdinal{1}, FileOrdinal{0}};
  const SequenceSet set(AlphabetKind::protein, {residues, offsets, headers, header_offsets, ordinals},
                        nullptr, "");
  EXPECT_EQ(set.file_ordinal(0), FileOrdinal{1});
  EXPECT_EQ(set.file_ordinal(1), FileOrdinal{0});
  EXPECT_EQ(set[1].header, "y");
  EXPECT_EQ(set.in_file_order()[0].header, "y");
  EXPECT_EQ(set.part(1, 2).file_ordinal(0), FileOrdinal{0});
}

TEST(SequenceSet, APartSharesTheMemoryAndKeepsTheOrdinals) {
  SequenceSetBuilder builder(AlphabetKind::protein, "file.fasta");
  for (const char* name : {"a", "b", "c", "d", "e"}) builder.add_text(name, name);
  const SequenceSet set = builder.finish();
  const SequenceSet part = set.part(1, 4), part_of_part = part.part(1, 3);
  ASSERT_EQ(part.size(), 3u);
  EXPECT_EQ(part[0].header, "b");
  EXPECT_EQ(part.file_ordinal(0), FileOrdinal{1});
  EXPECT_EQ(part.total_residues(), 3u);
  EXPECT_EQ(part.arrays().residues.data(), set.arrays().residues.data());
  ASSERT_EQ(part_of_part.size(), 2u);
  EXPECT_EQ(part_of_part[0].header, "c");
  EXPECT_EQ(part_of_part.file_ordinal(1), FileOrdinal{3});
  EXPECT_TRUE(set.part(2, 2).empty());
}

TEST(IndexPair, IsOrderedByQueryThenSubject) {
  EXPECT_LT((IndexPair{1, 9}), (IndexPair{2, 0}));
  EXPECT_LT((IndexPair{1, 2}), (IndexPair{1, 3}));
  EXPECT_EQ((IndexPair{1, 2}), (IndexPair{1, 2}));
}

}  // namespace
}  // namespace alnus
