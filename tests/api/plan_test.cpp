// Plans, blocks of a job that separate sessions compute, and searches of parts of a database.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <tuple>

#include "alnus/session.h"
#include "api/support/errors.h"
#include "api/support/inputs.h"
#include "api/support/table.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;
using Covered = std::map<std::pair<Index, Index>, int>;  // how often each pair is planned, by row and column

// Returns how often each pair is in the plan's parts; checks the pairs and cells that the parts state.
Covered covered_by(const Plan& plan, const SequenceSet& rows, const SequenceSet& columns) {
  Covered covered;
  for (const PlannedPart& part : plan.parts) {
    std::uint64_t pairs = 0, cells = 0;
    for (const Block& block : part.blocks)
      for (Index row = block.rows.begin; row < block.rows.end; ++row) {
        Index end = block.columns.end;
        if (plan.job == Plan::Job::all_pairs) end = std::min(end, row + (plan.self ? 1 : 0));
        for (Index column = block.columns.begin; column < end; ++column, ++pairs) {
          ++covered[{row, column}];
          cells += rows.length(row) * columns.length(column);
        }
      }
    EXPECT_EQ(part.pairs, pairs);
    EXPECT_EQ(part.cells, cells);
  }
  return covered;
}

void expect_each_once(const Covered& covered, std::size_t pairs) {
  EXPECT_EQ(covered.size(), pairs);
  for (const auto& [pair, times] : covered)
    EXPECT_EQ(times, 1) << "pair " << pair.first << ", " << pair.second;
}

class ApiPlan : public testing::Test {
 protected:
  const SequenceSet set_ = random_set({.count = 30, .longest = 90}),
                    against_ = random_set({.seed = 2, .count = 13, .longest = 50});
};

TEST_F(ApiPlan, BlocksOfOneSetHaveEveryPairOnceForAnyNumberOfParts) {
  for (const bool self : {false, true}) {
    for (std::size_t parts = 1; parts <= 40; ++parts) {
      SCOPED_TRACE(parts);
      const Plan plan = plan_all_pairs(set_, self, parts);
      EXPECT_EQ(plan.job, Plan::Job::all_pairs);
      EXPECT_EQ(plan.self, self);
      EXPECT_EQ(plan.parts.size(), parts);
      expect_each_once(covered_by(plan, set_, set_), 30 * 29 / 2 + (self ? 30 : 0));
    }
  }
}

TEST_F(ApiPlan, BlocksOfTwoSetsAndOfASearchHaveEveryPairOnceForAnyNumberOfParts) {
  for (std::size_t parts = 1; parts <= 40; ++parts) {
    SCOPED_TRACE(parts);
    const Plan pairs = plan_all_pairs(set_, against_, parts), search = plan_search(set_, against_, parts);
    EXPECT_EQ(pairs.job, Plan::Job::all_pairs_of_two);
    EXPECT_EQ(search.job, Plan::Job::search);
    for (const Plan& plan : {pairs, search}) {
      EXPECT_EQ(plan.parts.size(), parts);
      expect_each_once(covered_by(plan, set_, against_), 30 * 13);
    }
  }
}

TEST_F(ApiPlan, OfOnePartIsTheWholeMatrix) {
  const Plan one_set = plan_all_pairs(set_, false, 1), two_sets = plan_all_pairs(set_, against_, 1);
  EXPECT_THAT(one_set.parts.at(0).blocks, testing::ElementsAre(Block{{0, set_.size()}, {0, set_.size()}}));
  EXPECT_THAT(two_sets.parts.at(0).blocks,
              testing::ElementsAre(Block{{0, set_.size()}, {0, against_.size()}}));
}

// Empty records come last, as in a database file.
TEST_F(ApiPlan, SequencesWithoutResiduesMakeNoPartMore) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (const std::size_t length : {5, 3, 4, 0, 0, 0}) builder.add("s", std::vector<Residue>(length, 1));
  const SequenceSet set = builder.finish(), empty = set.part(3, 6);
  for (std::size_t parts = 1; parts <= 8; ++parts) {
    SCOPED_TRACE(parts);
    for (const SequenceSet& rows : {set, empty}) {
      const Plan pairs = plan_all_pairs(rows, false, parts), two = plan_all_pairs(rows, set, parts),
                 search = plan_search(set, rows, parts);
      for (const Plan& plan : {pairs, two, search}) EXPECT_EQ(plan.parts.size(), parts);
      expect_each_once(covered_by(pairs, rows, rows), rows.size() * (rows.size() - 1) / 2);
      expect_each_once(covered_by(two, rows, set), rows.size() * set.size());
      expect_each_once(covered_by(search, set, rows), rows.size() * set.size());
    }
  }
}

TEST_F(ApiPlan, BlocksOfAllPairsAreWholeRowsInOrder) {
  for (const Plan& plan : {plan_all_pairs(set_, true, 5), plan_all_pairs(set_, against_, 5)}) {
    Index next = 0;
    for (const PlannedPart& part : plan.parts)
      for (const Block& block : part.blocks) {
        EXPECT_EQ(block.rows.begin, next);
        next = block.rows.end;
      }
    EXPECT_EQ(next, set_.size());
  }
}

// Returns how many pairs of a search come before a block, query by query.
std::uint64_t place_of(const Block& block, const SequenceSet& subjects) {
  return std::uint64_t{block.rows.begin} * subjects.size() + block.columns.begin;
}

TEST_F(ApiPlan, PartsOfASearchFollowEachOtherQueryByQuery) {
  for (const std::size_t parts : {2U, 7U, 31U, 200U}) {
    const Plan plan = plan_search(set_, against_, parts);
    std::uint64_t next = 0;
    for (const PlannedPart& part : plan.parts) {
      EXPECT_LE(part.blocks.size(), 3u);
      for (const Block& block : part.blocks) {
        EXPECT_EQ(place_of(block, against_), next);
        next += std::uint64_t{block.rows.size()} * block.columns.size();
        EXPECT_TRUE(block.rows.size() == 1 || block.columns.size() == against_.size());
      }
    }
    EXPECT_EQ(next, std::uint64_t{set_.size()} * against_.size());
  }
}

TEST_F(ApiPlan, WholeQueriesAreNeverDivided) {
  for (const std::size_t parts : {2U, 7U, 31U, 200U})
    for (const PlannedPart& part : plan_search(set_, against_, parts, true).parts)
      for (const Block& block : part.blocks) EXPECT_EQ(block.columns, (IndexRange{0, against_.size()}));
}

TEST_F(ApiPlan, PartsHaveAboutEqualCells) {
  const SequenceSet set = random_set({.seed = 5, .count = 2000, .shortest = 50, .longest = 150}),
                    few = random_set({.seed = 6, .count = 3, .shortest = 50, .longest = 5000}),
                    one = random_set({.seed = 7, .count = 1, .shortest = 5000, .longest = 5000});
  for (const Plan& plan : {plan_all_pairs(set, false, 10), plan_all_pairs(set, set, 10),
                           plan_search(set, set, 10), plan_search(few, set, 10), plan_search(one, set, 10)}) {
    ASSERT_EQ(plan.parts.size(), 10u);
    std::uint64_t all = 0;
    for (const PlannedPart& part : plan.parts) all += part.cells;
    for (const PlannedPart& part : plan.parts)
      EXPECT_NEAR(static_cast<double>(part.cells), static_cast<double>(all) / 10,
                  static_cast<double>(all) / 200);
  }
}

// A cut that is near the end of a query (within 2% of the cells of a part) is moved there.
TEST_F(ApiPlan, CutsAreMadeBetweenQueriesWhereTheseAreNear) {
  const SequenceSet queries = random_set({.seed = 5, .count = 2000, .shortest = 100, .longest = 100}),
                    subjects = random_set({.seed = 6, .count = 50});
  for (const PlannedPart& part : plan_search(queries, subjects, 7).parts)
    EXPECT_EQ(part.blocks.size(), 1u) << "a query is 0.35% of a part";
  std::size_t divided = 0;
  for (const PlannedPart& part : plan_search(queries.part(0, 100), subjects, 7).parts)
    divided += part.blocks.size() > 1;
  EXPECT_GT(divided, 0u) << "a query is 7% of a part";
}

TEST_F(ApiPlan, SeveralPartsAtOnceHaveTheirBlocksTogether) {
  for (const Plan& plan : {plan_all_pairs(set_, true, 11), plan_all_pairs(set_, against_, 11),
                           plan_search(set_, against_, 11), plan_search(set_.part(0, 2), against_, 11)}) {
    const bool search = plan.job == Plan::Job::search;
    for (std::size_t first = 1; first <= 11; ++first)
      for (std::size_t more = 0; first + more <= 11; ++more) {
        Plan together = plan, apart = plan;
        together.parts = {plan.of({first, 11, more})};
        apart.parts.assign(plan.parts.begin() + static_cast<std::ptrdiff_t>(first - 1),
                           plan.parts.begin() + static_cast<std::ptrdiff_t>(first + more));
        EXPECT_EQ(covered_by(together, set_, search || plan.job != Plan::Job::all_pairs ? against_ : set_),
                  covered_by(apart, set_, search || plan.job != Plan::Job::all_pairs ? against_ : set_));
        EXPECT_LE(together.parts[0].blocks.size(), search ? 3u : 1u);
      }
    EXPECT_NE(input_error([&] { static_cast<void>(plan.of({0, 11})); }), "");
    EXPECT_NE(input_error([&] { static_cast<void>(plan.of({11, 11, 1})); }), "");
    EXPECT_NE(input_error([&] { static_cast<void>(plan.of({1, 10})); }), "");
  }
}

TEST_F(ApiPlan, EveryProcessThatMakesItHasTheSame) {
  const SequenceSet copy = joined(set_, SequenceSet());
  EXPECT_EQ(plan_all_pairs(set_, true, 7), plan_all_pairs(copy, true, 7));
  EXPECT_EQ(plan_search(set_, against_, 7), plan_search(copy, joined(against_, SequenceSet()), 7));
  const Plan plan = plan_all_pairs(set_, against_, 3);
  EXPECT_EQ(plan.first_digest, Database(set_).digest());
  EXPECT_EQ(plan.second_digest, Database(against_).digest());
  const Plan one = plan_all_pairs(set_, false, 3);
  EXPECT_EQ(one.first_digest, Database(set_).digest());
  EXPECT_EQ(one.second_digest, one.first_digest) << "of one set both are the same";
}

TEST_F(ApiPlan, JsonHoldsAllOfIt) {
  for (const Plan& plan :
       {plan_all_pairs(set_, false, 6), plan_all_pairs(set_, true, 1), plan_all_pairs(set_, against_, 6),
        plan_search(set_, against_, 6), plan_all_pairs(SequenceSet(), false, 2)}) {
    const Plan again = Plan::from_json(plan.to_json());
    EXPECT_EQ(again, plan);
    EXPECT_EQ(again.to_json(), plan.to_json());
    EXPECT_EQ(again.digest(), plan.digest());
  }
}

TEST_F(ApiPlan, DigestsAreOfAllOfIt) {
  const Plan plan = plan_all_pairs(set_, false, 6);
  EXPECT_THAT(plan.digest(), testing::MatchesRegex("[0-9a-f]{32}"));
  std::vector<Plan> others(7, plan);
  others[0].self = true;
  others[1].job = Plan::Job::search;
  others[2].first_digest[3] ^= 1;
  others[3].second_digest[3] ^= 1;
  others[4].parts.pop_back();
  others[5].parts[1].blocks[0].rows.end += 1;
  others[6].parts[0].cells += 1;
  std::set<std::string> digests = {plan.digest()};
  for (const Plan& other : others) EXPECT_TRUE(digests.insert(other.digest()).second);
}

TEST_F(ApiPlan, JsonThatToJsonDidNotMakeIsAnError) {
  const std::string right = plan_all_pairs(set_, against_, 3).to_json();
  std::vector<std::string> wrong = {"",
                                    "{}",
                                    "[]",
                                    "null",
                                    "3",
                                    "\"plan\"",
                                    right.substr(0, right.size() / 2),
                                    right + "x",
                                    std::string("\0", 1)};
  // Each field in turn is missing, or has a value of another kind.
  const nlohmann::json json = nlohmann::json::parse(right);
  for (const auto& [key, value] : json.items()) {
    nlohmann::json without = json;
    without.erase(key);
    wrong.push_back(without.dump());
    for (const nlohmann::json& other : {nlohmann::json(-1), nlohmann::json("word"), nlohmann::json(nullptr),
                                        nlohmann::json::array({1}), nlohmann::json::object({{"a", 1}})}) {
      if (other.type() == value.type()) continue;
      nlohmann::json changed = json;
      changed[key] = other;
      wrong.push_back(changed.dump());
    }
  }
  for (const std::string& text : wrong)
    EXPECT_THAT(input_error([&] { Plan::from_json(text); }), HasSubstr("This is no plan of alnus: ")) << text;
}

TEST_F(ApiPlan, JsonWithAValueThatNoPlanHasNamesTheField) {
  const std::string of_search = plan_search(set_, against_, 3).to_json();
  const std::string of_one_set = plan_all_pairs(set_, false, 3).to_json();
  // Returns the message for the plan in which the value at `place` (a JSON pointer) is replaced by `value`,
  // or is removed if `value` is null.
  const auto message = [](const std::string& plan, const char* place, const nlohmann::json& value) {
    nlohmann::json json = nlohmann::json::parse(plan);
    const nlohmann::json::json_pointer pointer(place);
    if (value.is_null())
      json.at(pointer.parent_pointer()).erase(pointer.back());
    else
      json.at(pointer) = value;
    return input_error([&] { Plan::from_json(json.dump()); });
  };
  struct Case {
    const char *place, *field;
    std::vector<nlohmann::json> values;
  };
  const nlohmann::json beyond = std::uint64_t{1} << 32;
  const Case cases[] = {
      {"/job", "job", {nullptr, "align", 3}},
      {"/self", "self", {nullptr, 1, true}},  // a search pairs nothing with itself
      {"/first", "first", {nullptr, "", std::string(31, 'a'), std::string(32, 'g')}},
      {"/parts", "parts", {nullptr, nlohmann::json::array(), 1}},
      {"/parts/0/pairs", "pairs", {nullptr, -1, 1.5, "1", 1}},
      {"/parts/0/cells", "cells", {nullptr, -1, 1e30}},
      {"/parts/0/blocks", "blocks", {nullptr, 1}},
      {"/parts/0/blocks/0/rows", "rows", {nullptr, {1}, {0, 1, 2}, {2, 1}, {-1, 1}, {0, 1.5}, {0, beyond}}},
      {"/parts/0/blocks/0/columns", "columns", {nullptr, {2, 1}, {0, beyond}}},
  };
  for (const auto& [place, name, values] : cases)
    for (const nlohmann::json& value : values)
      EXPECT_THAT(message(of_search, place, value), HasSubstr(fmt::format("its field \"{}\" ", name)))
          << place << ' ' << value;
  EXPECT_THAT(message(of_one_set, "/second", std::string(32, '0')), HasSubstr("its field \"second\" has"));
  EXPECT_THAT(message(of_one_set, "/parts/0/pairs", 1'000'000'000), HasSubstr("its field \"pairs\" has"));
}

TEST_F(ApiPlan, OfACallIsThatOfItsParts) {
  const PairFiles rows{.rows = "rows.tsv"}, table{.matrix = "matrix.csv"};
  AllPairsOptions nearest;
  nearest.top_k = 2;
  EXPECT_EQ(plan_all_pairs({set_}, {}, rows, 3), plan_all_pairs(set_, false, 3));
  EXPECT_EQ(plan_all_pairs({set_}, {.self = true}, rows, 3), plan_all_pairs(set_, true, 3));
  EXPECT_EQ(plan_all_pairs({set_}, {}, table, 3), plan_all_pairs(set_, true, 3)) << "with its diagonal";
  EXPECT_EQ(plan_all_pairs({set_}, nearest, rows, 3), plan_all_pairs(set_, false, 3, true));
  EXPECT_EQ(plan_all_pairs({set_, against_}, {}, table, 3), plan_all_pairs(set_, against_, 3));
}

TEST_F(ApiPlan, OfNoPartsIsAnErrorAndOfNoSequencesIsNothing) {
  EXPECT_NE(input_error([&] { plan_all_pairs(set_, false, 0); }), "");
  EXPECT_NE(input_error([&] { plan_search(set_, against_, 0); }), "");
  expect_each_once(covered_by(plan_all_pairs(SequenceSet(), true, 3), SequenceSet(), SequenceSet()), 0);
  expect_each_once(covered_by(plan_all_pairs(set_.part(0, 1), false, 3), set_, set_), 0);
  expect_each_once(covered_by(plan_search(set_, SequenceSet(), 3), set_, against_), 0);
}

// ---- Blocks of separate sessions ----

class ApiBlocks : public testing::Test {
 protected:
  const SequenceSet set_ =
                        joined(relatives_set(1, 20, 60), random_set({.seed = 2, .count = 25, .longest = 70})),
                    against_ = relatives_set(1, 18, 60);
  const Scoring scoring_ = default_scoring();
};

struct OfBlocks {
  Table rows;
  std::map<std::pair<Index, Index>, double> values;
  AllPairsSummary summary;

  PairSink sink(bool triangle) {
    return {[this](const Columns& batch, const std::string&) { rows.append(batch); },
            [this, triangle](const ValueStripe& stripe) {
              for (Index row = stripe.rows.begin; row < stripe.rows.end; ++row)
                for (Index column = stripe.columns.begin; column < stripe.columns.end; ++column)
                  if (!triangle || column < row)
                    values[{row, column}] = stripe.row(row)[column - stripe.columns.begin];
            }};
  }
};

TEST_F(ApiBlocks, OfAPlanGiveTheRowsAndValuesOfTheWholeInOrder) {
  AllPairsOptions options;
  options.value = MatrixValue{};
  options.filter.min_score = 20;
  for (const bool two : {false, true}) {
    const auto run = [&](const AllPairsOptions& of, OfBlocks& into) {
      Session session(session_options());
      const Database set(set_);
      const AllPairsSummary summary =
          two ? session.all_pairs(set, Database(against_), scoring_, of, into.sink(false))
              : session.all_pairs(set, scoring_, of, into.sink(true));
      into.summary.pairs += summary.pairs;
      into.summary.cells += summary.cells;
      into.summary.listed += summary.listed;
      into.summary.filtered += summary.filtered;
      into.summary.empty += summary.empty;
    };
    OfBlocks whole;
    run(options, whole);
    for (const std::size_t parts : {2U, 7U, 100U}) {
      const Plan plan = two ? plan_all_pairs(set_, against_, parts) : plan_all_pairs(set_, false, parts);
      OfBlocks found;
      for (const PlannedPart& part : Plan::from_json(plan.to_json()).parts)
        for (const Block& block : part.blocks) {
          AllPairsOptions of_block = options;
          of_block.block = block;
          run(of_block, found);
        }
      EXPECT_TRUE(same(found.rows, whole.rows)) << "E-values are those of the whole, too";
      EXPECT_EQ(found.values, whole.values);
      EXPECT_EQ(found.summary.pairs, whole.summary.pairs);
      EXPECT_EQ(found.summary.cells, whole.summary.cells);
      EXPECT_EQ(found.summary.listed, whole.summary.listed);
      EXPECT_EQ(found.summary.filtered, whole.summary.filtered);
      EXPECT_EQ(found.summary.empty, whole.summary.empty);
    }
  }
}

// Joins the hits of all parts, orders them as SearchBatch says, and keeps `max_target_seqs` of each query.
Table merged(const std::vector<Table>& parts, const SequenceSet& subjects, std::uint32_t max_target_seqs) {
  Table all;
  std::vector<std::size_t> order;
  for (const Table& part : parts) {
    const auto join = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    join(all.query, part.query);
    join(all.subject, part.subject);
    for (std::size_t k = 0; k < all.integers.size(); ++k) join(all.integers[k], part.integers[k]);
    join(all.cigars, part.cigars);
    for (std::size_t k = 0; k < all.significance.size(); ++k) join(all.significance[k], part.significance[k]);
  }
  order.resize(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  constexpr std::size_t kEvalue = 1;  // the column of E-values in Table::significance
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tuple(all.query[i], all.significance[kEvalue][i], -all.integers[0][i],
                      subjects.file_ordinal(all.subject[i]));
  });
  std::vector<std::size_t> kept;
  std::map<Index, std::uint32_t> hits;
  for (const std::size_t i : order)
    if (++hits[all.query[i]] <= max_target_seqs) kept.push_back(i);
  return rows_of(all, kept);
}

TEST_F(ApiBlocks, SearchesOfPartsWithTheSpaceOfTheWholeAreTheWhole) {
  const TempDir directory;
  Session session(session_options());
  const std::string fasta = directory.write_file("set.fa", fasta_of(set_));
  session.make_database({fasta}, directory.file("set.alnus"));
  const SequenceSet queries = relatives_set(1, 6, 60);
  for (const Database& database : {Database(set_), session.open(directory.file("set.alnus"))}) {
    for (const StatisticsMethod method : {StatisticsMethod::spouge, StatisticsMethod::karlin}) {
      SearchOptions options{.max_target_seqs = 6, .evalue = 1e-2};
      options.statistics.method = method;
      const Table whole(session.search(queries, database, scoring_, options).hits.rows);
      ASSERT_GT(whole.size(), 0u);
      options.statistics.residues = static_cast<double>(set_.total_residues());
      options.statistics.sequences = set_.size();
      for (const std::size_t parts : {1U, 2U, 5U}) {
        std::vector<Table> found;
        for (std::size_t k = 0; k < parts; ++k) {
          Session other(session_options(1));
          const auto cut = [&](std::size_t part) {
            return static_cast<Index>(database.size() * part / parts);
          };
          const IndexRange columns{cut(k), cut(k + 1)};
          Table rows(
              other.search(queries, database.part(columns.begin, columns.end), scoring_, options).hits.rows);
          for (Index& subject : rows.subject) subject += columns.begin;
          found.push_back(std::move(rows));
        }
        EXPECT_TRUE(same(merged(found, database.sequences(), 6), whole)) << parts;
      }
    }
  }
}

TEST_F(ApiBlocks, PartsKeepTheirOrdinals) {
  const Database whole(set_), part = whole.part(7, 19);
  ASSERT_EQ(part.size(), 12u);
  for (Index k = 0; k < part.size(); ++k) {
    EXPECT_EQ(part.sequences().file_ordinal(k), set_.file_ordinal(7 + k));
    EXPECT_EQ(part.sequences()[k].header, set_[7 + k].header);
  }
  EXPECT_EQ(whole.part(3, 3).size(), 0u);
  EXPECT_EQ(part.part(1, 3).sequences()[0].header, set_[8].header);
}

TEST_F(ApiBlocks, APartBeyondTheDatabaseIsAnError) {
  const Database whole(set_);
  EXPECT_NE(input_error([&] { (void)whole.part(0, set_.size() + 1); }), "");
  EXPECT_NE(input_error([&] { (void)whole.part(3, 2); }), "");
}

}  // namespace
}  // namespace alnus::test
