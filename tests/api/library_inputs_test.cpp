// Inputs that only a program that uses the library can give: files and the command line cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/table.h"
#include "support/unread_letters.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::vector<Denominator> kRepeated = {Denominator::ungapped, Denominator::shorter,
                                            Denominator::ungapped, Denominator::ungapped};
const std::vector<Denominator> kOnce = {Denominator::ungapped, Denominator::shorter};

// The session has so little memory that results come in several batches.
class ApiLibraryInputs : public testing::Test {
 protected:
  const SequenceSet set_ = relatives_set(1, 25, 30);
  const Scoring scoring_ = default_scoring("global");
  Session session_{session_options(2, 1 << 20)};
};

TEST_F(ApiLibraryInputs, ADenominatorThatIsNamedTwiceCountsOnceInASearch) {
  SearchOptions options{.detail = Detail::score, .statistics = no_statistics()};
  options.identity_ranges = kRepeated;
  SearchRows streamed;
  session_.search(set_, set_, scoring_, options, streamed.sink());
  EXPECT_GT(streamed.batch_sizes.size(), 1u);
  const Table collected(session_.search(set_, set_, scoring_, options).hits.rows);
  const double seconds = session_.cost_of_search(set_, set_, scoring_, options).seconds;
  options.identity_ranges = kOnce;
  const Table expected(session_.search(set_, set_, scoring_, options).hits.rows);
  EXPECT_TRUE(same(collected, expected));
  EXPECT_TRUE(same(streamed.rows, expected));
  EXPECT_DOUBLE_EQ(session_.cost_of_search(set_, set_, scoring_, options).seconds, seconds);
}

TEST_F(ApiLibraryInputs, ADenominatorThatIsNamedTwiceCountsOnceInAlignments) {
  const std::vector<IndexPair> pairs = every_pair(set_, set_);
  AlignOptions options{.detail = Detail::score};
  options.identity_ranges = kRepeated;
  const Columns rows = session_.align(set_, set_, pairs, scoring_, options);
  options.identity_ranges = kOnce;
  EXPECT_TRUE(same(Table(rows), Table(session_.align(set_, set_, pairs, scoring_, options))));
  for (const Denominator by : kOnce) {
    const std::vector<IdentityRange> expected = session_.identity_range(set_, set_, pairs, scoring_, by);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      EXPECT_EQ(rows.row(i).identity_range[static_cast<std::size_t>(by)]->highest, expected[i].highest);
  }
}

TEST_F(ApiLibraryInputs, ADenominatorThatIsNamedTwiceCountsOnceInAllPairs) {
  const auto rows = [&](const std::vector<Denominator>& denominators) {
    AllPairsOptions options;
    options.detail = Detail::score;
    options.statistics = no_statistics();
    options.identity_ranges = denominators;
    Table found;
    session_.all_pairs(set_, scoring_, options,
                       PairSink{.rows = [&](const Columns& batch, const auto&) { found.append(batch); }});
    return found;
  };
  EXPECT_TRUE(same(rows(kRepeated), rows(kOnce)));
}

TEST_F(ApiLibraryInputs, LettersBeyondAllCoordinatesAreAnError) {
  const UnreadLetters many;
  EXPECT_THAT(input_error([&] { session_.align(many.letters(), "MKV", scoring_); }),
              AllOf(HasSubstr("The query"), HasSubstr("2147483647")));
  EXPECT_THAT(input_error([&] { session_.align("MKV", many.letters(), scoring_); }),
              AllOf(HasSubstr("The subject"), HasSubstr("2147483647")));
}

TEST_F(ApiLibraryInputs, SequencesOfDifferentAlphabetsCannotBeJoined) {
  const SequenceSet dna = random_set({.count = 3, .alphabet = AlphabetKind::dna});
  const auto both = AllOf(HasSubstr("relatives holds protein"), HasSubstr("random holds dna"));
  EXPECT_THAT(input_error([&] { Database(set_).extended(dna); }), both);
  EXPECT_THAT(input_error([&] { Database(dna).extended(set_); }), both);
}

}  // namespace
}  // namespace alnus::test
