// Several rows of a pair: every format shows them as one hit, if the format has hits.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Place {
  SequenceSet::Index subject;
  Strand strand;
  std::int32_t hsp, query_begin, subject_begin;
  std::uint32_t length;
  double bits, evalue;
};

void add_row(Example& example, const Place& place) {
  const auto length = static_cast<std::int32_t>(place.length);
  const Alignment alignment{.score = length,
                            .query_begin = place.query_begin,
                            .query_end = place.query_begin + length,
                            .subject_begin = place.subject_begin,
                            .subject_end = place.subject_begin + length,
                            .cigar = {{CigarOp::equal, place.length}}};
  example.add_hit(0, place.subject, alignment);
  Row& row = example.hits[0].back();
  row.strand = place.strand;
  row.hsp = place.hsp;
  row.significance.bits = place.bits;
  row.significance.evalue = place.evalue;
}

// A read whose residues 1 to 12 and 13 to 22 are apart in s1, the latter on the minus strand. The residues 1
// to 8 are there a second time. s2 has the residues 13 to 22.
Example several_rows() {
  SequenceSetBuilder reads(AlphabetKind::dna);
  reads.add_text("q1 query", "ACGTACCTGATTGGCATTCAACTT", "ABCDEFGHIJKLMNOPQRSTUVWX");
  Example example{
      nucleotides(),
      reads.finish(),
      sequences({{"s1 first", "CCACGTACCTGATTGGGTTGAATGCCAAACGTACCTG"}, {"s2 second", "TTGGCATTCAACT"}},
                AlphabetKind::dna),
      {{}},
      {}};
  add_row(example, {0, Strand::plus, 1, 0, 2, 12, 22.5, 1e-5});
  add_row(example, {0, Strand::minus, 2, 12, 16, 10, 18.5, 1e-3});
  add_row(example, {0, Strand::plus, 4, 0, 28, 8, 14.5, 0.1});
  add_row(example, {1, Strand::plus, 1, 12, 2, 10, 18.5, 1e-3});
  return example;
}

// Returns the text of the rows. `apart`: each hit is formatted by a writer of its own.
std::string text_of_rows(const Example& example, std::string_view format, bool apart = false) {
  const ReportContext context = example.context();
  Answer answer{example.queries[0], Rows(example.hits[0], true)};
  answer.primary = primary_row(answer.rows);
  std::string text;
  for (std::size_t i = 0, end = 0; i < answer.rows.size(); i = end) {
    end = apart ? answer.rows.hit_end(i) : answer.rows.size();
    const std::unique_ptr<Writer> writer = make_writer(OutputFormat::parse(format), context);
    writer->write(answer, i, end);
    text += view(writer->text());
  }
  return text;
}

// Returns the lines that have one of the words, without the blanks before them.
std::vector<std::string> lines_with(std::initializer_list<std::string_view> words, const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    for (const std::string_view word : words)
      if (line.find(word) != line.npos) {
        lines.push_back(line.substr(line.find_first_not_of(' ')));
        break;
      }
  return lines;
}

constexpr const char* kEveryFormat[] = {"0",   "5",    "7 std qcovs hsp", "10 sseqid qcovs", "srspair",
                                        "sam", "jsonl"};

TEST(SeveralRows, TheTextOfAHitDoesNotDependOnTheOthers) {
  for (const char* format : kEveryFormat)
    EXPECT_EQ(text_of_rows(several_rows(), format, true), text_of_rows(several_rows(), format)) << format;
}

// The rows are so many that they make several pieces of text, which end between hits.
TEST(SeveralRows, AReportKeepsThemTogether) {
  Example example = several_rows();
  const Row row = example.hits[0].back();
  example.hits[0].clear();
  for (int hit = 0; hit < 40; ++hit)
    for (int hsp = 1; hsp <= 1 + 37 * hit % 300; ++hsp) {
      Row& added = example.hits[0].emplace_back(row);
      added.subject = static_cast<SequenceSet::Index>(hit % 2);
      added.hsp = hsp;
    }
  Answer answer{example.queries[0], Rows(example.hits[0], true)};
  answer.primary = primary_row(answer.rows);
  for (const char* format : kEveryFormat) {
    const TemporaryDirectory directory;
    ThreadPool pool(2);
    OutputFile out(pool, directory.file("out"));
    Report report(OutputFormat::parse(format), example.context(), out);
    report.write({&answer, 1});
    out.commit();
    EXPECT_TRUE(read_file(directory.file("out")) == text_of_rows(example, format)) << format;
  }
}

TEST(SeveralRows, ThePairwiseReportHasThemBelowOneSubject) {
  const std::string text = text_of_rows(several_rows(), "0");
  EXPECT_THAT(text, HasSubstr("\n\ns1 first" + std::string(62, ' ') + "22.5    1e-05\ns2 second" +
                              std::string(61, ' ') + "18.5    0.001\n\n\n>s1 first\n"));
  EXPECT_THAT(text, HasSubstr("\n>s1 first\n"
                              "Length=37\n"
                              "\n"
                              " Score = 22.5 bits (12),  Expect = 1e-05\n"
                              " Identities = 12/12 (100%), Gaps = 0/12 (0%)\n"
                              " Strand=Plus/Plus\n"
                              "\n"
                              "Query  1   ACGTACCTGATT  12\n"
                              "           ||||||||||||\n"
                              "Sbjct  3   ACGTACCTGATT  14\n"
                              "\n"
                              "\n"
                              " Score = 18.5 bits (10),  Expect = 0.001\n"
                              " Identities = 10/10 (100%), Gaps = 0/10 (0%)\n"
                              " Strand=Plus/Minus\n"
                              "\n"
                              "Query  13  GGCATTCAAC  22\n"
                              "           ||||||||||\n"
                              "Sbjct  26  GGCATTCAAC  17\n"
                              "\n"
                              "\n"
                              " Score = 14.5 bits (8),  Expect = 0.10\n"
                              " Identities = 8/8 (100%), Gaps = 0/8 (0%)\n"
                              " Strand=Plus/Plus\n"
                              "\n"
                              "Query  1   ACGTACCT  8\n"
                              "           ||||||||\n"
                              "Sbjct  29  ACGTACCT  36\n"
                              "\n"
                              "\n"
                              ">s2 second\n"
                              "Length=13\n"
                              "\n"
                              " Score = 18.5 bits (10),"));
}

TEST(SeveralRows, BlastXmlHasThemInOneHit) {
  EXPECT_THAT(
      lines_with({"<Hit>", "Hit_num", "Hit_id", "Hsp_num", "Hsp_hit-from", "</Hit>"},
                 text_of_rows(several_rows(), "5")),
      ElementsAre("<Hit>", "<Hit_num>1</Hit_num>", "<Hit_id>s1</Hit_id>", "<Hsp_num>1</Hsp_num>",
                  "<Hsp_hit-from>3</Hsp_hit-from>", "<Hsp_num>2</Hsp_num>", "<Hsp_hit-from>26</Hsp_hit-from>",
                  "<Hsp_num>3</Hsp_num>", "<Hsp_hit-from>29</Hsp_hit-from>", "</Hit>", "<Hit>",
                  "<Hit_num>2</Hit_num>", "<Hit_id>s2</Hit_id>", "<Hsp_num>1</Hsp_num>",
                  "<Hsp_hit-from>3</Hsp_hit-from>", "</Hit>"));
}

TEST(SeveralRows, TablesHaveALineForEach) {
  EXPECT_EQ(text_of_rows(several_rows(), "6 sseqid hsp qstart qend sstart send"),
            "s1\t1\t1\t12\t3\t14\ns1\t2\t13\t22\t26\t17\ns1\t4\t1\t8\t29\t36\ns2\t1\t13\t22\t3\t12\n");
  EXPECT_THAT(text_of_rows(several_rows(), "7"), HasSubstr("\n# 4 hits found\n")) << "BLAST counts rows";
}

// The rows of s1 align the residues 1 to 22 of the 24 residues, some of them twice.
TEST(SeveralRows, QcovsIsTheirUnion) {
  EXPECT_EQ(text_of_rows(several_rows(), "6 qcovhsp qcovs"), "50\t92\n42\t92\n33\t92\n42\t42\n");
  EXPECT_EQ(written(several_rows(), "6 qcovs", Detail::ends), "NA\nNA\nNA\nNA\n");
}

TEST(SeveralRows, SrspairHasABlockForEach) {
  EXPECT_THAT(lines_with({"# 2:", "# Score:"}, text_of_rows(several_rows(), "srspair")),
              ElementsAre("# 2: s1", "# Score: 12.0", "# 2: s1", "# Score: 10.0", "# 2: s1", "# Score: 8.0",
                          "# 2: s2", "# Score: 10.0"));
}

TEST(SeveralRows, JsonLinesNumberThem) {
  std::vector<int> numbers;
  std::istringstream lines(text_of_rows(several_rows(), "jsonl"));
  for (std::string line; std::getline(lines, line);)
    numbers.push_back(nlohmann::json::parse(line)["hsp"].get<int>());
  EXPECT_THAT(numbers, ElementsAre(1, 2, 4, 1));
  EXPECT_EQ(written(several_rows(), "jsonl").find("\"hsp\""), std::string::npos)
      << "these rows are not numbered";
}

TEST(SeveralRows, PartsOfTheReadAreSupplementaryInSam) {
  EXPECT_EQ(
      text_of_rows(several_rows(), "sam"),
      "q1\t0\ts1\t3\t255\t12=12S\t*\t0\t0\tACGTACCTGATTGGCATTCAACTT\tABCDEFGHIJKLMNOPQRSTUVWX\tAS:i:12\t"
      "NM:i:0\tMD:Z:12\tZE:f:1.00e-05\tSA:Z:s1,17,-,2S10=12S,255,0;\n"
      "q1\t2064\ts1\t17\t255\t2H10=12H\t*\t0\t0\tGTTGAATGCC\tVUTSRQPONM\tAS:i:10\t"
      "NM:i:0\tMD:Z:10\tZE:f:1.00e-03\tSA:Z:s1,3,+,12=12S,255,0;\n"
      "q1\t256\ts1\t29\t255\t8=16S\t*\t0\t0\t*\t*\tAS:i:8\tNM:i:0\tMD:Z:8\tZE:f:1.00e-01\n"
      "q1\t256\ts2\t3\t255\t12S10=2S\t*\t0\t0\t*\t*\tAS:i:10\tNM:i:0\tMD:Z:10\tZE:f:1.00e-03\n");
}

// Returns the flags of the records.
std::vector<std::string> sam_flags(const Example& example) {
  std::vector<std::string> flags;
  std::istringstream lines(text_of_rows(example, "sam"));
  for (std::string line, name, flag; std::getline(lines, line);) {
    std::istringstream(line) >> name >> flag;
    flags.push_back(flag);
  }
  return flags;
}

TEST(SeveralRows, PartsInSamOverlapByLessThanHalf) {
  Example example = several_rows();
  example.hits = {{}};
  add_row(example, {0, Strand::plus, 1, 0, 2, 12, 22.5, 1e-5});
  add_row(example, {0, Strand::plus, 2, 8, 20, 8, 14.5, 0.1});
  add_row(example, {0, Strand::plus, 3, 9, 20, 8, 14.5, 0.1});
  add_row(example, {0, Strand::plus, 4, 10, 20, 7, 12.5, 0.5});
  add_row(example, {0, Strand::plus, 5, 17, 20, 6, 10.5, 1});
  EXPECT_THAT(sam_flags(example), ElementsAre("0", "256", "2048", "256", "2048"));
  EXPECT_THAT(text_of_rows(example, "sam"), HasSubstr("\tSA:Z:s1,3,+,12=12S,255,0;s1,21,+,9S8=7S,255,0;\n"))
      << "the primary record is the first one that the last part names";
}

TEST(SeveralRows, PartsInSamAreThoseOfThePrimaryRow) {
  Example example = several_rows();
  std::ranges::rotate(example.hits[0], example.hits[0].begin() + 3);
  EXPECT_THAT(sam_flags(example), ElementsAre("256", "0", "2064", "256")) << "s2 is the first hit";
  example.hits[0].erase(example.hits[0].begin() + 1);
  EXPECT_THAT(sam_flags(example), ElementsAre("0", "272", "256")) << "the best row is in s2, alone";
}

// The lists of the other parts would be most of the file.
TEST(SeveralRows, ManyPartsInSamAreNotListed) {
  for (const int count : {100, 101}) {
    const std::string letters(2 * static_cast<std::size_t>(count), 'A');
    Example example{nucleotides(),
                    sequences({{"q1", letters}}, AlphabetKind::dna),
                    sequences({{"s1", letters}}, AlphabetKind::dna),
                    {{}},
                    {}};
    for (int k = 0; k < count; ++k) add_row(example, {0, Strand::plus, k + 1, 2 * k, 2 * k, 2, 4.5, 1});
    EXPECT_EQ(std::ranges::count(sam_flags(example), std::string("2048")), count - 1);
    EXPECT_EQ(lines_with({"\tSA:Z:"}, text_of_rows(example, "sam")).size(), count == 100 ? 100u : 0u);
  }
}

TEST(Rows, MakeHits) {
  const std::vector<SequenceSet::Index> subject = {7, 2, 2, 2, 2, 0};
  const std::vector<std::int32_t> score(6, 5), hsp = {1, 1, 2, 4, 1, 2};
  Columns columns;
  columns.subject = subject;
  columns.score = score;
  const auto begins = [](const Rows& rows) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows.begins_hit(i)) found.push_back(i);
    EXPECT_EQ(rows.hits_before(rows.size()), found.size());
    EXPECT_TRUE(rows.begins_hit(rows.size()));
    return found;
  };
  EXPECT_FALSE(Rows(columns, 0, 6).numbered());
  EXPECT_THAT(begins(Rows(columns, 0, 6)), ElementsAre(0, 1, 2, 3, 4, 5)) << "a pair listed several times";
  columns.hsp = hsp;
  const Rows rows(columns, 0, 6);
  EXPECT_TRUE(rows.numbered());
  EXPECT_THAT(begins(rows), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(begins(Rows(columns, 2, 5)), ElementsAre(0, 2));
  EXPECT_EQ(rows.hit_begin(3), 1u);
  EXPECT_EQ(rows.hit_end(2), 4u);
  EXPECT_EQ(rows.hits_before(3), 2u);
  EXPECT_EQ(rows.hit_end(5), 6u);
}

}  // namespace
}  // namespace alnus::io
