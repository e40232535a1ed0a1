// Calls reserve the memory that they need, and their batches fit into it.
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

#include "alnus/session.h"
#include "api/support/inputs.h"
#include "api/support/table.h"

namespace alnus::test {
namespace {

constexpr std::uint64_t kRangeBytes = 700;  // about what a pair takes while its identity range is computed

StatisticsOptions few_shuffles() {
  return {.method = StatisticsMethod::zvalue, .shuffles = ShuffleOptions{.shuffles = 10}};
}

class ApiMemory : public testing::Test {
 protected:
  static std::uint64_t reserved_by(std::uint64_t memory, const std::function<void(Session&)>& call) {
    Session session(session_options(2, memory));
    call(session);
    return session.counters().peak_reserved_bytes;
  }
  // All rows of a call, the number of its batches, and the rows of the largest batch.
  struct Batches {
    Table rows;
    std::size_t count = 0, most = 0;
    void add(const Columns& batch) {
      rows.append(batch);
      ++count;
      most = std::max(most, batch.size());
    }
  };

  const SequenceSet set_ = random_set({.seed = 1, .count = 60, .shortest = 15, .longest = 25});
  const Scoring scoring_ = default_scoring("global");
};

TEST_F(ApiMemory, ShufflesAreReserved) {
  constexpr std::uint64_t kMemory = 64 << 20;
  constexpr std::uint64_t kShuffles = 3 * (kMemory / 16);
  const Database some = Database(set_).part(0, 5);
  const auto search = [&](const StatisticsOptions& statistics) {
    return reserved_by(kMemory, [&](Session& session) {
      session.search(some, some, scoring_, {.detail = Detail::score, .statistics = statistics});
    });
  };
  const auto align = [&](bool all, bool significance) {
    return reserved_by(kMemory, [&](Session& session) {
      AlignOptions options{.detail = Detail::score, .significance = significance};
      options.statistics = few_shuffles();
      const std::vector<IndexPair> pairs = {{0, 1}, {3, 2}};
      const RowSink sink = [](const Columns&, const std::string&) {};
      if (all)
        session.align_all(some, some, scoring_, options, sink);
      else
        session.align(some, some, pairs, scoring_, options, sink);
    });
  };
  EXPECT_EQ(search(few_shuffles()), search(no_statistics()) + kShuffles);
  EXPECT_EQ(align(false, true), align(false, false) + kShuffles);
  EXPECT_EQ(align(true, true), align(true, false) + kShuffles);
  for (const std::uint64_t reserved : {search(few_shuffles()), align(false, true), align(true, true)})
    EXPECT_LE(reserved, kMemory / 2);
}

// Stripes use all memory that they may have. The memory of shuffles is taken off before, so that stripes get
// smaller.
TEST_F(ApiMemory, StripesLeaveRoomForShuffles) {
  const auto all_pairs = [&](std::uint64_t memory, const StatisticsOptions& statistics) {
    Session session(session_options(2, memory));
    AllPairsOptions options;
    options.detail = Detail::score;
    options.statistics = statistics;
    Batches batches;
    session.all_pairs(set_, scoring_, options,
                      PairSink{.rows = [&](const Columns& batch, const auto&) { batches.add(batch); }});
    return batches;
  };
  const Batches plain = all_pairs(1 << 20, no_statistics()), judged = all_pairs(1 << 20, few_shuffles());
  EXPECT_GT(plain.count, 1u);
  EXPECT_LT(judged.most, plain.most);
  EXPECT_GT(judged.count, plain.count);
  EXPECT_TRUE(same(judged.rows, all_pairs(1 << 28, few_shuffles()).rows)) << "stripes show in no result";
}

TEST_F(ApiMemory, IdentityRangesCountInBatches) {
  constexpr std::uint64_t kMemory = 1 << 20;
  constexpr std::size_t kMost = kMemory / 16 / kRangeBytes + 1, kHits = 5;
  const auto align = [&](std::uint64_t memory) {
    Session session(session_options(2, memory));
    AlignOptions options{.detail = Detail::score};
    options.identity_ranges = {Denominator::alignment};
    Batches batches;
    session.align_all(set_, set_, scoring_, options,
                      [&](const Columns& rows, const std::string&) { batches.add(rows); });
    return batches;
  };
  const auto search = [&](std::uint64_t memory) {
    Session session(session_options(2, memory));
    SearchOptions options{.detail = Detail::score, .max_target_seqs = kHits, .statistics = no_statistics()};
    options.identity_ranges = {Denominator::alignment};
    Batches batches;
    session.search(set_, set_, scoring_, options, [&](const SearchBatch& batch) { batches.add(batch.rows); });
    return batches;
  };
  const Batches aligned = align(kMemory), found = search(kMemory);
  EXPECT_LE(aligned.most, kMost);
  EXPECT_LE(found.most, kMost + kHits) << "of whole queries";
  EXPECT_GT(aligned.count, 1u);
  EXPECT_GT(found.count, 1u);
  EXPECT_TRUE(same(aligned.rows, align(1 << 28).rows));
  EXPECT_TRUE(same(found.rows, search(1 << 28).rows));
}

}  // namespace
}  // namespace alnus::test
