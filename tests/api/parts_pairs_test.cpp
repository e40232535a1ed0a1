// All pairs in parts: merged outputs have the bytes of one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "api/support/parts_fixture.h"
#include "api/support/strands.h"
#include "io/part_file.h"

namespace alnus::test {
namespace {

class ApiPartsOfAllPairs : public PartsTest {
 protected:
  enum class Pairs { one_set, self, two_sets };
  static constexpr Pairs kAllPairs[] = {Pairs::one_set, Pairs::self, Pairs::two_sets};
  static std::string to_string(Pairs pairs) {
    return pairs == Pairs::one_set ? "one set" : pairs == Pairs::self ? "one set with itself" : "two sets";
  }
  PairsJob job_of(Pairs pairs) const {
    PairsJob job;
    job.inputs.set = set_;
    if (pairs == Pairs::two_sets) job.inputs.against = against_;
    job.options.self = pairs == Pairs::self;
    return job;
  }
  static SequenceSet named(const std::string& prefix, const SequenceSet& set) {
    SequenceSetBuilder builder(AlphabetKind::protein, prefix + ".fa");
    for (Index k = 0; k < set.size(); ++k)
      builder.add(prefix + std::to_string(k) + " a title", set.residues(k));
    return builder.finish();
  }

  const SequenceSet set_ = named("s",
                                 joined(joined(relatives_set(1, 12, 60), random_set({.seed = 2, .count = 6})),
                                        set_of({"", "MK"}))),
                    against_ =
                        named("t", joined(random_set({.seed = 3, .count = 4}), relatives_set(1, 7, 60)));
};

TEST_F(ApiPartsOfAllPairs, RowsOfEveryFormat) {
  for (const Pairs pairs : kAllPairs)
    for (const char* format :
         {"0", "5", "6", "6 std score cigar qseq sseq full_qseq stitle pident_min pident_max", "7", "srspair",
          "sam", "jsonl", "6 qseqid sseqid score"}) {
      SCOPED_TRACE(to_string(pairs) + ", " + format);
      PairsJob job = job_of(pairs);
      job.with_format(format);
      expect_whole(job, {2, 23});
    }
}

TEST_F(ApiPartsOfAllPairs, EveryNumberOfParts) {
  for (const Pairs pairs : kAllPairs) {
    SCOPED_TRACE(to_string(pairs));
    PairsJob job = job_of(pairs);
    job.with_format("10 std");
    job.files.format.header = true;
    job.files.matrix = "matrix.npy";
    job.files.edges = "edges.tsv";
    job.options.value = MatrixValue{};
    job.files.edge_threshold = 30;
    expect_whole(job);
    expect_whole(job, {3, 4, 19, 20, 21, 100});
  }
}

TEST_F(ApiPartsOfAllPairs, MatricesOfEveryValueAndType) {
  for (const Pairs pairs : {Pairs::one_set, Pairs::two_sets})
    for (const bool square : {false, true}) {
      if (square && pairs == Pairs::two_sets) continue;
      for (const MatrixType type : {MatrixType::int32, MatrixType::float32})
        for (const PairValue value :
             {PairValue::score, PairValue::identity, PairValue::distance, PairValue::score_distance}) {
          if (value != PairValue::score && value != PairValue::score_distance && type == MatrixType::int32)
            continue;
          SCOPED_TRACE(to_string(pairs) + (square ? ", square" : "") + ", value " +
                       std::to_string(static_cast<int>(value)) + " as " +
                       std::to_string(static_cast<int>(type)));
          PairsJob job = job_of(pairs);
          job.files.matrix = "matrix.npy";
          job.files.square = square;
          job.files.matrix_type = type;
          job.options.value = MatrixValue{value, Denominator::shorter};
          expect_whole(job, {3, 23});
        }
    }
}

TEST_F(ApiPartsOfAllPairs, SeveralMatrices) {
  for (const Pairs pairs : kAllPairs) {
    SCOPED_TRACE(to_string(pairs));
    PairsJob job = job_of(pairs);
    job.files.matrix = "scores.npy";
    job.files.matrices = {{PairValue::identity, "identities.npy"},
                          {PairValue::distance, "distances.npy"},
                          {PairValue::score_distance, "score-distances.npy"}};
    job.options.value = MatrixValue{PairValue::score};
    expect_whole(job);
  }
}

TEST_F(ApiPartsOfAllPairs, MatricesOfDecimals) {
  ScoringOptions scoring;
  scoring.gap_open = "9.5";
  scoring.gap_extend = "0.5";
  PairsJob job = job_of(Pairs::one_set);
  job.scoring = make_scoring(scoring);
  job.files.matrix = "scores.npy";
  job.files.matrix_type = MatrixType::float32;
  job.files.edges = "edges.tsv";
  job.files.edge_threshold = 20.5;
  job.options.value = MatrixValue{PairValue::score};
  job.options.statistics = no_statistics();
  expect_whole(job, {5});
}

// PHYLIP's text has more digits than the matrix, which has single precision.
TEST_F(ApiPartsOfAllPairs, DistancesForPhylip) {
  SequenceSetBuilder builder(AlphabetKind::protein, "names");
  for (Index k = 0; k < set_.size(); ++k)
    builder.add(std::to_string(k) + (k % 2 == 0 ? ":a" : "_a_long_name"), set_.residues(k));
  const SequenceSet long_names = builder.finish();
  for (const PhylipNames names : {PhylipNames::relaxed, PhylipNames::strict})
    for (const bool with_others : {false, true}) {
      PairsJob job;
      job.inputs.set = long_names;
      job.files.phylip = "distances.phy";
      job.files.phylip_names = names;
      job.options.value = MatrixValue{PairValue::identity, Denominator::mean};
      if (with_others) {
        job.files.matrices = {{PairValue::distance, "distances.npy"}};
        job.files.edges = "edges.csv.gz";
        job.files.edge_threshold = 20;
      }
      expect_whole(job);
    }
}

TEST_F(ApiPartsOfAllPairs, EdgesOfEveryValue) {
  for (const Pairs pairs : kAllPairs)
    for (const auto& [value, threshold] : std::map<PairValue, double>{{PairValue::score, 40},
                                                                      {PairValue::identity, 35.5},
                                                                      {PairValue::distance, 0.6},
                                                                      {PairValue::score_distance, 300}})
      for (const char* name : {"edges.tsv", "edges.csv.gz", "edges.npz"}) {
        SCOPED_TRACE(to_string(pairs) + ", value " + std::to_string(static_cast<int>(value)) + ", " + name);
        PairsJob job = job_of(pairs);
        job.files.edges = name;
        job.files.edge_threshold = threshold;
        job.options.value = MatrixValue{value};
        expect_whole(job, {6});
      }
}

TEST_F(ApiPartsOfAllPairs, EdgesAndAMatrixOfTheirValue) {
  PairsJob job = job_of(Pairs::self);
  job.files.edges = "edges.tsv";
  job.files.edge_threshold = 30;
  job.files.matrix = "matrix.npy";
  job.options.value = MatrixValue{PairValue::identity};
  job.options.filter.min_score = 25;
  expect_whole(job);
}

TEST_F(ApiPartsOfAllPairs, Filters) {
  for (const Pairs pairs : kAllPairs) {
    PairsJob job = job_of(pairs);
    job.with_format("6 std score qcovs");
    job.files.edges = "edges.tsv";
    job.files.edge_threshold = 30;
    job.options.value = MatrixValue{PairValue::score};
    const std::vector<PairFilter> filters = {
        {{}, 30},
        {{.min_identity = 40, .denominator = Denominator::shorter}},
        {{}, {}, 1e-5},
        {{.min_coverage = 50, .coverage_of = CoverageOf::query, .min_length = 20}, {}, 1e-5},
        {{}, 1e6}};
    for (std::size_t k = 0; k < filters.size(); ++k) {
      SCOPED_TRACE(to_string(pairs) + ", filter " + std::to_string(k));
      job.options.filter = filters[k];
      expect_whole(job, {2, 23});
    }
  }
}

TEST_F(ApiPartsOfAllPairs, EveryMode) {
  for (const Pairs pairs : kAllPairs)
    for (const char* mode : {"global", "semiglobal"}) {
      SCOPED_TRACE(to_string(pairs) + ", " + mode);
      PairsJob job = job_of(pairs);
      job.scoring = default_scoring(mode);
      job.with_format("6 std score cigar");
      job.files.matrix = "matrix.npy";
      job.options.value = MatrixValue{PairValue::distance};
      expect_whole(job, {5});
    }
}

TEST_F(ApiPartsOfAllPairs, BothStrandsOfDna) {
  for (const Strands strands : kAllStrands)
    for (const bool two : {false, true}) {
      SCOPED_TRACE(test::to_string(strands) + (two ? ", two sets" : ""));
      PairsJob job;
      job.inputs.set = strands_set({.seed = 1, .count = 14});
      if (two) job.inputs.against = strands_set({.seed = 2, .count = 9});
      job.scoring = default_scoring("local", AlphabetKind::dna);
      job.with_format("6 std score sstrand cigar");
      job.files.matrix = "matrix.npy";
      job.files.edges = "edges.tsv";
      job.files.edge_threshold = 10;
      job.options.value = MatrixValue{PairValue::score};
      job.options.strands = strands;
      expect_whole(job, {2, 23});
    }
}

TEST_F(ApiPartsOfAllPairs, ZValues) {
  for (const Pairs pairs : kAllPairs) {
    SCOPED_TRACE(to_string(pairs));
    PairsJob job = job_of(pairs);
    job.with_format("7 std zscore zscore_se zfit");
    job.options.statistics.method = StatisticsMethod::zvalue;
    job.options.statistics.shuffles = ShuffleOptions{.shuffles = 20};
    job.options.filter.min_score = 20;
    expect_whole(job, {5});
  }
}

// The indices of all pairs are those of the sequence file's order, though a database file is sorted by
// length.
TEST_F(ApiPartsOfAllPairs, ADatabaseFileSortedByLength) {
  const Database file = as_file(set_);
  for (const Pairs pairs : kAllPairs) {
    SCOPED_TRACE(to_string(pairs));
    PairsJob job = job_of(pairs);
    job.inputs.set = file;
    job.with_format("6 std full_qseq");
    job.files.matrix = "matrix.npy";
    job.files.edges = "edges.tsv";
    job.files.edge_threshold = 30;
    job.options.value = MatrixValue{};
    expect_whole(job, {5});
    if (pairs == Pairs::two_sets) {
      job.inputs = {.set = against_, .against = file};
      expect_whole(job, {5});
    }
  }
}

TEST_F(ApiPartsOfAllPairs, OfFewOrNoSequences) {
  const SequenceSet none = random_set({.count = 0}), empty = set_of({"", "", ""}),
                    one = set_of({"MKTAYIAKQR"}), two = set_of({"MKTAYIAKQR", "MKTAYI"});
  const auto outputs = [](PairsJob& job) {
    job.with_format("6 std");
    job.files.matrix = "matrix.npy";
    job.files.edges = "edges.tsv";
    job.files.edge_threshold = 30;
    job.options.value = MatrixValue{};
  };
  for (const SequenceSet& set : {none, empty, one, two}) {
    for (const bool self : {false, true}) {
      SCOPED_TRACE(std::to_string(set.size()) + " sequences" + (self ? " with themselves" : ""));
      PairsJob job;
      job.inputs.set = set;
      job.options.self = self;
      outputs(job);
      job.files.phylip = "distances.phy";
      EXPECT_NO_THROW(expect_whole(job, {1, 3}));
    }
    for (const SequenceSet& against : {none, empty, one, two}) {
      SCOPED_TRACE(std::to_string(set.size()) + " against " + std::to_string(against.size()) + " sequences");
      PairsJob job;
      job.inputs = {.set = set, .against = against};
      outputs(job);
      EXPECT_NO_THROW(expect_whole(job, {1, 3}));
    }
  }
}

// With little memory a part has more than one stripe.
TEST_F(ApiPartsOfAllPairs, PartsOfSeveralStripes) {
  PairsJob job;
  job.inputs.set = random_set({.seed = 4, .count = 700, .shortest = 4, .longest = 12});
  job.options.statistics = no_statistics();
  job.with_format("6 qseqid sseqid score");
  job.files.matrix = "matrix.npy";
  job.files.edges = "edges.tsv";
  job.files.edge_threshold = 12;
  job.options.value = MatrixValue{PairValue::score};
  Session small(session_options(2, 1 << 20));
  clear("whole");
  two_threads_.all_pairs(job.inputs, job.scoring, job.options, files_of(job, "whole"));
  std::vector<std::string> paths;
  for (std::size_t number = 1; number <= 3; ++number) {
    paths.push_back(new_part());
    small.all_pairs_part(job.inputs, job.scoring, job.options, files_of(job, "elsewhere"), {number, 3},
                         paths.back());
  }
  std::size_t stripes = 0;
  for (const std::string& path : paths)
    for (io::PartFileReader part(path); !part.at_end(); part.next())
      stripes += part.kind() == io::ChunkKind::stripe;
  EXPECT_GT(stripes, 2 * paths.size());
  clear("merged");
  small.merge(shuffled(paths), job_files_of(job, "merged"));
  EXPECT_TRUE(same_files("merged", "whole"));
}

TEST_F(ApiPartsOfAllPairs, SomePartsAtOnceAndInOneFile) {
  for (const Pairs pairs : kAllPairs) {
    SCOPED_TRACE(to_string(pairs));
    PairsJob job = job_of(pairs);
    job.with_format("7 std score");
    job.files.matrix = "matrix.npy";
    job.options.value = MatrixValue{};
    expect_whole(job, {});
    const std::string path = new_part(), other = new_part();
    for (const PartOfJob& part : {PartOfJob{14, 31, 17}, {6, 31}, {1, 31, 4}})
      compute(job, part, {path, true});
    compute(job, {7, 31, 6}, other);
    clear("merged");
    const MergeSummary merged =
        merging_.merge(std::vector<std::string>{other, path}, job_files_of(job, "merged"));
    EXPECT_EQ(merged.parts, 31u);
    EXPECT_TRUE(same_files("merged", "whole"));
  }
}

TEST_F(ApiPartsOfAllPairs, SummariesOfPartsCountWhatTheyComputed) {
  for (const Pairs pairs : kAllPairs) {
    PairsJob job = job_of(pairs);
    job.with_format("6");
    const Plan plan =
        job.inputs.against ? plan_all_pairs(set_, against_, 5) : plan_all_pairs(set_, job.options.self, 5);
    for (std::size_t number = 1; number <= 5; ++number) {
      const AllPairsSummary summary = compute(job, {number, 5}, new_part());
      EXPECT_EQ(summary.pairs, plan.parts[number - 1].pairs);
      EXPECT_EQ(summary.cells, plan.parts[number - 1].cells);
      EXPECT_EQ(summary.listed + summary.filtered + summary.empty, summary.pairs);
    }
  }
}

}  // namespace
}  // namespace alnus::test
