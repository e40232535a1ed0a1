// Session::all_pairs into a sink: its pairs and their order, filters, values, blocks, summary and messages.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/expected.h"
#include "api/support/inputs.h"
#include "api/support/table.h"
#include "support/all_pairs_reference.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

// Short sequences of the letters A and R alone, so that many alignments tie and sequences are repeated.
SequenceSet repetitive(unsigned seed, std::uint32_t count) {
  Random random(seed);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (std::uint32_t k = 0; k < count; ++k)
    builder.add("s" + std::to_string(k), random_sequence(random, below(random, 9), 2));
  return builder.finish();
}

// Keeps everything that a sink is given.
struct Collected {
  Table rows;
  std::vector<Columns> batches;
  std::map<std::pair<Index, Index>, double> values;  // by row and column
  std::vector<ValueStripe> stripes;

  PairSink sink(bool with_values = false) {
    PairSink sink;
    sink.rows = [this](const Columns& batch, const std::string&) {
      rows.append(batch);
      batches.push_back(batch);
    };
    if (with_values) sink.values = [this](const ValueStripe& stripe) { stripes.push_back(stripe); };
    return sink;
  }
  // Copies the values of the stripes to `values`: of each row, the columns before `end_of_row(row)`.
  void take_values(const std::function<Index(Index)>& end_of_row) {
    for (const ValueStripe& stripe : stripes)
      for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row)
        for (Index column = stripe.columns.begin; column < std::min(stripe.columns.end, end_of_row(row));
             ++column)
          EXPECT_TRUE(
              values.try_emplace({row, column}, stripe.row(row)[column - stripe.columns.begin]).second)
              << "twice: " << row << ", " << column;
  }
};

std::vector<ExpectedRow> listed(std::vector<ExpectedRow> rows, const Scoring& scoring) {
  std::erase_if(rows, [&](const ExpectedRow& row) { return is_empty(row, scoring); });
  return rows;
}

AllPairsOptions without_statistics(bool self = false) {
  AllPairsOptions options;
  options.self = self;
  options.statistics = no_statistics();
  return options;
}

class ApiAllPairsScorings : public testing::TestWithParam<NamedScoring> {};

TEST_P(ApiAllPairsScorings, EveryPairOfASetOnceInTheOrderOfTheFile) {
  const Scoring& scoring = GetParam().scoring;
  const AlphabetKind alphabet = scoring.matrix.alphabet();
  Session session(session_options());
  for (const SequenceSet& set : {joined(random_set({.count = 14, .longest = 40, .alphabet = alphabet}),
                                        relatives_set(2, 6, 40, alphabet)),
                                 alphabet == AlphabetKind::protein ? repetitive(2, 25) : SequenceSet()}) {
    for (const bool self : {false, true}) {
      const std::vector<ExpectedRow> all = expected_all_pairs(set, scoring, self),
                                     expected = listed(all, scoring);
      Collected found;
      const AllPairsSummary summary = session.all_pairs(set, scoring, without_statistics(self), found.sink());
      EXPECT_TRUE(equal(found.batches, expected, {}, set, set, scoring));
      EXPECT_EQ(summary.pairs, all.size());
      EXPECT_EQ(summary.listed, expected.size());
      EXPECT_EQ(summary.empty, all.size() - expected.size());
      EXPECT_EQ(summary.filtered, 0u);
      EXPECT_EQ(summary.first_row, 0u);
      EXPECT_FALSE(summary.finished_before);
      std::uint64_t cells = 0;
      for (const ExpectedRow& row : all) cells += set.length(row.query) * set.length(row.subject);
      EXPECT_EQ(summary.cells, cells);
    }
  }
}

TEST_P(ApiAllPairsScorings, EverySequenceOfASetWithEveryOneOfAnother) {
  const Scoring& scoring = GetParam().scoring;
  const AlphabetKind alphabet = scoring.matrix.alphabet();
  const SequenceSet set = relatives_set(1, 9, 40, alphabet),
                    against = joined(random_set({.count = 8, .longest = 60, .alphabet = alphabet}),
                                     relatives_set(1, 5, 40, alphabet));
  Session session(session_options());
  const auto check = [&](const SequenceSet& first, const SequenceSet& second) {
    const std::vector<ExpectedRow> all = expected_all_pairs(first, second, scoring),
                                   expected = listed(all, scoring);
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      AllPairsOptions options = without_statistics();
      options.detail = detail;
      Collected found;
      const AllPairsSummary summary = session.all_pairs(first, second, scoring, options, found.sink());
      EXPECT_TRUE(equal(found.batches, expected, {detail}, first, second, scoring));
      EXPECT_EQ(summary.pairs, 9u * 13);
      EXPECT_EQ(summary.cells, first.total_residues() * second.total_residues());
      EXPECT_EQ(summary.empty, all.size() - expected.size());
    }
  };
  check(set, against);
  check(against, set);
}

INSTANTIATE_TEST_SUITE_P(, ApiAllPairsScorings, testing::ValuesIn(scorings()),
                         [](const auto& info) { return info.param.name; });

class ApiAllPairs : public testing::Test {
 protected:
  Collected all_pairs(const SequenceSet& set, const AllPairsOptions& options, bool with_values = false) {
    Collected found;
    summary_ = session_.all_pairs(set, scoring_, options, found.sink(with_values));
    return found;
  }
  const SequenceSet set_ = joined(relatives_set(1, 14, 50), random_set({.seed = 2, .count = 10}));
  Scoring scoring_ = default_scoring();
  Session session_{session_options()};
  AllPairsSummary summary_;
};

TEST_F(ApiAllPairs, AResultDoesNotDependOnTheOrderInTheFile) {
  const SequenceSet set = repetitive(6, 40);
  const SequenceSet back = reversed(set);
  scoring_ = default_scoring("global");
  const Collected forth = all_pairs(set, without_statistics()), other = all_pairs(back, without_statistics());
  std::map<std::pair<Index, Index>, std::vector<std::int32_t>> results;
  const auto values = [](const Columns& rows, std::size_t i) {
    return std::vector<std::int32_t>{rows.score[i], rows.length[i], rows.identical[i], rows.gap_residues[i]};
  };
  for (const Columns& rows : forth.batches)
    for (std::size_t i = 0; i < rows.size(); ++i) results[{rows.query[i], rows.subject[i]}] = values(rows, i);
  std::size_t compared = 0;
  for (const Columns& rows : other.batches)
    for (std::size_t i = 0; i < rows.size(); ++i, ++compared)
      EXPECT_EQ(values(rows, i), results.at({39 - rows.subject[i], 39 - rows.query[i]}));
  EXPECT_EQ(compared, results.size());
}

TEST_F(ApiAllPairs, ADatabaseFileIsTakenInTheOrderOfItsFiles) {
  const TempDir directory;
  session_.make_database({directory.write_file("set.fa", fasta_of(set_))}, directory.file("set.alnus"));
  const Database opened = session_.open(directory.file("set.alnus"));
  ASSERT_NE(fasta_of(opened.sequences()), fasta_of(set_));  // a database file is sorted by length
  const Collected expected = all_pairs(set_, {});
  for (const Database& database : {opened, opened.in_file_order()}) {
    Collected found;  // its indices are those of the file's order, whichever order the database has
    session_.all_pairs(database, scoring_, {}, found.sink());
    EXPECT_TRUE(same(found.rows, expected.rows));
  }
}

TEST_F(ApiAllPairs, PairsAreListedIfTheyPassAllThatIsSet) {
  AllPairsOptions options = without_statistics();
  const Collected whole = all_pairs(set_, options);
  const std::uint64_t listed_before = summary_.listed, empty = summary_.empty;
  options.filter = {{.min_identity = 55, .denominator = Denominator::shorter}, 40};
  const Collected some = all_pairs(set_, options);
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < whole.rows.size(); ++i) {
    const double shorter =
        static_cast<double>(std::min(set_.length(whole.rows.query[i]), set_.length(whole.rows.subject[i])));
    if (whole.rows.integers[0][i] >= 40 && 100.0 * whole.rows.integers[6][i] / shorter >= 55)
      wanted.push_back(i);
  }
  ASSERT_FALSE(wanted.empty());
  EXPECT_TRUE(same(some.rows, rows_of(whole.rows, wanted)));
  EXPECT_EQ(summary_.listed, wanted.size());
  EXPECT_EQ(summary_.filtered, listed_before + empty - wanted.size())
      << "those of score 0 do not pass either";
  EXPECT_EQ(summary_.empty, 0u);
}

// Overlapping pieces of one protein, each between random letters that align with nothing.
SequenceSet overlapping(unsigned seed) {
  Random random(seed);
  const Residues ancestor = random_sequence(random, 150);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (int k = 0; k < 24; ++k) {
    const std::size_t begin = below(random, 80), end = begin + 10 + below(random, 60);
    Residues residues = random_sequence(random, below(random, 40));
    residues.insert(residues.end(), ancestor.begin() + static_cast<std::ptrdiff_t>(begin),
                    ancestor.begin() + static_cast<std::ptrdiff_t>(end));
    const Residues tail = random_sequence(random, below(random, 40));
    residues.insert(residues.end(), tail.begin(), tail.end());
    builder.add("o" + std::to_string(k), residues);
  }
  return builder.finish();
}

TEST_F(ApiAllPairs, CoverageIsThatOfTheSequenceThatIsChosen) {
  const SequenceSet set = overlapping(3), against = overlapping(4);
  for (const char* mode : {"local", "semiglobal", "global"})
    for (const bool two : {false, true}) {
      const Scoring scoring = default_scoring(mode);
      const SequenceSet& others = two ? against : set;
      const std::vector<ExpectedRow> all = listed(
          two ? expected_all_pairs(set, others, scoring) : expected_all_pairs(set, scoring, false), scoring);
      std::set<std::size_t> sizes;
      for (const CoverageOf of : {CoverageOf::shorter, CoverageOf::longer, CoverageOf::query,
                                  CoverageOf::subject, CoverageOf::both}) {
        AllPairsOptions options = without_statistics();
        options.detail = Detail::score;  // the filter gets the coordinates, though rows do not have them
        options.filter.min_coverage = 40;
        options.filter.coverage_of = of;
        const auto passes = [&](const ExpectedRow& row) {
          const Alignment& a = row.alignment;
          const std::size_t m = set.length(row.query), n = others.length(row.subject);
          const double of_query = 100.0 * (a.query_end - a.query_begin) / static_cast<double>(m),
                       of_subject = 100.0 * (a.subject_end - a.subject_begin) / static_cast<double>(n),
                       lower = std::min(of_query, of_subject);
          const double share = of == CoverageOf::query                  ? of_query
                               : of == CoverageOf::subject              ? of_subject
                               : of == CoverageOf::both || m == n       ? lower
                               : (of == CoverageOf::shorter) == (m < n) ? of_query
                                                                        : of_subject;
          return share >= 40;
        };
        std::vector<ExpectedRow> expected;
        std::ranges::copy_if(all, std::back_inserter(expected), passes);
        Collected found;
        const AllPairsSummary summary = two ? session_.all_pairs(set, others, scoring, options, found.sink())
                                            : session_.all_pairs(set, scoring, options, found.sink());
        EXPECT_TRUE(equal(found.batches, expected, {}, set, others, scoring)) << mode << static_cast<int>(of);
        EXPECT_EQ(summary.listed + summary.filtered + summary.empty, summary.pairs);
        EXPECT_FALSE(expected.empty());
        sizes.insert(expected.size());
      }
      EXPECT_TRUE(scoring.mode == Mode::global || sizes.size() > 2) << "the choice matters";
    }
}

TEST_F(ApiAllPairs, ShortAlignmentsAreLeftOutByTheirColumns) {
  const SequenceSet set = overlapping(5);
  const std::vector<ExpectedRow> all = listed(expected_all_pairs(set, scoring_, false), scoring_);
  for (const std::uint32_t least : {0U, 1U, 20U, 50U, 100'000U, UINT32_MAX}) {
    AllPairsOptions options = without_statistics();
    options.filter.min_length = least;
    std::vector<ExpectedRow> expected;
    for (const ExpectedRow& row : all)
      if (count(row.alignment, set.residues(row.query), set.residues(row.subject), scoring_.matrix).columns >=
          std::int64_t{least})
        expected.push_back(row);
    Collected found = all_pairs(set, options);
    EXPECT_TRUE(equal(found.batches, expected, {}, set, set, scoring_)) << least;
    if (least == 20 || least == 50) {
      EXPECT_GT(expected.size(), 0u);
      EXPECT_LT(expected.size(), all.size());
    }
  }
}

TEST_F(ApiAllPairs, ACoverageBeyond0To100IsAnError) {
  for (const double percent : {-1.0, 100.5, std::nan("")}) {
    AllPairsOptions options = without_statistics();
    options.filter.min_coverage = percent;
    EXPECT_NE(input_error([&] { all_pairs(set_, options); }).find("min_coverage takes percent"),
              std::string::npos);
  }
}

// In modes whose alignments may leave residues out, a filter by identity makes a warning if its denominator
// does not count these residues.
TEST_F(ApiAllPairs, AnIdentityOfTheAlignmentAloneIsAWarningThatSaysWhatToAdd) {
  const auto warnings = [&](const AllPairsOptions& options) {
    std::vector<std::string> messages;
    RunControl run;
    run.on_message = [&](const Message& message) {
      if (message.severity == Severity::warning) messages.push_back(message.text());
    };
    Collected found;
    session_.all_pairs(set_, scoring_, options, found.sink(), run);
    return messages;
  };
  for (const char* mode : {"local", "semiglobal"}) {
    scoring_ = default_scoring(mode);
    for (const Denominator by : {Denominator::alignment, Denominator::ungapped}) {
      AllPairsOptions options = without_statistics();
      EXPECT_TRUE(warnings(options).empty()) << "no filter";
      options.filter.denominator = by;
      options.filter.min_identity = 30;
      const std::vector<std::string> said = warnings(options);
      ASSERT_EQ(said.size(), 1u);
      for (const char* word : {"min_identity", mode, "min_coverage", "min_length", "shorter"})
        EXPECT_NE(said[0].find(word), std::string::npos) << said[0];
      options.filter.min_coverage = 50;
      EXPECT_TRUE(warnings(options).empty());
      options.filter.min_coverage.reset();
      options.filter.min_length = 30;
      EXPECT_TRUE(warnings(options).empty());
    }
    for (const Denominator by :
         {Denominator::shorter, Denominator::longer, Denominator::mean, Denominator::with_end_gaps}) {
      AllPairsOptions options = without_statistics();
      options.filter.denominator = by;
      options.filter.min_identity = 30;
      EXPECT_TRUE(warnings(options).empty()) << "it counts whole sequences";
    }
  }
  scoring_ = default_scoring("global");
  AllPairsOptions options = without_statistics();
  options.filter.min_identity = 30;
  EXPECT_TRUE(warnings(options).empty()) << "every residue is in the alignment";
}

TEST_F(ApiAllPairs, MinScoreIsInTheMatrixUnits) {
  ScoringOptions words;
  words.preset = "emboss-water";
  scoring_ = make_scoring(words);
  AllPairsOptions options = without_statistics();
  const Table whole = all_pairs(set_, options).rows;
  options.filter.min_score = 40.5;
  const Table some = all_pairs(set_, options).rows;
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (whole.integers[0][i] >= 81) wanted.push_back(i);
  EXPECT_TRUE(same(some, rows_of(whole, wanted)));
}

TEST_F(ApiAllPairs, EvaluesAreThoseOfASearchOfTheWholeSet) {
  const Collected found = all_pairs(set_, {});
  std::vector<IndexPair> pairs;
  for (std::size_t i = 0; i < found.rows.size(); ++i)
    pairs.push_back({found.rows.query[i], found.rows.subject[i]});
  AlignOptions options{.significance = true};
  options.statistics.residues = static_cast<double>(set_.total_residues());
  options.statistics.sequences = set_.size();
  const Table aligned(session_.align(set_, set_, pairs, scoring_, options));
  EXPECT_EQ(found.rows.significance[0], aligned.significance[0]) << "bits";
  EXPECT_EQ(found.rows.significance[1], aligned.significance[1]) << "E-values";
  EXPECT_NE(summary_.statistics, "");
}

TEST_F(ApiAllPairs, NoListedPairsEvalueIsAboveTheFilter) {
  const Collected whole = all_pairs(set_, {});
  std::vector<double> evalues;
  for (const Columns& batch : whole.batches)
    for (const double evalue : batch.evalue) evalues.push_back(evalue);
  std::vector<double> sorted = evalues;
  std::ranges::sort(sorted);
  AllPairsOptions options;
  options.filter.evalue = sorted[sorted.size() / 2];
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < evalues.size(); ++i)
    if (evalues[i] <= *options.filter.evalue) wanted.push_back(i);
  EXPECT_TRUE(same(all_pairs(set_, options).rows, rows_of(whole.rows, wanted)));
}

TEST_F(ApiAllPairs, ColumnsThatWereNotAskedForAreEmpty) {
  AllPairsOptions options;
  options.cigars = false;
  options.significance = false;
  const std::vector<ExpectedRow> expected = listed(expected_all_pairs(set_, scoring_, false), scoring_);
  const Collected found = all_pairs(set_, options);
  EXPECT_TRUE(equal(found.batches, expected, {.cigars = false}, set_, set_, scoring_));
  for (const Columns& batch : found.batches) {
    EXPECT_TRUE(batch.bits.empty());
    EXPECT_TRUE(batch.evalue.empty());
    for (const auto& column : batch.identity_range) EXPECT_TRUE(column.empty());
  }
}

TEST_F(ApiAllPairs, IdentityRangesAreThoseOfThePairAlignedInItsOrder) {
  const SequenceSet set = repetitive(3, 14);
  scoring_ = default_scoring("global");
  AllPairsOptions options = without_statistics();
  options.identity_ranges = {Denominator::alignment};
  const Collected found = all_pairs(set, options);
  const auto& ranges = found.rows.identity_range[static_cast<std::size_t>(Denominator::alignment)];
  ASSERT_EQ(ranges.size(), found.rows.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::vector<IndexPair> pair = {{found.rows.query[i], found.rows.subject[i]}};
    const IdentityRange expected =
        session_.identity_range(set, set, pair, scoring_, Denominator::alignment).front();
    const auto [low, low_by, high, high_by] = ranges[i];
    EXPECT_EQ(low * expected.lowest.denominator, expected.lowest.numerator * low_by);
    EXPECT_EQ(high * expected.highest.denominator, expected.highest.numerator * high_by);
  }
}

// Returns the value of every pair, computed from align_reference(), by row and column of the pair matrix.
std::map<std::pair<Index, Index>, double> expected_values(const SequenceSet& set, const Scoring& scoring,
                                                          bool self, const MatrixValue& value) {
  std::map<std::pair<Index, Index>, double> values;
  for (const ExpectedRow& row : expected_all_pairs(set, scoring, self)) {
    const auto query = set.residues(row.query), subject = set.residues(row.subject);
    const Fraction identity = identity_of(count(row.alignment, query, subject, scoring.matrix), query.size(),
                                          subject.size(), value.denominator);
    const double share = static_cast<double>(identity.numerator) / static_cast<double>(identity.denominator);
    values[{row.subject, row.query}] = value.kind == PairValue::score
                                           ? static_cast<double>(row.alignment.score) / scoring.scale
                                       : value.kind == PairValue::identity ? 100 * share
                                                                           : 1 - share;
  }
  return values;
}

TEST_F(ApiAllPairs, ValuesComeOfEveryPairFilteredOrNot) {
  ScoringOptions words;
  words.preset = "emboss-water";
  scoring_ = make_scoring(words);
  for (const bool self : {false, true}) {
    for (const PairValue kind : {PairValue::score, PairValue::identity, PairValue::distance}) {
      for (const Denominator by : {Denominator::alignment, Denominator::ungapped, Denominator::shorter,
                                   Denominator::longer, Denominator::mean, Denominator::with_end_gaps}) {
        AllPairsOptions options = without_statistics(self);
        options.value = MatrixValue{kind, by};
        options.filter.min_score = 100;
        Collected found = all_pairs(set_, options, true);
        found.take_values([self](Index row) { return row + (self ? 1 : 0); });
        const auto expected = expected_values(set_, scoring_, self, *options.value);
        ASSERT_EQ(found.values.size(), expected.size());
        for (const auto& [pair, value] : expected)
          EXPECT_NEAR(found.values.at(pair), value, 1e-9) << pair.first << ", " << pair.second;
        EXPECT_LT(summary_.listed, summary_.pairs);
        if (kind == PairValue::score) break;
      }
    }
  }
}

TEST_F(ApiAllPairs, ValuesOfTwoSetsAreARectangle) {
  const SequenceSet against = random_set({.seed = 4, .count = 7});
  AllPairsOptions options = without_statistics();
  options.detail = Detail::score;
  options.value = MatrixValue{.kind = PairValue::score};
  Collected found;
  session_.all_pairs(set_, against, scoring_, options, found.sink(true));
  found.take_values([&](Index) { return against.size(); });
  ASSERT_EQ(found.values.size(), std::size_t{set_.size()} * against.size());
  for (const ExpectedRow& row : expected_all_pairs(set_, against, scoring_))
    EXPECT_EQ((found.values.at({row.query, row.subject})), row.alignment.score);
}

TEST_F(ApiAllPairs, StripesOfValuesFollowEachOtherAndOwnTheirArrays) {
  const SequenceSet set = random_set({.count = 700, .shortest = 5, .longest = 8});
  AllPairsOptions options = without_statistics(true);
  options.detail = Detail::score;
  options.value = MatrixValue{.kind = PairValue::score};
  Collected found;
  {
    Session session(session_options(2, 16 << 20));
    session.all_pairs(Database(set), scoring_, options, found.sink(true));
  }
  Index next = 0;
  for (const ValueStripe& stripe : found.stripes) {
    EXPECT_EQ(stripe.rows.begin, next);
    next = stripe.rows.end;
    EXPECT_EQ(stripe.values.size(), std::size_t{stripe.rows.size()} * stripe.columns.size());
    EXPECT_NE(stripe.owner, nullptr);
  }
  EXPECT_EQ(next, set.size());
  found.take_values([](Index row) { return row + 1; });
  EXPECT_EQ(found.values.size(), 700u * 701 / 2);
  for (std::size_t i = 0; i < found.rows.size(); ++i)
    ASSERT_EQ((found.values.at({found.rows.subject[i], found.rows.query[i]})), found.rows.integers[0][i]);
}

// Stripes are planned to take the session's devices a second or two, so that little work is one stripe.
// Stripes of one row would be slow to write.
TEST_F(ApiAllPairs, LittleWorkIsOneStripe) {
  const SequenceSet set = random_set({.count = 300, .shortest = 5, .longest = 8});
  AllPairsOptions options = without_statistics();
  options.value = MatrixValue{.kind = PairValue::score};
  for (const char* devices : {"auto", "cpu"}) {
    SessionOptions machine = session_options();
    machine.devices = devices;
    Collected found;
    Session(machine).all_pairs(Database(set), scoring_, options, found.sink(true));
    EXPECT_EQ(found.stripes.size(), 1u) << devices;
  }
}

// The values of short sequences take the CPU longer to write to memory than to compute. Stripes then have
// about 4 MiB of values, which stay in the caches.
TEST_F(ApiAllPairs, ValuesOfShortSequencesComeInSmallStripes) {
  const SequenceSet set = random_set({.count = 1500, .shortest = 5, .longest = 12});
  AllPairsOptions options = without_statistics();
  options.value = MatrixValue{.kind = PairValue::score};
  std::vector<std::vector<double>> rows(set.size());
  std::size_t stripes = 0, largest = 0;
  PairSink sink;
  sink.values = [&](const ValueStripe& stripe) {
    ++stripes;
    std::size_t values = 0;
    for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row) {
      const std::span<const double> of_row = stripe.row(row).first(row);
      rows[row].assign(of_row.begin(), of_row.end());
      values += of_row.size();
    }
    largest = std::max(largest, values * sizeof(double));
  };
  SessionOptions machine = session_options();
  machine.devices = "cpu";
  Session(machine).all_pairs(Database(set), scoring_, options, sink);
  EXPECT_GE(stripes, 2u);
  EXPECT_LE(largest, 5u << 20);
  for (Index row = 1; row < set.size(); row += 37) {
    ASSERT_EQ(rows[row].size(), row);
    for (Index column = 0; column < row; column += 11)
      ASSERT_EQ(rows[row][column],
                reference_of_all_pairs(set.residues(row), set.residues(column), scoring_).score)
          << row << ", " << column;
  }
}

TEST_F(ApiAllPairs, ACallbackThatIsEmptyIsNotWanted) {
  AllPairsOptions options = without_statistics();
  const Table rows = all_pairs(set_, options).rows;
  options.value = MatrixValue{.kind = PairValue::score};
  Collected both = all_pairs(set_, options, true), values_only;
  PairSink sink = values_only.sink(true);
  sink.rows = {};
  const AllPairsSummary summary = session_.all_pairs(set_, scoring_, options, sink);
  EXPECT_EQ(summary.listed, 0u) << "what is not computed is not counted";
  EXPECT_TRUE(same(both.rows, rows));
  EXPECT_EQ(values_only.rows.size(), 0u);
  both.take_values([](Index row) { return row; });
  values_only.take_values([](Index row) { return row; });
  EXPECT_EQ(values_only.values, both.values);
  EXPECT_EQ(session_.all_pairs(set_, scoring_, without_statistics(), PairSink{}).listed, 0u);
}

TEST_F(ApiAllPairs, ABatchTakesASixteenthOfTheMemoryAtMost) {
  const SequenceSet set = random_set({.count = 900, .shortest = 20, .longest = 40});
  const std::uint64_t memory = 32 << 20;
  Session session(session_options(2, memory));
  scoring_ = default_scoring("global");
  Collected found;
  session.all_pairs(set, scoring_, without_statistics(), found.sink());
  EXPECT_EQ(found.rows.size(), 900u * 899 / 2);
  EXPECT_GT(found.batches.size(), 8u);
  std::uint64_t largest = 0;
  for (const Columns& batch : found.batches) largest = std::max(largest, bytes_of(batch));
  EXPECT_LE(largest, memory / 8) << "twice a sixteenth where more pairs pass than before";
}

TEST_F(ApiAllPairs, BatchesOutliveTheSession) {
  Collected found;
  {
    Session session(session_options());
    session.all_pairs(Database(joined(set_, SequenceSet())), scoring_, {}, found.sink());
  }
  Table again;
  for (const Columns& batch : found.batches) again.append(batch);
  EXPECT_TRUE(same(again, found.rows));
}

TEST_F(ApiAllPairs, OfUnusualSizes) {
  for (const char* mode : {"local", "global"}) {
    scoring_ = default_scoring(mode);
    EXPECT_EQ(all_pairs(SequenceSet(), without_statistics(true)).rows.size(), 0u);
    EXPECT_EQ(all_pairs(set_of({"MKV"}), without_statistics()).rows.size(), 0u);
    EXPECT_EQ(all_pairs(set_of({"MKV"}), without_statistics(true)).rows.size(), 1u);
    Collected none;
    EXPECT_EQ(session_.all_pairs(set_, Database(), scoring_, without_statistics(), none.sink()).pairs, 0u);
    const SequenceSet odd = set_of({"", "W", "", "A", "WA"});
    const std::vector<ExpectedRow> expected = listed(expected_all_pairs(odd, scoring_, true), scoring_);
    EXPECT_EQ(all_pairs(odd, without_statistics(true)).rows.size(), expected.size()) << mode;
  }
}

TEST_F(ApiAllPairs, EachBlockHasItsPairsOfTheMatrix) {
  Random random(8);
  const Index n = set_.size();
  for (const bool self : {false, true}) {
    AllPairsOptions options = without_statistics(self);
    options.value = MatrixValue{.kind = PairValue::score};
    Collected whole = all_pairs(set_, options, true);
    whole.take_values([self](Index row) { return row + (self ? 1 : 0); });
    for (int k = 0; k < 20; ++k) {
      const auto range = [&] {
        Index a = static_cast<Index>(below(random, n + 1)), b = static_cast<Index>(below(random, n + 1));
        return IndexRange{std::min(a, b), std::max(a, b)};
      };
      const Block block{range(), range()};
      options.block = block;
      Collected found = all_pairs(set_, options, true);
      const auto is_in = [](const IndexRange& range, Index i) { return i >= range.begin && i < range.end; };
      std::vector<std::size_t> wanted;
      for (std::size_t i = 0; i < whole.rows.size(); ++i)
        if (is_in(block.rows, whole.rows.subject[i]) && is_in(block.columns, whole.rows.query[i]))
          wanted.push_back(i);
      EXPECT_TRUE(same(found.rows, rows_of(whole.rows, wanted)));
      EXPECT_EQ(summary_.listed, wanted.size());
      found.take_values([self](Index row) { return row + (self ? 1 : 0); });
      std::map<std::pair<Index, Index>, double> values;
      for (const auto& [pair, value] : whole.values)
        if (is_in(block.rows, pair.first) && is_in(block.columns, pair.second)) values[pair] = value;
      EXPECT_EQ(found.values, values);
      EXPECT_EQ(summary_.pairs, values.size());
    }
  }
}

TEST_F(ApiAllPairs, ABlockBeyondTheMatrixIsAnError) {
  AllPairsOptions options = without_statistics();
  for (const Block& block :
       {Block{{0, set_.size() + 1}, {0, 1}}, Block{{0, 1}, {0, set_.size() + 1}}, Block{{3, 2}, {0, 1}}}) {
    options.block = block;
    EXPECT_NE(input_error([&] { all_pairs(set_, options); }), "");
  }
}

}  // namespace
}  // namespace alnus::test
