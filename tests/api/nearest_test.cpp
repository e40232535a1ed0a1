// Session::all_pairs with AllPairsOptions::top_k, which lists the nearest sequences of each sequence.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/parts_fixture.h"
#include "api/support/strands.h"
#include "api/support/table.h"
#include "core/pair_value.h"
#include "support/blank.h"
#include "support/sizes.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr PairValue kAllValues[] = {PairValue::score, PairValue::identity, PairValue::distance,
                                    PairValue::score_distance};

using Place = std::pair<Index, Index>;  // row and column
using Values = std::map<Place, double>;

struct Found {
  Table rows;
  Values sparse;
  AllPairsSummary summary;
};

// Returns what a call finds: all pairs of two sets, or of one set if `against` is null.
Found all_pairs(Session& session, const SequenceSet& set, const SequenceSet* against, const Scoring& scoring,
                const AllPairsOptions& options) {
  Found found;
  PairSink sink;
  sink.rows = [&](const Columns& rows, const std::string&) { found.rows.append(rows); };
  if (options.value)
    sink.sparse = [&](const SparseValues& batch) {
      for (std::size_t k = 0; k < batch.size(); ++k)
        found.sparse[{batch.row[k], batch.column[k]}] = batch.value[k];
    };
  found.summary = against ? session.all_pairs(set, *against, scoring, options, sink)
                          : session.all_pairs(set, scoring, options, sink);
  return found;
}

// Returns what all_pairs() must find with `top_k`: computes every pair without that option, and chooses among
// those for which is_pair(row, column) is true.
template <class IsPair>
Found nearest_of(Session& session, const SequenceSet& rows, const SequenceSet& columns,
                 const Scoring& scoring, AllPairsOptions options, const IsPair& is_pair) {
  const std::uint32_t top_k = std::exchange(options.top_k, 0);
  const double cutoff = options.cutoff.value_or(is_distance(options.value->kind) ? kInfinity : -kInfinity);
  options.cutoff = is_distance(options.value->kind) ? kInfinity : -kInfinity;
  const Found every = all_pairs(session, rows, &columns, scoring, options);
  std::vector<std::tuple<Index, double, std::int32_t, Index, std::size_t>> order;
  for (std::size_t k = 0; k < every.rows.size(); ++k) {
    const Index row = every.rows.query[k], column = every.rows.subject[k];
    const double value = every.sparse.at({row, column});
    const AlphabetKind alphabet = rows.alphabet();
    const bool blank = is_blank(rows.residues(row), alphabet) || is_blank(columns.residues(column), alphabet);
    if (is_pair(row, column) && !blank)
      order.emplace_back(row, is_distance(options.value->kind) ? value : -value, -every.rows.integers[0][k],
                         column, k);
  }
  std::ranges::sort(order);
  Found found;
  std::vector<std::size_t> kept;
  std::map<Index, std::uint32_t> of_row;
  for (const auto& [row, value, score, column, k] : order) {
    if (++of_row[row] > top_k) continue;
    kept.push_back(k);
    if (is_distance(options.value->kind) ? value <= cutoff : -value >= cutoff)
      found.sparse[{row, column}] = every.sparse.at({row, column});
  }
  found.rows = rows_of(every.rows, kept);
  return found;
}

class ApiNearest : public testing::Test {
 protected:
  static AllPairsOptions options_of(PairValue kind, std::uint32_t top_k) {
    AllPairsOptions options;
    options.statistics = no_statistics();
    options.value = MatrixValue{kind, Denominator::shorter};
    options.top_k = top_k;
    return options;
  }
  // Expects the right nearest sequences within `set`, with and without each sequence itself, and between the
  // two sets.
  void expect_nearest(AllPairsOptions options, const SequenceSet& set, const SequenceSet& against) {
    for (Session* session : {&session_, &small_}) {
      for (const bool self : {false, true}) {
        options.self = self;
        const Found found = all_pairs(*session, set, nullptr, scoring_, options);
        AllPairsOptions of_two = options;
        of_two.self = false;
        const Found expected = nearest_of(session_, set, set, scoring_, of_two,
                                          [&](Index i, Index j) { return self || i != j; });
        EXPECT_TRUE(same(found.rows, expected.rows)) << "self " << self;
        EXPECT_EQ(found.sparse, expected.sparse) << "self " << self;
        const std::uint64_t size = set.size();
        EXPECT_EQ(found.summary.pairs, self ? size * size : size * (size - 1));
        EXPECT_EQ(found.summary.listed, found.rows.size());
        EXPECT_EQ(found.summary.listed + found.summary.filtered, found.summary.pairs);
      }
      options.self = false;
      const Found found = all_pairs(*session, set, &against, scoring_, options);
      const Found expected =
          nearest_of(session_, set, against, scoring_, options, [](Index, Index) { return true; });
      EXPECT_TRUE(same(found.rows, expected.rows));
      EXPECT_EQ(found.sparse, expected.sparse);
      EXPECT_GT(found.rows.size(), 0u);
    }
  }

  // Some sequences are there twice, so that many pairs have equal values.
  const SequenceSet set_ = joined(repeated(relatives_set(1, 9, 40), 2),
                                  joined(random_set({.seed = 2, .count = 9}), set_of({"", "MK"})));
  const SequenceSet against_ = joined(relatives_set(1, 6, 40), random_set({.seed = 3, .count = 5}));
  Scoring scoring_ = default_scoring();
  Session session_{session_options()}, small_{session_options(1, 1 << 20)};
};

TEST_F(ApiNearest, AreTheBestOfEachRowByEveryValue) {
  for (const char* mode : {"local", "global", "semiglobal"}) {
    scoring_ = default_scoring(mode);
    for (const PairValue kind : kAllValues)
      for (const std::uint32_t top_k : {1u, 3u, 29u, std::numeric_limits<std::uint32_t>::max()}) {
        SCOPED_TRACE(std::string(mode) + ", value " + std::to_string(static_cast<int>(kind)) + ", top " +
                     std::to_string(top_k));
        expect_nearest(options_of(kind, top_k), set_, against_);
      }
  }
}

TEST_F(ApiNearest, OfEveryScoringAndDetail) {
  for (const NamedScoring& named : scorings()) {
    if (named.scoring.matrix.alphabet() != AlphabetKind::protein) continue;
    scoring_ = named.scoring;
    for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
      SCOPED_TRACE(named.name + ", detail " + std::to_string(static_cast<int>(detail)));
      AllPairsOptions options = options_of(PairValue::score, 4);
      options.detail = detail;
      expect_nearest(options, set_, against_);
    }
  }
}

TEST_F(ApiNearest, OnStrandsOfDna) {
  const SequenceSet set = strands_set({.seed = 1}), against = strands_set({.seed = 2, .count = 7});
  for (const NamedScoring& named : strand_scorings())
    for (const Strands strands : kAllStrands)
      for (const PairValue kind : {PairValue::score, PairValue::distance}) {
        SCOPED_TRACE(named.name + ", " + to_string(strands));
        scoring_ = named.scoring;
        AllPairsOptions options = options_of(kind, 3);
        options.strands = strands;
        expect_nearest(options, set, against);
      }
}

TEST_F(ApiNearest, OfThosePairsThatPassTheFilterAndTheCutoff) {
  std::vector<PairFilter> filters = {
      {{}, 25},
      {{.min_identity = 30, .denominator = Denominator::longer}},
      {{.min_coverage = 60, .coverage_of = CoverageOf::query}},
      {{.min_length = 20}},
      {{}, {}, 1e-3},
  };
  for (const PairFilter& filter : filters)
    for (const PairValue kind : kAllValues)
      for (const bool adjusted : {false, true}) {
        if (adjusted && !filter.evalue) continue;
        SCOPED_TRACE("filter " + std::to_string(&filter - filters.data()) + ", value " +
                     std::to_string(static_cast<int>(kind)) + (adjusted ? ", adjusted" : ""));
        AllPairsOptions options = options_of(kind, 4);
        options.filter = filter;
        if (filter.evalue) options.statistics = adjusted ? StatisticsOptions{} : unadjusted_statistics();
        options.cutoff = kind == PairValue::score            ? 40
                         : kind == PairValue::identity       ? 35
                         : kind == PairValue::score_distance ? 150
                                                             : 0.6;
        expect_nearest(options, set_, against_);
      }
}

TEST_F(ApiNearest, SparseValuesAlone) {
  for (const PairValue kind : kAllValues) {
    AllPairsOptions options = options_of(kind, 3);
    const Values with_rows = all_pairs(session_, set_, nullptr, scoring_, options).sparse;
    Values alone;
    session_.all_pairs(set_, scoring_, options, PairSink{.sparse = [&](const SparseValues& batch) {
                         for (std::size_t k = 0; k < batch.size(); ++k)
                           alone[{batch.row[k], batch.column[k]}] = batch.value[k];
                       }});
    EXPECT_EQ(alone, with_rows);
    EXPECT_GT(alone.size(), 60u);
  }
}

TEST_F(ApiNearest, WithoutAValueAreThoseOfHighestScores) {
  AllPairsOptions options = options_of(PairValue::score, 3);
  const Found by_score = all_pairs(session_, set_, nullptr, scoring_, options);
  options.value.reset();
  EXPECT_TRUE(same(all_pairs(session_, set_, nullptr, scoring_, options).rows, by_score.rows));
}

TEST_F(ApiNearest, OfABlockAreAmongItsColumns) {
  AllPairsOptions options = options_of(PairValue::score, 2);
  options.block = Block{{3, 17}, {5, 11}};
  const Found found = all_pairs(session_, set_, nullptr, scoring_, options);
  AllPairsOptions all = options;
  all.block.reset();
  const auto in_block = [](Index i, Index j) { return i != j && i >= 3 && i < 17 && j >= 5 && j < 11; };
  EXPECT_TRUE(same(found.rows, nearest_of(session_, set_, set_, scoring_, all, in_block).rows));
  EXPECT_EQ(found.summary.pairs, 14u * 6 - 6) << "all rows and columns but six with themselves";
}

TEST_F(ApiNearest, ALargeSetTakesLittleMemory) {
  const SequenceSet set = random_set({.count = 1500, .shortest = 5, .longest = 12});
  scoring_ = default_scoring("global");
  for (const PairValue kind : {PairValue::score, PairValue::score_distance, PairValue::identity}) {
    const AllPairsOptions options = options_of(kind, 5);
    const Found found = all_pairs(small_, set, nullptr, scoring_, options);
    EXPECT_EQ(found.rows.size(), 1500u * 5);
    EXPECT_TRUE(same(found.rows, all_pairs(session_, set, nullptr, scoring_, options).rows));
  }
}

TEST_F(ApiNearest, SomeOutputsHaveEveryPair) {
  AllPairsOptions options = options_of(PairValue::score, 3);
  const auto values = [&] {
    session_.all_pairs(set_, scoring_, options, PairSink{.values = [](const ValueStripe&) {}});
  };
  EXPECT_THAT(input_error(values), HasSubstr("top_k"));
  const TempDir directory;
  const auto refused = [&](PairFiles files, std::optional<Database> added = {}) {
    const PairInputs inputs{.set = set_, .added = std::move(added)};
    const std::string text = input_error([&] { session_.all_pairs(inputs, scoring_, options, files); });
    EXPECT_TRUE(std::filesystem::is_empty(directory.path())) << text;
    return text;
  };
  EXPECT_THAT(refused({.matrix = directory.file("m.npy")}), HasSubstr("top_k"));
  EXPECT_THAT(refused({.phylip = directory.file("d.phy")}), HasSubstr("top_k"));
  EXPECT_THAT(refused({.rows = directory.file("r.tsv"), .checkpoint = directory.file("c")}, set_),
              HasSubstr("top_k"));
}

class ApiNearestFiles : public PartsTest {
 protected:
  PairsJob job_of(bool two_sets) {
    PairsJob job;
    job.inputs.set = joined(relatives_set(1, 12, 60), random_set({.seed = 2, .count = 6}));
    if (two_sets) job.inputs.against = joined(random_set({.seed = 3, .count = 4}), relatives_set(1, 7, 60));
    job.options.top_k = 3;
    return job;
  }
};

// Usually every second combination of sets, format and table of edges is tested, in the full tests every one.
TEST_F(ApiNearestFiles, PartsAreTheWhole) {
  int combination = 0;
  for (const bool two_sets : {false, true})
    for (const char* format : {"6 std pident_min", "7", "5", "0", "jsonl"})
      for (const char* edges : {"", "edges.tsv", "edges.npz"}) {
        if (combination++ % by_size(2, 1) != 0) continue;
        SCOPED_TRACE(std::string(format) + " " + edges + (two_sets ? ", two sets" : ""));
        PairsJob job = job_of(two_sets);
        job.with_format(format);
        job.files.edges = edges;
        job.options.value = MatrixValue{PairValue::identity, Denominator::longer};
        expect_whole(job, {2, 5, 23});
      }
}

// A table of edges has a row for each pair, in which the sequence of the pair matrix' row comes first.
TEST_F(ApiNearestFiles, EdgesNeedNoThresholdAndHaveTheRowFirst) {
  PairsJob job = job_of(false);
  job.files.edges = "edges.tsv";
  job.files.rows = "rows.tsv";
  job.files.format = OutputFormat::parse("6 qseqid sseqid score");
  job.options.value = MatrixValue{PairValue::score};
  job.options.statistics = no_statistics();
  clear("whole");
  const PairFiles files = files_of(job, "whole");
  one_thread_.all_pairs(job.inputs, job.scoring, job.options, files);
  const auto lines = [&](const char* name) {
    std::vector<std::string> all;
    std::istringstream text(read("whole", name));
    for (std::string line; std::getline(text, line);) all.push_back(line);
    std::ranges::sort(all);
    return all;
  };
  EXPECT_EQ(lines("edges.tsv"), lines("rows.tsv"));
  EXPECT_EQ(lines("rows.tsv").size(), 18u * 3);
}

TEST_F(ApiNearestFiles, ACheckpointIsOfItsTopK) {
  PairsJob job = job_of(false);
  job.with_format("6 qseqid sseqid score");
  clear("whole");
  PairFiles files = files_of(job, "whole");
  files.checkpoint = directory_.file("ledger");
  one_thread_.all_pairs(job.inputs, job.scoring, job.options, files);
  EXPECT_TRUE(two_threads_.all_pairs(job.inputs, job.scoring, job.options, files).finished_before);
  ++job.options.top_k;
  EXPECT_THAT(input_error([&] { one_thread_.all_pairs(job.inputs, job.scoring, job.options, files); }),
              HasSubstr("top_k"));
}

}  // namespace
}  // namespace alnus::test
