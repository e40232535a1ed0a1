// Rows that come from elsewhere are accepted up to the limits of what can be, and refused beyond them.
#include "alnus/row_check.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "alnus/row_columns.h"
#include "support/scorings.h"
#include "support/sequences.h"

namespace alnus {
namespace {

using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMean = static_cast<std::size_t>(Denominator::mean);

constexpr CigarRun equal(std::uint32_t length) { return {CigarOp::equal, length}; }
constexpr CigarRun mismatch(std::uint32_t length) { return {CigarOp::mismatch, length}; }
constexpr CigarRun insertion(std::uint32_t length) { return {CigarOp::insertion, length}; }
constexpr CigarRun deletion(std::uint32_t length) { return {CigarOp::deletion, length}; }

// A row and its CIGAR, which a test changes in one place.
struct Given {
  Row row;
  std::vector<CigarRun> cigar;
  IdentityRange identity{{1, 10}, {9, 10}};
};

class RowCheck : public testing::Test {
 protected:
  // One query of ten residues and one subject of eight.
  RowCheck() : queries_(set_of(10)), subjects_(set_of(8)) {}

  static SequenceSet set_of(std::size_t length) {
    const std::vector<test::Residues> sequences = {test::Residues(length)};
    return test::make_set(sequences);
  }

  // A local alignment of eight residues of the query with seven of the subject.
  static Given local() {
    Given given{{}, {equal(3), insertion(1), mismatch(2), equal(2)}};
    given.row.score = 20;
    given.row.query_begin = 1, given.row.query_end = 9;
    given.row.subject_begin = 0, given.row.subject_end = 7;
    given.row.counts = {
        .columns = 8, .identical = 5, .positive = 6, .mismatches = 2, .gap_residues = 1, .gap_opens = 1};
    given.row.significance = {20, 12, 0.5, 3, 0.1, 0.5};
    return given;
  }
  // An alignment of the query from its residue `q` on with the subject from its residue `s` on, up to `q_end`
  // and `s_end`. The first residues are equal, and one gap follows them.
  static Given whole(std::int32_t q, std::int32_t q_end, std::int32_t s, std::int32_t s_end) {
    const std::int32_t rows = q_end - q, columns = s_end - s, aligned = std::min(rows, columns),
                       gap = std::max(rows, columns) - aligned;
    Given given{{}, {equal(static_cast<std::uint32_t>(aligned))}};
    if (gap > 0)
      given.cigar.emplace_back(rows > columns ? CigarOp::insertion : CigarOp::deletion,
                               static_cast<std::uint32_t>(gap));
    given.row.query_begin = q, given.row.query_end = q_end;
    given.row.subject_begin = s, given.row.subject_end = s_end;
    given.row.counts = {
        .columns = aligned + gap, .identical = aligned, .gap_residues = gap, .gap_opens = gap > 0 ? 1 : 0};
    return given;
  }

  Columns columns_of(const Given& given, const RowShape& shape) const {
    OwnedColumns rows;
    const auto groups = ColumnGroups::of(shape.detail, shape.strands, shape.significance.value_or(true),
                                         shape.hsps.value_or(false));
    for (const Given& one : {local_of(shape), given}) {
      rows.add(one.row, groups);
      if (shape.detail == Detail::alignment && shape.cigars.value_or(true)) rows.add_cigar(one.cigar);
      rows.add(Denominator::mean, one.identity);
    }
    return rows.finish();
  }
  // What is wrong with the row as the second of two rows; empty if it is accepted.
  std::string fault(const Given& given, const RowShape& shape = {}) const {
    return fault(columns_of(given, shape), shape);
  }
  std::string fault(const Columns& rows, const RowShape& shape = {}) const {
    try {
      check_rows(rows, shape, scoring_, queries_, subjects_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return {};
  }
  std::string fault(const std::function<void(Given&)>& change, const RowShape& shape = {}) const {
    Given given = local_of(shape);
    change(given);
    return fault(given, shape);
  }

  // A row that fits every mode and detail.
  Given local_of(const RowShape&) const {
    return scoring_.mode == Mode::local ? local() : whole(0, 10, 0, 8);
  }

  Scoring scoring_ = test::protein("BLOSUM62", "11", "1");
  const SequenceSet queries_, subjects_;
};

struct Change {
  std::string what;  // part of the message; empty: the row is accepted
  std::function<void(Given&)> make;
};

TEST_F(RowCheck, AValueAtItsLimitIsAcceptedAndOneBeyondItIsNot) {
  const std::vector<Change> changes = {
      {"", [](Given&) {}},
      {"none of the queries", [](Given& g) { g.row.query = 1; }},
      {"none of the subjects", [](Given& g) { g.row.subject = 1; }},
      {"", [](Given& g) { g.row.strand = Strand::minus; }},
      {"strand is unknown", [](Given& g) { g.row.strand = static_cast<Strand>(2); }},
      {"", [](Given& g) { g.row.score = 0; }},
      {"cannot have this score", [](Given& g) { g.row.score = -1; }},
      {"", [](Given& g) { g.row.score = 8 * 11; }},
      {"cannot have this score", [](Given& g) { g.row.score = 8 * 11 + 1; }},
      {"", [](Given& g) { g.row.query_begin = 0, g.row.query_end = 8; }},
      {"do not lie", [](Given& g) { g.row.query_begin = -1, g.row.query_end = 7; }},
      {"", [](Given& g) { g.row.query_begin = 2, g.row.query_end = 10; }},
      {"do not lie", [](Given& g) { g.row.query_begin = 3, g.row.query_end = 11; }},
      {"", [](Given& g) { g.row.subject_begin = 1, g.row.subject_end = 8; }},
      {"do not lie", [](Given& g) { g.row.subject_begin = 2, g.row.subject_end = 9; }},
      {"do not lie", [](Given& g) { g.row.subject_begin = -1, g.row.subject_end = 6; }},
      {"do not fit its coordinates", [](Given& g) { g.row.query_end = 10; }},
      {"do not fit its coordinates", [](Given& g) { g.row.query_begin = 2; }},
      {"do not fit its coordinates", [](Given& g) { g.row.subject_end = 8; }},
      {"do not fit its coordinates", [](Given& g) { g.row.subject_begin = 1; }},
      {"CIGAR does not fit its coordinates",
       [](Given& g) { g.row.query_begin = 0, g.row.subject_begin = 1; }},
      {"do not fit its coordinates", [](Given& g) { ++g.row.counts->columns; }},
      {"do not fit its coordinates", [](Given& g) { --g.row.counts->columns; }},
      {"do not fit its coordinates", [](Given& g) { ++g.row.counts->identical; }},
      {"do not fit its coordinates", [](Given& g) { ++g.row.counts->mismatches; }},
      {"do not fit its coordinates", [](Given& g) { ++g.row.counts->gap_residues; }},
      {"CIGAR does not fit its counts",
       [](Given& g) { ++g.row.counts->identical, --g.row.counts->mismatches; }},
      {"CIGAR does not fit its counts",
       [](Given& g) { --g.row.counts->identical, ++g.row.counts->mismatches; }},
      {"", [](Given& g) { g.row.counts->positive = 0; }},
      {"do not fit its coordinates", [](Given& g) { g.row.counts->positive = -1; }},
      {"", [](Given& g) { g.row.counts->positive = 7; }},
      {"do not fit its coordinates", [](Given& g) { g.row.counts->positive = 8; }},
      {"do not fit its coordinates", [](Given& g) { g.row.counts->gap_opens = 0; }},
      {"do not fit its coordinates", [](Given& g) { g.row.counts->gap_opens = 2; }},
      {"",
       [](Given& g) {
         g.cigar = {mismatch(2), equal(5), insertion(1)};
       }},
      {"empty run", [](Given& g) { g.cigar.push_back(equal(0)); }},
      {"unknown operation", [](Given& g) { g.cigar[0] = CigarRun(CigarOp{0}, 3); }},
      {"CIGAR does not fit its coordinates", [](Given& g) { g.cigar[1] = deletion(1); }},
      {"CIGAR does not fit its coordinates", [](Given& g) { g.cigar.pop_back(); }},
      {"CIGAR does not fit its coordinates", [](Given& g) { g.cigar.clear(); }},
      {"CIGAR does not fit its counts", [](Given& g) { g.cigar[0] = equal(2), g.cigar[2] = mismatch(3); }}};
  const RowShape shape{.strands = true};
  for (std::size_t k = 0; k < changes.size(); ++k) {
    SCOPED_TRACE(k);
    const std::string found = fault(changes[k].make, shape);
    EXPECT_EQ(found.empty(), changes[k].what.empty()) << found;
    EXPECT_THAT(found, HasSubstr(changes[k].what));
    EXPECT_TRUE(found.empty() || found.starts_with("row 2: ")) << found;
  }
}

// Without a CIGAR the counts and coordinates are all that can be compared.
TEST_F(RowCheck, CountsAreCheckedWithoutCigars) {
  const RowShape shape{.cigars = false};
  const auto counted = [&](std::int32_t span, const AlignmentCounts& counts) {
    Given given = local();
    given.row.query_begin = 5, given.row.query_end = 5 + span;
    given.row.subject_begin = 4, given.row.subject_end = 4 + span;
    given.row.counts = counts;
    return fault(given, shape);
  };
  EXPECT_EQ(counted(0, {}), "") << "an alignment of nothing";
  EXPECT_EQ(counted(3, {.columns = 3, .identical = 1, .mismatches = 2}), "");
  EXPECT_EQ(counted(3, {.columns = 4, .identical = 2, .gap_residues = 2, .gap_opens = 2}), "");
  EXPECT_EQ(counted(3, {.columns = 4, .identical = 2, .gap_residues = 2, .gap_opens = 1}), "");
  for (const AlignmentCounts& counts :
       {AlignmentCounts{.columns = 4, .identical = 2, .gap_residues = 2, .gap_opens = 3},
        {.columns = 4, .identical = 2, .gap_residues = 2, .gap_opens = 0},
        {.columns = 3, .identical = 3, .gap_opens = 1},
        {.columns = 3, .identical = -1, .mismatches = 4},
        {.columns = 3, .identical = 4, .mismatches = -1},
        {.columns = 2, .identical = 4, .gap_residues = -2, .gap_opens = -2},
        {.columns = 3, .identical = 2, .positive = 4, .mismatches = 1},
        {.columns = 3, .identical = 3, .gap_opens = -1}})
    EXPECT_THAT(counted(3, counts), HasSubstr("counts do not fit")) << counts.identical;
  Given backwards = local();
  backwards.row.query_begin = 5, backwards.row.query_end = 4;
  backwards.row.subject_begin = 4, backwards.row.subject_end = 5;
  backwards.row.counts = AlignmentCounts{};
  EXPECT_THAT(fault(backwards, shape), HasSubstr("do not lie"));
  std::swap(backwards.row.query_begin, backwards.row.query_end);
  std::swap(backwards.row.subject_begin, backwards.row.subject_end);
  EXPECT_THAT(fault(backwards, shape), HasSubstr("do not lie"));
}

TEST_F(RowCheck, AGlobalAlignmentHasAllResidues) {
  scoring_.mode = Mode::global;
  EXPECT_EQ(fault(whole(0, 10, 0, 8)), "");
  for (const Given& part : {whole(1, 10, 0, 8), whole(0, 9, 0, 8), whole(0, 10, 1, 8), whole(0, 10, 0, 7)}) {
    EXPECT_THAT(fault(part), HasSubstr("not the ends of its sequences"));
    scoring_.mode = Mode::local;
    EXPECT_EQ(fault(part), "");
    scoring_.mode = Mode::semiglobal;
    EXPECT_EQ(fault(part), "");
    scoring_.mode = Mode::global;
  }
  for (const auto& [score, fits] : {std::pair(-45, true), {-46, false}, {88, true}, {89, false}}) {
    Given given = whole(0, 10, 0, 8);
    given.row.score = score;
    EXPECT_EQ(fault(given).empty(), fits) << score;
  }
}

TEST_F(RowCheck, EndsMayBeUnknown) {
  const RowShape ends{.detail = Detail::ends};
  const auto with = [&](std::int32_t query_end, std::int32_t subject_end) {
    Given given = local();
    given.row.query_begin = given.row.subject_begin = -1;
    given.row.query_end = query_end, given.row.subject_end = subject_end;
    return fault(given, ends);
  };
  for (const auto& [query_end, subject_end] : {std::pair(-1, -1), {0, 0}, {10, 8}})
    EXPECT_EQ(with(query_end, subject_end), "");
  for (const auto& [query_end, subject_end] : {std::pair(-2, 8), {11, 8}, {10, -2}, {10, 9}})
    EXPECT_THAT(with(query_end, subject_end), HasSubstr("do not lie")) << query_end << ' ' << subject_end;
  const RowShape score{.detail = Detail::score};
  EXPECT_EQ(fault([](Given& g) { g.row.score = 88; }, score), "");
  EXPECT_THAT(fault([](Given& g) { g.row.score = 89; }, score), HasSubstr("cannot have this score"));
}

TEST_F(RowCheck, NumbersOfSignificanceAndIdentityAreWithinTheirRanges) {
  const auto with = [&](std::optional<double> Significance::*number, double value) {
    return fault([&](Given& g) { g.row.significance.*number = value; });
  };
  struct Limits {
    std::optional<double> Significance::*number;
    std::vector<double> possible, impossible;
  };
  const double most = std::numeric_limits<double>::max();
  const std::vector<double> finite = {-most, 0, most, kNaN}, infinite = {-kInfinity, kInfinity};
  for (const Limits& limits :
       std::vector<Limits>{{&Significance::adjusted_score, finite, infinite},
                           {&Significance::bits, finite, infinite},
                           {&Significance::zscore, finite, infinite},
                           {&Significance::evalue, {0, most, kInfinity, kNaN}, {-1e-300, -kInfinity}},
                           {&Significance::zscore_se, {0, most, kNaN}, {-1e-300, kInfinity}},
                           {&Significance::zfit, {0, 1, kNaN}, {-1e-300, std::nextafter(1, 2)}}}) {
    for (const double value : limits.possible) EXPECT_EQ(with(limits.number, value), "") << value;
    for (const double value : limits.impossible)
      EXPECT_THAT(with(limits.number, value), HasSubstr("significance is impossible")) << value;
  }
  for (Fraction IdentityRange::*end : {&IdentityRange::lowest, &IdentityRange::highest}) {
    const auto identity = [&](const Fraction& fraction) {
      return fault([&](Given& g) { g.identity.*end = fraction; });
    };
    for (const Fraction& fraction : {Fraction{0, 1}, {1, 1}, {7, 7}, {6, 7}})
      EXPECT_EQ(identity(fraction), "") << fraction.numerator;
    for (const Fraction& fraction : {Fraction{0, 0}, {-1, 1}, {8, 7}, {0, -1}, {-1, -1}})
      EXPECT_THAT(identity(fraction), HasSubstr("identities is impossible")) << fraction.numerator;
  }
}

TEST_F(RowCheck, ColumnsOfOtherSizesAreRefused) {
  const RowShape shape{.strands = true, .hsps = true};
  const Columns rows = columns_of(local(), shape);
  const auto refused = HasSubstr("other sizes");
  EXPECT_EQ(fault(rows, shape), "");
  for_each_row_column([&](const auto& column) {
    Columns shorter = rows, empty = rows;
    (shorter.*(column.in_columns)) = (rows.*(column.in_columns)).first(1);
    (empty.*(column.in_columns)) = {};
    EXPECT_THAT(fault(shorter, shape), refused) << column.name;
    // Without E-values the rows may not be judged at all, and then none of these columns may be there.
    EXPECT_THAT(fault(empty, shape), refused) << column.name;
  });
  EXPECT_THAT(fault(rows, {}), refused) << "strands that the shape does not have";
  EXPECT_THAT(fault(rows, {.detail = Detail::ends, .strands = true}), refused);
  for (const bool wanted : {false, true}) {
    EXPECT_EQ(fault(rows, {.strands = true, .cigars = wanted}).empty(), wanted);
    EXPECT_EQ(fault(rows, {.strands = true, .significance = wanted}).empty(), wanted);
  }
  using Denominators = std::vector<Denominator>;
  EXPECT_EQ(fault(rows, {.strands = true, .identity_ranges = Denominators{Denominator::mean}}), "");
  EXPECT_THAT(fault(rows, {.strands = true, .identity_ranges = Denominators{}}), refused);
  EXPECT_THAT(fault(rows, {.strands = true, .identity_ranges = Denominators{Denominator::longer}}), refused);
  Columns lacking = rows;
  lacking.identity_range[kMean] = lacking.identity_range[kMean].first(1);
  EXPECT_THAT(fault(lacking, shape), refused);
}

TEST_F(RowCheck, OffsetsOfCigarsDivideTheRuns) {
  const Columns rows = columns_of(local(), {});  // two rows of four runs
  const auto with = [&](const std::vector<std::uint64_t>& offsets, std::size_t runs = 8) {
    Columns changed = rows;
    changed.cigar_offsets = offsets;
    changed.cigar_runs = changed.cigar_runs.first(runs);
    return fault(changed);
  };
  EXPECT_EQ(with({0, 4, 8}), "");
  for (const std::vector<std::uint64_t>& offsets :
       {std::vector<std::uint64_t>{0, 4}, {0, 4, 8, 8}, {1, 4, 8}, {0, 4, 7}, {0, 4, 9}, {0, 9, 8}, {}})
    EXPECT_THAT(with(offsets), HasSubstr("other sizes")) << testing::PrintToString(offsets);
  EXPECT_THAT(with({0, 4, 8}, 7), HasSubstr("other sizes"));
  EXPECT_EQ(with({}, 0), "") << "rows without CIGARs";
}

TEST_F(RowCheck, NoRowsMayLackTheirOneOffset) {
  const Columns none;
  for (const std::optional<bool> cigars : {std::optional<bool>(), {false}, {true}})
    EXPECT_EQ(fault(none, {.cigars = cigars}), "");
  const std::vector<std::uint64_t> one = {0}, wrong = {1};
  Columns begun;
  begun.cigar_offsets = one;
  EXPECT_EQ(fault(begun), "");
  EXPECT_EQ(fault(begun, {.cigars = true}), "");
  EXPECT_THAT(fault(begun, {.cigars = false}), HasSubstr("other sizes"));
  begun.cigar_offsets = wrong;
  EXPECT_THAT(fault(begun), HasSubstr("other sizes"));
}

TEST(PossibleScores, ScoresOfAlignmentsAreAmongThem) {
  test::Random random(1);
  std::size_t highest = 0;
  for (int k = 0; k < 2000; ++k) {
    Scoring scoring =
        test::protein("BLOSUM62", std::to_string(test::below(random, 15)), std::to_string(k % 4));
    scoring.mode = k % 3 == 0 ? Mode::local : k % 3 == 1 ? Mode::global : Mode::semiglobal;
    if (scoring.mode == Mode::semiglobal) scoring.free_ends = FreeEnds::all();
    const test::Residues query = test::random_sequence(random, test::below(random, 6), 20),
                         subject = k % 5 == 0 ? test::repeat("W", test::below(random, 6))
                                              : test::random_sequence(random, test::below(random, 6), 20);
    const test::Residues& other = k % 10 == 0 ? subject : query;
    const std::int32_t score = align_reference(other, subject, scoring, Detail::score).score;
    const ScoreRange range = possible_scores(scoring, other.size(), subject.size());
    EXPECT_TRUE(range.has(score)) << score << " of " << range.lowest << " to " << range.highest;
    highest += score == range.highest && score > 0;
  }
  EXPECT_GT(highest, 50u) << "the highest score is one that sequences have";
}

TEST(PossibleScores, AreThoseOfTheFormula) {
  Scoring scoring = test::protein("BLOSUM62", "11", "1");
  scoring.mode = Mode::global;
  struct Case {
    std::size_t query, subject;
    double lowest, highest;
  };
  // The lowest score is that of all residues in two gaps, or that of pairs of score -4 and one gap.
  for (const Case& c : {Case{10, 8, -45, 88},
                        {8, 10, -45, 88},
                        {1, 1, -24, 11},
                        {0, 3, -25, 0},
                        {0, 0, -22, 0},
                        {20, 20, -91, 220}}) {
    const ScoreRange range = possible_scores(scoring, c.query, c.subject);
    EXPECT_EQ(range.lowest, c.lowest) << c.query << ' ' << c.subject;
    EXPECT_EQ(range.highest, c.highest) << c.query << ' ' << c.subject;
    EXPECT_TRUE(range.has(c.lowest) && range.has(c.highest));
    EXPECT_FALSE(range.has(c.lowest - 1) || range.has(c.highest + 1));
  }
  scoring.mode = Mode::local;
  EXPECT_EQ(possible_scores(scoring, 3, 5).lowest, 0);
  EXPECT_EQ(possible_scores(scoring, 3, 5).highest, 33);
  const std::vector<std::int32_t> negative(kMaxLetters * kMaxLetters, -2);
  scoring.matrix = SubstitutionMatrix::of_values("negative", AlphabetKind::protein, 1, negative);
  EXPECT_EQ(possible_scores(scoring, 3, 5).highest, 0);
}

}  // namespace
}  // namespace alnus
