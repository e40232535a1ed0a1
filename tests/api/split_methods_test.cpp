// The text of a split for a paper says what its certificate says, and nothing else.
#include "jobs/split_methods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace alnus::test {
namespace {

using io::Certificate;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Certificate::Relation relation_of(const std::string& kind, const std::string& threshold,
                                  const std::string& strands = "plus") {
  Certificate::Relation relation{
      kind, threshold, {{"matrix", "BLOSUM62"}, {"gap_costs", "11/1"}, {"strands", strands}}};
  relation.parameters["mode"] = "local";
  if (kind == "whole" || kind == "part") relation.parameters["identity_by"] = "shorter";
  if (kind == "part") relation.parameters["evalue"] = "0.001";
  return relation;
}

Certificate certificate() {
  Certificate certificate;
  certificate.version = "1.2.3";
  certificate.relations = {relation_of("whole", "30"), relation_of("part", "40")};
  certificate.search_space = {1012, 345678};
  certificate.subsets = {{"train", {800, 300000}, "aaa", "ccc"}, {"test", {200, 40000}, "bbb", "ddd"}};
  for (int k = 0; k < 12; ++k) certificate.removed.ids.push_back("r" + std::to_string(k));
  certificate.removed.residues = 5678;
  certificate.pairs_compared = {160000, 339500};
  certificate.edges.within = 4321;
  return certificate;
}

TEST(SplitMethods, SayNumbersAndRelations) {
  EXPECT_THAT(
      jobs::methods_of(certificate(), true),
      AllOf(
          HasSubstr(
              "Of 1,012 sequences, 1,000 were split into 2 subsets of 200 to 800 sequences by alnus 1.2.3."),
          HasSubstr("similar if they have equal residues, if their global sequence identity is at least "
                    "30% (BLOSUM62, gap costs 11/1)"),
          HasSubstr(", or if they have a local alignment (BLOSUM62, gap costs 11/1) with an E-value of at "
                    "most 0.001, whose identical residues are at least 40% of the shorter sequence."),
          HasSubstr("search space of 1,012 sequences with 345,678 residues"),
          HasSubstr("Every pair of sequences of different subsets (160,000 pairs) was compared"),
          HasSubstr("12 sequences were removed"), HasSubstr("they have 4,321 similar pairs within"),
          HasSubstr("- train: 800 sequences, 300,000 residues; SHA-256 of the contents aaa\n"),
          HasSubstr("- test: 200 sequences, 40,000 residues; SHA-256 of the contents bbb\n")));
}

TEST(SplitMethods, AnswerEachQuestionOfDome) {
  EXPECT_THAT(
      jobs::methods_of(certificate(), true),
      AllOf(HasSubstr("**How were the sets split?** Of 1,012 sequences, 1,000 were"),
            HasSubstr(
                "**Are the training and test sets independent?** By this definition of similarity they are"),
            HasSubstr("**How was this enforced?** Two sequences count as similar if"),
            HasSubstr("previously published data sets?** [Authors: only you can answer")));
}

TEST(SplitMethods, NameEveryRelation) {
  Certificate one = certificate();
  one.relations = {relation_of("related", "0.01", "both"), relation_of("score", "75", "minus"),
                   relation_of("score-distance", "0.5")};
  EXPECT_THAT(jobs::methods_of(one, true),
              AllOf(HasSubstr("a local alignment (BLOSUM62, gap costs 11/1, both strands) with an E-value of "
                              "at most 0.01, if the score of their local alignment (BLOSUM62, gap costs "
                              "11/1, the minus strand) is at least 75, or if the distance of their local "
                              "alignment (BLOSUM62, gap costs 11/1), by scores, is at most 0.5."),
                    Not(HasSubstr("The identity is the highest"))));
  one.relations = {relation_of("score", "75")};
  EXPECT_THAT(jobs::methods_of(one, true), Not(HasSubstr("E-value")));
}

TEST(SplitMethods, SayWhatWasNotDone) {
  Certificate one = certificate();
  one.removed = {};
  EXPECT_THAT(jobs::methods_of(one, true), HasSubstr("No sequence was removed."));
  one.edges.origin = Certificate::Origin::given;
  one.pairs_compared = {};
  EXPECT_THAT(jobs::methods_of(one, true),
              AllOf(HasSubstr("The similar pairs were taken from a table, and alnus did not compare"),
                    HasSubstr("As far as the table of similar pairs is complete, no sequence of a subset"),
                    Not(HasSubstr("was compared"))));
  one.relations.clear();
  EXPECT_THAT(jobs::methods_of(one, true), HasSubstr("[Authors: say which sequences count as similar"));
}

TEST(SplitMethods, CountOneAsOne) {
  Certificate one = certificate();
  one.subsets = {{"a", {1, 10}, "x", "z"}, {"b", {1, 1}, "y", "w"}};
  one.removed.ids = {"r"};
  one.pairs_compared = {1, 0};
  one.edges.within = 1;
  EXPECT_THAT(jobs::methods_of(one, true),
              AllOf(HasSubstr("2 subsets of 1 sequence by"), HasSubstr("(1 pair)"),
                    HasSubstr("1 sequence was removed"), HasSubstr("- b: 1 sequence, 1 residue;")));
}

}  // namespace
}  // namespace alnus::test
