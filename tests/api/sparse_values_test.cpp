// Session::all_pairs: sparse values, those that pass a cutoff.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "core/pair_value.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Values by row and column, which is the order in which they must come.
using Values = std::map<std::pair<Index, Index>, double>;

class ApiSparseValues : public testing::Test {
 protected:
  struct Found {
    Values sparse, dense;
    std::vector<SparseValues> batches;
  };

  static AllPairsOptions options_of(PairValue kind, std::optional<double> cutoff) {
    AllPairsOptions options;
    options.statistics = no_statistics();
    options.detail = Detail::score;
    options.value = MatrixValue{kind, Denominator::shorter};
    options.cutoff = cutoff;
    return options;
  }
  // Returns the values of all pairs of two sets, or of one set if `against` is null.
  Found all_pairs(Session& session, const SequenceSet& set, const SequenceSet* against,
                  const AllPairsOptions& options, bool with_dense = true) const {
    Found found;
    std::optional<std::pair<Index, Index>> last;
    PairSink sink;
    sink.sparse = [&](const SparseValues& batch) {
      EXPECT_GT(batch.size(), 0u);
      EXPECT_EQ(batch.row.size(), batch.size());
      EXPECT_EQ(batch.column.size(), batch.size());
      for (std::size_t k = 0; k < batch.size(); ++k) {
        const std::pair place{batch.row[k], batch.column[k]};
        EXPECT_TRUE(!last || *last < place) << "ordered by row, then column, none twice";
        last = place;
        found.sparse[place] = batch.value[k];
      }
      found.batches.push_back(batch);
    };
    if (with_dense)
      sink.values = [&](const ValueStripe& stripe) {
        for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row) {
          const Index end = against ? stripe.columns.end : std::min(stripe.columns.end, row + options.self);
          for (Index column = stripe.columns.begin; column < end; ++column)
            found.dense[{row, column}] = stripe.row(row)[column - stripe.columns.begin];
        }
      };
    if (against)
      session.all_pairs(set, *against, scoring_, options, sink);
    else
      session.all_pairs(set, scoring_, options, sink);
    return found;
  }
  static Values passing(const Values& values, PairValue kind, double cutoff) {
    Values result = values;
    std::erase_if(result, [&](const auto& value) {
      return is_distance(kind) ? value.second > cutoff : value.second < cutoff;
    });
    return result;
  }
  std::string refused(const AllPairsOptions& options) {
    return input_error(
        [&] { session_.all_pairs(set_, scoring_, options, PairSink{.sparse = [](const SparseValues&) {}}); });
  }

  const SequenceSet set_ = joined(relatives_set(1, 15, 40), random_set({.seed = 2, .count = 12}));
  const SequenceSet against_ = joined(relatives_set(1, 6, 40), random_set({.seed = 3, .count = 5}));
  Scoring scoring_ = default_scoring("global");
  Session session_{session_options()};
};

TEST_F(ApiSparseValues, AreTheValuesThatPassWhateverTheCutoff) {
  for (const char* mode : {"local", "global", "semiglobal"}) {
    scoring_ = default_scoring(mode);
    for (const PairValue kind :
         {PairValue::score, PairValue::identity, PairValue::distance, PairValue::score_distance}) {
      for (const SequenceSet* against : {static_cast<const SequenceSet*>(nullptr), &against_}) {
        AllPairsOptions options = options_of(kind, is_distance(kind) ? kInfinity : -kInfinity);
        options.self = against == nullptr;
        const Values all = all_pairs(session_, set_, against, options).sparse;
        EXPECT_EQ(all.size(), against ? 27u * 11 : 27u * 28 / 2) << "an infinite cutoff passes every pair";
        std::vector<double> cutoffs = {0, -3.5, 30, kInfinity, -kInfinity};
        for (const std::size_t k : {std::size_t{0}, all.size() / 3, all.size() / 2, all.size() - 1}) {
          const double value = std::next(all.begin(), static_cast<std::ptrdiff_t>(k))->second;
          for (const double cutoff :
               {value, std::nextafter(value, -kInfinity), std::nextafter(value, kInfinity)})
            cutoffs.push_back(cutoff);
        }
        for (const double cutoff : cutoffs) {
          options.cutoff = cutoff;
          const Found found = all_pairs(session_, set_, against, options);
          EXPECT_EQ(found.dense, all);
          EXPECT_EQ(found.sparse, passing(all, kind, cutoff)) << mode << " " << cutoff;
        }
      }
    }
  }
}

TEST_F(ApiSparseValues, ComeWithoutTheOthers) {
  for (const bool self : {false, true}) {
    AllPairsOptions options = options_of(PairValue::score_distance, 60);
    options.self = self;
    const Found found = all_pairs(session_, set_, nullptr, options);
    EXPECT_EQ(found.sparse, passing(found.dense, PairValue::score_distance, 60));
    EXPECT_LT(found.sparse.size(), found.dense.size());
    EXPECT_GT(found.sparse.size(), 20u);
    EXPECT_EQ(all_pairs(session_, set_, nullptr, options, false).sparse, found.sparse);
  }
}

TEST_F(ApiSparseValues, OfABlockAreThoseOfItsPairs) {
  for (const SequenceSet* against : {static_cast<const SequenceSet*>(nullptr), &against_}) {
    AllPairsOptions options = options_of(PairValue::identity, 30);
    const Values whole = all_pairs(session_, set_, against, options, false).sparse;
    const Index columns = against ? against->size() : set_.size();
    Values together;
    for (const IndexRange rows : {IndexRange{0, 9}, IndexRange{9, 10}, IndexRange{10, 27}})
      for (const IndexRange part : {IndexRange{0, 4}, IndexRange{4, columns}}) {
        options.block = Block{rows, part};
        Values found = all_pairs(session_, set_, against, options, false).sparse;
        together.merge(found);
        EXPECT_TRUE(found.empty()) << "no pair is in two blocks";
      }
    EXPECT_EQ(together, whole);
    EXPECT_GT(whole.size(), 10u);
  }
}

TEST_F(ApiSparseValues, PassTheFiltersAsEdgesDo) {
  for (const PairFilter& filter :
       {PairFilter{{}, 20}, PairFilter{{.min_identity = 40, .denominator = Denominator::longer}},
        PairFilter{{.min_length = 41}}}) {
    AllPairsOptions options = options_of(PairValue::score_distance, 150);
    const Values unfiltered = all_pairs(session_, set_, nullptr, options).sparse;
    options.filter = filter;
    Values expected;
    session_.all_pairs(set_, scoring_, options,
                       PairSink{.rows = [&](const Columns& rows, const std::string&) {
                         for (std::size_t i = 0; i < rows.size(); ++i) {
                           const auto value = unfiltered.find({rows.subject[i], rows.query[i]});
                           if (value != unfiltered.end()) expected.insert(*value);
                         }
                       }});
    const Found found = all_pairs(session_, set_, nullptr, options);
    EXPECT_EQ(found.sparse, expected);
    EXPECT_GT(expected.size(), 0u);
    EXPECT_LT(expected.size(), unfiltered.size());
    EXPECT_EQ(found.dense.size(), 27u * 26 / 2) << "stripes are of every pair";
  }
}

TEST_F(ApiSparseValues, ABatchTakesASixteenthOfTheMemoryAtMostAndOwnsItsArrays) {
  const SequenceSet set = random_set({.count = 900, .shortest = 3, .longest = 6});
  constexpr std::uint64_t kMemory = 4 << 20, kBytesOfPair = 17;
  Found found;
  {
    Session session(session_options(2, kMemory));
    found = all_pairs(session, set, nullptr, options_of(PairValue::score, -kInfinity), false);
  }
  EXPECT_GT(found.batches.size(), 20u);
  Values again;
  for (const SparseValues& batch : found.batches) {
    EXPECT_LE(batch.size() * kBytesOfPair, kMemory / 16);
    EXPECT_NE(batch.owner, nullptr);
    for (std::size_t k = 0; k < batch.size(); ++k) again[{batch.row[k], batch.column[k]}] = batch.value[k];
  }
  EXPECT_EQ(again.size(), 900u * 899 / 2);
  EXPECT_EQ(again, found.sparse);
}

TEST_F(ApiSparseValues, NeedAValueAndACutoff) {
  AllPairsOptions options = options_of(PairValue::score, 3);
  EXPECT_EQ(all_pairs(session_, SequenceSet(), nullptr, options).batches.size(), 0u);
  options.cutoff.reset();
  EXPECT_THAT(refused(options), HasSubstr("cutoff"));
  options.cutoff = std::nan("");
  EXPECT_THAT(refused(options), HasSubstr("cutoff"));
  options.cutoff = 3;
  options.value.reset();
  EXPECT_THAT(refused(options), HasSubstr("value"));
}

TEST_F(ApiSparseValues, ACutoffOfIdentityIsAFilterToBeWarnedOf) {
  scoring_ = default_scoring();
  const auto warnings = [&](PairValue kind, double cutoff, Denominator denominator) {
    std::string said;
    RunControl control;
    control.on_message = [&](const Message& message) { said += message.text() + "\n"; };
    AllPairsOptions options = options_of(kind, cutoff);
    options.value->denominator = denominator;
    session_.all_pairs(set_, scoring_, options, PairSink{.sparse = [](const SparseValues&) {}}, control);
    return said;
  };
  EXPECT_THAT(warnings(PairValue::identity, 30, Denominator::alignment),
              AllOf(HasSubstr("cutoff is relative"), HasSubstr("Divide by more"), Not(HasSubstr("min_"))));
  EXPECT_EQ(warnings(PairValue::identity, 0.3, Denominator::longer),
            "A cutoff of 0.3% identity drops next to nothing.\n");
  EXPECT_THAT(warnings(PairValue::score_distance, 0.3, Denominator::alignment),
              HasSubstr("A score distance is relative"));
}

TEST_F(ApiSparseValues, AnExceptionOfTheCallbackEndsTheCall) {
  int calls = 0;
  PairSink sink;
  sink.sparse = [&](const SparseValues&) {
    ++calls;
    throw std::runtime_error("enough");
  };
  Session small(session_options(2, 1 << 20));
  const SequenceSet set = random_set({.count = 300, .shortest = 3, .longest = 6});
  const AllPairsOptions options = options_of(PairValue::score, -kInfinity);
  EXPECT_THROW(small.all_pairs(set, scoring_, options, sink), std::runtime_error);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(all_pairs(small, set, nullptr, options, false).sparse.size(), 300u * 299 / 2);
}

}  // namespace
}  // namespace alnus::test
