// BLAST's XML. tests/clients checks it with other programs and against its document type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alnus/devices.h"
#include "alnus/error.h"
#include "io/writer_fixture.h"
#include "io/xml_text.h"

namespace alnus::io {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(BlastXmlWriter, Golden) {
  expect_golden("local.xml", written(local_example(), "5"));
  expect_golden("dna.xml", written(dna_example(), "5"));
}

TEST(BlastXmlWriter, QueryWithoutHitsHasAMessage) {
  EXPECT_THAT(written(local_example(), "5"),
              HasSubstr("  <Iteration_query-def>second</Iteration_query-def>\n"
                        "  <Iteration_query-len>9</Iteration_query-len>\n"
                        "<Iteration_hits>\n</Iteration_hits>\n  <Iteration_stat>\n"));
  EXPECT_THAT(
      written(local_example(), "5"),
      HasSubstr(
          "  </Iteration_stat>\n  <Iteration_message>No hits found</Iteration_message>\n</Iteration>\n"));
}

TEST(BlastXmlWriter, UnknownSignificanceIsNaN) {
  EXPECT_THAT(written(local_example(), "5"), HasSubstr("<Hsp_evalue>NaN</Hsp_evalue>"));
  Example example = local_example();
  example.statistics.reset();
  EXPECT_THAT(written(example, "5"), Not(HasSubstr("Iteration_stat")));
}

TEST(BlastXmlWriter, EmptyAlignmentEndsBeforeItStarts) {
  Example example{blosum62("semiglobal"), sequences({{"q", "WWWWW"}}), sequences({{"s", "PPPP"}}), {{}}, {}};
  example.add_hit(0, 0);
  const std::string text = written(example, "5");
  EXPECT_THAT(text, HasSubstr("<Hsp_query-from>6</Hsp_query-from>\n      <Hsp_query-to>5</Hsp_query-to>"));
  EXPECT_THAT(text, HasSubstr("<Hsp_align-len>0</Hsp_align-len>\n      <Hsp_qseq></Hsp_qseq>"));
}

TEST(BlastXmlWriter, NoQueries) {
  Example example = local_example();
  example.queries = sequences({});
  example.hits = {};
  EXPECT_THAT(written(example, "5"),
              HasSubstr("<BlastOutput_iterations>\n</BlastOutput_iterations>\n</BlastOutput>\n"));
}

TEST(BlastXmlWriter, MatchAndMismatchAreParametersInPlaceOfAMatrix) {
  Example example = dna_example();
  EXPECT_THAT(written(example, "5"), HasSubstr("<Parameters_expect>INF</Parameters_expect>\n"
                                               "      <Parameters_sc-match>1</Parameters_sc-match>\n"
                                               "      <Parameters_sc-mismatch>-2</Parameters_sc-mismatch>\n"
                                               "      <Parameters_gap-open>2</Parameters_gap-open>\n"));
  example.scoring.matrix = SubstitutionMatrix::builtin("NUC44");
  EXPECT_THAT(written(example, "5"), HasSubstr("<Parameters_matrix>NUC44</Parameters_matrix>\n"));
}

TEST(BlastXmlWriter, DecimalScoresHaveNoPlace) {
  try {
    written(semiglobal_example(), "5");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("9.5/0.5"));
  }
}

TEST(XmlText, HoldsWhatXmlCanHold) {
  const auto xml = [](std::string_view words) {
    Text text;
    append_xml(text, words);
    return std::string(view(text));
  };
  EXPECT_EQ(xml("a<b> & \"c\"\t'd'"), "a&lt;b&gt; &amp; \"c\"\t'd'");
  EXPECT_EQ(xml("Gr\xc3\xbc\xc3\x9f"
                "e <"),
            "Gr\xc3\xbc\xc3\x9f"
            "e &lt;");
  EXPECT_EQ(xml("one\x01"
                "gi|2 two"),
            "one &gt;gi|2 two");  // as in NCBI's nr
  EXPECT_EQ(xml(std::string_view("\x00\x1f\x0b|\x7f", 5)), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|\x7f");
  EXPECT_EQ(xml("two\r\nlines"), "two&#13;&#10;lines");
  EXPECT_EQ(xml("bad\xff & \xc3("), "bad\xef\xbf\xbd &amp; \xef\xbf\xbd(");
  EXPECT_EQ(xml("\xef\xbf\xbe|\xef\xbf\xbf|\xef\xbf\xbd"), "\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd");
}

}  // namespace
}  // namespace alnus::io
