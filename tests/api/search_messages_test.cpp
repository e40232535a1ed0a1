// What a search tells its user of its hits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/search.h"

namespace alnus {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts_of(const SearchSummary& summary) {
  std::vector<std::string> texts;
  for (const Message& message : messages_of(summary))
    texts.push_back((message.severity == Severity::warning ? "warning: " : "") + message.text());
  return texts;
}

TEST(SearchMessages, NothingOddIsNotTold) { EXPECT_TRUE(texts_of({}).empty()); }

TEST(SearchMessages, QueriesAreCountedAndNamed) {
  SearchSummary summary;
  summary.cut_ties = 1, summary.cut_tie_ids = {"a"};
  summary.limit = {.max_target_seqs = 5, .full_queries = 2, .full_query_ids = {"a", "b c"}};
  summary.without_hits = 7, summary.without_hits_ids = {"x", "", "z"};
  EXPECT_THAT(
      texts_of(summary),
      ElementsAre(
          "Ties at the cut: in 1 query ('a') a subject that is not listed scores as high as the last one "
          "listed; the database's order decided.",
          "2 queries ('a', 'b c') have as many hits as max_target_seqs 5 allows: further hits may be left "
          "out.",
          "7 queries (such as 'x', NA, 'z') have no hit."));
}

TEST(SearchMessages, AFallbackIsAWarning) {
  SearchSummary summary;
  summary.fallbacks = 3;
  EXPECT_THAT(texts_of(summary),
              ElementsAre(::testing::AllOf(::testing::StartsWith("warning: The scores of 3 queries"),
                                           ::testing::EndsWith(": they have no E-values."))));
  summary.has_parameters = true;
  summary.fallback = StatisticsMethod::spouge;
  EXPECT_THAT(texts_of(summary), ElementsAre(::testing::HasSubstr("their E-values are those of")));
}

}  // namespace
}  // namespace alnus
