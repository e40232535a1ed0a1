// Rows on the minus strand are printed like rows of the subject's reverse complement, except for the
// subject's coordinates.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "io/columns.h"
#include "io/writer_fixture.h"
#include "support/strands_reference.h"

namespace alnus::io {
namespace {

using ::testing::HasSubstr;

// A read of the minus strand, partly soft-masked. Its alignment has an insertion, a deletion, a mismatch and
// unaligned ends.
const std::string kRead =
    "ttACGGATTnCCATGGGTAAGCTTGACCATGGTTTTACTTGACGGCATTGACAGATCCATTGACCATTTGGAACCTTGACCAGG";
const std::string kSubject =
    "GGGGGCCTGGTCAAGGTTCCAAATGGTCAATGATCTGTCAATGCCGTCAAGTAAAAACCATGGTCAAGCTTACCcatggRAATCCGTCCCC";

std::int32_t turned(std::int32_t coordinate) {
  return static_cast<std::int32_t>(kSubject.size()) - coordinate;
}

// Returns the hit of the read on the minus strand of the subject. With `otherwise`, it is the same alignment,
// as a hit on the plus strand of the subject's reverse complement.
Example example(const Scoring& scoring, bool otherwise) {
  const SequenceSet queries = sequences({{"read one", kRead}}, AlphabetKind::dna),
                    subjects = sequences({{"chr1 a title", kSubject}}, AlphabetKind::dna);
  Example result{scoring, queries, otherwise ? test::other_strands(subjects) : subjects, {{}}, {}};
  result.statistics = stats::published_parameters(result.scoring);
  test::StrandedResult found = test::reference_on_strands(queries.residues(0), subjects.residues(0),
                                                          result.scoring, alnus::Strands::minus);
  if (otherwise) {
    std::ranges::reverse(found.alignment.cigar);
    std::tie(found.alignment.subject_begin, found.alignment.subject_end) =
        std::pair(turned(found.alignment.subject_end), turned(found.alignment.subject_begin));
  }
  result.add_hit(0, 0, found.alignment);
  if (!otherwise) result.hits[0].back().strand = Strand::minus;
  return result;
}
Example on_minus(const Scoring& scoring) { return example(scoring, false); }
Example on_plus(const Scoring& scoring) { return example(scoring, true); }

std::vector<Scoring> scorings() {
  std::vector<Scoring> all;
  for (const Mode mode : {Mode::local, Mode::global, Mode::semiglobal}) {
    Scoring& scoring = all.emplace_back(nucleotides());
    scoring.mode = mode;
    if (mode == Mode::semiglobal) scoring.free_ends = FreeEnds::all();
  }
  all.emplace_back(all.back()).free_ends = {.query_end = true, .subject_begin = true};
  return all;
}

std::string value(const Example& example, const std::string& column, Detail detail = Detail::alignment) {
  const std::string text = written(example, "6 " + column, detail);
  return text.substr(0, text.find('\n'));
}

TEST(StrandColumns, ATableRunsAlongTheQueryAsItWasGiven) {
  for (const Scoring& scoring : scorings()) {
    const Example minus = on_minus(scoring), plus = on_plus(scoring);
    ASSERT_GT(minus.hits[0][0].cigar.size(), 5u);
    for (const Column& column : all_columns()) {
      const std::string name(column.name);
      if (name == "sstart" || name == "send" || name == "sstrand" || name == "full_sseq") continue;
      EXPECT_EQ(value(minus, name), value(plus, name)) << name;
    }
    EXPECT_EQ(value(minus, "sstrand"), "minus");
    EXPECT_EQ(value(plus, "sstrand"), "plus");
    EXPECT_EQ(std::stoi(value(minus, "sstart")), turned(std::stoi(value(plus, "sstart")) - 1));
    EXPECT_EQ(std::stoi(value(minus, "send")), turned(std::stoi(value(plus, "send")) - 1));
    EXPECT_GT(std::stoi(value(minus, "sstart")), std::stoi(value(minus, "send")));
    EXPECT_EQ(value(minus, "full_sseq"), kSubject);
  }
}

TEST(StrandColumns, LettersKeepTheirCase) {
  const Example minus = on_minus(nucleotides());
  EXPECT_THAT(value(minus, "sseq"), HasSubstr("ccatg"));
  EXPECT_THAT(value(minus, "sseq"), HasSubstr("ATTY")) << "R is complemented, too";
  EXPECT_THAT(value(minus, "qseq"), HasSubstr("ATTn"));
}

TEST(StrandColumns, ProteinsHaveNone) { EXPECT_EQ(value(local_example(), "sstrand"), "NA"); }

TEST(StrandColumns, OfEndsOnlyWhatIsKnownIsPrinted) {
  Example minus = on_minus(nucleotides());
  Row& row = minus.hits[0][0];
  const std::string send = value(minus, "send");
  row.query_end = row.subject_begin = -1;
  row.cigar = {};
  row.counts.reset();
  EXPECT_EQ(value(minus, "sstrand qend send", Detail::ends), "minus\tNA\tNA");
  EXPECT_THAT(written(minus, "jsonl", Detail::ends), HasSubstr("\"qend\":null,\"send\":null"));
}

// An empty alignment ends before it starts: qstart is 5, qend 4. On the minus strand sstart is 0, send 1.
TEST(StrandColumns, OfAnEmptyAlignment) {
  Scoring scoring = nucleotides();
  scoring.mode = Mode::semiglobal;
  scoring.free_ends = FreeEnds::all();
  Example example{scoring,
                  sequences({{"q", "AAAA"}}, AlphabetKind::dna),
                  sequences({{"s", "AAAAA"}}, AlphabetKind::dna),
                  {{}},
                  {}};
  Alignment nothing;
  nothing.query_begin = nothing.query_end = 4;
  nothing.subject_begin = nothing.subject_end = 0;
  example.add_hit(0, 0, nothing);
  example.hits[0][0].strand = Strand::minus;
  EXPECT_EQ(value(example, "qstart qend sstart send length pident cigar"), "5\t4\t0\t1\t0\t0.000\t*");
  for (const char* format : {"0", "srspair", "jsonl"}) EXPECT_NE(written(example, format), "") << format;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Expects the same lines, except for the numbers in the lines of the subject.
void expect_same_but_numbers(const std::string& minus, const std::string& plus,
                             const std::string& subject_line) {
  const std::vector<std::string> ours = lines_of(minus), other = lines_of(plus);
  ASSERT_EQ(ours.size(), other.size()) << minus;
  const auto number = [](const std::string& line, bool last) {
    std::istringstream words(line);
    std::string name, start, letters, end;
    words >> name >> start >> letters >> end;
    return end.empty() ? 0 : std::stoi(last ? end : start);
  };
  const auto letters = [](const std::string& line) {
    std::istringstream words(line);
    std::string name, start, letters;
    words >> name >> start >> letters;
    return letters;
  };
  int compared = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].find("Strand=") != std::string::npos) continue;
    if (!ours[i].starts_with(subject_line)) {
      EXPECT_EQ(ours[i], other[i]);
      continue;
    }
    if (letters(other[i]).find_first_not_of('-') == std::string::npos) continue;
    EXPECT_EQ(letters(ours[i]), letters(other[i]));
    EXPECT_EQ(number(ours[i], false), turned(number(other[i], false) - 1)) << ours[i];
    EXPECT_EQ(number(ours[i], true), turned(number(other[i], true) - 1)) << ours[i];
    ++compared;
  }
  EXPECT_GE(compared, 2);
}

TEST(StrandReports, ThePairwiseReportCountsTheSubjectDown) {
  for (const Scoring& scoring : scorings()) {
    const std::string minus = written(on_minus(scoring), "0"), plus = written(on_plus(scoring), "0");
    EXPECT_THAT(minus, HasSubstr("\n Strand=Plus/Minus\n"));
    EXPECT_THAT(plus, HasSubstr("\n Strand=Plus/Plus\n"));
    expect_same_but_numbers(minus, plus, "Sbjct");
  }
  expect_golden("minus.pairwise.txt", written(on_minus(nucleotides()), "0"));
}

TEST(StrandReports, SrspairCountsTheSubjectDownWithItsOverhangs) {
  for (const Scoring& scoring : scorings())
    expect_same_but_numbers(written(on_minus(scoring), "srspair"), written(on_plus(scoring), "srspair"),
                            "chr1 ");
  Scoring semiglobal = scorings()[2];
  expect_golden("minus.srspair.txt", written(on_minus(semiglobal), "srspair"));
}

TEST(StrandReports, JsonLinesHaveTheValuesOfColumns) {
  const nlohmann::json minus = nlohmann::json::parse(written(on_minus(nucleotides()), "jsonl")),
                       plus = nlohmann::json::parse(written(on_plus(nucleotides()), "jsonl"));
  EXPECT_EQ(minus["sstrand"], "minus");
  EXPECT_EQ(plus["sstrand"], "plus");
  EXPECT_EQ(minus["sstart"], turned(plus["sstart"].get<int>() - 1));
  EXPECT_EQ(minus["send"], turned(plus["send"].get<int>() - 1));
  for (const auto& [key, expected] : plus.items()) {
    if (key == "sstart" || key == "send" || key == "sstrand") continue;
    EXPECT_EQ(minus[key], expected) << key;
  }
  EXPECT_FALSE(nlohmann::json::parse(lines_of(written(local_example(), "jsonl"))[0]).contains("sstrand"));
}

}  // namespace
}  // namespace alnus::io
