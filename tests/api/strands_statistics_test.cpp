// Significance and identity ranges of calls on both strands, and stops of such calls. Each strand is judged
// as a query of its own, but E-values are twice those of that query unless CountedStrands::one is chosen.
#include <algorithm>
#include <bit>
#include <chrono>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <stop_token>
#include <thread>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/strands.h"
#include "api/support/table.h"
#include "support/device_check.h"
#include "support/scorings.h"

namespace alnus::test {
namespace {

using Pairs = std::pair<Index, Index>;

// The row number of each pair.
std::map<Pairs, std::size_t> numbers_of(const Columns& rows) {
  std::map<Pairs, std::size_t> numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) numbers[{rows.query[i], rows.subject[i]}] = i;
  return numbers;
}

// Row `i` without its strand, coordinates and CIGAR.
Table judged(const Table& rows, std::size_t i) {
  Table row = part_of(rows, i, i + 1);
  row.strand.clear();
  row.cigars.clear();
  for (std::size_t k = 1; k < 5; ++k) row.integers[k].clear();
  return row;
}

// The rows with their E-values multiplied by `factor`.
Table times(double factor, Table row) {
  for (std::uint64_t& evalue : row.significance[1])
    evalue = std::bit_cast<std::uint64_t>(factor * std::bit_cast<double>(evalue));
  return row;
}

// Expects that each row of `both` has the numbers of its pair in `plus`, if it is on the plus strand, or in
// `minus`, whose queries are reverse complements. Only its E-value is `factor` times as high.
void expect_judged_by_strand(const Columns& both, const Columns& plus, const Columns& minus,
                             double factor = 2) {
  const Table of_both(both), of_plus(plus), of_minus(minus);
  const auto in_plus = numbers_of(plus), in_minus = numbers_of(minus);
  std::map<Strand, int> rows;
  for (std::size_t i = 0; i < both.size(); ++i) {
    const Strand strand = both.strand[i];
    const Pairs pair{both.query[i], both.subject[i]};
    const auto& [of, in] = strand == Strand::plus ? std::tie(of_plus, in_plus) : std::tie(of_minus, in_minus);
    const auto found = in.find(pair);
    ASSERT_NE(found, in.end());
    EXPECT_TRUE(same(judged(of_both, i), times(factor, judged(of, found->second))))
        << to_string(strand) << ", " << pair.first << ", " << pair.second;
    ++rows[strand];
  }
  EXPECT_GT(rows[Strand::plus], 5);
  EXPECT_GT(rows[Strand::minus], 5);
}

class ApiStrandStatistics : public testing::Test {
 protected:
  SearchOptions options_of(Strands strands, StatisticsMethod method,
                           std::uint32_t max_target_seqs = 1000) const {
    SearchOptions options{.max_target_seqs = max_target_seqs, .evalue = 1e300, .strands = strands};
    options.statistics.method = method;
    if (method == StatisticsMethod::zvalue) options.statistics.shuffles = ShuffleOptions{.shuffles = 12};
    options.identity_ranges = {Denominator::alignment, Denominator::shorter};
    return options;
  }

  // Adds a rough calibration, which takes a second to make instead of half a minute.
  void calibrate(const Scoring& scoring) {
    Calibration calibration = session_.calibrate(scoring, {.precision = 0.1, .length = 200});
    calibration.length = 2000;
    session_.add_calibration(scoring, calibration);
  }

  const Scoring scoring_ = dna("2", "-3", "5", "2");
  const SequenceSet queries_ = strands_set({.seed = 21, .count = 14, .longest = 50}),
                    subjects_ = strands_set({.seed = 22, .count = 30, .longest = 50});
  Session session_{session_options()};
};

TEST_F(ApiStrandStatistics, ASearchJudgesEachStrandAsAQuery) {
  calibrate(scoring_);
  for (const StatisticsMethod method :
       {StatisticsMethod::karlin, StatisticsMethod::spouge, StatisticsMethod::zvalue}) {
    SCOPED_TRACE(to_string(method));
    const auto rows = [&](const SequenceSet& queries, Strands strands) {
      return session_.search(queries, subjects_, scoring_, options_of(strands, method)).hits.rows;
    };
    expect_judged_by_strand(rows(queries_, Strands::both), rows(queries_, Strands::plus),
                            rows(other_strands(queries_), Strands::plus));
  }
}

TEST_F(ApiStrandStatistics, OneStrandCountsIfThatIsChosen) {
  for (const StatisticsMethod method : {StatisticsMethod::karlin, StatisticsMethod::zvalue}) {
    for (const bool by_preset : {true, false}) {
      const auto rows = [&](const SequenceSet& queries, Strands strands) {
        SearchOptions options = options_of(strands, method);
        if (by_preset)
          options.statistics.preset = "blastn";
        else
          options.statistics.counted_strands = CountedStrands::one;
        return session_.search(queries, subjects_, scoring_, options).hits.rows;
      };
      expect_judged_by_strand(rows(queries_, Strands::both), rows(queries_, Strands::plus),
                              rows(other_strands(queries_), Strands::plus), 1);
    }
  }
}

// If both strands count, E-values are twice as high, and the limit is compared with these: twice the limit
// keeps the same hits.
TEST_F(ApiStrandStatistics, TheChosenStrandsCountForTheLimit) {
  const auto hits = [&](double limit, CountedStrands counted) {
    SearchOptions options = options_of(Strands::both, StatisticsMethod::karlin);
    options.evalue = limit;
    options.statistics.counted_strands = counted;
    return session_.search(queries_, subjects_, scoring_, options).hits.rows;
  };
  for (const double limit : {1e-3, 0.1, 3.0}) {
    const Columns all = hits(2 * limit, CountedStrands::aligned), one = hits(limit, CountedStrands::one);
    ASSERT_EQ(all.size(), one.size());
    EXPECT_GT(all.size(), 0u);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all.evalue[i], 2 * one.evalue[i]);
  }
}

TEST_F(ApiStrandStatistics, ASearchSpaceInCellsIsThatOfAllStrands) {
  const auto hits = [&](const SequenceSet& queries, Strands strands) {
    SearchOptions options = options_of(strands, StatisticsMethod::karlin);
    options.statistics.cells = 1e9;
    return session_.search(queries, subjects_, scoring_, options).hits.rows;
  };
  expect_judged_by_strand(hits(queries_, Strands::both), hits(queries_, Strands::plus),
                          hits(other_strands(queries_), Strands::plus), 1);
}

TEST_F(ApiStrandStatistics, TheSummarySaysWhatIsCountedAndAdjusted) {
  const auto statistics = [&](const StatisticsOptions& chosen) {
    SearchOptions options = options_of(Strands::both, StatisticsMethod::karlin);
    options.statistics = chosen;
    return session_.search(queries_, subjects_, scoring_, options).summary.statistics;
  };
  const auto ends = [](const std::string& text, const char* end) {
    return text.ends_with(fmt::format(" in 30 sequences{}", end));
  };
  const std::string usual = statistics({}), preset = statistics({.preset = "blastn"});
  EXPECT_TRUE(ends(usual, ", both strands")) << usual;
  EXPECT_NE(usual.find(", adjusted to the composition of both sequences, low-complexity regions masked, "),
            std::string::npos)
      << usual;
  EXPECT_TRUE(ends(preset, "")) << preset;
  EXPECT_NE(preset.find("(published), not adjusted to composition, low-complexity regions masked, "),
            std::string::npos)
      << preset;
}

TEST_F(ApiStrandStatistics, AnUnknownPresetIsAnError) {
  SearchOptions options;
  options.statistics.preset = "blastnn";
  const std::string message =
      error_of(ErrorKind::input, [&] { session_.search(queries_, subjects_, scoring_, options); });
  EXPECT_NE(message.find("did you mean blastn?"), std::string::npos) << message;
}

TEST_F(ApiStrandStatistics, ARegressionIsMadeOfEachStrandsScores) {
  const SequenceSet subjects = joined(
      random_set({.seed = 5, .count = 700, .shortest = 10, .longest = 60, .alphabet = AlphabetKind::dna}),
      subjects_);
  const auto search = [&](const SequenceSet& queries, Strands strands) {
    SearchOptions options = options_of(strands, StatisticsMethod::regression);
    options.identity_ranges.clear();
    return session_.search(queries, subjects, scoring_, options);
  };
  const SearchResult both = search(queries_, Strands::both), plus = search(queries_, Strands::plus);
  expect_judged_by_strand(both.hits.rows, plus.hits.rows,
                          search(other_strands(queries_), Strands::plus).hits.rows);
  EXPECT_GE(plus.summary.fallbacks, 2u) << "queries that are too short";
  EXPECT_LT(plus.summary.fallbacks, queries_.size());
  EXPECT_GE(both.summary.fallbacks, plus.summary.fallbacks);
  EXPECT_LE(both.summary.fallbacks, queries_.size()) << "queries are counted, not strands";
}

TEST_F(ApiStrandStatistics, AnAlignmentIsJudgedByItsStrand) {
  const std::vector<IndexPair> pairs = every_pair(queries_, subjects_);
  for (const StatisticsMethod method : {StatisticsMethod::karlin, StatisticsMethod::zvalue}) {
    SCOPED_TRACE(to_string(method));
    const auto rows = [&](const SequenceSet& queries, Strands strands) {
      AlignOptions options{.strands = strands, .significance = true};
      options.statistics = options_of(strands, method).statistics;
      options.statistics.residues = 1e6;
      options.statistics.sequences = 100;
      options.identity_ranges = {Denominator::alignment, Denominator::longer};
      return session_.align(queries, subjects_, pairs, scoring_, options);
    };
    const Columns plus = rows(queries_, Strands::plus), minus = rows(other_strands(queries_), Strands::plus);
    expect_judged_by_strand(rows(queries_, Strands::both), plus, minus);
    const Columns turned = rows(queries_, Strands::minus);
    const Table of_turned(turned), of_minus(minus);
    for (std::size_t i = 0; i < turned.size(); ++i)
      EXPECT_TRUE(same(judged(of_turned, i), judged(of_minus, i)));
  }
}

// A pair on the minus strand is judged by the residues that were aligned: the reverse complement of its
// longer sequence, and the other sequence as it is.
TEST_F(ApiStrandStatistics, APairOfAllPairsIsJudgedAsItWasAligned) {
  const SequenceSet set = strands_set({.seed = 23, .count = 24, .longest = 50}), turned = other_strands(set);
  for (const StatisticsMethod method : {StatisticsMethod::karlin, StatisticsMethod::zvalue}) {
    SCOPED_TRACE(to_string(method));
    AllPairsOptions options;
    options.strands = Strands::both;
    options.statistics = options_of(Strands::both, method).statistics;
    options.identity_ranges = {Denominator::alignment, Denominator::mean};
    std::vector<Columns> batches;
    session_.all_pairs(set, scoring_, options,
                       {.rows = [&](const Columns& batch, const std::string&) { batches.push_back(batch); }});
    ASSERT_EQ(batches.size(), 1u);
    const Columns& rows = batches.front();
    AlignOptions of_pairs{.significance = true, .identity_ranges = options.identity_ranges};
    of_pairs.statistics = options.statistics;
    of_pairs.statistics.residues = static_cast<double>(set.total_residues());
    of_pairs.statistics.sequences = set.size();
    std::map<Strand, int> seen;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const IndexPair pair{rows.query[i], rows.subject[i]};
      const bool minus = rows.strand[i] == Strand::minus,
                 longer_is_query = set.length(pair.query) > set.length(pair.subject);
      if (set.length(pair.query) == set.length(pair.subject)) continue;
      const Columns expected =
          session_.align(minus && longer_is_query ? turned : set, minus && !longer_is_query ? turned : set,
                         std::vector<IndexPair>{pair}, scoring_, of_pairs);
      const Table of_row(rows), of_expected(expected);
      EXPECT_EQ(rows.score[i], expected.score[0]);
      EXPECT_EQ(part_of(of_row, i, i + 1).significance, times(2, of_expected).significance);
      EXPECT_EQ(part_of(of_row, i, i + 1).identity_range, of_expected.identity_range);
      ++seen[rows.strand[i]];
    }
    EXPECT_GT(seen[Strand::plus], 5);
    EXPECT_GT(seen[Strand::minus], 5);
  }
}

// The hits of `all` without those above the limit `evalue`.
SearchRows filtered(const SearchResult& all, double evalue) {
  const Columns& rows = all.hits.rows;
  const SearchRows whole(all.hits);
  SearchRows wanted;
  wanted.hits.assign(whole.hits.size(), 0);
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.evalue[i] > evalue) continue;
    indices.push_back(i);
    ++wanted.hits[rows.query[i]];
  }
  wanted.rows = rows_of(whole.rows, indices);
  return wanted;
}

TEST_F(ApiStrandStatistics, NoHitsEvalueIsAboveTheLimit) {
  calibrate(scoring_);
  for (const StatisticsMethod method : {StatisticsMethod::karlin, StatisticsMethod::spouge}) {
    const SearchResult all =
        session_.search(queries_, subjects_, scoring_, options_of(Strands::both, method, 9));
    std::vector<double> evalues = doubles(all.hits.rows.evalue);
    std::ranges::sort(evalues);
    for (const double limit : {evalues[evalues.size() / 4], evalues[evalues.size() / 2], 1e-200}) {
      SearchOptions options = options_of(Strands::both, method, 9);
      options.evalue = limit;
      EXPECT_TRUE(same(SearchRows(session_.search(queries_, subjects_, scoring_, options).hits),
                       filtered(all, limit)));
    }
  }
}

// The two strands of a query have different E-values for the same score, because E-values depend on the
// query's letters and complementary letters score differently here. A hit is the strand of higher score all
// the same.
TEST_F(ApiStrandStatistics, AHitIsTheStrandOfHigherScoreWhateverTheirEvalues) {
  const SubstitutionMatrix uneven = matrix_of(
      [](int query, int subject) {
        return query == subject ? (query == 0 ? 5 : query == 3 ? 2 : 3) : -4;
      },
      AlphabetKind::dna);
  const Scoring scoring = scoring_of({Mode::local}, {6, 2}, uneven);
  Session session(session_options());
  Calibration calibration = session.calibrate(scoring, {.precision = 0.1, .length = 200});
  calibration.precision = 0.003;
  session.add_calibration(scoring, calibration);
  // A subject has the beginning of a query, and a longer piece of the query's reverse complement, whose
  // letters score less.
  Random random(9);
  std::vector<Residues> queries, subjects;
  for (int k = 0; k < 8; ++k) {
    Residues& query = queries.emplace_back(random_sequence(random, 60, 4));
    for (Residue& residue : query)
      if (below(random, 2) == 0) residue = 0;
    for (std::size_t length = 8; length <= 18; length += 2) {
      const std::span<const Residue> first = std::span(query).first(length);
      const std::span<const Residue> second = std::span(query).subspan(length, 17 * length / 10);
      subjects.push_back(concatenate({{first.begin(), first.end()},
                                      random_sequence(random, 20 + below(random, 50), 4),
                                      other_strand(second)}));
    }
  }
  const SequenceSet of_queries = make_set(queries, AlphabetKind::dna),
                    of_subjects = make_set(subjects, AlphabetKind::dna);
  SearchOptions options = options_of(Strands::both, StatisticsMethod::karlin, 12);
  options.statistics.composition = Composition::scale;
  options.identity_ranges.clear();
  const SearchResult all = session.search(of_queries, of_subjects, scoring, options);
  std::vector<double> evalues = doubles(all.hits.rows.evalue);
  std::ranges::sort(evalues);
  for (std::size_t k = 1; k < 20; ++k) {
    options.evalue = evalues[k * evalues.size() / 20];
    const SearchResult some = session.search(of_queries, of_subjects, scoring, options);
    EXPECT_TRUE(same(SearchRows(some.hits), filtered(all, *options.evalue))) << *options.evalue;
  }
}

TEST_F(ApiStrandStatistics, QueryStatisticsAreOneForEachQuery) {
  SearchOptions options = options_of(Strands::both, StatisticsMethod::karlin);
  options.query_statistics = true;
  const SearchResult both = session_.search(queries_, subjects_, scoring_, options);
  options.strands = Strands::plus;
  const SearchResult plus = session_.search(queries_, subjects_, scoring_, options);
  ASSERT_EQ(both.hits.query_statistics.size(), queries_.size());
  for (std::size_t k = 0; k < queries_.size(); ++k) {
    const auto &of_both = both.hits.query_statistics[k].karlin,
               &of_plus = plus.hits.query_statistics[k].karlin;
    ASSERT_EQ(of_both.has_value(), of_plus.has_value());
    if (!of_both) continue;
    EXPECT_EQ(of_both->search_space, 2 * of_plus->search_space);
    EXPECT_EQ(of_both->length_adjustment, of_plus->length_adjustment);
  }
}

TEST_F(ApiStrandStatistics, AStopEndsACallOnBothStrands) {
  const SequenceSet large =
      random_set({.seed = 1, .count = 220, .shortest = 1500, .longest = 3000, .alphabet = AlphabetKind::dna});
  const auto ignore = [](const auto&...) {};
  const std::vector<std::pair<std::string, std::function<void(const RunControl&)>>> calls = {
      {"search",
       [&](const RunControl& run) {
         session_.search(large, large, scoring_, {.strands = Strands::both}, ignore, run);
       }},
      {"align_all",
       [&](const RunControl& run) {
         session_.align_all(large, large, scoring_, {.strands = Strands::both}, ignore, run);
       }},
      {"all_pairs", [&](const RunControl& run) {
         AllPairsOptions options;
         options.strands = Strands::both;
         session_.all_pairs(large, scoring_, options, {.rows = ignore}, run);
       }}};
  for (const auto& [name, call] : calls) {
    for (const int milliseconds : {0, 20, 200}) {
      std::stop_source source;
      RunControl run;
      run.stop = source.get_token();
      std::chrono::steady_clock::time_point requested{};
      const std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        requested = std::chrono::steady_clock::now();
        source.request_stop();
      });
      const bool interrupted = thrown_by([&] { call(run); }).interrupted;
      const auto back = std::chrono::steady_clock::now();
      EXPECT_TRUE(interrupted || devices_of_tests() != "cpu") << name << ": a GPU may have ended before";
      if (!interrupted) continue;
      EXPECT_LT(back - requested, std::chrono::seconds(kSanitized ? 30 : 2)) << name;
    }
  }
  const StrandHits expected = strand_hits(queries_, subjects_, scoring_, Strands::both, 5);
  SearchOptions options{.max_target_seqs = 5, .strands = Strands::both, .statistics = no_statistics()};
  EXPECT_TRUE(equal(session_.search(queries_, subjects_, scoring_, options).hits.rows, expected.rows, {}));
}

}  // namespace
}  // namespace alnus::test
