// Tables of hits as BLAST, DIAMOND and alnus write them.
#include "io/hit_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "io/membership_fixture.h"
#include "support/compression.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> hits(const Input& input) {
  HitTableReader reader(input);
  std::vector<std::string> rows;
  for (TableHit hit; reader.next(hit);)
    rows.push_back(fmt::format("{}: {} {} {} {} {} {}", reader.line(), hit.query, hit.subject,
                               hit.percent_identity, hit.length, hit.evalue, hit.bits));
  return rows;
}
std::vector<std::string> hits_of(std::string_view text) { return hits(Input(text, "input")); }

// As blastp 2.12 writes it.
TEST(HitTable, ReadsBlast6) {
  EXPECT_THAT(hits_of("A0A0\tsp|P1|X\t31.330\t233\t139\t8\t4\t219\t5\t233\t1.81e-25\t 98.6\n"
                      "A0A0\tP2\t100.000\t60\t0\t0\t1\t60\t1\t60\t0.0\t1205\n"
                      "A0A0\tP3\t25.000\t60\t0\t0\t1\t60\t1\t60\t1e-400\t5"),
              ElementsAre("1: A0A0 sp|P1|X 31.33 233 1.81e-25 98.6", "2: A0A0 P2 100 60 0 1205",
                          "3: A0A0 P3 25 60 0 5"));
  EXPECT_THAT(hits_of(""), IsEmpty());
}

TEST(HitTable, ReadsBlast7WithOtherColumns) {
  EXPECT_THAT(
      hits_of("# BLASTP 2.12.0+\n"
              "# Query: q1 the first\n"
              "# Database: db\n"
              "# 0 hits found\n"
              "# BLASTP 2.12.0+\n"
              "# Query: q2\n"
              "# Database: db\n"
              "# Fields: bit score, evalue, subject acc.ver, query acc.ver, query/sbjct frames, % identity, "
              "alignment length\n"
              "# 1 hits found\n"
              "52.0\t2e-10\ts1\tq2\t1/1\t40.000\t25\n"
              "# BLAST processed 2 queries\n"),
      ElementsAre("10: q2 s1 40 25 2e-10 52"));
}

TEST(HitTable, ReadsDiamondWithHeaders) {
  EXPECT_THAT(
      hits_of(
          "# DIAMOND v2.1.8. http://github.com/bbuchfink/diamond\n"
          "# Invocation: diamond blastp --header -d db -q q.fa\n"
          "# Fields: Query ID, Subject ID, Percentage of identical matches, Alignment length, Number of "
          "mismatches, Number of gap openings, Start of alignment in query, End of alignment in query, Start "
          "of alignment in subject, End of alignment in subject, Expected value, Bit score\n"
          "q\ts\t99.1\t110\t1\t0\t1\t110\t1\t110\t3.46e-71\t221\n"),
      ElementsAre("4: q s 99.1 110 3.46e-71 221"));
  EXPECT_THAT(hits_of("qseqid\tsseqid\tlength\tpident\tevalue\tbitscore\nq\ts\t110\t99.1\t3.46e-71\t221\n"),
              ElementsAre("2: q s 99.1 110 3.46e-71 221"));
}

// As diamond blastp --unal 1 writes it.
TEST(HitTable, SkipsQueriesWithoutHits) {
  EXPECT_THAT(hits_of("q1\t*\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\nq2\ts\t9\t8\t0\t0\t1\t8\t1\t8\t7\t6\n"),
              ElementsAre("2: q2 s 9 8 7 6"));
}

TEST(HitTable, ReadsCompressedFiles) {
  const test::TempDir directory;
  const std::string path = directory.write_file("hits", test::gzip("q\ts\t9\t8\t0\t0\t1\t8\t1\t8\t7\t6\r\n"));
  EXPECT_THAT(hits(path), ElementsAre("1: q s 9 8 7 6"));
}

TEST(HitTable, SaysWhatIsWrongAndWhere) {
  const std::string begin = "q\ts\t9\t8\t0\t0\t1\t8\t1\t8\t7\t6\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {begin + "q\ts\n", "input, line 2: the row has 2 columns instead of 12. Give a table"},
      {"q,s,9,8\n", "input, line 1: the row has 1 column instead of 12"},
      {"\ts\t9\t8\t0\t0\t1\t8\t1\t8\t7\t6\n", "input, line 1: an id is empty"},
      {"q\ts\t101\t8\t0\t0\t1\t8\t1\t8\t7\t6\n",
       "the column pident has '101', which is no number from 0 to 100"},
      {"q\ts\tnan\t8\t0\t0\t1\t8\t1\t8\t7\t6\n", "the column pident has 'nan', which is no number"},
      {"q\ts\t9\t8.5\t0\t0\t1\t8\t1\t8\t7\t6\n", "the column length has '8.5', which is no whole number"},
      {"q\ts\t9\t8\t0\t0\t1\t8\t1\t8\t-7\t6\n", "the column evalue has '-7', which is no number from 0 on"},
      {"q\ts\t9\t8\t0\t0\t1\t8\t1\t8\t1e400\t6\n",
       "the column evalue has '1e400', which is no number from 0 on"},
      {"q\ts\t9\t8\t0\t0\t1\t8\t1\t8\t7\t\n", "the column bitscore has '', which is no number"},
      {"q\ts\t9\t8\t0\t0\t1\t8\t1\t8\t7\t6x\n", "the column bitscore has '6x', which is no number"},
      {"# Fields: query id, subject id, evalue\n", "input, line 1: the table has no column pident"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(refusal([&, bytes = text] { hits_of(bytes); }), HasSubstr(message)) << text;
}

}  // namespace
}  // namespace alnus::io
