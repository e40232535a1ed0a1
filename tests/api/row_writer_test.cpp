// RowWriter: the detail that formats need, rows that are not written, SAM's primary records. Score plots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

TEST(ApiRowWriter, ReportsAndSamNeedAlignments) {
  Session session(session_options());
  const TempDir directory;
  const Database set(relatives_set(1, 4, 30));
  for (const char* format : {"0", "5", "srspair", "sam"}) {
    for (const Detail detail : {Detail::score, Detail::ends}) {
      OutputFile out(session, directory.file("out"));
      ReportHead head;
      head.detail = detail;
      EXPECT_NE(input_error([&] {
                  RowWriter writer(out, OutputFormat::parse(format), default_scoring(), set, set, head);
                }),
                "")
          << format;
    }
  }
}

TEST(ApiRowWriter, ColumnsThatNeedMoreDetailAreNotAvailable) {
  Session session(session_options());
  const TempDir directory;
  const Database set(set_of({"MKWVTFISLL"}));
  OutputFile out(session, directory.file("out"));
  ReportHead head;
  head.detail = Detail::score;
  RowWriter writer(out, OutputFormat::parse("6 qseqid sseqid score qend qstart"), default_scoring(), set, set,
                   head);
  writer.write(session.search(set, set, default_scoring(), {.detail = Detail::score, .evalue = 1e9}).hits);
  writer.finish();
  out.commit();
  EXPECT_THAT(read_file(directory.file("out")), ::testing::MatchesRegex("s0\ts0\t[0-9]+\tNA\tNA\n"));
}

TEST(ApiRowWriter, FlushBringsRowsToTheOutput) {
  Session session(session_options());
  const TempDir directory;
  const Database set(set_of({"MKWVTFISLL"}));
  OutputFile out(session, directory.file("out"));
  RowWriter writer(out, OutputFormat::parse("6 qseqid sseqid"), default_scoring(), set, set, {});
  writer.write(session.search(set, set, default_scoring(), {.evalue = 1e9}).hits);
  writer.flush();
  out.sync();
  EXPECT_EQ(read_file(directory.file("out.alnus-part")), "s0\ts0\n");
}

TEST(ApiRowWriter, LocalAlignmentsOfScoreZeroAreNotWritten) {
  Session session(session_options());
  const TempDir directory;
  const SequenceSet set = set_of({"WWW", "CCC"});
  const std::vector<IndexPair> pairs = {{0, 1}, {0, 0}};
  OutputFile out(session, directory.file("out"));
  RowWriter writer(out, OutputFormat::parse("6 qseqid sseqid score"), default_scoring(), set, set, {});
  writer.write(session.align(set, set, pairs, default_scoring()), "");
  writer.finish();
  out.commit();
  EXPECT_EQ(read_file(directory.file("out")), "s0\ts0\t33\n");
}

TEST(ApiRowWriter, AQueryThatIsNamedAgainHasOnePrimaryRecord) {
  Session session(session_options());
  const TempDir directory;
  const SequenceSet set = set_of({"WWWWW", "WWWWWH", "HHHHH"});
  const std::vector<IndexPair> pairs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}};
  OutputFile out(session, directory.file("out"));
  RowWriter writer(out, OutputFormat::parse("sam"), default_scoring(), set, set, {});
  writer.write(session.align(set, set, pairs, default_scoring()), "");
  writer.finish();
  out.commit();
  std::vector<std::string> records;
  std::istringstream lines(read_file(directory.file("out")));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("@")) records.push_back(line.substr(0, line.find("\t255")));
  EXPECT_THAT(records, ::testing::ElementsAre("s0\t0\ts0\t1", "s1\t256\ts0\t1", "s1\t0\ts1\t1",
                                              "s0\t256\ts1\t1", ::testing::StartsWith("s2\t4\t*\t0\t0\t*")));
}

TEST(ApiScorePlot, IsAWholePicture) {
  Session session(session_options());
  const SequenceSet queries = relatives_set(1, 4, 60), subjects = relatives_set(1, 50, 60);
  const SearchResult result = session.search(queries, subjects, default_scoring(), {.score_histogram = true});
  const std::string svg = score_plot_svg(result.summary.histogram, result.hits.rows.score, default_scoring(),
                                         queries.size(), subjects.size(), result.summary.statistics);
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("4 queries and 50 subjects"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
}

}  // namespace
}  // namespace alnus::test
