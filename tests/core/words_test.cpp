#include "alnus/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "alnus/coverage.h"
#include "alnus/database.h"
#include "alnus/error.h"
#include "alnus/output.h"
#include "alnus/plan.h"
#include "alnus/relation.h"
#include "alnus/statistics.h"
#include "alnus/strand.h"

namespace alnus {
namespace {

using ::testing::ElementsAre;

template <class Value>
class Words : public ::testing::Test {};
using Enumerations =
    ::testing::Types<AlphabetChoice, AlphabetKind, bool FreeEnds::*, bool Masking::*, Composition,
                     CountedStrands, CoverageOf, Denominator, Detail, GapConvention, LowComplexity,
                     MatrixType, Mode, OutputFormat::Kind, PairValue, PhylipNames, Plan::Job, RelationKind,
                     ShuffleOptions::Sides, StatisticsMethod, Strand, Strands>;
TYPED_TEST_SUITE(Words, Enumerations);

TYPED_TEST(Words, EachValueIsFoundByItsWord) {
  ASSERT_FALSE(kWords<TypeParam>.empty());
  std::set<std::string_view> words;
  for (const auto& [word, value] : kWords<TypeParam>) {
    EXPECT_TRUE(words.insert(word).second) << word;
    EXPECT_EQ(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), word.npos) << word;
    EXPECT_EQ(word_of(value), word);
    EXPECT_EQ(find_word<TypeParam>(word), value) << word;
    EXPECT_EQ(parse_word<TypeParam>("word", word), value) << word;
  }
  EXPECT_FALSE(find_word<TypeParam>("").has_value());
  EXPECT_FALSE(find_word<TypeParam>("cheese").has_value());
}

TEST(WordsOf, AreInTheOrderOfTheirTable) {
  EXPECT_THAT(words_of<Mode>(), ElementsAre("local", "global", "semiglobal"));
  EXPECT_THAT(words_of<OutputFormat::Kind>(),
              ElementsAre("0", "5", "6", "7", "10", "srspair", "sam", "jsonl"));
  EXPECT_THAT(preset_names(), ElementsAre("blastp", "blastn", "ssearch", "emboss-needle", "emboss-water"));
}

TEST(WordOf, AValueWithoutAWordHasNone) { EXPECT_EQ(word_of(AlphabetChoice::unstated), ""); }

TEST(ParseWord, DashesAndUnderscoresAreTheSame) {
  EXPECT_EQ(parse_word<Denominator>("denominator", "end-gaps"), Denominator::with_end_gaps);
  EXPECT_EQ(parse_word<PairValue>("value", "score_distance"), PairValue::score_distance);
  EXPECT_EQ(make_scoring({.preset = "emboss_needle"}), make_scoring({.preset = "emboss-needle"}));
}

TEST(ParseWord, AnotherWordIsRefused) {
  const auto message = [](std::string_view word) -> std::string {
    try {
      parse_word<Mode>("mode", word);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(message("globall"), "There is no mode 'globall'; did you mean global?");
  EXPECT_EQ(message("x"), "There is no mode 'x'; choose one of local, global, semiglobal.");
  EXPECT_EQ(message("Local"), "There is no mode 'Local'; did you mean local?");
}

}  // namespace
}  // namespace alnus
