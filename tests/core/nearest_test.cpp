#include <array>
#include <gtest/gtest.h>
#include <vector>

#include "alnus/text.h"

namespace alnus {
namespace {

constexpr std::array<std::string_view, 4> kColumns = {"qseqid", "sseqid", "qstart", "evalue"};

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(nearest("sseqd", kColumns), "sseqid");
  EXPECT_EQ(nearest("e-value", kColumns), "evalue");
  EXPECT_EQ(nearest("qstrat", kColumns), "qstart");
}

TEST(Nearest, IgnoresCase) { EXPECT_EQ(nearest("EVALUE", kColumns), "evalue"); }

TEST(Nearest, TakesTheFirstOfEquals) { EXPECT_EQ(nearest("xseqid", kColumns), "qseqid"); }

TEST(Nearest, OfEqualsTheSameFirstLetterIsNearer) {
  const std::vector<std::string> columns = {"qcovs", "scov"};
  EXPECT_EQ(nearest("scovs", columns), "scov");
  EXPECT_EQ(nearest("--sset", std::vector<std::string>{"--best", "--seed", "--rest"}), "");
  EXPECT_EQ(nearest("--beds", std::vector<std::string>{"--reds", "--bets"}), "--bets");
}

TEST(Nearest, DashesAreNoLetters) {
  EXPECT_EQ(nearest("--self", std::vector<std::string>{"--help"}), "") << "two edits of four letters";
  EXPECT_EQ(nearest("--halp", std::vector<std::string>{"--help"}), "--help");
  EXPECT_EQ(nearest("--max-sqs", std::vector<std::string>{"--max-seqs"}), "--max-seqs");
}

TEST(Nearest, TakesStringsAndEmptyLists) {
  EXPECT_EQ(nearest("b", std::vector<std::string>{"ax", "b"}), "b");
  EXPECT_EQ(nearest("", std::vector<std::string>{"long", "s"}), "");
  EXPECT_EQ(nearest("b", std::vector<std::string>{}), "");
}

TEST(Nearest, ProposesNothingThatIsFar) {
  EXPECT_EQ(nearest("staxids", kColumns), "");
  EXPECT_EQ(nearest("MIQS", std::vector<std::string>{"BLOSUM62", "PAM120"}), "");
  EXPECT_EQ(nearest("x", kColumns), "");
}

TEST(Nearest, ABeginningIsNear) {
  const std::vector<std::string> options = {"--max", "--max-target-seqs", "--matrix-value"};
  EXPECT_EQ(nearest("--max-t", options), "--max-target-seqs");
  EXPECT_EQ(nearest("--MATRIX", options), "--matrix-value");
  EXPECT_EQ(nearest("--m", options), "") << "one letter says too little";
  EXPECT_EQ(nearest("avx", std::vector<std::string>{"avx512", "avx2"}), "avx2") << "the shorter way";
}

TEST(Suggestion, NamesTheNearestOrAll) {
  EXPECT_EQ(suggestion("evlue", kColumns), "did you mean evalue?");
  EXPECT_EQ(suggestion("taxonomy", kColumns), "choose one of qseqid, sseqid, qstart, evalue.");
  EXPECT_EQ(suggestion("long", std::vector<std::string>{"a", "b"}), "choose one of a, b.");
  EXPECT_EQ(suggestion("b", std::vector<std::string>{}), "there is nothing to choose from.");
}

}  // namespace
}  // namespace alnus
