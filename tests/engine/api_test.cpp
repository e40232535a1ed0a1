#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/search.h"
#include "support/fake_device.h"

namespace alnus {
namespace {

using test::random_sequences;

TEST(PublicApi, AlignsTwoStrings) {
  const Alignment alignment = align("MKWVTFISLL", "AAMKWVFISLLAA", make_scoring({}));
  EXPECT_EQ(alignment.query_begin, 0);
  EXPECT_EQ(alignment.subject_begin, 2);
  EXPECT_EQ(alignment.score, align("MKWVTFISLL", "AAMKWVFISLLAA", make_scoring({}), Detail::score).score);
  EXPECT_EQ(align("", "MKWV", make_scoring({})).score, 0);
}

TEST(PublicApi, AlignsPairsInTheirOrder) {
  const SequenceSet queries = random_sequences(1, 10, 80), subjects = random_sequences(2, 12, 80);
  const std::vector<std::pair<SequenceSet::Index, SequenceSet::Index>> pairs{{9, 0}, {0, 11}, {9, 0}, {4, 4}};
  ScoringOptions options;
  options.mode = "global";
  const Scoring scoring = make_scoring(options);
  const std::vector<Alignment> alignments = align_pairs(queries, subjects, pairs, scoring);
  ASSERT_EQ(alignments.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_EQ(alignments[i], align_reference(queries.residues(pairs[i].first),
                                             subjects.residues(pairs[i].second), scoring, Detail::alignment));
}

TEST(PublicApi, SearchesExactly) {
  const SequenceSet queries = random_sequences(3, 6, 100), database = random_sequences(4, 300, 150);
  const Scoring scoring = make_scoring({});
  SearchParameters parameters;
  parameters.evalue = 1e9;
  parameters.max_target_seqs = 10;
  Resources two_threads;
  two_threads.threads = 2;
  const std::vector<SearchHit> hits = search(queries, database, scoring, parameters, two_threads);
  ASSERT_FALSE(hits.empty());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    EXPECT_EQ(hits[i].alignment,
              align_reference(queries.residues(hits[i].query), database.residues(hits[i].subject), scoring,
                              Detail::alignment));
    EXPECT_TRUE(hits[i].evalue && hits[i].bits);
    if (i > 0 && hits[i].query == hits[i - 1].query) {
      EXPECT_LE(hits[i].alignment.score, hits[i - 1].alignment.score);
    }
  }
}

TEST(PublicApi, RefusesUnknownDevices) {
  Resources resources;
  resources.devices = "cuda";
  const SequenceSet some = random_sequences(1, 2, 10);
  try {
    search(some, some, make_scoring({}), {}, resources);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

TEST(PublicApi, ReadsSequences) {
  const SequenceSet queries =
      read_sequences(std::string(ALNUS_SOURCE_DIR) + "/data/queries/queries_cudasw.fasta");
  EXPECT_EQ(queries.size(), 20u);
}

}  // namespace
}  // namespace alnus
