#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/error.h"
#include "io/columns.h"
#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string every_column(const std::string& kind) {
  std::string format = kind;
  for (const Column& column : all_columns()) format += " " + std::string(column.name);
  return format;
}

// Returns the value of one column in the first row.
std::string value(const Example& example, const std::string& column, Detail detail = Detail::alignment) {
  const std::string text = written(example, "6 " + column, detail);
  return text.substr(0, text.find('\n'));
}

TEST(TabularWriter, Golden) {
  expect_golden("local.std.tsv", written(local_example(), "6"));
  expect_golden("local.all.tsv", written(local_example(), every_column("6")));
  expect_golden("local.comments.tsv", written(local_example(), "7"));
  expect_golden("local.csv", written(local_example(), "10 std qtitle stitle"));
  expect_golden("semiglobal.all.tsv", written(semiglobal_example(), every_column("7")));
  expect_golden("dna.all.tsv", written(dna_example(), every_column("7")));
}

TEST(TabularWriter, LessDetailPrintsNA) {
  expect_golden("local.ends.tsv", written(local_example(), every_column("7"), Detail::ends));
  expect_golden("local.score.tsv", written(local_example(), every_column("7"), Detail::score));
}

TEST(TabularWriter, IdentityRangesAreByDenominator) {
  Example example = local_example();
  auto& range = example.hits[0][0].identity_range;
  range[static_cast<std::size_t>(Denominator::alignment)] = {{0, 1}, {2, 3}};
  range[static_cast<std::size_t>(Denominator::ungapped)] = {{1, 3}, {1, 2}};
  range[static_cast<std::size_t>(Denominator::mean)] = {{5, 8}, {1, 1}};
  EXPECT_EQ(value(example,
                  "pident_min pident_max pident_ungapped_min pident_ungapped_max pident_mean_min "
                  "pident_mean_max"),
            "0.000\t66.667\t33.333\t50.000\t62.500\t100.000");
  EXPECT_EQ(value(local_example(), "pident_min"), "NA");
}

TEST(TabularWriter, MissingStatisticsPrintNA) {
  EXPECT_THAT(written(local_example(), "6 sseqid evalue bitscore"), HasSubstr("\nS2\tNA\tNA\n"));
}

TEST(TabularWriter, SeparatorsInTitlesDoNotBreakTables) {
  const Example example = local_example();
  EXPECT_EQ(value(example, "qtitle"),
            "The first, so-called \"quoted\" protein OS=Escherichia coli K12 GN=a PE=1 SV=1");
  EXPECT_THAT(written(example, "10 qtitle score"),
              HasSubstr("\"The first, so-called \"\"quoted\"\"\tprotein OS="));
}

TEST(TabularWriter, IdentityByEveryDenominator) {
  Example example{
      blosum62("global"), sequences({{"q", "MKTAYIAKQR"}}), sequences({{"s", "MKTAYIWQRGGGGG"}}), {{}}, {}};
  Alignment alignment;
  alignment.query_begin = alignment.subject_begin = 0;
  alignment.query_end = 10;
  alignment.subject_end = 14;
  alignment.cigar = {{CigarOp::equal, 6},
                     {CigarOp::insertion, 1},
                     {CigarOp::mismatch, 1},
                     {CigarOp::equal, 2},
                     {CigarOp::deletion, 5}};
  example.add_hit(0, 0, alignment);
  EXPECT_EQ(value(example, "nident,length,gaps,gapopen,mismatch"), "8\t15\t6\t2\t1");
  EXPECT_EQ(value(example, "pident"), "53.333");
  EXPECT_EQ(value(example, "pident_alignment"), "53.333");
  EXPECT_EQ(value(example, "pident_ungapped"), "88.889");
  EXPECT_EQ(value(example, "pident_shorter"), "80.000");
  EXPECT_EQ(value(example, "pident_longer"), "57.143");
  EXPECT_EQ(value(example, "pident_mean"), "66.667");
  EXPECT_EQ(value(example, "pident_end_gaps"), "53.333") << "a global alignment has no others";
  EXPECT_EQ(value(example, "fident"), "0.533");
  EXPECT_EQ(value(example, "btop"), "6A-KW2-G-G-G-G-G");
  EXPECT_EQ(value(example, "cigar"), "6=1I1X2=5D");
  EXPECT_EQ(value(example, "qaln"), "MKTAYIAKQR-----");
  EXPECT_EQ(value(example, "taln"), "MKTAYI-WQRGGGGG");
  EXPECT_EQ(value(example, "qcov tcov qcovs qcovhsp scovhsp"), "1.000\t1.000\t100\t100\t100");
}

// Two residues of the query and one of the subject are before the alignment, three of the subject after it.
TEST(TabularWriter, IdentityOfColumnsWithEndGaps) {
  Example example{
      blosum62("local"), sequences({{"q", "GGMKTAY"}}), sequences({{"s", "WMKTAYCCC"}}), {{}}, {}};
  Alignment alignment;
  alignment.query_begin = 2;
  alignment.subject_begin = 1;
  alignment.query_end = 7;
  alignment.subject_end = 6;
  alignment.cigar = {{CigarOp::equal, 5}};
  example.add_hit(0, 0, alignment);
  EXPECT_EQ(value(example, "length,pident,pident_end_gaps"), "5\t100.000\t45.455");
  EXPECT_EQ(value(example, "pident_end_gaps_min"), "NA");
}

TEST(TabularWriter, EmptyAlignmentEndsBeforeItStarts) {
  Example example = semiglobal_example();
  example.hits[0].clear();
  const std::string row = value(example, "qseqid qstart qend sstart send length pident score cigar");
  EXPECT_EQ(row, "lonely\t6\t5\t1\t0\t0\t0.000\t0\t*");
}

TEST(TabularWriter, CommentsOfAQueryWithoutHits) {
  EXPECT_THAT(
      written(local_example(), "7"),
      HasSubstr("# BLASTP alnus-1.2.3\n# Query: second\n# Database: subjects.fasta\n# Statistics: karlin, "
                "lambda 0.267, K 0.041 (published), effective "
                "search space 2907, not adjusted to composition, low-complexity regions not masked\n# 0 hits "
                "found\n"
                "# BLAST processed 2 queries\n"));
}

// NA replaces an empty id in comments, as in rows, because parsers do not take the label alone.
TEST(TabularWriter, CommentsOfAQueryWithoutAName) {
  Example example = local_example();
  example.queries = sequences({{"", "MKTAYIAKQR"}});
  example.hits = {{}};
  EXPECT_THAT(written(example, "7"), HasSubstr("\n# Query: NA\n"));
}

TEST(TabularWriter, HeaderNamesTheColumns) {
  const auto with_header = [](std::string_view format, const Example& example) {
    OutputFormat parsed = OutputFormat::parse(format);
    parsed.header = true;
    return written(example, parsed);
  };
  const Example example = local_example();
  EXPECT_EQ(
      with_header("6", example),
      "qaccver\tsaccver\tpident\tlength\tmismatch\tgapopen\tqstart\tqend\tsstart\tsend\tevalue\tbitscore\n" +
          written(example, "6"));
  EXPECT_EQ(with_header("10 query,bits,stitle", example),
            "qseqid,bitscore,stitle\n" + written(example, "10 query,bits,stitle"));
  Example empty = example;
  empty.hits = {{}, {}};
  EXPECT_EQ(with_header("6 query score", empty), "qseqid\tscore\n");
  for (const char* format : {"0", "5", "7", "srspair", "sam", "jsonl"}) {
    try {
      with_header(format, example);
      FAIL() << format;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr("6 or 10"));
    }
  }
}

TEST(TabularWriter, AColumnMayComeSeveralTimes) {
  const Example example = local_example();
  const std::string first = "sp|Q1|FIRST", subject = "sp|S1|ONE";
  EXPECT_EQ(value(example, "qseqid sseqid qseqid"), first + "\t" + subject + "\t" + first);
  EXPECT_EQ(value(example, "std qacc"), value(example, "std") + "\t" + first);
  EXPECT_EQ(value(example, "query qaccver qseqid"), first + "\t" + first + "\t" + first) << "aliases";
  EXPECT_EQ(value(example, "score sseqid score sseqid"),
            value(example, "score sseqid") + "\t" + value(example, "score sseqid"));
  EXPECT_EQ(value(example, "evalue evalue", Detail::score),
            value(example, "evalue") + "\t" + value(example, "evalue"));

  OutputFormat format = OutputFormat::parse("10 qseqid query score qseqid");
  format.header = true;
  const std::string name = format.columns.front();
  EXPECT_THAT(written(example, format), StartsWith(fmt::format("{0},{0},score,{0}\n{1},{1},", name, first)));
  format.kind = OutputFormat::Kind::tabular;
  EXPECT_THAT(written(example, format),
              StartsWith(fmt::format("{0}\t{0}\tscore\t{0}\n{1}\t{1}\t", name, first)));
  EXPECT_THAT(written(example, "7 qseqid sseqid qseqid"),
              HasSubstr("\n# Fields: query id, subject id, query id\n"));
}

TEST(TabularWriter, BtopIsUpperCase) {
  Example example{
      blosum62("global"), sequences({{"q", "MKTayIAKQR"}}), sequences({{"s", "MKTwIakr"}}), {{}}, {}};
  example.add_hit(0, 0);
  EXPECT_EQ(value(example, "btop"), "3A-YW3Q-1");
}

TEST(OutputFormat, Parse) {
  const OutputFormat standard = OutputFormat::parse("6");
  EXPECT_EQ(standard.kind, OutputFormat::Kind::tabular);
  EXPECT_EQ(standard.columns.size(), 12u);
  EXPECT_EQ(OutputFormat::parse("7 std").columns, standard.columns);
  EXPECT_THAT(
      OutputFormat::parse("10 query,target  fident raw bits theader tseq").columns,
      ::testing::ElementsAre("qseqid", "sseqid", "fident", "score", "bitscore", "theader", "full_sseq"));
  EXPECT_EQ(OutputFormat::parse("sam").kind, OutputFormat::Kind::sam);
}

TEST(OutputFormat, ErrorsNameTheNearestWord) {
  const auto message = [](std::string_view text) {
    try {
      OutputFormat::parse(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("srspairs"), HasSubstr("did you mean srspair?"));
  EXPECT_THAT(message(""),
              HasSubstr("6 is a table, 7 a table with comments, 10 CSV, 5 BLAST's XML and 0 BLAST's "
                        "report; the others are srspair, sam and jsonl."));
  EXPECT_THAT(message("6 qseqid pidemt"),
              HasSubstr("'pidemt' is no column of the output table; did you mean pident?"));
  EXPECT_THAT(message("sam qseqid"), HasSubstr("takes no columns"));
  EXPECT_THAT(message("6 wordsize"), HasSubstr("choose one of std, qaccver,"));
  for (const char* column : {"staxids", "sscinames", "taxlineage"})
    EXPECT_THAT(message("6 std " + std::string(column)), HasSubstr("alnus has no taxonomy"));
}

TEST(OutputFormat, NeedsNoMoreThanItsColumns) {
  EXPECT_EQ(OutputFormat::parse("6 qseqid sseqid score evalue").needed_detail(), Detail::score);
  EXPECT_EQ(OutputFormat::parse("6 score qend send").needed_detail(), Detail::ends);
  EXPECT_EQ(OutputFormat::parse("6 score qend sstart").needed_detail(), Detail::alignment);
  EXPECT_EQ(OutputFormat::parse("0").needed_detail(), Detail::alignment);
  EXPECT_FALSE(OutputFormat::parse("6 score pident").needs_significance());
  EXPECT_TRUE(OutputFormat::parse("6 score bits").needs_significance());
  EXPECT_FALSE(OutputFormat::parse("srspair").needs_significance());
  for (const char* format : {"0", "5", "7", "7 score"})
    EXPECT_TRUE(OutputFormat::parse(format).needs_query_statistics()) << format;
  for (const char* format : {"6", "10", "srspair", "sam", "jsonl"})
    EXPECT_FALSE(OutputFormat::parse(format).needs_query_statistics()) << format;
}

TEST(OutputFormat, NamesTheIdentityRangesOfItsColumnsOnce) {
  EXPECT_EQ(OutputFormat::parse("6 pident_mean_min pident_max score pident_min").identity_ranges(),
            (std::vector{Denominator::alignment, Denominator::mean}));
  EXPECT_TRUE(OutputFormat::parse("6 pident").identity_ranges().empty());
  EXPECT_EQ(OutputFormat::parse("6 pident_min").needed_detail(), Detail::score);
}

TEST(Columns, NamesAndAliasesAreUnique) {
  std::vector<std::string_view> names;
  for (const Column& column : all_columns()) {
    names.push_back(column.name);
    for (const std::string_view alias : column.aliases)
      if (!alias.empty()) names.push_back(alias);
  }
  const std::size_t all = names.size();
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  EXPECT_EQ(names.size(), all);
}

}  // namespace
}  // namespace alnus::io
