// The nearest records of an audit: the first hits of searches that list every hit.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/audit.h"
#include "api/support/inputs.h"
#include "api/support/relations.h"

namespace alnus::test {
namespace {

using Sets = std::vector<SequenceSet>;

struct Audited {
  Sets sets;
  Strands strands = Strands::plus;
  std::string relations = "whole:30,part:30";
  double evalue = kDefaultEvalue;
  std::uint64_t memory_bytes = 1ULL << 30;
};

SequenceSet joined_before(const Sets& sets, std::size_t set) {
  SequenceSet all = sets[0];
  for (std::size_t k = 1; k < set; ++k) all = joined(all, sets[k]);
  return all;
}

// Each sequence of the set twice.
SequenceSet twice(const SequenceSet& set) { return joined(set, reversed(set)); }

Index index_of(const Sets& sets, const AuditedRecord& record) {
  Index index = record.record;
  for (std::uint32_t k = 0; k < record.set; ++k) index += sets[k].size();
  return index;
}

void expect_same(const NearestRecord& found, const Row& hit, const Sets& sets) {
  EXPECT_EQ(index_of(sets, found.record), hit.subject);
  EXPECT_EQ(found.strand, hit.strand);
  EXPECT_EQ(found.evalue, *hit.significance.evalue);
  EXPECT_EQ(found.bits, *hit.significance.bits);
  EXPECT_EQ(found.begin, hit.query_begin);
  EXPECT_EQ(found.end, hit.query_end);
  EXPECT_EQ(found.record_begin, hit.subject_begin);
  EXPECT_EQ(found.record_end, hit.subject_end);
  EXPECT_TRUE(std::ranges::equal(found.cigar, hit.cigar));
  EXPECT_DOUBLE_EQ(found.identity, 100.0 * hit.counts->identical / hit.counts->columns);
}

void expect_nearest(const Audited& of) {
  Session session(session_options(2, of.memory_bytes));
  const AlphabetKind kind = of.sets.front().alphabet();
  AuditOptions options;
  options.similarity = {parse_relations(of.relations), of.strands};
  options.evalue = of.evalue;
  const std::vector<Database> databases(of.sets.begin(), of.sets.end());
  const Audit audit = session.audit(databases, default_scoring("local", kind), options);
  SearchOptions wanted;
  wanted.statistics.residues = wanted.statistics.sequences = 0;
  for (const SequenceSet& set : of.sets) {
    *wanted.statistics.residues += static_cast<double>(set.total_residues());
    *wanted.statistics.sequences += set.size();
  }
  wanted.strands = of.strands;
  wanted.evalue = of.evalue;
  Session searching(session_options());
  for (std::size_t set = 1; set < of.sets.size(); ++set) {
    SCOPED_TRACE(set);
    const SequenceSet earlier = joined_before(of.sets, set);
    wanted.max_target_seqs = earlier.size();
    const SearchResult expected =
        searching.search(of.sets[set], earlier, default_scoring("local", kind), wanted);
    const auto& nearest = audit.sets[set].nearest;
    ASSERT_EQ(nearest.size(), of.sets[set].size());
    std::size_t count = 0;
    for (Index i = 0; i < nearest.size(); ++i) {
      SCOPED_TRACE(i);
      const std::uint64_t row = expected.hits.first_row[i];
      ASSERT_EQ(nearest[i].has_value(), row < expected.hits.first_row[i + 1]);
      if (!nearest[i]) continue;
      ++count;
      expect_same(*nearest[i], expected.hits.rows.row(row), of.sets);
    }
    EXPECT_GT(count, 5u);
  }
}

TEST(ApiAuditNearest, OfRandomProteins) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const SequenceSet few = joined(random_set({.seed = seed, .count = 20}),
                                   assorted(seed, AlphabetKind::protein)),
                      many = joined(
                          random_set({.seed = seed + 10, .count = 150, .longest = 200}),
                          joined(relatives_set(seed, 20, 120), assorted(seed + 5, AlphabetKind::protein)));
    for (const char* relations : {"whole:30", "part:30", "related:5", "score:40"}) {
      SCOPED_TRACE(relations);
      expect_nearest({{few, many}, Strands::plus, relations});
      expect_nearest({{many, few}, Strands::plus, relations});
    }
  }
}

TEST(ApiAuditNearest, OfRandomDna) {
  constexpr AlphabetKind kDna = AlphabetKind::dna;
  for (const unsigned seed : {1u, 2u}) {
    const SequenceSet few = joined(assorted(seed, kDna),
                                   random_set({.seed = seed, .count = 10, .alphabet = kDna})),
                      many = joined(assorted(seed + 5, kDna), random_set({seed + 9, 80, 0, 300, kDna}));
    for (const Strands strands : {Strands::both, Strands::plus, Strands::minus})
      for (const char* relations : {"whole:90", "part:80"}) {
        expect_nearest({{few, many}, strands, relations});
        expect_nearest({{many, few}, strands, relations});
      }
  }
}

// E-values of long relatives are too small for a double, so that scores decide. These have few of the letters
// that score much, so that adjusted scores are higher than their scores.
TEST(ApiAuditNearest, OfLongRelatives) {
  const std::string letters = "AAAAGGGVVVLLLLIIISSTTEEKKDRRQNFPMYH";
  Random random(3);
  std::vector<Residues> some, others;
  for (const std::size_t length : {350, 400, 430, 460, 500, 550, 600, 650, 700}) {
    std::string text;
    for (std::size_t k = 0; k < length; ++k) text += letters[below(random, letters.size())];
    for (std::size_t spacing = 5; spacing < 400; spacing *= 2)
      (spacing % 3 == 1 ? some : others).push_back(relative(random, encode(text), spacing, 3));
  }
  expect_nearest({{make_set(others), make_set(some)}, Strands::plus, "related:1e-20"});
}

// The first record of the earliest set is the nearest one of equally near records.
TEST(ApiAuditNearest, OfSetsWithTies) {
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    const SequenceSet one = assorted(1, kind), other = assorted(2, kind);
    const Strands strands = kind == AlphabetKind::dna ? Strands::both : Strands::plus;
    for (const char* relations : {"whole:70,part:70", "whole:70"}) {
      expect_nearest({{twice(one), one, twice(other)}, strands, relations});
      expect_nearest({{other, twice(one), twice(one), other}, strands, relations});
    }
  }
}

TEST(ApiAuditNearest, ForAnyEvalueInAnyMemory) {
  const SequenceSet one = joined(assorted(1, AlphabetKind::protein), random_set({.seed = 3, .count = 60})),
                    other = joined(assorted(2, AlphabetKind::protein), random_set({.seed = 4, .count = 30}));
  for (const double evalue : {1e-3, 1e-12, 1e5})
    for (const std::uint64_t memory_bytes : {1ULL << 30, 1ULL << 16})
      for (const char* relations : {"part:30", "whole:30"})
        expect_nearest({{one, other}, Strands::plus, relations, evalue, memory_bytes});
}

}  // namespace
}  // namespace alnus::test
