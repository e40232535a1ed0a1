// Hits of a query whose subjects lie in several parts are those of one process, however many pairs score the
// same, and however many candidates there are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "api/support/parts_fixture.h"
#include "api/support/strands.h"
#include "api/support/table.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using ApiHitsOfParts = PartsTest;

TEST_F(ApiHitsOfParts, EveryModeAndDecimals) {
  for (const NamedScoring& named : scorings()) {
    SCOPED_TRACE(named.name);
    const AlphabetKind alphabet = named.scoring.matrix.alphabet();
    SearchJob job;
    job.scoring = named.scoring;
    job.queries =
        joined(relatives_set(4, 3, 40, alphabet), random_set({.seed = 5, .count = 2, .alphabet = alphabet}));
    job.database = repeated(
        joined(relatives_set(4, 6, 40, alphabet), random_set({.seed = 6, .count = 6, .alphabet = alphabet})),
        2);
    job.with_format("6 std score sstrand cigar");
    job.options.max_target_seqs = 5;
    job.options.statistics = no_statistics();
    expect_whole(job, {2, 23});
  }
}

// Among equal hits those that come first in the sequence file are kept, in whatever order the database has
// them.
TEST_F(ApiHitsOfParts, TiesAtTheCut) {
  const SequenceSet copies = repeated(joined(relatives_set(1, 3, 40), relatives_set(8, 2, 30)), 12);
  SearchJob job;
  job.queries = relatives_set(1, 4, 40);
  for (const Database& database : {Database(copies), as_file(copies)})
    for (const StatisticsMethod method : {StatisticsMethod::spouge, StatisticsMethod::none})
      for (const std::uint32_t most : {1U, 3U, 6U}) {
        SCOPED_TRACE(std::string(to_string(method)) + ", hits: " + std::to_string(most));
        job.database = database;
        job.options = {.max_target_seqs = most};
        job.options.statistics.method = method;
        if (method != StatisticsMethod::none) job.options.evalue = 1e9;
        expect_whole(job, {2, 5, 23});
        EXPECT_GT(read("merged", "rows"), "");
      }
}

// ---- More candidates in all parts together than one process keeps for a query ----

// One process judges only the query's candidates, the subjects of highest score. It leaves out a subject of
// lower score, even if that subject would be the best hit by its E-value. In a part that subject may be among
// the candidates; the merge must leave it out all the same.
class ApiCandidatesOfParts : public PartsTest {
 protected:
  static Residues piece_of(const Residues& residues, std::size_t begin, std::size_t length) {
    return {residues.begin() + static_cast<std::ptrdiff_t>(begin),
            residues.begin() + static_cast<std::ptrdiff_t>(begin + length)};
  }

  static constexpr Residue kA = 0, kG = 2, kT = 3;
};

// An equal score has a lower E-value with a short subject than with a long one.
TEST_F(ApiCandidatesOfParts, AreThoseOfHighestScore) {
  Random random(17);
  const Residues query = random_sequence(random, 150);
  SequenceSetBuilder queries(AlphabetKind::protein, "queries"), subjects(AlphabetKind::protein, "subjects");
  for (std::size_t k = 0; k < 1500; ++k) {
    subjects.add("long" + std::to_string(k), random_sequence(random, 800));
    if (k % 10 == 0)
      subjects.add("short" + std::to_string(k), piece_of(query, below(random, 140), 4 + k % 4));
  }
  queries.add("another", random_sequence(random, 40));
  queries.add("query", query);
  SearchJob job;
  job.queries = queries.finish();
  job.database = subjects.finish();
  job.options.statistics = unadjusted_statistics();
  job.options.evalue = 1e9;
  for (const std::uint32_t most : {6U, 1000U}) {
    SCOPED_TRACE(most);
    job.options.max_target_seqs = most;
    expect_whole(job, {2, 7});
  }
}

// Regions of low complexity have high scores, but count nothing when pairs are judged.
TEST_F(ApiCandidatesOfParts, AreThoseOfHighestScoreBeforeTheyAreAdjusted) {
  Random random(17);
  const Residues tail(60, Alphabet::of(AlphabetKind::protein).encode('K'));
  const Residues query = concatenate({random_sequence(random, 80), tail});
  SequenceSetBuilder queries(AlphabetKind::protein, "queries"), subjects(AlphabetKind::protein, "subjects");
  for (std::size_t k = 0; k < 3300; ++k) {
    subjects.add("tail" + std::to_string(k), tail);
    if (k % 100 == 0) subjects.add("piece" + std::to_string(k), piece_of(query, k % 40, 10 + k % 40));
  }
  queries.add("query", query);
  SearchJob job;
  job.queries = queries.finish();
  job.database = subjects.finish();
  job.options.evalue = 1e9;
  job.options.max_target_seqs = 3;
  expect_whole(job, {2, 7});
}

TEST_F(ApiCandidatesOfParts, AreThoseOfHighestScoreOnEachStrand) {
  Random random(18);
  const Residues query = concatenate({random_sequence(random, 100, 4), Residues(60, kA)}),
                 other = reverse_complement(query);
  SequenceSetBuilder queries(AlphabetKind::dna, "queries"), subjects(AlphabetKind::dna, "subjects");
  for (std::size_t k = 0; k < 3300; ++k) {
    subjects.add("tail" + std::to_string(k), Residues(60, kT));
    if (k % 50 != 0) continue;
    const std::size_t length = 12 + k % 37;
    subjects.add("plus" + std::to_string(k), piece_of(query, k % 50, length));
    subjects.add("minus" + std::to_string(k), piece_of(other, 60 + k % 50, length));
  }
  queries.add("query", query);
  SearchJob job;
  job.queries = queries.finish();
  job.database = subjects.finish();
  job.scoring = default_scoring("local", AlphabetKind::dna);
  job.options.evalue = 1e9;
  for (const std::uint32_t most : {1U, 40U}) {
    SCOPED_TRACE(most);
    job.options.max_target_seqs = most;
    expect_whole(job, {2, 7});
  }
}

// The subjects "both" score more on the minus strand, but in one process the subjects "tail" take all places
// of candidates there. So "both" are hits on the plus strand, before "tail", whose region of low complexity
// E-values leave out. In a part there are fewer "tail", so that "both" are candidates on both strands, too.
// The merge must list them on the plus strand all the same.
TEST_F(ApiCandidatesOfParts, OfBothStrandsOfOnePair) {
  Random random(19);
  const Residues query = concatenate({random_sequence(random, 100, 4), Residues(60, kA)}),
                 other = reverse_complement(query);
  SequenceSetBuilder queries(AlphabetKind::dna, "queries"), subjects(AlphabetKind::dna, "subjects");
  for (std::size_t k = 0; k < 3300; ++k) {
    subjects.add("tail" + std::to_string(k), Residues(60, kT));
    if (k % 100 != 0) continue;
    const std::size_t length = 15 + k % 23;
    subjects.add("both" + std::to_string(k), concatenate({piece_of(query, k % 50, length), Residues(20, kG),
                                                          piece_of(other, 70, length + 4)}));
  }
  queries.add("query", query);
  SearchJob job;
  job.queries = queries.finish();
  job.database = subjects.finish();
  job.scoring = default_scoring("local", AlphabetKind::dna);
  job.with_format("6 std score sstrand");
  job.options.evalue = 1e9;
  for (const std::uint32_t most : {1U, 60U}) {
    SCOPED_TRACE(most);
    job.options.max_target_seqs = most;
    expect_whole(job, {2, 7});
  }
}

// Subjects have all lengths. For each range of lengths another score is the lowest that gives a hit, and more
// pairs reach it than there may be candidates. The bounds of scores differ between instruction sets, and the
// ranges of lengths between parts. Neither may change the hits.
TEST_F(ApiCandidatesOfParts, WhereMoreAreGoodEnoughThanAreKept) {
  SessionOptions portable = session_options();
  portable.devices = "cpu";
  portable.isa = "portable";
  Session other(portable);
  SearchJob job;
  job.options.statistics = unadjusted_statistics();
  job.options.detail = Detail::score;
  job.options.max_target_seqs = 1023;
  for (unsigned seed = 1; seed <= static_cast<unsigned>(by_size(2, 4)); ++seed) {
    job.queries = random_set({.seed = seed, .count = 1, .shortest = 120, .longest = 120});
    job.database = random_set({.seed = 10 + seed, .count = 3000, .shortest = 8, .longest = 600});
    for (double evalue = 300; evalue < 480; evalue += 6) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", E-value " << evalue);
      job.options.evalue = evalue;
      EXPECT_TRUE(
          same(SearchRows(other.search(job.queries, job.database, job.scoring, job.options).hits),
               SearchRows(merging_.search(job.queries, job.database, job.scoring, job.options).hits)));
    }
  }
  for (const double evalue : {300.0, 345.0, 408.0}) {
    job.options.evalue = evalue;
    expect_whole(job, {9});
  }
}

// The E-values are below the smallest positive double, and so 0. The scores, which differ, then decide about
// the order of hits, in a merge as in one process.
TEST_F(ApiCandidatesOfParts, WithEvaluesBelowTheSmallestNumber) {
  SearchJob job;
  job.queries = relatives_set(1, 2, 1500);
  job.database = relatives_set(1, 24, 1500);
  for (const bool adjusted : {false, true})
    for (const std::uint32_t most : {3U, 500U}) {
      job.options.statistics = adjusted ? StatisticsOptions{} : unadjusted_statistics();
      job.options.max_target_seqs = most;
      expect_whole(job, {5});
      EXPECT_THAT(read("whole", "rows"), testing::HasSubstr("\t0.0\t"));
    }
}

}  // namespace
}  // namespace alnus::test
