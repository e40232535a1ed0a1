#include "core/strands.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "support/sequences.h"

namespace alnus {
namespace {

using test::Residues;

std::string complement_of(std::string_view letters) {
  std::string result;
  for (const char letter : letters)
    result += Alphabet::dna().decode(complement(Alphabet::dna().encode(letter)));
  return result;
}

std::string reverse_complement_of(std::string_view letters) {
  return test::decode(reverse_complement(test::encode(letters, AlphabetKind::dna)), AlphabetKind::dna);
}

SequenceSet dna_set(const std::vector<std::string>& sequences) {
  SequenceSetBuilder builder(AlphabetKind::dna, "reads.fasta");
  for (const std::string& letters : sequences) builder.add_text("read about it", letters);
  return builder.finish();
}

std::vector<std::string> letters_of(const SequenceSet& set) {
  std::vector<std::string> all;
  for (SequenceSet::Index i = 0; i < set.size(); ++i)
    all.push_back(test::decode(set.residues(i), AlphabetKind::dna));
  return all;
}

TEST(Strands, EveryLetterHasItsComplement) {
  EXPECT_EQ(complement_of("ACGTRYKMSWBDHVN"), "TGCAYRMKSWVHDBN");
  EXPECT_EQ(complement_of("acgtrykmswbdhvn"), "tgcayrmkswvhdbn");
  EXPECT_EQ(complement_of("Uu"), "Aa");
}

// Complements follow from the nucleotides that IUPAC's codes stand for.
TEST(Strands, AComplementStandsForTheComplementsOfAll) {
  const std::vector<std::pair<char, std::string>> meanings = {
      {'A', "A"},   {'C', "C"},   {'G', "G"},   {'T', "T"},   {'R', "AG"},
      {'Y', "CT"},  {'K', "GT"},  {'M', "AC"},  {'S', "CG"},  {'W', "AT"},
      {'B', "CGT"}, {'D', "AGT"}, {'H', "ACT"}, {'V', "ACG"}, {'N', "ACGT"}};
  for (const auto& [letter, nucleotides] : meanings) {
    std::string complements = complement_of(nucleotides);
    std::ranges::sort(complements);
    const char found = complement_of(std::string(1, letter))[0];
    for (const auto& [other, of_other] : meanings) {
      if (other != found) continue;
      EXPECT_EQ(of_other, complements) << letter;
    }
  }
}

TEST(Strands, AReverseComplementKeepsCase) {
  EXPECT_EQ(reverse_complement_of("AACgtRn"), "nYacGTT");
  EXPECT_EQ(reverse_complement_of("ACGT"), "ACGT");
  EXPECT_EQ(reverse_complement_of("A"), "T");
  EXPECT_EQ(reverse_complement_of(""), "");
}

TEST(Strands, TheReverseComplementOfAReverseComplementIsTheSequence) {
  test::Random random(1);
  for (const std::size_t length :
       {std::size_t{1}, std::size_t{2}, std::size_t{77}, (std::size_t{1} << 20) + 3}) {
    const Residues sequence = test::with_random_case(random, test::random_sequence(random, length, 15));
    const Residues turned = reverse_complement(std::span<const Residue>(sequence));
    ASSERT_EQ(turned.size(), length);
    EXPECT_EQ(turned.front(), complement(sequence.back()));
    EXPECT_TRUE(reverse_complement(std::span<const Residue>(turned)) == sequence) << length;
  }
}

TEST(Strands, HaveNames) {
  EXPECT_EQ(to_string(Strand::plus), "plus");
  EXPECT_EQ(to_string(Strand::minus), "minus");
}

TEST(StrandedSet, OfPlusIsTheGivenSet) {
  const SequenceSet given = dna_set({"AAC", "", "GT"});
  const StrandedSet strands(given, Strands::plus, StopFlag::never());
  EXPECT_EQ(strands.set().arrays().residues.data(), given.arrays().residues.data());
  for (SequenceSet::Index i = 0; i < 3; ++i) {
    EXPECT_EQ(strands.given(i), i);
    EXPECT_EQ(strands.first(i), i);
    EXPECT_EQ(strands.strand(i), Strand::plus);
  }
  EXPECT_EQ(StrandedSet::bytes(given, Strands::plus), 0u);
}

TEST(StrandedSet, OfMinusHasTheReverseComplements) {
  const StrandedSet strands(dna_set({"AAC", "", "gT"}), Strands::minus, StopFlag::never());
  EXPECT_EQ(letters_of(strands.set()), (std::vector<std::string>{"GTT", "", "Ac"}));
  EXPECT_EQ(letters_of(strands.given()), (std::vector<std::string>{"AAC", "", "gT"}));
  for (SequenceSet::Index i = 0; i < 3; ++i) {
    EXPECT_EQ(strands.given(i), i);
    EXPECT_EQ(strands.first(i), i);
    EXPECT_EQ(strands.strand(i), Strand::minus);
  }
}

TEST(StrandedSet, OfBothHasTheStrandsOfASequenceOneAfterTheOther) {
  const StrandedSet strands(dna_set({"AAC", "", "gTR"}), Strands::both, StopFlag::never());
  EXPECT_EQ(letters_of(strands.set()), (std::vector<std::string>{"AAC", "GTT", "", "", "gTR", "YAc"}));
  for (SequenceSet::Index i = 0; i < 6; ++i) {
    EXPECT_EQ(strands.given(i), i / 2);
    EXPECT_EQ(strands.first(i / 2), i / 2 * 2);
    EXPECT_EQ(strands.strand(i), i % 2 ? Strand::minus : Strand::plus);
  }
  EXPECT_EQ(strands.set().origin(), "reads.fasta");
  EXPECT_EQ(strands.set()[2].header, "");
}

TEST(StrandedSet, OfAPartOfASet) {
  const SequenceSet part = dna_set({"AAC", "CC", "GT"}).part(1, 3);
  EXPECT_EQ(letters_of(StrandedSet(part, Strands::both, StopFlag::never()).set()),
            (std::vector<std::string>{"CC", "GG", "GT", "AC"}));
  EXPECT_EQ(letters_of(reverse_complement(part, StopFlag::never())), (std::vector<std::string>{"GG", "AC"}));
  EXPECT_EQ(StrandedSet(dna_set({}), Strands::both, StopFlag::never()).set().size(), 0u);
}

TEST(StrandedSet, ItsMemoryIsWhatItsArraysTake) {
  const SequenceSet given = dna_set({"AAC", "CCCCCCCCCC", "GT"});
  for (const Strands strands : {Strands::minus, Strands::both}) {
    const SequenceSet::Arrays arrays = StrandedSet(given, strands, StopFlag::never()).set().arrays();
    const std::uint64_t bytes =
        arrays.residues.size_bytes() + arrays.offsets.size_bytes() + arrays.header_offsets.size_bytes();
    EXPECT_LE(StrandedSet::bytes(given, strands), bytes);
    EXPECT_GE(StrandedSet::bytes(given, strands) + 64, bytes);
  }
}

TEST(StrandedSet, ProteinsHaveOneStrand) {
  const std::vector<Residues> sequences = {test::encode("MKV")};
  const SequenceSet proteins = test::make_set(sequences);
  EXPECT_EQ(StrandedSet(proteins, Strands::plus, StopFlag::never()).set().size(), 1u);
  for (const Strands strands : {Strands::minus, Strands::both}) {
    try {
      const StrandedSet none(proteins, strands, StopFlag::never());
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_EQ(std::string(error.what()).find("The sequences are read as proteins"), 0u) << error.what();
    }
  }
}

TEST(StrandedSet, EndsWhenAStopIsRequested) {
  StopFlag stop;
  stop.request();
  EXPECT_THROW(StrandedSet(dna_set({"ACGT"}), Strands::both, stop), Interrupted);
}

}  // namespace
}  // namespace alnus
