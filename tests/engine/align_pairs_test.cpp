#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "engine/align_driver.h"
#include "engine/search_driver.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeBehaviour;
using test::FakeDevices;
using test::FoundRow;
using test::random_sequences;
using test::reference_row;
using test::sorted;

Scoring scoring(const std::string& mode = "local") {
  ScoringOptions options;
  options.mode = mode;
  return make_scoring(options);
}

std::vector<FoundRow> align_with(const FakeDevices& devices, const SequenceSet& queries,
                                 const SequenceSet& subjects, const std::vector<IndexPair>& pairs,
                                 const Scoring& scoring, Detail detail) {
  EngineCall call(devices.pointers);
  std::vector<FoundRow> rows;
  align_pairs(sorted(queries), sorted(subjects), pairs, scoring, {.fields = {.detail = detail}}, call,
              [&](const Columns& batch) { test::append(rows, batch); });
  return rows;
}

TEST(AlignPairs, GivesEveryPairInOrderRepeatedOnesToo) {
  const SequenceSet queries = random_sequences(11, 30, 60), subjects = random_sequences(12, 40, 60);
  std::mt19937 random(13);
  std::vector<IndexPair> pairs;
  for (int i = 0; i < 300; ++i)
    pairs.push_back({static_cast<std::uint32_t>(random() % 30), static_cast<std::uint32_t>(random() % 20)});
  const FakeDevices devices(
      {{.concurrency = 2, .bytes_per_pair = 1 << 24, .dawdle = true}, {.bytes_per_pair = 1 << 24}});
  for (const Detail detail : {Detail::score, Detail::ends, Detail::alignment}) {
    std::vector<FoundRow> expected;
    for (const IndexPair& pair : pairs)
      expected.push_back(reference_row(queries, subjects, pair, scoring("global"), detail));
    EXPECT_EQ(align_with(devices, queries, subjects, pairs, scoring("global"), detail), expected);
  }
  EXPECT_TRUE(align_with(devices, queries, subjects, {}, scoring(), Detail::score).empty());
}

TEST(AlignPairs, WithinOneSet) {
  const SequenceSet set = random_sequences(14, 10, 30);
  const std::vector<IndexPair> pairs{{0, 9}, {9, 0}, {5, 5}};
  const std::vector<FoundRow> rows =
      align_with(FakeDevices(), set, set, pairs, scoring("semiglobal"), Detail::ends);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].alignment,
            align_reference(set.residues(9), set.residues(0), scoring("semiglobal"), Detail::ends));
}

// Every batch has at least one pair, however little memory there is.
TEST(AlignPairs, BatchesOfOnePair) {
  const SequenceSet set = random_sequences(14, 10, 30);
  const std::vector<IndexPair> pairs{{0, 9}, {9, 0}, {5, 5}};
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  std::vector<FoundRow> rows;
  std::size_t batches = 0;
  align_pairs(sorted(set), sorted(set), pairs, scoring(), {.memory_bytes = 1}, call,
              [&](const Columns& batch) {
                EXPECT_EQ(batch.size(), 1u);
                test::append(rows, batch);
                ++batches;
              });
  EXPECT_EQ(batches, 3u);
  EXPECT_EQ(rows, align_with(devices, set, set, pairs, scoring(), Detail::alignment));
}

TEST(AlignPairs, IdentityRangesAreThoseOfASearch) {
  const SequenceSet queries = random_sequences(17, 8, 40), database = random_sequences(18, 12, 40);
  const FakeDevices devices;
  const std::vector<Denominator> wanted{Denominator::ungapped, Denominator::longer};
  const auto ranges = [](const Columns& columns, std::size_t i) { return columns.row(i).identity_range; };
  EngineCall call(devices.pointers);
  std::vector<IndexPair> pairs;
  std::vector<decltype(ranges({}, 0))> found;
  search(queries, sorted(database), scoring(), {.asked = {.identity_ranges = wanted}}, call,
         [&](SearchBatch& batch) {
           for (std::size_t i = 0; i < batch.rows.size(); ++i) {
             pairs.push_back({batch.rows.query[i], batch.rows.subject[i]});
             found.push_back(ranges(batch.rows, i));
           }
         });
  ASSERT_GT(pairs.size(), 20u);
  std::size_t ordinal = 0;
  const auto check = [&](const Columns& columns, std::size_t i) {
    const Row row = columns.row(i);
    ASSERT_EQ((IndexPair{row.query, row.subject}), pairs[ordinal]);
    ASSERT_EQ(row.counts, count(row.alignment(), queries.residues(row.query), database.residues(row.subject),
                                scoring().matrix));
    for (std::size_t k = 0; k < kDenominators; ++k)
      EXPECT_EQ(row.identity_range[k].has_value(),
                std::ranges::find(wanted, static_cast<Denominator>(k)) != wanted.end());
    for (const Denominator by : wanted) {
      const auto& [lowest, highest] = row.identity_range[static_cast<std::size_t>(by)].value();
      const auto& [lowest_hit, highest_hit] = found[ordinal][static_cast<std::size_t>(by)].value();
      EXPECT_EQ(lowest, lowest_hit);
      EXPECT_EQ(highest, highest_hit);
      const std::int64_t whole =
          by == Denominator::ungapped
              ? row.counts->columns - row.counts->gap_residues
              : static_cast<std::int64_t>(std::max(queries.length(row.query), database.length(row.subject)));
      EXPECT_LE(lowest.numerator * whole, row.counts->identical * lowest.denominator);
      EXPECT_GE(highest.numerator * whole, row.counts->identical * highest.denominator);
    }
    ++ordinal;
  };
  align_pairs(sorted(queries), sorted(database), pairs, scoring(), {.fields = {.identity_ranges = wanted}},
              call, [&](const Columns& batch) {
                for (std::size_t i = 0; i < batch.size(); ++i) check(batch, i);
              });
  EXPECT_EQ(ordinal, pairs.size());
}

TEST(AlignPairs, RefusesPairsThatDoNotExist) {
  const SequenceSet set = random_sequences(14, 10, 30);
  for (const IndexPair wrong : {IndexPair{0, 10}, {10, 0}, {UINT32_MAX, 0}})
    EXPECT_THROW(align_with(FakeDevices(), set, set, {{9, 9}, wrong}, scoring(), Detail::score), Error);
}

// A batch ends with the pair whose result fills its share of the memory. Results with CIGARs take more.
TEST(AlignPairs, BatchesAreAsLargeAsTheMemoryAllows) {
  const SequenceSet set = random_sequences(21, 40, 60);
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  std::size_t most_batches = 0;
  for (const Detail detail : {Detail::score, Detail::alignment}) {
    const std::uint64_t share = 16 << 10, one = result_bytes(0, 0, detail);
    std::vector<std::uint64_t> bytes;  // of the pairs of each batch
    std::size_t rows = 0;
    align_all(sorted(set), sorted(set), scoring("global"),
              {.fields = {.detail = detail}, .memory_bytes = 16 * share}, call, [&](const Columns& batch) {
                rows += batch.size();
                std::uint64_t last = 0;
                bytes.push_back(0);
                for (std::size_t k = 0; k < batch.size(); ++k) {
                  last = result_bytes(set.length(batch.query[k]), set.length(batch.subject[k]), detail);
                  EXPECT_GE(last, one);
                  bytes.back() += last;
                }
                EXPECT_LT(bytes.back() - last, share) << "the last pair was not needed";
              });
    EXPECT_EQ(rows, 1600u);
    for (std::size_t k = 0; k + 1 < bytes.size(); ++k) EXPECT_GE(bytes[k], share) << "one more fits";
    EXPECT_GT(bytes.size(), most_batches);
    most_batches = bytes.size();
  }
  EXPECT_EQ(result_bytes(70, 30, Detail::score), result_bytes(0, 0, Detail::score));
  EXPECT_EQ(result_bytes(70, 30, Detail::alignment), result_bytes(30, 70, Detail::alignment));
  EXPECT_GE(result_bytes(70, 30, Detail::alignment),
            result_bytes(70, 30, Detail::ends) + 30 * sizeof(CigarRun));
}

TEST(AlignAll, GivesRowByRow) {
  const SequenceSet queries = random_sequences(15, 6, 30), subjects = random_sequences(16, 7, 30);
  const FakeDevices devices(std::vector<FakeBehaviour>{{.concurrency = 2}});
  EngineCall call(devices.pointers);
  std::vector<FoundRow> rows, expected;
  align_all(sorted(queries), sorted(subjects), scoring("global"), {}, call,
            [&](const Columns& batch) { test::append(rows, batch); });
  for (std::uint32_t ordinal = 0; ordinal < 42; ++ordinal)
    expected.push_back(
        reference_row(queries, subjects, {ordinal / 7, ordinal % 7}, scoring("global"), Detail::alignment));
  EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace alnus::engine
