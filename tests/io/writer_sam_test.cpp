#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "io/writer_fixture.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> records(const std::string& sam) {
  std::vector<std::string> lines;
  std::istringstream text(sam);
  for (std::string line; std::getline(text, line);)
    if (!line.starts_with('@')) lines.push_back(line);
  return lines;
}

TEST(SamWriter, Golden) {
  expect_golden("local.sam", written(local_example(), "sam"));
  expect_golden("semiglobal.sam", written(semiglobal_example(), "sam"));
  expect_golden("dna.sam", written(dna_example(), "sam"));
}

TEST(SamWriter, QueryWithoutHitsIsUnmapped) {
  EXPECT_THAT(written(local_example(), "sam"), HasSubstr("\nsecond\t4\t*\t0\t0\t*\t*\t0\t0\tWWWHHHWWW\t*\n"));
}

TEST(SamWriter, UnalignedQueryEndsAreSoftClipped) {
  EXPECT_THAT(written(semiglobal_example(), "sam"), HasSubstr("\t40S14=1D18=\t"));
}

TEST(SamWriter, QueryThatAlignsWithNothingIsUnmapped) {
  EXPECT_THAT(written(semiglobal_example(), "sam"), EndsWith("\nlonely\t4\t*\t0\t0\t*\t*\t0\t0\tWWWWW\t*\n"));
  Example example = semiglobal_example();
  example.queries = sequences({{"q", "PPPPPPMKTAYIAKQRQ"}});
  example.hits = {{}};
  example.add_hit(
      0, 1,
      Alignment{
          .score = 0, .query_begin = 0, .query_end = 0, .subject_begin = 0, .subject_end = 0, .cigar = {}});
  example.add_hit(0, 0);
  EXPECT_THAT(records(written(example, "sam")), ElementsAre(StartsWith("q\t0\toverlap\t")));
}

TEST(SamWriter, FurtherHitsAreSecondaryAndWithoutTheRead) {
  const std::vector<std::string> lines = records(written(local_example(), "sam"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_THAT(lines[0],
              AllOf(StartsWith("sp|Q1|FIRST\t0\tsp|S1|ONE\t4\t255\t"), HasSubstr("\tMKTAYIAKQRQISFVKSHF")));
  EXPECT_THAT(lines[1], StartsWith("sp|Q1|FIRST\t256\tS3\t1\t255\t40=130D50=\t*\t0\t0\t*\t*\tAS:i:313\t"));
  EXPECT_THAT(lines[2], StartsWith("sp|Q1|FIRST\t256\tS2\t1\t255\t27S5=1X6=1X50S\t*\t0\t0\t*\t*\tAS:i:62\t"));
}

TEST(SamWriter, TheFirstOfTheBestHitsIsPrimary) {
  Example example = dna_example();
  example.subjects =
      sequences({{"half", "ACGTACGT"}, {"whole", "ACGTACGTTTGACCAAGT"}, {"same", "ACGTACGTTTGACCAAGT"}},
                AlphabetKind::dna);
  example.hits = {{}};
  for (const SequenceSet::Index subject : {0, 1, 2}) example.add_hit(0, subject);
  EXPECT_THAT(records(written(example, "sam")),
              ElementsAre(StartsWith("read1\t256\thalf\t"), StartsWith("read1\t0\twhole\t"),
                          StartsWith("read1\t256\tsame\t")));
}

TEST(SamWriter, AQueryThatComesAgainHasOnePrimaryRecord) {
  const Example example = local_example();
  const TemporaryDirectory directory;
  ThreadPool pool(1);
  OutputFile out(pool, directory.file("out"));
  ReportContext context = example.context();
  context.is_search = false;
  Report report(OutputFormat::parse("sam"), context, out);
  report.begin();
  const std::span<const Row> hits = example.hits[0];
  std::vector<Answer> answers;
  const auto add = [&](SequenceSet::Index query, std::span<const Row> rows, bool again) {
    Answer& answer = answers.emplace_back(Answer{example.queries[query], Rows(rows)});
    answer.again = again;
    if (!again) answer.primary = primary_row(answer.rows);
  };
  add(0, hits.subspan(1, 1), false);
  add(1, {}, false);
  add(0, hits.first(1), true);
  add(0, {}, true);
  add(1, {}, true);
  report.write(answers);
  report.end(answers.size());
  out.commit();
  const std::string text = read_file(directory.file("out"));
  EXPECT_THAT(records(text), ElementsAre(StartsWith("sp|Q1|FIRST\t0\tS3\t"), StartsWith("second\t4\t"),
                                         StartsWith("sp|Q1|FIRST\t256\tsp|S1|ONE\t")));
  EXPECT_THAT(text, StartsWith("@HD\tVN:1.6\tSO:unsorted\n")) << "queries are not together";
}

TEST(SamWriter, QualitiesStandWithTheRead) {
  Example example = dna_example();
  SequenceSetBuilder builder(AlphabetKind::dna);
  builder.add_text("read1", "acgtACGTTTGACCNAGT", "!~IIIIIIIIIIIIIIII");
  builder.add_text("read2", "AAAA", "FFF*");
  builder.add_text("read3", "AAAA");
  builder.add_text("read4", "");
  example.queries = builder.finish();
  example.hits = {{}, {}, {}, {}};
  example.add_hit(0, 0);
  example.add_hit(0, 0);
  const std::vector<std::string> lines = records(written(example, "sam"));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_THAT(lines[0], HasSubstr("\tacgtACGTTTGACCNAGT\t!~IIIIIIIIIIIIIIII\tAS:i:"));
  EXPECT_THAT(lines[1], HasSubstr("\t*\t*\tAS:i:"));
  EXPECT_THAT(lines[2], EndsWith("\tAAAA\tFFF*"));
  EXPECT_THAT(lines[3], EndsWith("\tAAAA\t*"));
  EXPECT_THAT(lines[4], EndsWith("\t*\t*"));
}

TEST(SamWriter, NOnBothSidesIsADifference) {
  Example example = dna_example();
  example.queries = sequences({{"read", "ACGTNACGTRACGT"}}, AlphabetKind::dna);
  example.subjects = sequences({{"chr", "ACGTnACGTRACGT"}}, AlphabetKind::dna);
  example.hits = {{}};
  Alignment whole{.score = 9,
                  .query_begin = 0,
                  .query_end = 14,
                  .subject_begin = 0,
                  .subject_end = 14,
                  .cigar = {{CigarOp::equal, 14}}};
  example.add_hit(0, 0, whole);
  EXPECT_THAT(written(example, "sam"),
              HasSubstr("\t14=\t*\t0\t0\tACGTNACGTRACGT\t*\tAS:i:9\tNM:i:1\tMD:Z:4N9\n"));
}

TEST(SamWriter, ReferencesHaveTheOrderOfTheirFile) {
  Example example = dna_example();
  const SequenceSet stored = example.subjects;
  const std::vector<FileOrdinal> ordinals = {FileOrdinal{1}, FileOrdinal{0}};
  SequenceSet::Arrays arrays = stored.arrays();
  arrays.file_ordinals = ordinals;
  example.subjects = SequenceSet(AlphabetKind::dna, arrays, nullptr, stored.origin());
  EXPECT_THAT(written(example, "sam"), HasSubstr("@SQ\tSN:chr2\tLN:1\n@SQ\tSN:chr_1\tLN:23\n@PG"));
}

TEST(SamWriter, DecimalScoresAreRoundedInASAndExactInZS) {
  Example example = semiglobal_example();
  const auto tags = [&](std::int32_t score) {
    example.hits[0][0].score = score;
    return written(example, "sam");
  };
  ASSERT_EQ(example.scoring.scale, 2);
  EXPECT_THAT(tags(83), HasSubstr("\tAS:i:42\tNM:i:1\tMD:Z:14^A18\tZS:f:41.5\n"));
  EXPECT_THAT(tags(82), HasSubstr("\tAS:i:41\tNM:i:1\tMD:Z:14^A18\tZS:f:41\n"));
  EXPECT_THAT(tags(-3), HasSubstr("\tAS:i:-1\tNM:i:1\tMD:Z:14^A18\tZS:f:-1.5\n"));
  EXPECT_THAT(tags(-4), HasSubstr("\tAS:i:-2\tNM:i:1\tMD:Z:14^A18\tZS:f:-2\n"));
}

TEST(SamWriter, NamesAreMadeValid) {
  const std::string text = written(dna_example(), "sam");
  EXPECT_THAT(text, HasSubstr("@SQ\tSN:chr_1\tLN:23\n@SQ\tSN:chr2\tLN:1\n"));
  EXPECT_THAT(text, HasSubstr("read1\t0\tchr_1\t4\t"));
}

TEST(SamWriter, EmptyEvalueHasNoTag) {
  Example example = local_example();
  example.hits[0] = {example.hits[0].back()};
  EXPECT_THAT(written(example, "sam"), Not(HasSubstr("ZE:f")));
}

}  // namespace
}  // namespace alnus::io
