// Tables of the HTML report: the values of rows, CIGARs with gaps alone, and the rows that are kept.
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "io/html_report/table.h"
#include "io/writer_fixture.h"
#include "support/sequences.h"

namespace alnus::io {
namespace {

using test::below;
using test::Random;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kMuch = 1'000'000'000;

// Rows as columns that this object owns. Which groups of columns they have, its members say.
struct TableRows {
  bool strands = false, hsps = false, alignments = false, significance = false;
  std::vector<SequenceSet::Index> query{}, subject{};
  std::vector<Strand> strand{};
  std::vector<std::int32_t> hsp{}, score{};
  std::vector<std::int32_t> query_begin{}, query_end{}, subject_begin{}, subject_end{};
  std::vector<std::int32_t> length{}, identical{}, positive{}, mismatches{}, gap_residues{}, gap_opens{};
  std::vector<std::uint64_t> cigar_offsets{0};
  std::vector<CigarRun> cigar_runs{};
  std::vector<double> bits{}, evalue{}, unknown{};

  void add(const Row& row) {
    query.push_back(row.query), subject.push_back(row.subject);
    strand.push_back(row.strand), hsp.push_back(row.hsp), score.push_back(row.score);
    query_begin.push_back(row.query_begin), query_end.push_back(row.query_end);
    subject_begin.push_back(row.subject_begin), subject_end.push_back(row.subject_end);
    const AlignmentCounts counts = row.counts.value_or(AlignmentCounts{});
    length.push_back(counts.columns), identical.push_back(counts.identical);
    positive.push_back(counts.positive), mismatches.push_back(counts.mismatches);
    gap_residues.push_back(counts.gap_residues), gap_opens.push_back(counts.gap_opens);
    cigar_runs.insert(cigar_runs.end(), row.cigar.begin(), row.cigar.end());
    cigar_offsets.push_back(cigar_runs.size());
    bits.push_back(row.significance.bits.value_or(kUnknown));
    evalue.push_back(row.significance.evalue.value_or(kUnknown));
    unknown.push_back(kUnknown);
  }

  Columns columns() const {
    Columns all;
    all.query = query, all.subject = subject, all.score = score;
    if (strands) all.strand = strand;
    if (hsps) all.hsp = hsp;
    if (significance) {
      all.bits = bits, all.evalue = evalue;
      all.adjusted_score = all.zscore = all.zscore_se = all.zfit = unknown;
    }
    if (!alignments) return all;
    all.query_begin = query_begin, all.query_end = query_end;
    all.subject_begin = subject_begin, all.subject_end = subject_end;
    all.length = length, all.identical = identical, all.positive = positive, all.mismatches = mismatches;
    all.gap_residues = gap_residues, all.gap_opens = gap_opens;
    all.cigar_offsets = cigar_offsets, all.cigar_runs = cigar_runs;
    return all;
  }
};

ReportTable::Form hits() { return {.name = "hits", .title = "Hits", .by_query = true}; }
ReportTable::Form pairs() { return {.name = "pairs", .title = "Pairs"}; }

// The CIGAR letter by letter, then counted.
std::string gaps_of(std::span<const CigarRun> cigar, bool reversed) {
  std::string letters;
  for (const CigarRun run : cigar) {
    const char letter = run.op() == CigarOp::insertion ? 'I' : run.op() == CigarOp::deletion ? 'D' : 'M';
    letters.append(run.length(), letter);
  }
  if (reversed) letters = {letters.rbegin(), letters.rend()};
  std::string text;
  for (std::size_t k = 0; k < letters.size();) {
    const std::size_t end = std::min(letters.find_first_not_of(letters[k], k), letters.size());
    text += std::to_string(end - k) + letters[k];
    k = end;
  }
  return text.empty() ? "*" : text;
}

std::vector<std::uint32_t> all_rows(const ReportTable& table) {
  std::vector<std::uint32_t> numbers(table.rows().size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

std::vector<SequenceSet::Index> plain_numbers(const SequenceSet& set) {
  std::vector<SequenceSet::Index> numbers(set.size());
  std::iota(numbers.begin(), numbers.end(), SequenceSet::Index{0});
  return numbers;
}

nlohmann::json rows_of(const ReportTable& table, const ReportSides& sides) {
  return nlohmann::json::parse(
      table.rows_json(all_rows(table), plain_numbers(sides.queries), plain_numbers(sides.subjects)));
}

nlohmann::json cigars_of(const ReportTable& table) {
  return nlohmann::json::parse(table.gaps_json(all_rows(table))).at("cigar");
}

// Rows of exact alignments of all queries with all subjects.
TEST(HtmlReportTable, ValuesAndCigarsOfAlignments) {
  Random random(1);
  for (const char* mode : {"local", "global", "semiglobal"}) {
    const Scoring scoring = blosum62(mode);
    const test::Residues ancestor = test::random_sequence(random, 120);
    std::vector<test::Residues> of_queries, of_subjects;
    for (int k = 0; k < 5; ++k) {
      of_queries.push_back(test::relative(random, ancestor, 8, 6));
      of_subjects.push_back(test::relative(random, ancestor, 8, 6));
    }
    const ReportSides sides{test::make_set(of_queries), test::make_set(of_subjects)};
    TableRows rows{.alignments = true, .significance = true};
    std::vector<Alignment> alignments;
    for (SequenceSet::Index query = 0; query < 5; ++query)
      for (SequenceSet::Index subject = 0; subject < 5; ++subject) {
        const auto& a = alignments.emplace_back(
            align_reference(of_queries[query], of_subjects[subject], scoring, Detail::alignment));
        Row row;
        row.query = query, row.subject = subject;
        row.set(a, count(a, of_queries[query], of_subjects[subject], scoring.matrix));
        if (subject != 2) row.significance.bits = 0.5 * row.score, row.significance.evalue = 1e-5;
        rows.add(row);
      }
    ThreadPool threads(2);
    ReportTable table(hits(), scoring, sides, kMuch);
    table.add(threads, rows.columns(), 0, alignments.size());
    table.settle();
    EXPECT_EQ(table.rows_found(), 25u);
    EXPECT_TRUE(table.has_alignments());
    const std::vector<std::string_view> names = table.columns();
    EXPECT_EQ(std::ranges::count(names, "evalue"), 1);
    // No row has a Z-score or an adjusted score; rows have no strand and no number among those of a pair.
    for (const std::string_view name : {"zscore", "zscore_se", "zfit", "adjscore", "strand", "hsp"})
      EXPECT_EQ(std::ranges::count(names, name), 0) << name;
    const nlohmann::json values = rows_of(table, sides), cigars = cigars_of(table);
    EXPECT_FALSE(values.contains("query"));
    EXPECT_EQ(values.size(), names.size() + 1);
    for (std::size_t k = 0; k < alignments.size(); ++k) {
      const Alignment& a = alignments[k];
      const AlignmentCounts counts = count(a, of_queries[k / 5], of_subjects[k % 5], scoring.matrix);
      const auto expect = [&](const char* name, const nlohmann::json& value) {
        EXPECT_EQ(values.at(name).at(k), value) << mode << ", row " << k << ", " << name;
        EXPECT_EQ(nlohmann::json::parse(table.value(k, name)), value);
      };
      EXPECT_EQ(values.at("subject").at(k), k % 5);
      expect("score", a.score);
      expect("qstart", a.query_begin + 1);
      expect("qend", a.query_end);
      expect("sstart", a.subject_begin + 1);
      expect("send", a.subject_end);
      expect("nident", counts.identical);
      expect("positive", counts.positive);
      expect("gaps", counts.gap_residues);
      expect("gapopen", counts.gap_opens);
      expect("evalue", k % 5 == 2 ? nlohmann::json() : nlohmann::json("1.00e-05"));
      EXPECT_EQ(values.at("bitscore").at(k).is_string(), k % 5 != 2);
      EXPECT_EQ(cigars.at(k), gaps_of(a.cigar, false));
      EXPECT_EQ(table.rows()[k].rank, k % 5);
      EXPECT_EQ(table.rows()[k].subject_begin, a.subject_begin);
      EXPECT_EQ(table.rows()[k].subject_end, a.subject_end);
      EXPECT_EQ(table.value(k, "no such column"), "null");
    }
  }
}

TEST(HtmlReportTable, MinusStrandsRunAlongTheQuery) {
  Random random(2);
  const Scoring scoring = nucleotides();
  const test::Residues subject = test::random_sequence(random, 300, 4);
  const Alphabet& alphabet = Alphabet::of(AlphabetKind::dna);
  const auto complement = [&](const test::Residues& residues) {
    test::Residues other;
    const std::string letters = "ACGT", opposite = "TGCA";
    for (auto residue = residues.rbegin(); residue != residues.rend(); ++residue)
      other.push_back(alphabet.encode(opposite[letters.find(alphabet.decode(*residue))]));
    return other;
  };
  std::vector<test::Residues> of_queries;
  TableRows rows{.strands = true, .hsps = true, .alignments = true};
  std::vector<Alignment> alignments;
  for (SequenceSet::Index k = 0; k < 20; ++k) {
    test::Residues read =
        test::relative(random, {subject.begin() + 10 * k, subject.begin() + 10 * k + 100}, 12, 5);
    for (Residue& residue : read) residue %= 4;
    const bool minus = k % 2 == 1;
    of_queries.push_back(minus ? complement(read) : read);
    const auto& a = alignments.emplace_back(align_reference(read, subject, scoring, Detail::alignment));
    Row row;
    row.query = k, row.strand = minus ? Strand::minus : Strand::plus;
    row.set(a, count(a, read, subject, scoring.matrix));
    if (minus) {
      const auto length = static_cast<std::int32_t>(read.size());
      row.query_begin = length - a.query_end, row.query_end = length - a.query_begin;
    }
    rows.add(row);
  }
  const ReportSides sides{test::make_set(of_queries, AlphabetKind::dna),
                          test::make_set(std::vector<test::Residues>{subject}, AlphabetKind::dna)};
  ThreadPool threads(1);
  ReportTable table(hits(), scoring, sides, kMuch);
  table.add(threads, rows.columns(), 0, alignments.size());
  table.settle();
  const nlohmann::json values = rows_of(table, sides), cigars = cigars_of(table);
  for (std::size_t k = 0; k < alignments.size(); ++k) {
    const Alignment& a = alignments[k];
    const bool minus = k % 2 == 1;
    EXPECT_EQ(values.at("strand").at(k), minus ? 1 : 0);
    EXPECT_EQ(values.at("hsp").at(k), 1);
    EXPECT_EQ(values.at("qstart").at(k), rows.query_begin[k] + 1);
    EXPECT_EQ(values.at("qend").at(k), rows.query_end[k]);
    EXPECT_EQ(values.at("sstart").at(k), minus ? a.subject_end : a.subject_begin + 1);
    EXPECT_EQ(values.at("send").at(k), minus ? a.subject_begin + 1 : a.subject_end);
    EXPECT_EQ(cigars.at(k), gaps_of(a.cigar, minus)) << k;
    EXPECT_EQ(table.rows()[k].subject_begin, a.subject_begin);
    EXPECT_EQ(table.rows()[k].subject_end, a.subject_end);
  }
}

TEST(HtmlReportTable, ScoresWithDecimalsAreTexts) {
  ScoringOptions options;
  options.matrix = "BLOSUM62";
  options.gap_open = "10.5";
  options.gap_extend = "0.5";
  const Scoring scoring = make_scoring(options);
  ASSERT_NE(scoring.scale, 1);
  const ReportSides sides{sequences({{"q", "ARND"}}), sequences({{"s", "ARND"}})};
  TableRows rows;
  for (const int score : {20 * scoring.scale, 20 * scoring.scale + scoring.scale / 2}) {
    Row row;
    row.score = score;
    rows.add(row);
  }
  ThreadPool threads(1);
  ReportTable table(hits(), scoring, sides, kMuch);
  table.add(threads, rows.columns(), 0, 2);
  table.settle();
  EXPECT_EQ(rows_of(table, sides).at("score"), nlohmann::json::parse(R"(["20","20.5"])"));
  EXPECT_FALSE(table.has_alignments());
}

TEST(HtmlReportTable, FurtherColumnsAreTexts) {
  const Scoring scoring = blosum62("global");
  const ReportSides sides{sequences({{"a", "ARND"}, {"b", "ARN"}}), sequences({{"a", "ARND"}, {"b", "ARN"}}),
                          true};
  TableRows rows;
  for (int k = 0; k < 3; ++k) {
    Row row;
    row.query = 1, row.score = k;
    rows.add(row);
  }
  ReportTable::Form form = pairs();
  form.more = {"relation", "value", "qset"};
  ThreadPool threads(1);
  ReportTable table(form, scoring, sides, kMuch);
  const std::vector<std::string> more = {"a\"b\x1f", "1", "", "\xFF<", "", "", "part:30", "3", ""};
  table.add(threads, rows.columns(), 0, 1, std::span(more).first(3));
  table.add(threads, rows.columns(), 1, 3, std::span(more).subspan(3));
  table.settle();
  const std::vector<std::string_view> names = table.columns();
  EXPECT_EQ(std::vector<std::string>(names.begin(), names.end()),
            (std::vector<std::string>{"relation", "value", "score"}));
  const nlohmann::json values = rows_of(table, sides);
  EXPECT_EQ(values.at("relation"), (std::vector<std::string>{"a\"b\x1f", "\xEF\xBF\xBD<", "part:30"}));
  EXPECT_EQ(values.at("value"), nlohmann::json::parse(R"(["1",null,"3"])"));
  EXPECT_EQ(values.at("query"), nlohmann::json::parse("[1,1,1]"));
}

TEST(HtmlReportTable, LocalAlignmentsOfNothingAreNoRowsOfPairs) {
  const ReportSides sides{sequences({{"a", "ARND"}}), sequences({{"b", "WWW"}})};
  TableRows rows;
  for (const int score : {3, 0, 5, 0}) {
    Row row;
    row.score = score;
    rows.add(row);
  }
  ThreadPool threads(1);
  for (const char* mode : {"local", "global"}) {
    const Scoring scoring = blosum62(mode);
    ReportTable table(pairs(), scoring, sides, kMuch);
    table.add(threads, rows.columns(), 0, 4);
    table.settle();
    EXPECT_EQ(table.rows().size(), std::string(mode) == "local" ? 2u : 4u);
    EXPECT_EQ(table.rows_found(), table.rows().size());
  }
}

TEST(HtmlReportTable, WithoutRowsThereAreNoColumns) {
  const Scoring scoring = blosum62("local");
  const ReportSides sides{sequences({{"a", "ARND"}}), sequences({{"b", "WWW"}})};
  ThreadPool threads(1);
  ReportTable table(hits(), scoring, sides, kMuch);
  table.add(threads, TableRows{}.columns(), 0, 0);
  table.settle();
  EXPECT_TRUE(table.columns().empty());
  EXPECT_TRUE(table.rows().empty());
  EXPECT_FALSE(table.has_alignments());
  EXPECT_EQ(table.most_ranks(), 0u);
}

// What a table says after its last row.
struct Kept {
  std::uint64_t limit, ranks, found;
  std::vector<std::string> columns;
  nlohmann::json rows;
  std::vector<std::uint32_t> hits;
  bool operator==(const Kept&) const = default;
};

Kept kept(ReportTable& table, const ReportSides& sides) {
  table.settle();
  // A report keeps rows below the limit alone.
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t k = 0; k < table.rows().size(); ++k)
    if (table.rows()[k].rank < table.limit()) numbers.push_back(k);
  const std::vector<std::string_view> names = table.columns();
  nlohmann::json rows = nlohmann::json::parse(
      table.rows_json(numbers, plain_numbers(sides.queries), plain_numbers(sides.subjects)));
  return {table.limit(),      table.most_ranks(),
          table.rows_found(), {names.begin(), names.end()},
          std::move(rows),    {table.hits_found().begin(), table.hits_found().end()}};
}

// Random rows of few queries, in calls that end anywhere, on one and on two threads.
TEST(HtmlReportTable, KeptRowsDependOnRowsAlone) {
  Random random(3);
  const Scoring scoring = blosum62("global");
  std::vector<std::pair<std::string, std::string>> records(40, {"s", "ARND"});
  const ReportSides sides{sequences(records), sequences(records)};
  ThreadPool one(1), two(2);
  int bounded = 0;
  for (int round = 0; round < 400; ++round) {
    const bool by_query = round % 2 == 0;
    TableRows rows{.hsps = true, .significance = true};
    const std::size_t queries = 1 + below(random, 8);
    // Values that few rows have may be in rows that are kept, or in others.
    const std::size_t known = 1 + below(random, 100);
    for (SequenceSet::Index query = 0; query < queries; ++query)
      for (std::size_t hit = 0, hits = below(random, 40); hit < hits; ++hit)
        for (std::int32_t hsp = 1, most = 1 + static_cast<std::int32_t>(below(random, 3)); hsp <= most;
             ++hsp) {
          Row row;
          row.query = query, row.subject = static_cast<SequenceSet::Index>(hit), row.hsp = hsp;
          row.score = static_cast<std::int32_t>(1 + below(random, 1U << below(random, 24)));
          if (below(random, known) == 0) row.significance.bits = 7, row.significance.evalue = 1;
          rows.add(row);
        }
    const Columns columns = rows.columns();
    const std::uint64_t most_bytes = 100 + below(random, 5'000);
    const ReportTable::Form form = by_query ? hits() : pairs();
    ReportTable whole(form, scoring, sides, most_bytes);
    whole.add(one, columns, 0, columns.size());
    const Kept wanted = kept(whole, sides);
    bounded += wanted.limit < wanted.ranks ? 1 : 0;
    for (ThreadPool* threads : {&one, &two}) {
      ReportTable table(form, scoring, sides, most_bytes);
      for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
        end = std::min(columns.size(), begin + 1 + below(random, 60));
        table.add(*threads, columns, begin, end);
      }
      EXPECT_EQ(kept(table, sides), wanted) << "round " << round;
    }
    // Rows of the lowest ranks are all there, and no others.
    std::vector<std::uint64_t> ranks;
    std::uint64_t rank = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (by_query) {
        if (k == 0 || rows.query[k] != rows.query[k - 1])
          rank = 0;
        else if (rows.hsp[k] == 1)
          ++rank;
      } else {
        rank = k;
      }
      ranks.push_back(rank);
    }
    const auto lower =
        std::ranges::count_if(ranks, [&](std::uint64_t one_rank) { return one_rank < wanted.limit; });
    EXPECT_EQ(static_cast<std::ptrdiff_t>(columns.size() == 0 ? 0 : wanted.rows.at("subject").size()), lower);
    EXPECT_EQ(wanted.found, columns.size());
    EXPECT_EQ(wanted.limit > 0, true);
  }
  EXPECT_GT(bounded, 100);
}

}  // namespace
}  // namespace alnus::io
