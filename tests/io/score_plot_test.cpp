#include "io/score_plot.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace alnus::io {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t occurrences(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string_view::npos; at += what.size()) ++count;
  return count;
}

// Returns the text between occurrence `n` of `begin` (from 0 on) and the next `end`.
std::string_view part(std::string_view text, std::string_view begin, std::string_view end, int n = 0) {
  std::size_t at = text.find(begin);
  for (; n > 0 && at != std::string_view::npos; --n) at = text.find(begin, at + 1);
  if (at == std::string_view::npos) return {};
  at += begin.size();
  return text.substr(at, text.find(end, at) - at);
}
std::size_t bars(std::string_view svg, const std::string& of_what, int panel = 0) {
  return occurrences(part(svg, "<g class=\"" + of_what + "\"", "</g>", panel), "<rect ");
}
std::size_t panels(std::string_view svg) { return occurrences(svg, "<g class=\"pairs\""); }

// Returns a plot of 40 bins of one score each, from score 20 on. The two highest scores are hits.
ScorePlot small_plot() {
  ScorePlot plot;
  plot.title = "alnus search: 2 queries, 1,000 subjects";
  plot.subtitle = "E-values: spouge";
  plot.x_label = "score";
  plot.first_bin = 20;
  for (int bin = 0; bin < 40; ++bin) {
    const double count = 3000 * std::exp(-0.3 * std::abs(bin - 10));
    plot.counts.push_back(static_cast<std::uint64_t>(std::ceil(count)));
    plot.expected.push_back(count);
  }
  plot.hits = {59.0, 58.0};
  plot.threshold = 58;
  return plot;
}

TEST(ScorePlot, HasABarForEachBinAndWhatIsSaidOfIt) {
  const std::string svg = score_plot_svg(small_plot());
  EXPECT_EQ(panels(svg), 1U);
  EXPECT_EQ(bars(svg, "pairs"), 40U);
  EXPECT_EQ(bars(svg, "hits"), 2U);
  EXPECT_EQ(occurrences(svg, "<polyline "), 1U);
  for (const char* words :
       {">alnus search: 2 queries, 1,000 subjects</title>", ">E-values: spouge</text>", ">score</text>",
        ">2 reported hits</text>", ">expected by chance</text>", ">limit of E-values at 58</text>",
        "2 reported hits, from 58 to 59. The limit of E-values lies at 58.</desc>",
        "viewBox=\"0 0 960 540\""})
    EXPECT_THAT(svg, HasSubstr(words));
  EXPECT_LT(svg.size(), 20'000U);
}

TEST(ScorePlot, TicksAreRoundAndGrouped) {
  const std::string svg = score_plot_svg(small_plot());
  for (const char* count : {">1<", ">10<", ">100<", ">1,000<"})
    EXPECT_THAT(part(svg, "<g id=\"counts\">", "</g>"), HasSubstr(count));
  EXPECT_EQ(occurrences(part(svg, "<g id=\"counts\">", "</g>"), "<text "), 4U);
  for (const char* score : {">20<", ">25<", ">60<"})
    EXPECT_THAT(part(svg, "<g class=\"scores\">", "</g>"), HasSubstr(score));

  ScorePlot negative = small_plot();
  negative.first_bin = -2000;
  negative.bin_width = 100;
  negative.hits.clear();
  negative.threshold.reset();
  const std::string ticks(part(score_plot_svg(negative), "<g class=\"scores\">", "</g>"));
  for (const char* score : {">-2,000<", ">0<", ">2,000<"}) EXPECT_THAT(ticks, HasSubstr(score));
}

TEST(ScorePlot, WithoutAFitThereIsNeitherCurveNorLimit) {
  ScorePlot plot = small_plot();
  plot.expected.clear();
  plot.threshold.reset();
  const std::string svg = score_plot_svg(plot);
  EXPECT_EQ(bars(svg, "pairs"), 40U);
  for (const char* absent : {"<polyline", "expected by chance", "limit of E-values", "stroke-dasharray"})
    EXPECT_THAT(svg, Not(HasSubstr(absent)));
}

TEST(ScorePlot, DistantHitsHaveAPanelOfTheirOwn) {
  ScorePlot plot = small_plot();
  plot.counts.resize(5000);
  for (const double score : {1500.0, 1501.0, 5019.0}) {
    plot.hits.push_back(score);
    ++plot.counts[static_cast<std::size_t>(score - plot.first_bin)];
  }
  const std::string svg = score_plot_svg(plot);
  ASSERT_EQ(panels(svg), 2U);
  EXPECT_EQ(bars(svg, "pairs", 0), 40U);
  EXPECT_EQ(bars(svg, "hits", 0), 2U);
  EXPECT_EQ(bars(svg, "pairs", 1), 2U);  // scores 1500 and 1501 are in one bar
  EXPECT_EQ(bars(svg, "hits", 1), 2U);
  EXPECT_THAT(svg, HasSubstr(">score, bars of 1</text>"));
  EXPECT_THAT(svg, HasSubstr(">bars of 100</text>"));
}

// In a second panel may be at most a thousandth of all pairs, besides hits. So three hits may be there,
// though they are more than a thousandth of 163 pairs.
TEST(ScorePlot, DistantHitsAmongFewPairsHaveAPanelOfTheirOwn) {
  ScorePlot plot;
  plot.counts.resize(3001);
  for (std::size_t bin = 0; bin < 40; ++bin) plot.counts[bin] = 4;
  for (const std::size_t bin : {1500, 2000, 3000}) {
    plot.counts[bin] = 1;
    plot.hits.push_back(static_cast<double>(bin));
  }
  const std::string svg = score_plot_svg(plot);
  ASSERT_EQ(panels(svg), 2U);
  EXPECT_EQ(bars(svg, "pairs"), 40U);
  EXPECT_EQ(bars(svg, "hits", 1), 3U);

  plot.hits.pop_back();  // this pair is now no hit: one of 163 pairs is more than a thousandth
  EXPECT_EQ(panels(score_plot_svg(plot)), 1U);
}

// If all pairs are hits, as without statistics, the axis is broken only if nearly all of them are in one
// panel.
TEST(ScorePlot, TheAxisIsNotBrokenAmongHits) {
  ScorePlot plot;
  plot.counts.resize(300, 1);
  for (int bin = 0; bin < 300; ++bin) plot.hits.push_back(bin);
  EXPECT_EQ(panels(score_plot_svg(plot)), 1U);
}

TEST(ScorePlot, ANoteIsALineBelowAndInTheDescription) {
  ScorePlot plot = small_plot();
  EXPECT_EQ(occurrences(score_plot_svg(plot), "of a query"), 0U);
  plot.note = "At most 2 hits are reported of a query.";
  EXPECT_THAT(score_plot_svg(plot), HasSubstr(">At most 2 hits are reported of a query.</text>"));
  EXPECT_THAT(score_plot_svg(plot),
              HasSubstr("The limit of E-values lies at 58. At most 2 hits are reported of a query.</desc>"));
}

TEST(ScorePlot, ManyBinsAreMerged) {
  ScorePlot plot;
  plot.x_label = "score";
  plot.counts.assign(3000, 1);
  plot.expected.assign(3000, 1.0);
  for (int score = 0; score < 3000; ++score) plot.hits.push_back(score);
  const std::string svg = score_plot_svg(plot);
  EXPECT_EQ(panels(svg), 1U);
  EXPECT_EQ(bars(svg, "pairs"), 300U);
  EXPECT_EQ(bars(svg, "hits"), 300U);
  EXPECT_THAT(svg, HasSubstr(">score, bars of 10</text>"));
  EXPECT_LT(svg.size(), 60'000U);
}

TEST(ScorePlot, EscapesWhatXmlDoesNotTake) {
  ScorePlot plot = small_plot();
  plot.title = "a<b>&\"c\"\n\x01\xff \xc3\xa9";
  const std::string svg = score_plot_svg(plot);
  EXPECT_EQ(occurrences(svg, "a&lt;b&gt;&amp;\"c\"  \xef\xbf\xbd \xc3\xa9<"), 2U);  // title and text
}

TEST(ScorePlot, NothingIsShownAsNothing) {
  ScorePlot plot;
  plot.x_label = "score";
  const std::string svg = score_plot_svg(plot);
  EXPECT_EQ(bars(svg, "pairs"), 0U);
  EXPECT_THAT(svg, HasSubstr(">no pairs</text>"));
  EXPECT_THAT(svg, HasSubstr(">0 pairs</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));

  plot.counts.assign(10, 0);
  EXPECT_EQ(score_plot_svg(plot), svg);
}

TEST(ScorePlot, AllScoresAlike) {
  ScorePlot plot;
  plot.x_label = "score";
  plot.counts = {5000};
  const std::string svg = score_plot_svg(plot);
  EXPECT_EQ(bars(svg, "pairs"), 1U);
  EXPECT_THAT(svg, HasSubstr(">5,000 pairs (grey alone: not reported)</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">no pairs<")));
}

TEST(ScorePlot, ALimitThatNoPairReachesIsSeen) {
  ScorePlot plot = small_plot();
  plot.hits.clear();
  plot.threshold = 90;
  EXPECT_EQ(occurrences(score_plot_svg(plot), "stroke-dasharray"), 2U);  // in the legend and in the picture
  plot.threshold = 2147483647;
  const std::string svg = score_plot_svg(plot);
  EXPECT_EQ(occurrences(svg, "stroke-dasharray"), 1U);
  EXPECT_THAT(svg, HasSubstr(">limit of E-values at 2,147,483,647</text>"));
}

}  // namespace
}  // namespace alnus::io
