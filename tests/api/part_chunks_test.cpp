// What parts hold in their chunks: it comes back as it was, and arrays that contradict each other are
// refused.
#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "alnus/row_columns.h"
#include "api/support/errors.h"
#include "api/support/forged_parts.h"
#include "api/support/inputs.h"
#include "jobs/part_calls.h"
#include "jobs/part_columns.h"
#include "jobs/part_sequences.h"

namespace alnus::test {
namespace {

using jobs::GatheredSequences;
using jobs::PartHits;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

constexpr const char* kOtherSizes = "its arrays have other sizes than they should";
constexpr const char* kNoValue = "a value of its text is not one that alnus writes";

// ---- Sequences ----

// The arrays of a chunk of sequences. These are "s0" with two and "s1" with three residues.
struct SequenceArrays {
  std::vector<std::uint8_t> head{0, 1, 1};  // the side, and whether there are names and letters
  std::vector<Index> which{0, 1};
  std::vector<std::uint32_t> lengths{2, 3};
  std::vector<FileOrdinal> ordinals{FileOrdinal{7}, FileOrdinal{4}};
  std::vector<std::uint64_t> header_ends{2, 4};
  std::string headers = "s0s1";
  Residues letters{1, 2, 3, 4, 5};
  std::string qualities{};

  io::ChunkBytes chunk() const {
    io::Packer packer;
    packer.add(head);
    packer.add(which);
    packer.add(lengths);
    packer.add(ordinals);
    packer.add(header_ends);
    packer.add(headers);
    packer.add(letters);
    packer.add(qualities);
    return chunk_of(packer);
  }
};
SequenceArrays with(const std::function<void(SequenceArrays&)>& change) {
  SequenceArrays arrays;
  change(arrays);
  return arrays;
}
void without_names(SequenceArrays& arrays) {
  arrays.head[1] = 0;
  arrays.header_ends.clear();
  arrays.headers.clear();
}
void without_letters(SequenceArrays& arrays) {
  arrays.head[2] = 0;
  arrays.letters.clear();
}

TEST(PartChunks, OfSequences) {
  constexpr AlphabetKind kKind = AlphabetKind::protein;
  const auto codes = static_cast<Residue>(Alphabet::of(kKind).size());
  using Arrays = SequenceArrays;
  const std::pair<std::string, std::function<void(Arrays&)>> cases[] = {
      {"", [](Arrays&) {}},
      {"", without_names},
      {"", without_letters},
      {"",
       [](Arrays& a) {
         a.which = {1, 0};
       }},
      {"",
       [](Arrays& a) {
         a.header_ends = {0, 4};
       }},
      {"",
       [](Arrays& a) {
         a.header_ends = {4, 4};
       }},
      {"", [&](Arrays& a) { a.letters[4] = static_cast<Residue>((codes - 1) | kLowerCase); }},
      {"", [](Arrays& a) { a.qualities = "IIIII"; }},
      {"",
       [](Arrays& a) {
         without_letters(a);
         a.lengths[1] = kLongestSequence;
       }},
      {kOtherSizes, [](Arrays& a) { a.head.pop_back(); }},
      {kOtherSizes, [](Arrays& a) { a.head[1] = 2; }},
      {kOtherSizes, [](Arrays& a) { a.head[2] = 2; }},
      {kOtherSizes, [](Arrays& a) { a.which[1] = 2; }},
      {kOtherSizes, [](Arrays& a) { a.which[1] = 0; }},  // with another length
      {kOtherSizes, [](Arrays& a) { a.which.pop_back(); }},
      {kOtherSizes, [](Arrays& a) { a.lengths.push_back(0); }},
      {kOtherSizes, [](Arrays& a) { a.ordinals.pop_back(); }},
      {kOtherSizes, [](Arrays& a) { a.header_ends.pop_back(); }},
      {kOtherSizes, [](Arrays& a) { a.head[1] = 0; }},
      {kOtherSizes,
       [](Arrays& a) {
         without_letters(a);
         a.lengths[1] = std::uint32_t{kLongestSequence} + 1;
       }},
      {kOtherSizes,
       [](Arrays& a) {
         a.header_ends = {3, 2};
       }},
      {kOtherSizes,
       [](Arrays& a) {
         a.header_ends = {2, 5};
       }},
      {kOtherSizes,
       [](Arrays& a) {
         a.header_ends = {2, 3};
       }},
      {kOtherSizes, [&](Arrays& a) { a.letters[4] = codes; }},
      {kOtherSizes, [&](Arrays& a) { a.letters[0] = static_cast<Residue>(codes | kLowerCase); }},
      {kOtherSizes, [](Arrays& a) { a.letters[0] |= 0x40; }},
      {kOtherSizes, [](Arrays& a) { a.letters[0] |= 0x80; }},
      {kOtherSizes, [](Arrays& a) { a.letters.pop_back(); }},
      {kOtherSizes, [](Arrays& a) { a.letters.push_back(1); }},
      {kOtherSizes, [](Arrays& a) { a.head[2] = 0; }},
      {kOtherSizes, [](Arrays& a) { a.qualities = "IIII"; }},
      {kOtherSizes, [](Arrays& a) { a.qualities = "IIIIII"; }},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE("case " + std::to_string(&one - cases));
    GatheredSequences gathered(kKind, 2, "set.fa");
    expect_refusal(one.first, [&] { gathered.add(with(one.second).chunk()); });
    EXPECT_TRUE(!one.first.empty() || gathered.complete());
  }
  for (const std::uint8_t side : {0, 1, 2})
    expect_refusal(side == 2 ? kOtherSizes : "", [&] {
      EXPECT_EQ(
          static_cast<int>(GatheredSequences::side_of(with([&](Arrays& a) { a.head[0] = side; }).chunk())),
          side);
    });
}

// Two chunks may tell the same sequence, but not two things of it.
TEST(PartChunks, OfSequencesThatContradictEachOther) {
  const std::pair<std::string, std::function<void(SequenceArrays&)>> cases[] = {
      {"", [](SequenceArrays&) {}},
      {"", without_names},
      {"", without_letters},
      {kOtherSizes, [](SequenceArrays& a) { a.ordinals[1] = FileOrdinal{5}; }},
      {kOtherSizes, [](SequenceArrays& a) { a.headers[3] = '2'; }},
      {kOtherSizes, [](SequenceArrays& a) { a.letters[4] = 6; }},
      {kOtherSizes, [](SequenceArrays& a) { a.letters[4] |= kLowerCase; }},
      {kOtherSizes,
       [](SequenceArrays& a) {
         without_letters(a);
         a.lengths[0] = 3;
       }},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE("case " + std::to_string(&one - cases));
    GatheredSequences gathered(AlphabetKind::protein, 2, "set.fa");
    gathered.add(SequenceArrays{}.chunk());
    expect_refusal(one.first, [&] { gathered.add(with(one.second).chunk()); });
  }
}

TEST(PartChunks, OfSequencesAreGathered) {
  GatheredSequences gathered(AlphabetKind::protein, 3, "set.fa");
  const auto expect_known = [&](bool complete, bool names, bool letters) {
    EXPECT_EQ(gathered.complete(), complete);
    EXPECT_EQ(gathered.has_all(&GatheredSequences::has_name), names);
    EXPECT_EQ(gathered.has_all(&GatheredSequences::has_letters), letters);
  };
  const SequenceArrays both = with([](SequenceArrays& arrays) { arrays.qualities = "ABCDE"; });
  for (int times = 0; times < 2; ++times) {
    expect_known(false, false, false);
    gathered.add(with(without_letters).chunk());
  }
  SequenceArrays third{{0, 0, 1}, {2}, {1}, {FileOrdinal{5}}, {}, "", {9}, ""};
  gathered.add(third.chunk());
  expect_known(true, false, false);
  EXPECT_TRUE(gathered.has_name(1) && !gathered.has_name(2));
  EXPECT_TRUE(!gathered.has_letters(1) && gathered.has_letters(2));
  gathered.add(both.chunk());
  expect_known(true, false, true);
  third.head[1] = 1;
  third.headers = "s2 title";
  third.header_ends = {8};
  gathered.add(third.chunk());
  expect_known(true, true, true);
  const SequenceSet set = gathered.finish();
  ASSERT_EQ(set.size(), 3u);
  EXPECT_THAT(set.residues(0), ElementsAre(1, 2));
  EXPECT_THAT(set.residues(1), ElementsAre(3, 4, 5));
  EXPECT_THAT(set.residues(2), ElementsAre(9));
  EXPECT_EQ(set[0].header, "s0");
  EXPECT_EQ(set[2].header, "s2 title");
  EXPECT_EQ(set[0].quality, "AB");
  EXPECT_EQ(set[1].quality, "CDE");
  EXPECT_EQ(set[2].quality, "");
  EXPECT_EQ(set.file_ordinal(1), FileOrdinal{4});
  EXPECT_EQ(set.file_ordinal(2), FileOrdinal{5});
  EXPECT_EQ(set.origin(), "set.fa");
}

TEST(PartChunks, OfSequencesThatNoSetHas) {
  GatheredSequences one_place(AlphabetKind::protein, 2, "set.fa");
  one_place.add(with([](SequenceArrays& arrays) { arrays.ordinals[0] = arrays.ordinals[1]; }).chunk());
  expect_refusal("two sequences have one place in their file", [&] { one_place.finish(); });

  GatheredSequences lacking(AlphabetKind::protein, 3, "set.fa");
  lacking.add(with([](SequenceArrays& arrays) { arrays.qualities = "IIIII"; }).chunk());
  lacking.add(SequenceArrays{{0, 0, 0}, {2}, {1}, {FileOrdinal{5}}, {}, "", {}, ""}.chunk());
  expect_refusal("sequences with qualities lack their letters", [&] { lacking.finish(); });

  constexpr Index kMany = (1 << 15) + 1;  // of the longest sequences: just above 2^46 residues
  SequenceArrays all{{0, 0, 0}, {}, std::vector<std::uint32_t>(kMany, kLongestSequence), {}, {}, "", {}, ""};
  for (Index i = 0; i < kMany; ++i) {
    all.which.push_back(i);
    all.ordinals.push_back(FileOrdinal{i});
  }
  GatheredSequences too_long(AlphabetKind::protein, kMany, "set.fa");
  too_long.add(all.chunk());
  EXPECT_TRUE(too_long.complete());
  expect_refusal("longer than any memory", [&] { too_long.finish(); });
}

TEST(PartChunks, SharesOfSequences) {
  for (const Index count : {0U, 1U, 2U, 7U, 8U, 9U, 1000U})
    for (const std::size_t parts : {1U, 2U, 3U, 8U, 999U, 1000U, 1001U}) {
      SCOPED_TRACE(std::to_string(count) + " in " + std::to_string(parts));
      std::vector<Index> all(count), shared;
      std::iota(all.begin(), all.end(), 0);
      for (std::size_t number = 1; number <= parts; ++number) {
        const std::vector<Index> share = jobs::share_of(count, {number, parts});
        EXPECT_GE(share.size(), count / parts);
        EXPECT_LE(share.size(), (count + parts - 1) / parts);
        shared.insert(shared.end(), share.begin(), share.end());
      }
      EXPECT_EQ(shared, all);
      EXPECT_EQ(jobs::share_of(count, {1, parts, parts - 1}), all);
    }
}

// ---- Hits ----

class PartChunksOfHits : public ::testing::Test {
 protected:
  PartChunksOfHits() {
    OwnedColumns columns;
    for (const Index subject : {5, 2, 3}) {
      Row row;
      row.query = subject == 3 ? 2 : 0;
      row.subject = subject;
      row.score = static_cast<std::int32_t>(10 * subject);
      columns.add(row, ColumnGroups::of(Detail::score, false, false));
    }
    hits_.batch.rows = columns.finish();
    hits_.batch.first_row = first_row_;
    hits_.batch.queries = {0, 3};
    hits_.batch.statistics = "words";
    hits_.block = {{4, 7}, {10, 20}};
  }
  void expect(const std::string& clause, const std::function<void(PartHits&)>& change) const {
    PartHits changed = hits_;
    change(changed);
    const io::ChunkBytes chunk = chunk_of(jobs::packed(changed, changed.block));
    expect_refusal(clause, [&] { jobs::hits_of(chunk); });
  }

  const std::vector<std::uint64_t> first_row_{0, 2, 2, 3};
  PartHits hits_;
};

TEST_F(PartChunksOfHits, ComeBackWithTheNumbersOfTheWholeInputs) {
  using Karlin = QueryStatistics::Karlin;
  hits_.batch.query_statistics = {{"first", Karlin{0.25, 0.5, 1.5, 1e6, -3}}, {"", {}}, {"third", {}}};
  hits_.candidates = {{Strand::minus, {{7, FileOrdinal{3}}, {6, FileOrdinal{9}}}}, {Strand::plus, {}}};
  const PartHits read = jobs::hits_of(chunk_of(jobs::packed(hits_, hits_.block)));
  EXPECT_EQ(read.block, hits_.block);
  EXPECT_EQ(read.batch.queries, (IndexRange{4, 7}));
  EXPECT_THAT(read.batch.rows.query, ElementsAre(4, 4, 6));
  EXPECT_THAT(read.batch.rows.subject, ElementsAre(15, 12, 13));
  EXPECT_THAT(read.batch.rows.score, ElementsAre(50, 20, 30));
  EXPECT_THAT(read.batch.first_row, ElementsAreArray(first_row_));
  EXPECT_EQ(read.batch.statistics, "words");
  const std::vector<QueryStatistics>& statistics = read.batch.query_statistics;
  ASSERT_EQ(statistics.size(), 3u);
  for (std::size_t q = 0; q < 3; ++q) {
    EXPECT_EQ(statistics[q].description, hits_.batch.query_statistics[q].description);
    EXPECT_EQ(statistics[q].karlin.has_value(), q == 0);
  }
  const Karlin& karlin = statistics[0].karlin.value();
  EXPECT_EQ(karlin.lambda, 0.25);
  EXPECT_EQ(karlin.K, 0.5);
  EXPECT_EQ(karlin.H, 1.5);
  EXPECT_EQ(karlin.search_space, 1e6);
  EXPECT_EQ(karlin.length_adjustment, -3);
  ASSERT_EQ(read.candidates.size(), 2u);
  EXPECT_EQ(read.candidates[0].strand, Strand::minus);
  ASSERT_EQ(read.candidates[0].keys.size(), 2u);
  EXPECT_EQ(read.candidates[0].keys[1].score, 6);
  EXPECT_EQ(read.candidates[0].keys[1].ordinal, FileOrdinal{9});
  EXPECT_THAT(read.candidates[1].keys, IsEmpty());
}

TEST_F(PartChunksOfHits, ThatContradictThemselves) {
  expect("", [](PartHits&) {});
  static const std::vector<std::uint64_t> no_rows = {0};
  expect("", [](PartHits& hits) {  // of no query
    hits.batch.queries = {1, 1};
    hits.batch.rows = {};
    hits.batch.first_row = no_rows;
  });
  static const std::vector<std::vector<std::uint64_t>> first_rows = {
      {0, 2, 3}, {0, 2, 2, 2, 3}, {1, 2, 2, 3}, {0, 2, 1, 3}, {0, 2, 2, 2}, {0, 2, 3, 4}, {}};
  for (const std::vector<std::uint64_t>& first_row : first_rows) {
    SCOPED_TRACE(::testing::PrintToString(first_row));
    expect(kOtherSizes, [&](PartHits& hits) { hits.batch.first_row = first_row; });
  }
  expect(kOtherSizes, [](PartHits& hits) { hits.batch.rows.query = hits.batch.rows.query.subspan(1); });
  expect(kOtherSizes, [](PartHits& hits) { hits.batch.rows.subject = hits.batch.rows.subject.subspan(1); });
  expect(kOtherSizes, [](PartHits& hits) { hits.batch.rows.score = hits.batch.rows.score.subspan(1); });
  expect(kOtherSizes, [](PartHits& hits) { hits.batch.queries = {4, 3}; });
  for (const std::size_t count : {1U, 2U, 3U, 4U})
    expect(count == 3 ? "" : kOtherSizes, [&](PartHits& hits) { hits.batch.query_statistics.resize(count); });
  for (const double number :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (double QueryStatistics::Karlin::*const member :
         {&QueryStatistics::Karlin::lambda, &QueryStatistics::Karlin::search_space})
      expect(kOtherSizes, [&](PartHits& hits) {
        hits.batch.query_statistics.resize(3);
        QueryStatistics::Karlin karlin;
        karlin.*member = number;
        hits.batch.query_statistics[2].karlin = karlin;
      });
  expect(kOtherSizes, [](PartHits& hits) { hits.candidates = {{static_cast<Strand>(2), {}}}; });
}

// ---- Summaries ----

TEST(PartChunks, OfSummaries) {
  SearchSummary right;
  right.queries = 3;
  right.cut_ties = 3;
  right.fallbacks = 3;
  right.cut_tie_ids = std::vector<std::string>(kNamedQueries, "id");
  right.histogram = {.lowest = -5, .pairs = {1, 0, 7}, .expected = {0.5, -1, 2}, .stride = 4};
  right.seconds = 0;
  const auto expect_summary = [&](const std::string& clause,
                                  const std::function<void(SearchSummary&)>& change) {
    SearchSummary summary = right;
    change(summary);
    const io::ChunkBytes chunk = chunk_of(jobs::packed(summary));
    expect_refusal(clause, [&] {
      const SearchSummary read = jobs::search_summary_of(chunk);
      EXPECT_EQ(read.cut_tie_ids, right.cut_tie_ids);
      EXPECT_EQ(read.histogram.lowest, -5);
      EXPECT_EQ(read.histogram.pairs, right.histogram.pairs);
      EXPECT_EQ(read.histogram.expected, summary.histogram.expected);
      EXPECT_EQ(read.histogram.stride, 4u);
    });
  };
  expect_summary("", [](SearchSummary&) {});
  expect_summary("", [](SearchSummary& one) { one.histogram.expected.clear(); });
  expect_summary(kNoValue, [](SearchSummary& one) { one.cut_tie_ids.emplace_back("more"); });
  expect_summary(kNoValue, [](SearchSummary& one) { one.cut_ties = 4; });
  expect_summary(kNoValue, [](SearchSummary& one) { one.fallbacks = 4; });
  expect_summary(kNoValue, [](SearchSummary& one) { one.seconds = -1; });
  expect_summary(kNoValue, [](SearchSummary& one) { one.histogram.stride = 0; });
  expect_summary(kNoValue, [](SearchSummary& one) { one.histogram.expected.push_back(0); });
  for (const double number :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()})
    expect_summary(kNoValue, [&](SearchSummary& one) { one.histogram.expected[2] = number; });
}

TEST(PartChunks, PicturesOfAllPartsAddUp) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const bool judged = below(random, 2) == 0;
    ScoreHistogram all;
    std::map<std::int32_t, std::uint64_t> pairs;
    std::map<std::int32_t, double> expected;
    const std::size_t parts = 1 + below(random, 4);
    for (std::size_t part = 0; part < parts; ++part) {
      ScoreHistogram one;
      one.stride = 3;
      one.lowest = static_cast<std::int32_t>(below(random, 12)) - 6;
      one.pairs.resize(below(random, 6));
      one.expected.resize(judged ? below(random, one.pairs.size() + 1) : 0);
      for (std::size_t k = 0; k < one.pairs.size(); ++k) {
        const std::int32_t score = one.lowest + static_cast<std::int32_t>(k);
        pairs[score] += one.pairs[k] = below(random, 5);
        if (k < one.expected.size())
          expected[score] += one.expected[k] = static_cast<double>(below(random, 5));
      }
      jobs::add(one, all);
    }
    if (pairs.empty()) {
      EXPECT_THAT(all.pairs, IsEmpty());
      continue;
    }
    EXPECT_EQ(all.stride, 3u);
    EXPECT_EQ(all.lowest, pairs.begin()->first);
    ASSERT_EQ(all.pairs.size(), static_cast<std::size_t>(pairs.rbegin()->first - all.lowest) + 1);
    EXPECT_TRUE(all.expected.empty() ? expected.empty() : all.expected.size() == all.pairs.size());
    for (std::size_t k = 0; k < all.pairs.size(); ++k) {
      const std::int32_t score = all.lowest + static_cast<std::int32_t>(k);
      EXPECT_EQ(all.pairs[k], pairs[score]);
      if (!all.expected.empty()) {
        EXPECT_EQ(all.expected[k], expected[score]);
      }
    }
  }
}

}  // namespace
}  // namespace alnus::test
