// Rows that filters leave out: searches and alignments with filters list those of all rows that pass, and the
// best row of a hit decides about its place.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/align_driver.h"
#include "engine/hit_order.h"
#include "engine/registry.h"
#include "engine/row_filter.h"
#include "engine/search_driver.h"
#include "support/engine_call.h"
#include "support/sequences.h"
#include "support/strands_reference.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FoundRow;
using test::published_statistics;
using Index = SequenceSet::Index;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A row that owns its values.
struct ListedRow {
  FoundRow found;
  Strand strand = Strand::plus;
  std::int32_t hsp = 1;
  std::optional<double> adjusted{};
  bool operator==(const ListedRow&) const = default;
};

void append(std::vector<ListedRow>& rows, const Columns& columns) {
  std::vector<FoundRow> found = test::rows_of(columns);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Row row = columns.row(i);
    rows.push_back({std::move(found[i]), row.strand, row.hsp, row.significance.adjusted_score});
  }
}

struct Found {
  std::vector<ListedRow> rows;
  SearchSummary summary;
};

struct AlignedRows {
  std::vector<ListedRow> rows;
  std::uint64_t left_out = 0;
};

// Calls of the engine on the CPU.
class Cpu {
 public:
  Found search(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
               const SearchOptions& options) const {
    EngineCall call({&pointer_, 1});
    Found found;
    found.summary = engine::search(queries, test::sorted(subjects), scoring, options, call,
                                   [&](SearchBatch& batch) { append(found.rows, batch.rows); });
    EXPECT_EQ(found.summary.left_out, found.summary.pairs - found.summary.hits);
    return found;
  }
  AlignedRows align_all(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                        const RowOptions& options) const {
    EngineCall call({&pointer_, 1});
    AlignedRows aligned;
    aligned.left_out = engine::align_all(test::sorted(queries), test::sorted(subjects), scoring, options,
                                         call, [&](const Columns& rows) { append(aligned.rows, rows); });
    return aligned;
  }
  AlignedRows align_pairs(const SequenceSet& queries, const SequenceSet& subjects,
                          const std::vector<IndexPair>& pairs, const Scoring& scoring,
                          const RowOptions& options) const {
    EngineCall call({&pointer_, 1});
    AlignedRows aligned;
    aligned.left_out =
        engine::align_pairs(test::sorted(queries), test::sorted(subjects), pairs, scoring, options, call,
                            [&](const Columns& rows) { append(aligned.rows, rows); });
    return aligned;
  }

 private:
  const std::unique_ptr<Device> cpu_ = make_device("cpu", {});
  Device* const pointer_ = cpu_.get();
};

// ---- Filters of all rows ----

// Returns sequences that share copies of a few units, each of which is more or less changed. One sequence has
// no residues.
SequenceSet with_copies(unsigned seed, int count, AlphabetKind kind) {
  test::Random random(seed), of_units(1);
  const std::size_t letters = kind == AlphabetKind::dna ? 4 : 20;
  std::vector<test::Residues> units, all(1);
  for (const std::size_t length : {18U, 26U, 34U})
    units.push_back(test::random_sequence(of_units, length, letters));
  for (int k = 0; k < count; ++k) {
    test::Residues one = test::random_sequence(random, test::below(random, 25), letters);
    for (std::size_t copies = 1 + test::below(random, 4); copies > 0; --copies) {
      test::Residues unit = units[test::below(random, units.size())];
      for (std::size_t changes = test::below(random, 8); changes > 0; --changes)
        unit[test::below(random, unit.size())] = static_cast<Residue>(test::below(random, letters));
      if (kind == AlphabetKind::dna && test::below(random, 2) == 0) unit = test::other_strand(unit);
      const test::Residues between = test::random_sequence(random, test::below(random, 9), letters);
      one = test::concatenate({one, unit, between});
    }
    all.push_back(std::move(one));
  }
  return test::make_set(all, kind);
}

// A part of a whole, 0 if the whole is 0.
struct Share {
  std::int64_t part = 0, whole = 0;

  double percent() const {
    return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
  }
  // True if the share is at least so many percent, a whole number.
  bool is_at_least(double of_hundred) const {
    return whole > 0 ? 100 * part >= static_cast<std::int64_t>(of_hundred) * whole : of_hundred <= 0;
  }
};

struct Case {
  AlphabetKind kind;
  Strands strands;
};

class RowFilters : public testing::TestWithParam<Case> {
 protected:
  // What decides about the place of a row: the lesser key comes first.
  using Key = std::tuple<double, double, std::int32_t, FileOrdinal>;
  struct Hit {
    Key key;
    std::vector<ListedRow> rows;
  };
  struct Expected {
    std::vector<ListedRow> rows;
    std::uint64_t hits = 0, without_hits = 0, cut_ties = 0;
  };

  std::int64_t length_of_query(const ListedRow& row) const {
    return static_cast<std::int64_t>(queries_.length(row.found.query));
  }
  std::int64_t length_of_subject(const ListedRow& row) const {
    return static_cast<std::int64_t>(subjects_.length(row.found.subject));
  }
  Share identity(const ListedRow& row, Denominator by) const {
    const AlignmentCounts& counts = row.found.counts.value();
    const std::int64_t m = length_of_query(row), n = length_of_subject(row), identical = counts.identical,
                       ungapped = counts.columns - counts.gap_residues;
    switch (by) {
      case Denominator::alignment:
        return {identical, counts.columns};
      case Denominator::ungapped:
        return {identical, ungapped};
      case Denominator::shorter:
        return {identical, std::min(m, n)};
      case Denominator::longer:
        return {identical, std::max(m, n)};
      case Denominator::mean:
        return {2 * identical, m + n};
      case Denominator::with_end_gaps:
        return {identical, m + n - ungapped};
    }
    return {};
  }
  Share coverage(const ListedRow& row, CoverageOf of) const {
    const Alignment& alignment = row.found.alignment;
    const Share query{alignment.query_end - alignment.query_begin, length_of_query(row)},
        subject{alignment.subject_end - alignment.subject_begin, length_of_subject(row)};
    const Share& lower = query.percent() < subject.percent() ? query : subject;
    if (of == CoverageOf::query) return query;
    if (of == CoverageOf::subject) return subject;
    if (of == CoverageOf::both || query.whole == subject.whole) return lower;
    return (of == CoverageOf::shorter) == (query.whole < subject.whole) ? query : subject;
  }
  // True if the row passes the filter, whose percents are whole numbers.
  bool is_kept(const ListedRow& row, const RowFilter& filter) const {
    if (filter.min_length && row.found.counts.value().columns < std::int64_t{*filter.min_length})
      return false;
    if (filter.min_identity && !identity(row, filter.denominator).is_at_least(*filter.min_identity))
      return false;
    return !filter.min_coverage || coverage(row, filter.coverage_of).is_at_least(*filter.min_coverage);
  }

  // Filters by limits that about half of the rows reach: each limit alone, by every denominator and of every
  // sequence, and several together. Then one that no row passes, and one that all pass.
  std::vector<RowFilter> filters_for(const std::vector<ListedRow>& rows) const {
    const auto half = [&](const auto& value_of, double of_it = 1) {
      std::vector<double> values;
      for (const ListedRow& row : rows) values.push_back(value_of(row));
      std::ranges::sort(values);
      return std::floor(of_it * values[values.size() / 2]);
    };
    const auto identity_by = [&](Denominator by) {
      return [this, by](const ListedRow& row) { return identity(row, by).percent(); };
    };
    const auto coverage_of = [&](CoverageOf of) {
      return [this, of](const ListedRow& row) { return coverage(row, of).percent(); };
    };
    const auto columns = [](const ListedRow& row) {
      return static_cast<double>(row.found.counts.value().columns);
    };
    std::vector<RowFilter> filters;
    for (std::size_t k = 0; k < kDenominators; ++k) {
      const auto by = static_cast<Denominator>(k);
      filters.push_back({.min_identity = half(identity_by(by)), .denominator = by});
    }
    for (const CoverageOf of :
         {CoverageOf::both, CoverageOf::shorter, CoverageOf::longer, CoverageOf::query, CoverageOf::subject})
      filters.push_back({.min_coverage = half(coverage_of(of)), .coverage_of = of});
    filters.push_back({.min_length = static_cast<std::uint32_t>(half(columns))});
    filters.push_back({.min_identity = half(identity_by(Denominator::alignment), 0.9),
                       .min_coverage = half(coverage_of(CoverageOf::both), 0.8)});
    filters.push_back({.min_coverage = half(coverage_of(CoverageOf::query), 0.8),
                       .coverage_of = CoverageOf::query,
                       .min_length = static_cast<std::uint32_t>(half(columns, 0.8))});
    filters.push_back({.min_identity = half(identity_by(Denominator::mean), 0.8),
                       .min_coverage = half(coverage_of(CoverageOf::shorter), 0.8),
                       .denominator = Denominator::mean,
                       .coverage_of = CoverageOf::shorter,
                       .min_length = static_cast<std::uint32_t>(half(columns, 0.8))});
    filters.push_back({.min_length = 1'000'000});
    filters.push_back({.min_identity = 0, .min_coverage = 0});
    return filters;
  }
  static std::string describe(const RowFilter& filter, std::uint32_t max_hsps) {
    return fmt::format("identity {} by {}, coverage {} of {}, length {}, alignments of a pair {}",
                       filter.min_identity.value_or(-1), word_of(filter.denominator),
                       filter.min_coverage.value_or(-1), word_of(filter.coverage_of),
                       filter.min_length.value_or(0), max_hsps);
  }

  Key key_of(const ListedRow& row) const {
    const std::int32_t score = row.found.alignment.score;
    return {row.found.evalue.value_or(kInfinite),
            -row.adjusted.value_or(static_cast<double>(score) / scoring_.scale), -score,
            subjects_.file_ordinal(row.found.subject)};
  }
  // Returns what a search lists with this filter, and at most `most` hits of a query. `all`: the rows of a
  // search without a filter that lists all hits.
  Expected expected(const std::vector<ListedRow>& all, const RowFilter& filter, std::uint32_t most) const {
    Expected result;
    for (Index query = 0; query < queries_.size(); ++query) {
      std::map<Index, std::vector<ListedRow>> of_subjects;
      for (const ListedRow& row : all)
        if (row.found.query == query && is_kept(row, filter)) of_subjects[row.found.subject].push_back(row);
      std::vector<Hit> hits;
      for (auto& [subject, rows] : of_subjects) {
        Key best = key_of(rows.front());
        for (const ListedRow& row : rows) best = std::min(best, key_of(row));
        hits.push_back({best, std::move(rows)});
      }
      std::ranges::sort(hits, {}, &Hit::key);
      if (hits.size() > most) {
        const auto without_place = [](const Key& key) {
          return std::tuple(std::get<0>(key), std::get<1>(key), std::get<2>(key));
        };
        result.cut_ties += without_place(hits[most - 1].key) == without_place(hits[most].key);
        hits.resize(most);
      }
      result.hits += hits.size();
      result.without_hits += hits.empty();
      for (const Hit& hit : hits) result.rows.insert(result.rows.end(), hit.rows.begin(), hit.rows.end());
    }
    return result;
  }

  // `judged`: by adjusted scores; otherwise a lowest score chooses the rows.
  SearchOptions search_options(std::uint32_t max_hsps, bool judged) const {
    SearchOptions options;
    options.asked.max_hsps = max_hsps;
    options.asked.strands = GetParam().strands;
    if (!judged) {
      options.min_score = lowest_;
      return options;
    }
    options.asked.evalue = 1e-4;
    options.statistics = published_statistics(scoring_, subjects_);
    options.statistics.composition = Composition::adjust;
    options.statistics.low_complexity = LowComplexity::statistics;
    return options;
  }

  const bool is_dna_ = GetParam().kind == AlphabetKind::dna;
  const Scoring scoring_ =
      is_dna_ ? make_scoring({.preset = "blastn", .alphabet = AlphabetKind::dna}) : make_scoring({});
  const std::int32_t lowest_ = (is_dna_ ? 20 : 40) * scoring_.scale;  // score of a row
  const SequenceSet queries_ = with_copies(2, 5, GetParam().kind),
                    subjects_ = with_copies(3, 18, GetParam().kind);
  const Cpu cpu_{};
};

TEST_P(RowFilters, OfASearch) {
  constexpr std::array kMost = {1U, 3U, 500U};
  std::size_t turn = 0, listed = 0, of_all = 0, later_first = 0, cut_ties = 0;
  for (const bool judged : {false, true})
    for (const std::uint32_t max_hsps : {1U, 5U, kAllHsps}) {
      SearchOptions options = search_options(max_hsps, judged);
      options.asked.max_target_seqs = subjects_.size();
      const std::vector<ListedRow> all = cpu_.search(queries_, subjects_, scoring_, options).rows;
      ASSERT_GT(all.size(), queries_.size());
      for (const RowFilter& filter : filters_for(all)) {
        SCOPED_TRACE(describe(filter, max_hsps) + (judged ? ", judged" : ""));
        options.asked.filter = filter;
        options.asked.max_target_seqs = kMost[turn++ % kMost.size()];
        const Expected expected = this->expected(all, filter, options.asked.max_target_seqs);
        const Found found = cpu_.search(queries_, subjects_, scoring_, options);
        EXPECT_EQ(found.rows, expected.rows);
        EXPECT_EQ(found.summary.hits, expected.hits);
        EXPECT_EQ(found.summary.without_hits, expected.without_hits);
        EXPECT_EQ(found.summary.cut_ties, expected.cut_ties);
        of_all += all.size();
        listed += expected.rows.size();
        cut_ties += expected.cut_ties;
        for (std::size_t k = 0; k < expected.rows.size(); ++k) {
          const bool begins = k == 0 || expected.rows[k].found.query != expected.rows[k - 1].found.query ||
                              expected.rows[k].found.subject != expected.rows[k - 1].found.subject;
          later_first += begins && expected.rows[k].hsp > 1;
        }
      }
    }
  EXPECT_GT(listed, of_all / 20);
  EXPECT_LT(listed, of_all);
  EXPECT_GT(later_first, 0U) << "a hit whose first alignment is left out keeps the numbers of the others";
}

TEST_P(RowFilters, OfAlignments) {
  const std::uint64_t pairs = std::uint64_t{queries_.size()} * subjects_.size();
  std::size_t turn = 0;
  std::uint64_t left_out = 0;
  for (const std::uint32_t max_hsps : {1U, 5U, kAllHsps}) {
    RowOptions options;
    options.max_hsps = max_hsps;
    options.fields.strands = GetParam().strands;
    options.fields.hsps = max_hsps > 1;
    options.fields.significance = true;
    options.statistics = published_statistics(scoring_, subjects_);
    if (max_hsps == kAllHsps) options.min_score = lowest_;
    const AlignedRows all = cpu_.align_all(queries_, subjects_, scoring_, options);
    EXPECT_EQ(all.left_out == 0, max_hsps != kAllHsps) << "without limits every pair has a row";
    for (const RowFilter& filter : filters_for(all.rows)) {
      SCOPED_TRACE(describe(filter, max_hsps));
      RowOptions filtered = options;
      filtered.filter = filter;
      if (turn % 2 == 0) filtered.min_score = lowest_;
      if (turn % 3 == 0) filtered.evalue = 1e-3;
      ++turn;
      std::vector<ListedRow> expected;
      std::uint64_t with_rows = 0;
      for (const ListedRow& row : all.rows) {
        if (filtered.min_score && row.found.alignment.score < *filtered.min_score) continue;
        if (filtered.evalue && row.found.evalue.value_or(0) > *filtered.evalue) continue;
        if (!is_kept(row, filter)) continue;
        with_rows += expected.empty() || expected.back().found.query != row.found.query ||
                     expected.back().found.subject != row.found.subject;
        expected.push_back(row);
      }
      const AlignedRows found = cpu_.align_all(queries_, subjects_, scoring_, filtered);
      EXPECT_EQ(found.rows, expected);
      EXPECT_EQ(found.left_out, pairs - with_rows);
      left_out += found.left_out;
    }
  }
  EXPECT_GT(left_out, 0U);
  EXPECT_LT(left_out, turn * pairs);
}

INSTANTIATE_TEST_SUITE_P(Sequences, RowFilters,
                         testing::Values(Case{AlphabetKind::protein, Strands::plus},
                                         Case{AlphabetKind::dna, Strands::plus},
                                         Case{AlphabetKind::dna, Strands::minus},
                                         Case{AlphabetKind::dna, Strands::both}),
                         [](const auto& info) {
                           return info.param.kind == AlphabetKind::protein
                                      ? std::string("Proteins")
                                      : "Dna_" + std::string(word_of(info.param.strands));
                         });

// ---- Known alignments ----

// The query is kX and then kY. The first alignment of kBoth is that of kX, with 82% identity and a score of
// 183; the second one is that of kY, with 100% and 116. Those of kOnlyX and kOnlyY have 100%, and score 157
// and 92.
constexpr const char *kX = "MKWVTFHEACYDGNPQRILSWHYFCPMDNRKEQGTSAVLI", *kY = "GPTSNWMKCAHYEVDLRQFI",
                     *kBoth = "GPTSNWMKCAHYEVDLRQFISGQEDNSGQEDNSGQMKWVAFHEAAYDGNAQRILAWHYFAPMDNAKEQGASAVLA",
                     *kOnlyX = "MKWVTFHEACYDGNPQRILSWHYFC", *kOnlyY = "GPTSNWMKCAHYEVD";

class KnownRows : public testing::Test {
 protected:
  using Short = std::tuple<Index, std::int32_t, std::int32_t>;  // subject, number and score of a row

  static std::vector<Short> in_short(const std::vector<ListedRow>& rows) {
    std::vector<Short> result;
    for (const ListedRow& row : rows)
      result.emplace_back(row.found.subject, row.hsp, row.found.alignment.score);
    return result;
  }

  const Scoring scoring_ = make_scoring({});
  const SequenceSet queries_ =
                        test::make_set(std::vector<test::Residues>{test::encode(std::string(kX) + kY)}),
                    subjects_ = test::make_set(std::vector<test::Residues>{
                        test::encode(kBoth), test::encode(kOnlyX), test::encode(kOnlyY)});
  const Cpu cpu_{};
};

TEST_F(KnownRows, TheBestRowThatPassesDecidesAboutThePlace) {
  for (const bool judged : {false, true}) {
    SCOPED_TRACE(judged);
    SearchOptions options;
    options.asked.max_hsps = 2;
    options.min_score = 60;
    if (judged) options.statistics = published_statistics(scoring_, subjects_);
    const auto rows = [&] { return in_short(cpu_.search(queries_, subjects_, scoring_, options).rows); };
    EXPECT_EQ(rows(), (std::vector<Short>{{0, 1, 183}, {0, 2, 116}, {1, 1, 157}, {2, 1, 92}}));
    options.asked.filter.min_identity = 90;
    EXPECT_EQ(rows(), (std::vector<Short>{{1, 1, 157}, {0, 2, 116}, {2, 1, 92}}));
    options.asked.max_target_seqs = 2;
    EXPECT_EQ(rows(), (std::vector<Short>{{1, 1, 157}, {0, 2, 116}}));
    options.asked.max_target_seqs = 1;
    EXPECT_EQ(rows(), (std::vector<Short>{{1, 1, 157}}));
    options.asked.max_target_seqs = 2;
    options.asked.max_hsps = 1;  // the second alignment does not take the place of the first one
    EXPECT_EQ(rows(), (std::vector<Short>{{1, 1, 157}, {2, 1, 92}}));
  }
}

TEST_F(KnownRows, OfPairsThatAreGivenTwice) {
  RowOptions options;
  options.filter.min_identity = 90;
  const std::vector<IndexPair> pairs = {{0, 0}, {0, 1}, {0, 0}, {0, 2}, {0, 1}};
  const auto rows = [&](std::uint64_t left_out) {
    const AlignedRows found = cpu_.align_pairs(queries_, subjects_, pairs, scoring_, options);
    EXPECT_EQ(found.left_out, left_out);
    return in_short(found.rows);
  };
  EXPECT_EQ(rows(2), (std::vector<Short>{{1, 1, 157}, {2, 1, 92}, {1, 1, 157}}));
  options.min_score = 157;
  EXPECT_EQ(rows(3), (std::vector<Short>{{1, 1, 157}, {1, 1, 157}}));
  options.min_score = 60;
  options.max_hsps = 2;
  options.fields.hsps = true;
  EXPECT_EQ(rows(0), (std::vector<Short>{{0, 2, 116}, {1, 1, 157}, {0, 2, 116}, {2, 1, 92}, {1, 1, 157}}));
  options.filter.min_length = 21;
  EXPECT_EQ(rows(3), (std::vector<Short>{{1, 1, 157}, {1, 1, 157}}));
}

// A filter that looks at alignments lifts the bound on the candidates of a query.
TEST_F(KnownRows, BehindAnyNumberOfCandidates) {
  constexpr Index kLong = 3200;
  test::Random random(5);
  const test::Residues query = test::encode(kX);
  std::vector<test::Residues> subjects;
  for (Index k = 0; k < kLong; ++k) {
    const test::Residues before = test::random_sequence(random, 30),
                         after = test::random_sequence(random, 30);
    subjects.push_back(test::concatenate({before, query, after}));
  }
  for (const std::ptrdiff_t length : {22, 28, 20, 25})
    subjects.emplace_back(query.begin(), query.begin() + length);
  const SequenceSet queries = test::make_set(std::vector<test::Residues>{query}),
                    database = test::make_set(subjects);
  enum class Judged { no, by_scores, by_adjusted_scores };
  for (const Judged judged : {Judged::no, Judged::by_scores, Judged::by_adjusted_scores})
    for (const std::uint32_t most : {1U, 3U, 500U}) {
      SCOPED_TRACE(fmt::format("judged {}, hits {}", static_cast<int>(judged), most));
      SearchOptions options;
      options.asked.max_target_seqs = most;
      options.asked.evalue = 1e9;
      if (judged != Judged::no) options.statistics = published_statistics(scoring_, database);
      if (judged == Judged::by_adjusted_scores) options.statistics.low_complexity = LowComplexity::statistics;
      if (most < 500) {
        ASSERT_LT(options.most_candidates(), kLong);
        for (const ListedRow& row : cpu_.search(queries, database, scoring_, options).rows)
          EXPECT_LT(row.found.subject, kLong);
      }
      options.asked.filter = {.min_coverage = 90, .coverage_of = CoverageOf::subject};
      const Found found = cpu_.search(queries, database, scoring_, options);
      std::vector<Index> hits;
      for (const ListedRow& row : found.rows) hits.push_back(row.found.subject);
      std::vector<Index> expected = {kLong + 1, kLong + 3, kLong, kLong + 2};
      if (most < expected.size()) expected.resize(most);
      EXPECT_EQ(hits, expected);
      EXPECT_EQ(found.summary.hits, expected.size());
      EXPECT_EQ(found.summary.cut_ties, 0U);
    }
}

// ---- Which rows pass ----

// The alignment of 12 columns has identities of 50, 60, 40, 24, 30 and 20 percent by the denominators in
// their order. It covers 40 percent of the query and 80 percent of the subject.
constexpr AlignmentCounts kCounts{.columns = 12, .identical = 6, .mismatches = 4, .gap_residues = 2};
constexpr Extent kQuery{10, 25}, kSubject{12, 15};

bool passes_known(const RowFilter& filter) { return passes(filter, kCounts, kQuery, kSubject); }

TEST(PassesAFilter, WithExactlyTheLeastIdentity) {
  constexpr std::array kPercent = {50.0, 60.0, 40.0, 24.0, 30.0, 20.0};
  static_assert(kPercent.size() == kDenominators);
  for (std::size_t k = 0; k < kDenominators; ++k) {
    const auto by = static_cast<Denominator>(k);
    SCOPED_TRACE(word_of(by));
    EXPECT_TRUE(passes_known({.min_identity = 0, .denominator = by}));
    EXPECT_TRUE(passes_known({.min_identity = kPercent[k], .denominator = by}));
    EXPECT_FALSE(passes_known({.min_identity = kPercent[k] + 1e-9, .denominator = by}));
    EXPECT_FALSE(passes_known({.min_identity = 100, .denominator = by}));
  }
  // Each of the 100 whole percents.
  for (std::int32_t identical = 0; identical <= 100; ++identical) {
    const AlignmentCounts counts{.columns = 100, .identical = identical};
    const auto passes_with = [&](double percent) {
      return passes({.min_identity = percent}, counts, {100, 100}, {100, 100});
    };
    EXPECT_TRUE(passes_with(identical));
    EXPECT_FALSE(passes_with(identical + 1e-9));
  }
  // Decimals of which no double is the exact value: 161 of 250, and 3 of 1000.
  EXPECT_TRUE(passes({.min_identity = 64.4}, {.columns = 250, .identical = 161}, {250, 250}, {250, 250}));
  EXPECT_FALSE(passes({.min_identity = 64.4}, {.columns = 250, .identical = 160}, {250, 250}, {250, 250}));
  EXPECT_TRUE(passes({.min_identity = 0.3}, {.columns = 1000, .identical = 3}, {1000, 1000}, {1000, 1000}));
}

TEST(PassesAFilter, WithExactlyTheLeastCoverage) {
  const auto expect_percent = [](CoverageOf of, double percent, const Extent& query, const Extent& subject) {
    SCOPED_TRACE(word_of(of));
    EXPECT_TRUE(passes({.min_coverage = percent, .coverage_of = of}, kCounts, query, subject));
    EXPECT_FALSE(passes({.min_coverage = percent + 1e-9, .coverage_of = of}, kCounts, query, subject));
  };
  expect_percent(CoverageOf::both, 40, kQuery, kSubject);
  expect_percent(CoverageOf::shorter, 80, kQuery, kSubject);
  expect_percent(CoverageOf::longer, 40, kQuery, kSubject);
  expect_percent(CoverageOf::query, 40, kQuery, kSubject);
  expect_percent(CoverageOf::subject, 80, kQuery, kSubject);
  // If both lengths are equal, the lower coverage counts, whichever sequence has it.
  for (const CoverageOf of : {CoverageOf::both, CoverageOf::shorter, CoverageOf::longer}) {
    expect_percent(of, 50, {10, 20}, {12, 20});
    expect_percent(of, 50, {12, 20}, {10, 20});
    expect_percent(of, 100, {20, 20}, {20, 20});
  }
}

TEST(PassesAFilter, WithExactlyTheLeastLength) {
  EXPECT_TRUE(passes_known({.min_length = 1}));
  EXPECT_TRUE(passes_known({.min_length = 12}));
  EXPECT_FALSE(passes_known({.min_length = 13}));
  EXPECT_FALSE(passes_known({.min_length = std::numeric_limits<std::uint32_t>::max()}));
}

TEST(PassesAFilter, WithEveryLimitThatIsSet) {
  EXPECT_TRUE(passes_known({.min_identity = 50, .min_coverage = 40, .min_length = 12}));
  EXPECT_FALSE(passes_known({.min_identity = 51, .min_coverage = 40, .min_length = 12}));
  EXPECT_FALSE(passes_known({.min_identity = 50, .min_coverage = 41, .min_length = 12}));
  EXPECT_FALSE(passes_known({.min_identity = 50, .min_coverage = 40, .min_length = 13}));
}

TEST(PassesAFilter, WithoutLimits) {
  const RowFilter none{.denominator = Denominator::longer, .coverage_of = CoverageOf::query};
  EXPECT_FALSE(none.needs_alignments());
  EXPECT_TRUE(passes(none, {}, {}, {}));
  EXPECT_TRUE(RowFilter{.min_identity = 0}.needs_alignments());
  EXPECT_TRUE(RowFilter{.min_coverage = 0}.needs_alignments());
  EXPECT_TRUE(RowFilter{.min_length = 1}.needs_alignments());
}

// All shares are 0 where nothing is aligned, and of a sequence without residues.
TEST(PassesAFilter, WhereNothingIsAligned) {
  for (const Extent& extent : {Extent{0, 5}, Extent{0, 0}}) {
    EXPECT_TRUE(passes({.min_identity = 0, .min_coverage = 0}, {}, extent, extent));
    for (std::size_t k = 0; k < kDenominators; ++k)
      EXPECT_FALSE(
          passes({.min_identity = 1e-9, .denominator = static_cast<Denominator>(k)}, {}, extent, extent));
    EXPECT_FALSE(passes({.min_coverage = 1e-9}, {}, extent, extent));
    EXPECT_FALSE(passes({.min_length = 1}, {}, extent, extent));
  }
}

// ---- The order of hits ----

TEST(HitKeys, AreOrderedByEvalueThenAdjustedScoreThenScoreThenPlace) {
  const std::vector<HitKey> in_order = {
      {0, 900, 900, FileOrdinal{9}},  // E-values that are too small for a double
      {0, 800, 800, FileOrdinal{1}},   {1e-9, 10, 10, FileOrdinal{5}},      {0.5, 90, 40, FileOrdinal{3}},
      {0.5, 80, 41, FileOrdinal{2}},   {0.5, 80, 40, FileOrdinal{0}},       {0.5, 80, 40, FileOrdinal{1}},
      {0.5, 79.5, 99, FileOrdinal{0}}, {kInfinite, 99, 99, FileOrdinal{7}}, {kInfinite, 3, 3, FileOrdinal{0}},
  };
  for (std::size_t a = 0; a < in_order.size(); ++a)
    for (std::size_t b = 0; b < in_order.size(); ++b) {
      SCOPED_TRACE(fmt::format("{} and {}", a, b));
      EXPECT_EQ(in_order[a] < in_order[b], a < b);
      EXPECT_EQ(in_order[a].ties(in_order[b]), a == b || (a == 5 && b == 6) || (a == 6 && b == 5));
    }
}

TEST(HitKeys, OfARow) {
  Significance significance;
  const HitKey plain = HitKey::of(significance, 41, 2, FileOrdinal{7});
  EXPECT_EQ(plain.evalue, kInfinite);
  EXPECT_EQ(plain.judged, 20.5);
  EXPECT_EQ(plain.score, 41);
  EXPECT_TRUE(plain.ordinal == FileOrdinal{7});
  significance.evalue = 3;
  EXPECT_EQ(HitKey::of(significance, 41, 2, FileOrdinal{7}).evalue, 3);
  EXPECT_EQ(HitKey::of(significance, 41, 2, FileOrdinal{7}).judged, 20.5);
  significance.adjusted_score = 18.25;  // in the matrix' units already
  EXPECT_EQ(HitKey::of(significance, 41, 2, FileOrdinal{7}).judged, 18.25);
}

}  // namespace
}  // namespace alnus::engine
