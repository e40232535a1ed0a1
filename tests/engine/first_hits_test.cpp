// The first hits that all pairs find beside their relations: those of a search that keeps every candidate.
#include "engine/first_hits.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engine/all_pairs_driver.h"
#include "engine/search_driver.h"
#include "support/all_pairs_result.h"
#include "support/fake_device.h"
#include "support/related_options.h"
#include "support/sequences.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeBehaviour;
using test::FakeDevices;
using Index = SequenceSet::Index;

// Relatives of an ancestor, each of which comes twice, random sequences, some with low complexity, very short
// ones, and an empty one. Half of the DNA is on the other strand.
SequenceSet mixed(unsigned seed, std::uint32_t count, AlphabetKind kind) {
  test::Random ancestors(5), random(seed);
  const std::size_t letters = kind == AlphabetKind::dna ? 4 : 20;
  const test::Residues ancestor = test::random_sequence(ancestors, 80, letters),
                       simple = test::repeat("AA", 30);
  std::vector<test::Residues> all = {{}};
  while (all.size() < count) {
    test::Residues one = test::random_sequence(random, 2 + test::below(random, 70), letters);
    if (all.size() % 3 == 0) {
      one = test::relative(random, ancestor, 1 + test::below(random, 30), 4);
      for (Residue& residue : one) residue = static_cast<Residue>(residue % letters);
      all.push_back(one);
    }
    if (all.size() % 4 == 0) one.insert(one.begin(), simple.begin(), simple.end());
    all.push_back(one);
  }
  SequenceSet set = test::make_set(all, kind);
  if (kind != AlphabetKind::dna) return set;
  const SequenceSet others = reverse_complement(set, StopFlag::never());
  SequenceSetBuilder builder(kind);
  for (Index i = 0; i < set.size(); ++i) builder.add_from(i % 2 == 0 ? set : others, i);
  return builder.finish();
}

struct Inputs {
  SequenceSet queries, subjects;
  Strands strands = Strands::plus;
  bool adjusted = true;
  double evalue = 10;

  FirstHits::Search search(bool columns_are_queries) const {
    const bool dna = queries.alphabet() == AlphabetKind::dna;
    FirstHits::Search search;
    search.scoring = dna ? test::dna("2", "-3", "5", "2") : test::protein("BLOSUM62", "11", "1");
    search.statistics = test::published_statistics(search.scoring, subjects);
    if (adjusted) search.statistics.composition = Composition::adjust;
    if (adjusted) search.statistics.low_complexity = LowComplexity::statistics;
    search.evalue = evalue;
    search.columns_are_queries = columns_are_queries;
    return search;
  }
};

std::vector<IndexPair> expected(const Inputs& inputs) {
  const FirstHits::Search search = inputs.search(false);
  SearchOptions options;
  options.asked.max_target_seqs = inputs.subjects.size();
  options.asked.evalue = inputs.evalue;
  options.asked.strands = inputs.strands;
  options.statistics = search.statistics;
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  test::FoundHits found;
  engine::search(inputs.queries, test::sorted(inputs.subjects), search.scoring, options, call,
                 [&](SearchBatch& batch) { found.take(batch); });
  std::vector<IndexPair> first;
  for (const test::FoundRow& row : found.rows)
    if (first.empty() || first.back().query != row.query) first.push_back({row.query, row.subject});
  EXPECT_GT(first.size(), inputs.queries.size() / 4);
  return first;
}

struct Way {
  std::string relations{};
  bool columns_are_queries = false;
  double stripe_cells = 1e13;
  std::uint64_t memory_bytes = 1 << 30;
  int threads = 2;
  std::vector<FakeBehaviour> behaviours = {{}};
};

std::vector<IndexPair> found(const Inputs& inputs, const Way& way) {
  FirstHits first(inputs.search(way.columns_are_queries));
  const SequenceSet &rows = way.columns_are_queries ? inputs.subjects : inputs.queries,
                    &columns = way.columns_are_queries ? inputs.queries : inputs.subjects;
  AllPairsOptions options = test::related_options(rows, way.relations, first.search().scoring);
  for (ResolvedRelation& one : options.relations)
    if (one.relation.kind == RelationKind::part || one.relation.kind == RelationKind::related)
      one.statistics = first.search().statistics;
  options.fields.strands = inputs.strands;
  options.stripe_cells = way.stripe_cells;
  options.memory_bytes = way.memory_bytes;
  const AllPairs pairs(rows, &columns, false);
  const FakeDevices devices(way.behaviours);
  const std::vector<SparseValue> alone =
      test::all_pairs_on(devices.pointers, pairs, first.search().scoring, options).sparse;
  options.first_hits = &first;
  const test::AllPairsResult result =
      test::all_pairs_on(devices.pointers, pairs, first.search().scoring, options, {}, way.threads);
  EXPECT_EQ(result.sparse, alone) << "first hits change the relations";
  if (way.stripe_cells == 1) {
    EXPECT_EQ(result.stripes.size(), rows.size());
  }
  return first.pairs();
}

std::vector<Inputs> all_inputs() {
  constexpr AlphabetKind kDna = AlphabetKind::dna, kProtein = AlphabetKind::protein;
  const SequenceSet proteins = mixed(1, 16, kProtein), more = mixed(2, 30, kProtein);
  const SequenceSet dna = mixed(3, 14, kDna), more_dna = mixed(4, 24, kDna);
  return {{proteins, more},
          {more, proteins},
          {proteins, more, Strands::plus, false},
          {proteins, more, Strands::plus, true, 1e-6},
          {proteins, more, Strands::plus, true, 1e4},
          {dna, more_dna, Strands::both},
          {more_dna, dna, Strands::both, false, 100},
          {dna, more_dna, Strands::minus},
          {dna, more_dna, Strands::plus}};
}

TEST(FirstHits, AreThoseOfASearch) {
  for (const Inputs& inputs : all_inputs()) {
    const std::vector<IndexPair> all = expected(inputs);
    for (const char* relations : {"score:40", "part:40,related:1e-9"})
      for (const bool columns_are_queries : {false, true}) {
        SCOPED_TRACE(std::string(relations) + (columns_are_queries ? ", columns" : ", rows"));
        EXPECT_EQ(found(inputs, {relations, columns_are_queries}), all);
      }
  }
}

TEST(FirstHits, AreTheSameInAnyStripes) {
  for (const Inputs& inputs : all_inputs()) {
    const std::vector<IndexPair> all = expected(inputs);
    for (const bool columns_are_queries : {false, true}) {
      EXPECT_EQ(found(inputs, {"part:40", columns_are_queries, 1}), all) << "stripes of one row";
      EXPECT_EQ(found(inputs, {"score:40", columns_are_queries, 1e13, 1}), all) << "no memory";
    }
  }
}

TEST(FirstHits, AreTheSameOnAnyDevices) {
  const std::vector<Inputs> inputs = all_inputs();
  for (const std::size_t k : {0, 5}) {
    const std::vector<IndexPair> all = expected(inputs[k]);
    for (const FakeBehaviour& behaviour :
         {FakeBehaviour{.concurrency = 2, .computes_on_host = true},
          FakeBehaviour{.overlaps = true, .hands_over_scores = true, .packs = true},
          FakeBehaviour{.bytes_per_pair = 1 << 24, .has_matrix_pairs = true}, FakeBehaviour{.fail_from = 1}})
      EXPECT_EQ(found(inputs[k], {"part:40", true, 1e5, 1 << 30, 3, {behaviour, {}}}), all);
  }
}

}  // namespace
}  // namespace alnus::engine
