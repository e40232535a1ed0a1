// Relations in parts and from checkpoints: the bytes are those of one call.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stop_token>
#include <string>

#include "api/support/errors.h"
#include "api/support/pair_files_fixture.h"
#include "api/support/parts_fixture.h"
#include "api/support/relations.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

const char* const kLists[] = {"whole:30",          "part:50",
                              "related:1",         "score:40",
                              "score-distance:60", "whole:50,part:50,related:5,score:60,score-distance:30"};

class ApiRelationParts : public PartsTest {
 protected:
  static PairsJob job_of(AlphabetKind kind, bool two_sets, const std::string& list) {
    const SequenceSet set = assorted(1, kind);
    PairsJob job;
    job.inputs.set = set;
    if (two_sets) job.inputs.against = assorted(2, kind).part(0, 15);
    job.scoring = default_scoring("global", kind);
    job.files.edges = "edges.tsv";
    job.options.strands = default_search_strands(kind);
    job.options.relations = parse_relations(list);
    return job;
  }
};

TEST_F(ApiRelationParts, HaveTheBytesOfOneCall) {
  for (const char* list : kLists)
    for (const bool two_sets : {false, true}) {
      SCOPED_TRACE(std::string(list) + (two_sets ? ", two sets" : ""));
      expect_whole(job_of(AlphabetKind::protein, two_sets, list), {4});
      EXPECT_FALSE(read("whole", "edges.tsv").empty());
    }
}

TEST_F(ApiRelationParts, OfDnaInCsv) {
  for (const bool two_sets : {false, true}) {
    PairsJob job = job_of(AlphabetKind::dna, two_sets, kLists[5]);
    job.files.edges = "edges.csv";
    expect_whole(job, {4});
    EXPECT_FALSE(read("whole", "edges.csv").empty());
  }
}

TEST_F(ApiRelationParts, WriteASparseMatrix) {
  for (const char* list : {"whole:30", "score-distance:60"}) {
    PairsJob job = job_of(AlphabetKind::protein, false, list);
    job.files.edges = "edges.npz";
    expect_whole(job, {3});
  }
}

TEST_F(ApiRelationParts, OfOtherRelationsDoNotGoTogether) {
  const PairsJob one = job_of(AlphabetKind::protein, false, "whole:30,part:50"),
                 other = job_of(AlphabetKind::protein, false, "part:50,whole:30"), none = [&] {
                   PairsJob job = one;
                   job.options.relations.clear();
                   job.options.value = MatrixValue{};
                   job.files.edge_threshold = 30;
                   return job;
                 }();
  clear("merged");
  for (const auto& [second, what] : {std::pair(&other, "relation differs"), std::pair(&none, "differs")}) {
    const std::string first = new_part(), last = new_part();
    compute(one, {1, 2}, first);
    compute(*second, {2, 2}, last);
    EXPECT_THAT(input_error([&] {
                  merging_.merge(std::vector<std::string>{first, last}, job_files_of(one, "merged"));
                }),
                HasSubstr(what));
  }
  EXPECT_THAT(names_in("merged"), testing::IsEmpty());
}

class ApiRelationCheckpoints : public PairFilesTest {
 protected:
  static PairFiles files_in(const TempDir& directory, bool checkpoint) {
    PairFiles files;
    files.edges = directory.file("edges.tsv");
    if (checkpoint) files.checkpoint = directory.file("ledger");
    return files;
  }
};

TEST_F(ApiRelationCheckpoints, WriteTheSameAndAreNotDoneAgain) {
  for (const char* list : kLists) {
    AllPairsOptions options;
    options.relations = parse_relations(list);
    std::filesystem::remove_all(outputs_.file("ledger"));
    const AllPairsSummary plain = run(files_in(inputs_, false), options);
    const AllPairsSummary summary = run(files_in(outputs_, true), options);
    EXPECT_TRUE(read("edges.tsv") == read_file(inputs_.file("edges.tsv"))) << list;
    EXPECT_FALSE(read("edges.tsv").empty()) << list;
    EXPECT_EQ(summary.edges, plain.edges);
    const AllPairsSummary again = run(files_in(outputs_, true), options);
    EXPECT_TRUE(again.finished_before);
    EXPECT_EQ(again.edges, plain.edges);
  }
}

// Nearly all pairs of DNA have long common subsequences on both strands.
TEST_F(ApiRelationCheckpoints, OfBothStrandsAreNotDoneAgain) {
  const PairInputs inputs{.set = assorted(1, AlphabetKind::dna)};
  AllPairsOptions options;
  options.strands = Strands::both;
  options.relations = parse_relations("whole:30");
  Session session(session_options());
  const Scoring scoring = default_scoring("global", AlphabetKind::dna);
  const AllPairsSummary first = session.all_pairs(inputs, scoring, options, files_in(outputs_, true));
  const AllPairsSummary again = session.all_pairs(inputs, scoring, options, files_in(outputs_, true));
  EXPECT_GT(first.edges, 0u);
  EXPECT_TRUE(again.finished_before);
  EXPECT_EQ(again.edges, first.edges);
}

TEST_F(ApiRelationCheckpoints, OfOtherRelationsAreRefused) {
  AllPairsOptions options;
  options.relations = parse_relations("whole:30,related:1");
  run(files_in(outputs_, true), options);
  for (const char* other : {"whole:31,related:1", "related:1,whole:30", "whole:30", "whole:30,related:2"}) {
    AllPairsOptions changed;
    changed.relations = parse_relations(other);
    EXPECT_THAT(input_error([&] { run(files_in(outputs_, true), changed); }), HasSubstr("relation differs"))
        << other;
  }
  PairFiles files = files_in(outputs_, true);
  files.edge_threshold = 30;
  EXPECT_NE(input_error([&] { run(files, with_value()); }), "") << "edges by a threshold";
}

// The run is cancelled up to three times, each time when more stripes are in the ledger than before.
TEST_F(ApiRelationCheckpoints, GoOnToTheSameBytes) {
  const PairInputs inputs{.set =
                              joined(relatives_set(1, 60, 40),
                                     random_set({.seed = 8, .count = 200, .shortest = 20, .longest = 40}))};
  AllPairsOptions options;
  options.relations = parse_relations("whole:20,related:10,score:15");
  Session session(session_options(2, 1 << 20)), other(session_options(1, 1 << 30));
  session.all_pairs(inputs, scoring_, options, files_in(inputs_, false));
  int interrupted = 0;
  AllPairsSummary last;
  for (bool done = false; !done;) {
    const auto ledger = outputs_.file("ledger/ledger.json");
    const std::string before = std::filesystem::exists(ledger) ? read_file(ledger) : "";
    std::stop_source source;
    RunControl stopped;
    stopped.stop = source.get_token();
    stopped.on_progress = [&](const Progress&) {
      if (interrupted < 3 && std::filesystem::exists(ledger) && read_file(ledger) != before)
        source.request_stop();
    };
    const Thrown thrown = thrown_by([&] {
      last = (interrupted == 2 ? other : session)
                 .all_pairs(inputs, scoring_, options, files_in(outputs_, true), stopped);
    });
    done = !thrown.interrupted;
    interrupted += thrown.interrupted;
    ASSERT_TRUE(thrown.interrupted || thrown.text == "nothing was thrown") << thrown.text;
  }
  const std::string edges = read("edges.tsv");
  EXPECT_TRUE(edges == read_file(inputs_.file("edges.tsv")));
  EXPECT_EQ(last.edges, static_cast<std::uint64_t>(std::ranges::count(edges, '\n')));
  EXPECT_GT(last.edges, 1000u);
  EXPECT_GT(interrupted, 0) << "the run is too short for this test";
}

// Whether sequences are whole:T, or have a score, depends on no other sequence.
TEST_F(ApiRelationCheckpoints, SequencesAreAdded) {
  const SequenceSet more = joined(relatives_set(4, 9, 60), set_.part(3, 6));
  for (const char* list : {"whole:30", "score:40,score-distance:60", "whole:90.5,score:40"}) {
    AllPairsOptions options;
    options.relations = parse_relations(list);
    for (const TempDir* directory : {&outputs_, &inputs_})
      std::filesystem::remove_all(directory->file("ledger"));
    session_.all_pairs(PairInputs{.set = joined(set_, more)}, scoring_, options, files_in(inputs_, true));
    run(files_in(outputs_, true), options);
    session_.all_pairs(PairInputs{.set = set_, .added = more}, scoring_, options, files_in(outputs_, true));
    EXPECT_TRUE(read("edges.tsv") == read_file(inputs_.file("edges.tsv"))) << list;
  }
}

TEST_F(ApiRelationCheckpoints, OfAThrowingCallbackEndTheCall) {
  AllPairsOptions options;
  options.relations = parse_relations("score:-100");
  int calls = 0;
  PairSink sink;
  sink.sparse = [&](const SparseValues&) {
    ++calls;
    throw std::runtime_error("enough");
  };
  EXPECT_THROW(session_.all_pairs(set_, scoring_, options, sink), std::runtime_error);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace alnus::test
