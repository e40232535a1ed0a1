#include "alnus/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alnus/error.h"

namespace alnus {
namespace {

using testing::HasSubstr;

std::int32_t value(const SubstitutionMatrix& matrix, char query, char subject) {
  const Alphabet& alphabet = Alphabet::of(matrix.alphabet());
  return matrix.value(alphabet.encode(query), alphabet.encode(subject));
}

template <typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "no error";
}

std::string parse_error(const std::string& text, AlphabetKind kind = AlphabetKind::dna) {
  return message_of([&] { SubstitutionMatrix::parse(text, "m.txt", kind); });
}

// A complete matrix of `letters`: `match` on the diagonal, `mismatch` elsewhere.
std::string uniform(const std::string& letters, const std::string& match, const std::string& mismatch) {
  std::string text;
  for (const char letter : letters) text += std::string(" ") + letter;
  for (const char row : letters) {
    text += std::string("\n") + row;
    for (const char column : letters) text += " " + (row == column ? match : mismatch);
  }
  return text + "\n";
}

TEST(BuiltinMatrix, Blosum62HasItsPublishedValues) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::builtin("BLOSUM62");
  EXPECT_EQ(matrix.name(), "BLOSUM62");
  EXPECT_EQ(matrix.alphabet(), AlphabetKind::protein);
  EXPECT_EQ(matrix.scale(), 1);
  EXPECT_EQ(matrix.lowest(), -4);
  EXPECT_EQ(matrix.highest(), 11);
  EXPECT_EQ(value(matrix, 'W', 'W'), 11);
  EXPECT_EQ(value(matrix, 'A', 'R'), -1);
  EXPECT_EQ(value(matrix, 'B', 'D'), 4);
  EXPECT_EQ(value(matrix, 'X', 'X'), -1);
  EXPECT_EQ(value(matrix, '*', '*'), 1);
  EXPECT_EQ(value(matrix, '*', 'A'), -4);
}

TEST(BuiltinMatrix, CaseOfTheResidueIsIgnored) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::builtin("BLOSUM62");
  EXPECT_EQ(value(matrix, 'w', 'W'), 11);
  EXPECT_EQ(value(matrix, 'w', 'w'), 11);
}

TEST(BuiltinMatrix, RareAminoAcidsScoreAsTheirKin) {
  const SubstitutionMatrix classic = SubstitutionMatrix::builtin("BLOSUM62");
  const SubstitutionMatrix with_J = SubstitutionMatrix::builtin("BLOSUM62.ncbi25");
  for (const char letter : std::string("ARNDCQEGHILKMFPSTWYVBZX*")) {
    EXPECT_EQ(value(classic, 'U', letter), value(classic, 'C', letter));
    EXPECT_EQ(value(classic, letter, 'O'), value(classic, letter, 'K'));
    EXPECT_EQ(value(classic, 'J', letter), value(classic, 'L', letter));
  }
  EXPECT_EQ(value(classic, 'U', 'U'), 9);
  EXPECT_EQ(value(classic, 'J', 'I'), 2);
  EXPECT_EQ(value(with_J, 'J', 'I'), 3);
}

TEST(BuiltinMatrix, CodesBeyondTheAlphabetScoreLowest) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::builtin("PAM30");
  EXPECT_EQ(matrix.value(27, 0), matrix.lowest());
  EXPECT_EQ(matrix.value(0, 31), matrix.lowest());
}

TEST(BuiltinMatrix, AllAreReadAndSymmetric) {
  const std::vector<std::string> names = SubstitutionMatrix::builtin_names();
  EXPECT_EQ(names.size(), 24u);
  for (const std::string& name : names) {
    const SubstitutionMatrix matrix = SubstitutionMatrix::builtin(name);
    EXPECT_TRUE(matrix.symmetric()) << name;
    EXPECT_LT(matrix.lowest(), 0) << name;
    EXPECT_GT(matrix.highest(), 0) << name;
  }
}

TEST(BuiltinMatrix, VariantsShareTheTwentyAminoAcids) {
  for (const char* name :
       {"BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250"}) {
    const SubstitutionMatrix classic = SubstitutionMatrix::builtin(name);
    const SubstitutionMatrix variant = SubstitutionMatrix::builtin(std::string(name) + ".ncbi25");
    for (Residue a = 0; a < 20; ++a)
      for (Residue b = 0; b < 20; ++b) EXPECT_EQ(classic.value(a, b), variant.value(a, b)) << name;
  }
}

TEST(BuiltinMatrix, Nuc44ScoresAmbiguityCodes) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::builtin("NUC44");
  EXPECT_EQ(matrix.alphabet(), AlphabetKind::dna);
  EXPECT_EQ(value(matrix, 'A', 'A'), 5);
  EXPECT_EQ(value(matrix, 'A', 'C'), -4);
  EXPECT_EQ(value(matrix, 'U', 'T'), 5);
  EXPECT_EQ(value(matrix, 'R', 'A'), 1);
  EXPECT_EQ(value(matrix, 'R', 'Y'), -4);
  EXPECT_EQ(value(matrix, 'B', 'W'), -3);
  EXPECT_EQ(value(matrix, 'N', 'A'), -2);
  EXPECT_EQ(value(matrix, 'N', 'N'), -1);
  EXPECT_EQ(matrix.lowest(), -4);
}

TEST(BuiltinMatrix, NamesIgnoreCaseAndKnowOtherProgramsNames) {
  EXPECT_EQ(SubstitutionMatrix::builtin("blosum62").name(), "BLOSUM62");
  EXPECT_EQ(SubstitutionMatrix::builtin("pam30.NCBI25").name(), "PAM30.ncbi25");
  EXPECT_EQ(SubstitutionMatrix::builtin("EBLOSUM62").name(), "BLOSUM62");
  EXPECT_EQ(SubstitutionMatrix::builtin("EDNAFULL").name(), "NUC44");
  EXPECT_EQ(SubstitutionMatrix::builtin("NUC.4.4").name(), "NUC44");
  EXPECT_EQ(SubstitutionMatrix::builtin("Gonnet1992").name(), "GONNET");
}

TEST(BuiltinMatrix, GonnetIsOfTenths) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::builtin("GONNET");
  EXPECT_EQ(matrix.scale(), 10);
  EXPECT_TRUE(matrix.symmetric());
  EXPECT_EQ(value(matrix, 'A', 'A'), 24);
  EXPECT_EQ(value(matrix, 'C', 'C'), 115);
  EXPECT_EQ(value(matrix, 'F', 'Y'), 51);
  EXPECT_EQ(value(matrix, 'W', 'D'), -52);
  for (const char letter : {'X', 'B', 'Z'}) EXPECT_EQ(value(matrix, letter, 'W'), 0) << letter;
  EXPECT_EQ(value(matrix, '*', 'A'), -52) << "the lowest";
}

TEST(BuiltinMatrix, AnUnknownNameIsAnErrorWithTheNearest) {
  const std::string message = message_of([] { SubstitutionMatrix::builtin("BLOSSUM62"); });
  EXPECT_THAT(message, HasSubstr("'BLOSSUM62'"));
  EXPECT_THAT(message, HasSubstr("did you mean BLOSUM62?"));
}

TEST(BuiltinMatrix, AnUnknownNameThatIsNearNoneIsAnErrorWithAll) {
  const std::string message = message_of([] { SubstitutionMatrix::builtin("MIQS"); });
  EXPECT_THAT(message, testing::Not(HasSubstr("did you mean")));
  for (const std::string& name : SubstitutionMatrix::builtin_names()) EXPECT_THAT(message, HasSubstr(name));
}

TEST(ParseMatrix, AByteOrderMarkIsNoLetter) {
  const std::string text = "A C G T\nA 1 0 0 0\nC 0 1 0 0\nG 0 0 1 0\nT 0 0 0 1\n";
  const SubstitutionMatrix matrix =
      SubstitutionMatrix::parse("\xef\xbb\xbf" + text, "marked", AlphabetKind::dna);
  EXPECT_EQ(value(matrix, 'A', 'A'), 1);
}

TEST(ParseMatrix, TakesAnyOrderCommentsCaseAndLineEnds) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::parse(
      "# comment\r\n\r\n\tt  g c\ta\r\nT 4 -1 -2 -3\r\n  # more\r\ng -1 4 -4 -5\r\nC -2 -4 4 -6\r\nA -3 -5 "
      "-6 +4",
      "dir/mine.txt", AlphabetKind::dna);
  EXPECT_EQ(matrix.name(), "mine.txt");
  EXPECT_EQ(value(matrix, 'A', 'A'), 4);
  EXPECT_EQ(value(matrix, 'A', 'G'), -5);
  EXPECT_EQ(value(matrix, 'C', 'T'), -2);
  EXPECT_EQ(value(matrix, 'N', 'A'), -6);  // the matrix has neither N nor a letter like it: the lowest score
}

TEST(ParseMatrix, RowsAreTheQuery) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::parse(
      "  A C G T\nA 1 2 3 4\nC 5 6 7 8\nG 9 10 11 12\nT 13 14 15 16\n", "m", AlphabetKind::dna);
  EXPECT_EQ(value(matrix, 'A', 'T'), 4);
  EXPECT_EQ(value(matrix, 'T', 'A'), 13);
  EXPECT_FALSE(matrix.symmetric());
}

TEST(ParseMatrix, DecimalsAreScaledExactly) {
  const SubstitutionMatrix halves =
      SubstitutionMatrix::parse(uniform("ACGT", "1.5", "-0.50"), "m", AlphabetKind::dna);
  EXPECT_EQ(halves.scale(), 2);
  EXPECT_EQ(value(halves, 'A', 'A'), 3);
  EXPECT_EQ(value(halves, 'A', 'C'), -1);
  const SubstitutionMatrix whole =
      SubstitutionMatrix::parse(uniform("ACGT", "2.0", "-3."), "m", AlphabetKind::dna);
  EXPECT_EQ(whole.scale(), 1);
  EXPECT_EQ(value(whole, 'A', 'C'), -3);
  const SubstitutionMatrix mixed =
      SubstitutionMatrix::parse(uniform("ACGT", ".25", "-0.2"), "m", AlphabetKind::dna);
  EXPECT_EQ(mixed.scale(), 20);
  EXPECT_EQ(value(mixed, 'A', 'A'), 5);
  EXPECT_EQ(value(mixed, 'A', 'C'), -4);
}

TEST(ParseMatrix, MissingLettersFollowTheRules) {
  const std::string core = "ARNDCQEGHILKMFPSTWYV";
  const SubstitutionMatrix bare =
      SubstitutionMatrix::parse(uniform(core, "3", "-2"), "m", AlphabetKind::protein);
  EXPECT_EQ(value(bare, 'X', 'X'), -2);
  EXPECT_EQ(value(bare, 'B', 'B'), -2);
  EXPECT_EQ(value(bare, 'U', 'C'), 3);
  EXPECT_EQ(value(bare, 'J', 'J'), 3);
  const SubstitutionMatrix with_X =
      SubstitutionMatrix::parse(uniform(core + "XU", "3", "-2"), "m", AlphabetKind::protein);
  EXPECT_EQ(value(with_X, 'B', 'Z'), 3);  // both score as X
  EXPECT_EQ(value(with_X, 'U', 'C'), -2);
  EXPECT_EQ(value(with_X, 'U', 'U'), 3);
  EXPECT_EQ(value(with_X, '*', '*'), -2);
}

TEST(ParseMatrix, DnaDropsUracilBesideThymineAndStars) {
  const SubstitutionMatrix both =
      SubstitutionMatrix::parse(uniform("ACGTU*", "3", "-2"), "m", AlphabetKind::dna);
  EXPECT_EQ(value(both, 'U', 'T'), 3);
  const SubstitutionMatrix rna =
      SubstitutionMatrix::parse(uniform("ACGU", "3", "-2"), "m", AlphabetKind::dna);
  EXPECT_EQ(value(rna, 'T', 'T'), 3);
}

TEST(ParseMatrix, ErrorsNameFileLineAndCause) {
  EXPECT_THAT(parse_error(""), HasSubstr("m.txt is empty"));
  EXPECT_THAT(parse_error("# only\n"), HasSubstr("m.txt is empty"));
  EXPECT_THAT(parse_error("A C G T\nA 1 2 3\n"), HasSubstr("m.txt, line 2: the row of 'A' has 3 scores"));
  EXPECT_THAT(parse_error("A C G T\nA 1 2 3 4 5\n"), HasSubstr("has 5 scores, but there are 4 columns"));
  EXPECT_THAT(parse_error("A C G T\nA 1 2 3 x\n"), HasSubstr("line 2: 'x' is not a score"));
  EXPECT_THAT(parse_error("A C G T\nA 1 2 3 1e3\n"), HasSubstr("'1e3' is not a score"));
  EXPECT_THAT(parse_error("A C G T\nA 1 2 3 4\nA 1 2 3 4\n"),
              HasSubstr("line 3: the row of 'A' is there twice"));
  EXPECT_THAT(parse_error("A C G A\n"), HasSubstr("line 1: the column of 'A' is there twice"));
  EXPECT_THAT(parse_error("A E\n"), HasSubstr("'E' is not a letter of the dna alphabet"));
  EXPECT_THAT(parse_error("AC GT\n"), HasSubstr("'AC' is not a letter"));
  EXPECT_THAT(parse_error(std::string("\0\x01 A\n", 5)), HasSubstr("'\\x00\\x01' is not a letter"));
  EXPECT_THAT(parse_error("A C G T\nA 1 2 3 99999\n"), HasSubstr("too large"));
  EXPECT_THAT(parse_error("A C G T\nA 1 2 3 999999999.9\n"), HasSubstr("'999999999.9' is not a score"));
  EXPECT_THAT(parse_error("A C G T\nA 5000 2 3 0.01\n"), HasSubstr("too many decimals"));
  EXPECT_THAT(parse_error(uniform("ACG", "1", "0")), HasSubstr("without the letter T"));
  EXPECT_THAT(parse_error("A C G T\nA 1 2 3 4\nC 1 2 3 4\nG 1 2 3 4\n"),
              HasSubstr("T has a column but no row"));
  EXPECT_THAT(parse_error(uniform("ARNDCQEGHILKMFPSTWY", "1", "0"), AlphabetKind::protein),
              HasSubstr("without the letter V, which every protein matrix needs"));
}

TEST(MatchMismatch, AmbiguityCodesMismatchEverything) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::match_mismatch("2", "-3");
  EXPECT_EQ(matrix.name(), "2/-3");
  EXPECT_EQ(value(matrix, 'G', 'g'), 2);
  EXPECT_EQ(value(matrix, 'U', 'T'), 2);
  EXPECT_EQ(value(matrix, 'A', 'G'), -3);
  EXPECT_EQ(value(matrix, 'N', 'N'), -3);
  EXPECT_EQ(value(matrix, 'A', 'R'), -3);
}

TEST(MatchMismatch, ScalesDecimals) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::match_mismatch("1", "-2.75");
  EXPECT_EQ(matrix.scale(), 4);
  EXPECT_EQ(value(matrix, 'A', 'A'), 4);
  EXPECT_EQ(value(matrix, 'A', 'C'), -11);
}

TEST(MatchMismatch, ErrorsSayWhatToWrite) {
  const auto error = [](const char* match, const char* mismatch) {
    return message_of([&] { SubstitutionMatrix::match_mismatch(match, mismatch); });
  };
  EXPECT_THAT(error("two", "-3"), HasSubstr("not 'two'"));
  EXPECT_THAT(error("0", "-3"), HasSubstr("above 0"));
  EXPECT_THAT(error("2", "3"), HasSubstr("not above 0, such as -3, not '3'"));
  EXPECT_THAT(error("2", ""), HasSubstr("not ''"));
  EXPECT_THAT(error("40000", "-3"), HasSubstr("too large"));
  EXPECT_THAT(error("30000", "-0.5"), HasSubstr("too many decimals"));
}

TEST(SubstitutionMatrix, MultiplyScalesValuesAndScaleAlike) {
  SubstitutionMatrix matrix = SubstitutionMatrix::builtin("BLOSUM62");
  matrix.multiply(2);
  EXPECT_EQ(matrix.scale(), 2);
  EXPECT_EQ(value(matrix, 'W', 'W'), 22);
  EXPECT_EQ(matrix.lowest(), -8);
  EXPECT_EQ(matrix.highest(), 22);
}

TEST(SubstitutionMatrix, WeightedAddsByWhetherLettersAreEqual) {
  const SubstitutionMatrix matrix = SubstitutionMatrix::builtin("BLOSUM62").weighted(100000, 3, -2);
  EXPECT_EQ(value(matrix, 'W', 'W'), 1100003);
  EXPECT_EQ(value(matrix, 'W', 'A'), -300002);
  EXPECT_EQ(value(matrix, 'U', 'C'), 899998);  // U scores as C, but does not equal C
  EXPECT_EQ(matrix.lowest(), -400002);
  EXPECT_EQ(matrix.highest(), 1100003);
  EXPECT_EQ(matrix.scale(), 1);
}

TEST(ParseMatrix, ScaledScoresHaveALimit) {
  const auto with = [](const char* match, const char* mismatch) {
    return parse_error(uniform("ACGT", match, mismatch));
  };
  EXPECT_EQ(with("32766", "-32766"), "no error");
  EXPECT_THAT(with("32767", "0"), HasSubstr("too large"));
  EXPECT_THAT(with("0", "-32767"), HasSubstr("too large"));
  EXPECT_EQ(with("16382.5", "-16382.5"), "no error");
  EXPECT_THAT(with("16383", "0.5"), HasSubstr("too large"));
  EXPECT_THAT(with("0.5", "-16383"), HasSubstr("too large"));
}

TEST(SubstitutionMatrix, OfValuesHasThem) {
  const SubstitutionMatrix blosum = SubstitutionMatrix::builtin("BLOSUM62");
  EXPECT_EQ(SubstitutionMatrix::of_values("BLOSUM62", AlphabetKind::protein, 1, blosum.values()), blosum);
  const std::span<const std::int32_t> values = blosum.values();
  for (const auto& [count, scale] : {std::pair(values.size() - 1, 1), {values.size(), 0}, {0, 1}})
    EXPECT_THAT(message_of([&, n = count, s = scale] {
                  SubstitutionMatrix::of_values("m", AlphabetKind::protein, s, values.first(n));
                }),
                HasSubstr("1024 values"));
}

// A matrix that is not symmetric, whose lowest and highest scores are in its last row and column.
TEST(SubstitutionMatrix, TransposedExchangesQueryAndSubject) {
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    const int size = Alphabet::of(kind).size();
    std::vector<std::int32_t> values(kMaxLetters * kMaxLetters);
    for (int query = 0; query < kMaxLetters; ++query)
      for (int subject = 0; subject < kMaxLetters; ++subject)
        values[query * kMaxLetters + subject] = 40 * query - 50 * subject;
    const SubstitutionMatrix matrix = SubstitutionMatrix::of_values("m", kind, 1, values),
                             turned = matrix.transposed();
    EXPECT_FALSE(matrix.symmetric());
    EXPECT_EQ(matrix.lowest(), -50 * (size - 1));
    EXPECT_EQ(matrix.highest(), 40 * (size - 1));
    EXPECT_EQ(turned.transposed(), matrix);
    for (Residue query = 0; query < kMaxLetters; ++query)
      for (Residue subject = 0; subject < kMaxLetters; ++subject) {
        EXPECT_EQ(turned.value(subject, query), matrix.value(query, subject));
        const bool letters = query < size && subject < size;
        EXPECT_EQ(matrix.value(query, subject), letters ? 40 * query - 50 * subject : matrix.lowest());
      }
    // A difference in one pair of letters alone is noticed, wherever it is.
    std::vector<std::int32_t> same(values.size(), 1);
    EXPECT_TRUE(SubstitutionMatrix::of_values("m", kind, 1, same).symmetric());
    for (const auto& [query, subject] : {std::pair(0, 1), {1, 0}, {size - 1, size - 2}, {0, size - 1}}) {
      std::vector<std::int32_t> odd = same;
      odd[query * kMaxLetters + subject] = 2;
      EXPECT_FALSE(SubstitutionMatrix::of_values("m", kind, 1, odd).symmetric()) << query << ' ' << subject;
    }
  }
}

}  // namespace
}  // namespace alnus
