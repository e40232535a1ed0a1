// Searches of parts of a database, and searches in batches of queries.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/search_driver.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeDevices;
using test::FoundHits;
using test::FoundRow;
using test::published_statistics;
using test::random_sequences;
using test::sorted;

struct Found {
  FoundHits hits;
  SearchSummary summary;
};

Found search_with(const SequenceSet& queries, const SequenceSet& database, const SearchOptions& options) {
  const FakeDevices devices({{.concurrency = 2, .dawdle = true}, {}});
  EngineCall call(devices.pointers);
  Found found;
  found.summary = search(queries, sorted(database), make_scoring({}), options, call,
                         [&](SearchBatch& batch) { found.hits.take(batch); });
  return found;
}

// Returns short sequences, some of them several times, so that many scores are equal.
SequenceSet with_repeats(unsigned seed, std::uint32_t count) {
  const SequenceSet different = random_sequences(seed, count / 3, 30);
  std::mt19937 random(seed);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (std::uint32_t k = 0; k < count; ++k) builder.add("", different.residues(random() % different.size()));
  return builder.finish();
}

// Returns the sequences in the order of a database file: the longest first, with their file ordinals.
SequenceSet by_length(const SequenceSet& set) {
  struct Storage {
    std::vector<Residue> residues;
    std::vector<std::uint64_t> offsets{0}, header_offsets{0};
    std::vector<FileOrdinal> ordinals;
  };
  const auto storage = std::make_shared<Storage>();
  std::vector<SequenceSet::Index> order(set.size());
  std::iota(order.begin(), order.end(), SequenceSet::Index{0});
  std::ranges::stable_sort(order, std::greater(), [&](SequenceSet::Index i) { return set.length(i); });
  for (const SequenceSet::Index i : order) {
    const auto residues = set.residues(i);
    storage->residues.insert(storage->residues.end(), residues.begin(), residues.end());
    storage->offsets.push_back(storage->residues.size());
    storage->header_offsets.push_back(0);
    storage->ordinals.push_back(set.file_ordinal(i));
  }
  return {set.alphabet(),
          {storage->residues, storage->offsets, {}, storage->header_offsets, storage->ordinals},
          storage,
          ""};
}

// Searches each part alone, with the statistics of the whole database, and returns the joined hits.
std::vector<FoundRow> merged(const SequenceSet& queries, const SequenceSet& database,
                             const std::vector<std::uint32_t>& ends, const SearchOptions& options) {
  std::vector<FoundRow> all;
  std::uint64_t pairs = 0, cells = 0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const Found part = search_with(queries, database.part(ends[k], ends[k + 1]), options);
    pairs += part.summary.pairs;
    cells += part.summary.cells;
    for (FoundRow row : part.hits.rows) {
      row.subject += ends[k];
      all.push_back(std::move(row));
    }
  }
  EXPECT_EQ(pairs, std::uint64_t{queries.size()} * database.size());
  EXPECT_EQ(cells, queries.total_residues() * database.total_residues());
  const auto by_score = [&](const FoundRow& row) {
    return std::tuple(row.query, -row.alignment.score, database.file_ordinal(row.subject));
  };
  const auto by_evalue = [&](const FoundRow& row) {
    return std::tuple(row.query, row.evalue.value_or(INFINITY), -row.alignment.score,
                      database.file_ordinal(row.subject));
  };
  const bool shuffled = options.statistics.method == StatisticsMethod::zvalue;
  if (shuffled)
    std::ranges::sort(all, {}, by_score);
  else
    std::ranges::sort(all, {}, by_evalue);
  std::vector<FoundRow> best;
  std::vector<std::uint32_t> taken(queries.size());
  for (const FoundRow& row : all)
    if (taken[row.query]++ < options.asked.max_target_seqs) best.push_back(row);
  std::ranges::sort(best, {}, by_evalue);
  return best;
}

void expect_parts_to_be_the_whole(const SequenceSet& queries, const SequenceSet& database,
                                  const SearchOptions& options) {
  const std::vector<FoundRow> whole = search_with(queries, database, options).hits.rows;
  ASSERT_GT(whole.size(), 2u * queries.size());
  std::mt19937 random(51);
  for (const std::size_t parts : {1, 2, 3, 5}) {
    std::vector<std::uint32_t> ends{0, database.size()};
    while (ends.size() <= parts) ends.push_back(static_cast<std::uint32_t>(random() % database.size()));
    std::ranges::sort(ends);
    EXPECT_EQ(merged(queries, database, ends, options), whole) << parts << " parts";
  }
}

// The options limit either the number of hits or their E-value, not both. In a search of the whole database
// the E-value removes pairs from the best ones, and no others take their places. Searches of parts cannot
// know which.
TEST(SearchParts, OfADatabaseAreTheWhole) {
  const SequenceSet queries = random_sequences(52, 5, 40);
  for (const SequenceSet& database : {with_repeats(53, 200), by_length(with_repeats(53, 200))}) {
    SearchOptions options{.asked = {.max_target_seqs = 8, .evalue = 1e9}};
    options.statistics = published_statistics(make_scoring({}), database);
    expect_parts_to_be_the_whole(queries, database, options);
    options.asked.detail = Detail::score;
    options.asked.max_target_seqs = 1000;
    options.asked.evalue = 20;
    expect_parts_to_be_the_whole(queries, database, options);
  }
}

TEST(SearchParts, OfADatabaseAreTheWholeByShuffles) {
  const SequenceSet queries = random_sequences(54, 3, 40), database = with_repeats(55, 60);
  SearchOptions options{.asked = {.max_target_seqs = 60, .evalue = 40}};
  options.statistics.method = StatisticsMethod::zvalue;
  options.statistics.shuffles.shuffles = 20;
  options.statistics.space = stats::search_space_of(database);
  const Found whole = search_with(queries, database, options);
  EXPECT_TRUE(
      std::ranges::any_of(whole.hits.rows, [](const FoundRow& row) { return row.zscore && row.evalue; }));
  expect_parts_to_be_the_whole(queries, database, options);
}

TEST(SearchBatches, CoverConsecutiveQueriesWhateverTheirSize) {
  const SequenceSet queries = random_sequences(56, 40, 60), database = random_sequences(57, 300, 60);
  SearchOptions options{.asked = {.max_target_seqs = 50, .evalue = 1e9}};
  options.statistics = published_statistics(make_scoring({}), database);
  const Found whole = search_with(queries, database, options);
  EXPECT_EQ(whole.hits.batches, std::vector<std::size_t>{40});
  std::vector<SequenceSet::Index> all(40);
  std::iota(all.begin(), all.end(), SequenceSet::Index{0});
  EXPECT_EQ(whole.hits.queries, all);
  options.memory_bytes = 1;  // one query at a time
  const Found single = search_with(queries, database, options);
  EXPECT_EQ(single.hits.batches, std::vector<std::size_t>(40, 1));
  EXPECT_EQ(single.hits.rows, whole.hits.rows);
  options.memory_bytes = 1 << 20;
  const Found some = search_with(queries, database, options);
  EXPECT_GT(some.hits.batches.size(), 1u);
  EXPECT_LT(some.hits.batches.size(), 40u);
  EXPECT_EQ(some.hits.queries, all);
  EXPECT_EQ(some.hits.rows, whole.hits.rows);
}

// Queries without hits are in the batches as well.
TEST(SearchBatches, HaveEveryQuery) {
  const SequenceSet queries = random_sequences(56, 12, 60), database = random_sequences(57, 30, 60);
  const Found none = search_with(queries, database, {.min_score = 10'000});
  EXPECT_EQ(none.hits.queries.size(), 12u);
  EXPECT_TRUE(none.hits.rows.empty());
}

TEST(SearchBatches, OwnTheirMemory) {
  const SequenceSet queries = random_sequences(58, 9, 60), database = random_sequences(59, 80, 60);
  const SearchOptions options{.asked = {.max_target_seqs = 20, .evalue = 1e9}, .memory_bytes = 1};
  const Found expected = search_with(queries, database, options);
  const FakeDevices devices;
  std::vector<SearchBatch> kept;
  {
    EngineCall call(devices.pointers);
    search(queries, sorted(database), make_scoring({}), options, call,
           [&](SearchBatch& batch) { kept.push_back(batch); });
  }
  FoundHits later;
  for (const SearchBatch& batch : kept) later.take(batch);
  EXPECT_EQ(later.rows, expected.hits.rows);
}

TEST(QueryStatisticsOfASearch, ArePresentIfTheyWereAskedFor) {
  const SequenceSet queries = random_sequences(60, 7, 60), database = random_sequences(61, 50, 60);
  const Scoring scoring = make_scoring({});
  SearchOptions options{.asked = {.evalue = 1e9}, .memory_bytes = 1};
  options.statistics = published_statistics(scoring, database);
  EXPECT_TRUE(search_with(queries, database, options).hits.query_statistics.empty());
  options.asked.query_statistics = true;
  const std::vector<QueryStatistics> found = search_with(queries, database, options).hits.query_statistics;
  const auto judges = stats::judges_of(queries, options.statistics.model(options.statistics.method), scoring);
  ASSERT_EQ(found.size(), queries.size());
  for (std::size_t query = 0; query < found.size(); ++query) {
    const QueryStatistics expected =
        judges[query] ? stats::query_statistics(*judges[query], Composition::none, LowComplexity::none)
                      : QueryStatistics{};
    EXPECT_EQ(found[query].description, expected.description);
    ASSERT_EQ(found[query].karlin.has_value(), expected.karlin.has_value());
    if (!expected.karlin) continue;
    EXPECT_EQ(found[query].karlin->lambda, expected.karlin->lambda);
    EXPECT_EQ(found[query].karlin->search_space, expected.karlin->search_space);
  }
  EXPECT_TRUE(std::ranges::any_of(found, [](const QueryStatistics& s) { return !s.description.empty(); }));
  // Without statistics there is no description either.
  options.statistics = {};
  for (const QueryStatistics& none : search_with(queries, database, options).hits.query_statistics)
    EXPECT_TRUE(none.description.empty() && !none.karlin);
}

TEST(ColumnsOfASearch, AreThoseThatWereAskedFor) {
  const SequenceSet queries = random_sequences(62, 4, 60), database = random_sequences(63, 30, 60);
  const FakeDevices devices;
  for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment})
    for (const bool cigars : {false, true})
      for (const bool significance : {false, true}) {
        SearchOptions options{.asked = {.detail = detail, .cigars = cigars, .evalue = 1e9}};
        options.asked.significance = significance;
        options.statistics = published_statistics(make_scoring({}), database);
        EngineCall call(devices.pointers);
        search(queries, sorted(database), make_scoring({}), options, call, [&](SearchBatch& batch) {
          const Columns& rows = batch.rows;
          ASSERT_GT(rows.size(), 0u);
          EXPECT_EQ(rows.query_end.empty(), detail == Detail::score);
          EXPECT_EQ(rows.query_begin.empty(), detail != Detail::alignment);
          EXPECT_EQ(rows.identical.empty(), detail != Detail::alignment);
          EXPECT_EQ(rows.cigar_offsets.empty(), detail != Detail::alignment || !cigars);
          EXPECT_EQ(rows.evalue.empty(), !significance);
          EXPECT_EQ(rows.zscore.empty(), !significance);
          for (const auto& range : rows.identity_range) EXPECT_TRUE(range.empty());
        });
      }
}

}  // namespace
}  // namespace alnus::engine
