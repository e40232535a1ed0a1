#include "alnus/relation.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "alnus/error.h"

namespace alnus {
namespace {

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return error.what();
  }
  return "nothing was thrown";
}
std::string refusal_of(const std::string& list) {
  return refusal([&] { parse_relations(list); });
}
std::string refusal_of(const std::vector<Relation>& relations) {
  return refusal([&] { check_relations(relations); });
}

TEST(Relations, AreReadInTheirOrder) {
  const std::vector<Relation> all = parse_relations("score:-3.5,whole:30,related:1e-5,part:90.5");
  EXPECT_EQ(all, (std::vector<Relation>{{RelationKind::score, -3.5},
                                        {RelationKind::whole, 30},
                                        {RelationKind::related, 1e-5},
                                        {RelationKind::part, 90.5}}));
  EXPECT_EQ(to_string(all), "score:-3.5,whole:30,related:1e-05,part:90.5");
  EXPECT_EQ(to_string(all[1]), "whole:30");
}

TEST(Relations, ScoreDistanceHasTwoSpellings) {
  for (const char* text : {"score-distance:75", "score_distance:75"}) {
    const std::vector<Relation> one = parse_relations(text);
    EXPECT_EQ(one, (std::vector<Relation>{{RelationKind::score_distance, 75}}));
    EXPECT_EQ(to_string(one), "score-distance:75");
  }
}

TEST(Relations, ComeBackFromTheirText) {
  for (const double threshold : {1.0000000000000002, 30.0, 64.4, 100.0 / 3, 99.99999999999999, 100.0})
    for (const RelationKind kind : {RelationKind::whole, RelationKind::part}) {
      const std::vector<Relation> one = {{kind, threshold}};
      EXPECT_EQ(parse_relations(to_string(one)), one) << to_string(one);
    }
  for (const double threshold : {0.0, 5e-324, 1e-300, 0.001, 1.0 / 3, 10.0, 1e300})
    for (const RelationKind kind :
         {RelationKind::related, RelationKind::score, RelationKind::score_distance}) {
      const std::vector<Relation> one = {{kind, threshold}};
      EXPECT_EQ(parse_relations(to_string(one)), one) << to_string(one);
    }
}

TEST(Relations, ThatNobodyKnowsAreRefused) {
  EXPECT_EQ(refusal_of("hole:30"), "There is no relation 'hole'; did you mean whole?");
  EXPECT_EQ(refusal_of("whole:30,Part:30"), "There is no relation 'Part'; did you mean part?");
  const std::string choose = "; choose one of whole, part, related, score, score-distance.";
  EXPECT_EQ(refusal_of("x:30"), "There is no relation 'x'" + choose);
  EXPECT_EQ(refusal_of(""), "There is no relation ''" + choose);
  EXPECT_EQ(refusal_of("whole:30,"), "There is no relation ''" + choose);
  EXPECT_EQ(refusal_of(",whole:30"), "There is no relation ''" + choose);
  EXPECT_EQ(refusal_of("whole:30, part:30"), "There is no relation ' part'; did you mean part?");
}

TEST(Relations, WithoutAThresholdAreRefused) {
  EXPECT_EQ(refusal_of("whole"), "relation whole: the threshold is missing, as in whole:30.");
  EXPECT_EQ(refusal_of("whole:30,part"), "relation part: the threshold is missing, as in part:30.");
  EXPECT_EQ(refusal_of("related"), "relation related: the threshold is missing, as in related:0.001.");
  EXPECT_EQ(refusal_of("score"), "relation score: the threshold is missing, as in score:75.");
  EXPECT_EQ(refusal_of("score-distance"),
            "relation score-distance: the threshold is missing, as in score-distance:75.");
}

TEST(Relations, WhoseThresholdIsNoNumberAreRefused) {
  for (const std::string text : {"30%", "", " 30", "30 ", "+30", "0x30", "thirty", "30:40", "1e999"})
    EXPECT_EQ(refusal_of("whole:" + text), fmt::format("relation whole:{0}: '{0}' is no number.", text));
  EXPECT_EQ(refusal_of("score:nan"), "relation score:nan: the threshold is no finite number.");
  EXPECT_EQ(refusal_of("related:inf"), "relation related:inf: the threshold is no finite number.");
  for (const RelationKind kind : {RelationKind::whole, RelationKind::part, RelationKind::related,
                                  RelationKind::score, RelationKind::score_distance})
    for (const double threshold : {std::nan(""), std::numeric_limits<double>::infinity()})
      EXPECT_NE(refusal_of({{kind, threshold}}).find("the threshold is no finite number."), std::string::npos)
          << word_of(kind);
}

TEST(Relations, PercentsAreAbove1AndAtMost100) {
  EXPECT_EQ(refusal_of("whole:0.3"),
            "relation whole:0.3: identities are percents: write whole:30 for this fraction.");
  EXPECT_EQ(refusal_of("part:1"),
            "relation part:1: identities are percents: write part:100 for this fraction.");
  EXPECT_EQ(refusal_of("part:0.07"),
            "relation part:0.07: identities are percents: write part:7 for this fraction.");
  for (const char* text : {"whole:100.5", "part:100.00000000000001", "whole:-30", "part:-1e-9"})
    EXPECT_NE(refusal_of(text).find("identities are percents, above 1 and at most 100."), std::string::npos)
        << text << ": " << refusal_of(text);
  EXPECT_EQ(parse_relations("whole:1.01,part:100").size(), 2u);
}

// The message must not advise what is refused in turn.
TEST(Relations, WhatAMessageAdvisesIsNoErrorItself) {
  for (const char* text : {"whole:0", "whole:0.005", "part:0.01", "whole:0.3", "part:1"}) {
    const std::string message = refusal_of(text), write = "write ";
    const std::size_t begin = message.find(write);
    if (begin == message.npos) continue;
    const std::size_t word = begin + write.size();
    const std::string advised = message.substr(word, message.find(' ', word) - word);
    EXPECT_EQ(refusal_of(advised), "nothing was thrown") << message;
  }
}

TEST(Relations, EvaluesAreNotNegative) {
  EXPECT_EQ(refusal_of("related:-0.1"), "relation related:-0.1: E-values are 0 or more.");
  EXPECT_EQ(parse_relations("related:0").size(), 1u);
}

TEST(Relations, AKindComesOnce) {
  EXPECT_EQ(refusal_of("whole:30,part:30,whole:40"),
            "relation whole:30,part:30,whole:40: whole comes twice. Name each kind once.");
  EXPECT_NE(refusal_of("score-distance:1,score_distance:2").find("score-distance comes twice"),
            std::string::npos)
      << refusal_of("score-distance:1,score_distance:2");
}

TEST(Relations, OfTheCallAreScoresAndScoreDistances) {
  EXPECT_TRUE(is_of_call(RelationKind::score) && is_of_call(RelationKind::score_distance));
  EXPECT_FALSE(is_of_call(RelationKind::whole) || is_of_call(RelationKind::part) ||
               is_of_call(RelationKind::related));
}

}  // namespace
}  // namespace alnus
