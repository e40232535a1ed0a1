// Searches in parts: merged outputs have the bytes of one process.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "api/support/parts_fixture.h"
#include "api/support/strands.h"

namespace alnus::test {
namespace {

// The sequences of a set with titles that begin with `prefix`, and one more record without residues.
SequenceSet titled(const SequenceSet& set, const std::string& prefix) {
  SequenceSetBuilder builder(set.alphabet(), prefix + ".fa");
  for (Index k = 0; k < set.size(); ++k) {
    builder.add(prefix + std::to_string(k) + " number " + std::to_string(k), set.residues(k));
    if (k == set.size() / 2) builder.add(prefix + "_empty", {});
  }
  return builder.finish();
}

class ApiPartsOfASearch : public PartsTest {
 protected:
  SearchJob proteins() const {
    SearchJob job;
    job.queries = queries_;
    job.database = subjects_;
    return job;
  }
  const SequenceSet queries_ =
      titled(joined(relatives_set(1, 5, 60), random_set({.seed = 3, .count = 3, .longest = 300})), "q");
  const SequenceSet subjects_ =
      titled(joined(relatives_set(1, 25, 60), random_set({.seed = 2, .count = 20, .longest = 80})), "s");
};

TEST_F(ApiPartsOfASearch, EveryFormat) {
  for (const char* format : {"0", "5", "7", "7 qseqid sseqid evalue", "10", "srspair", "sam", "jsonl",
                             "6 qseqid sseqid score", "6 qseqid sseqid qend send score",
                             "6 qaccver saccver pident length gaps nident qstart qend sstart send",
                             "6 std qlen slen score adjscore positive cigar btop qseq sseq full_qseq "
                             "full_sseq qtitle stitle qheader "
                             "theader pident_shorter pident_min pident_max pident_end_gaps_min qcov tcov"}) {
    SCOPED_TRACE(format);
    SearchJob job = proteins();
    job.with_format(format);
    expect_whole(job, {2, 23});
  }
}

TEST_F(ApiPartsOfASearch, EveryNumberOfPartsAndTheColumnsNames) {
  SearchJob job = proteins();
  job.with_format("10 std cigar");
  job.format.header = true;
  expect_whole(job);
  job.with_format("sam");
  expect_whole(job);
  expect_whole(job, {3, 8, 60, 500});
}

// Parts need significance to order the rows of some subjects; outputs must not show it if nobody asked for
// it.
TEST_F(ApiPartsOfASearch, SignificanceThatIsNotAskedForIsInNoOutput) {
  for (const char* format : {"0", "6 std score", "7", "srspair", "sam", "jsonl"}) {
    SCOPED_TRACE(format);
    SearchJob job = proteins();
    job.with_format(format);
    job.options.significance = false;
    expect_whole(job, {5, 23});
  }
}

TEST_F(ApiPartsOfASearch, EveryMethodOfStatistics) {
  for (const StatisticsMethod method :
       {StatisticsMethod::spouge, StatisticsMethod::karlin, StatisticsMethod::none})
    for (const std::uint32_t most : {1U, 3U, 500U}) {
      SCOPED_TRACE(std::string(to_string(method)) + ", hits: " + std::to_string(most));
      SearchJob job = proteins();
      job.with_format("7 std score adjscore zscore");
      job.options.statistics.method = method;
      job.options.max_target_seqs = most;
      expect_whole(job, {5, 23});
    }
}

TEST_F(ApiPartsOfASearch, CompositionAndLowComplexity) {
  SequenceSetBuilder builder(AlphabetKind::protein, "repeats");
  for (Index k = 0; k < subjects_.size(); ++k) {
    std::vector<Residue> residues(subjects_.residues(k).begin(), subjects_.residues(k).end());
    if (k % 3 == 0) residues.insert(residues.end(), 30, static_cast<Residue>(k % 20));
    builder.add("s" + std::to_string(k), residues);
  }
  const SequenceSet subjects = builder.finish();
  for (const Composition composition : {Composition::adjust, Composition::scale, Composition::none})
    for (const LowComplexity low : {LowComplexity::statistics, LowComplexity::none}) {
      SCOPED_TRACE(std::string(to_string(composition)) + ", low complexity " + std::string(to_string(low)));
      SearchJob job = proteins();
      job.database = subjects;
      job.with_format("0");
      job.options.statistics.composition = composition;
      job.options.statistics.low_complexity = low;
      job.options.max_target_seqs = 4;
      expect_whole(job, {5, 23});
      job.with_format("6 std score adjscore");
      job.options.evalue = 1e-4;
      expect_whole(job, {5});
    }
}

TEST_F(ApiPartsOfASearch, ShufflesAndFewHits) {
  for (const std::uint32_t most : {1U, 3U}) {
    SearchJob job = proteins();
    job.with_format("7 std zscore zscore_se zfit score");
    job.options.statistics.method = StatisticsMethod::zvalue;
    job.options.statistics.shuffles = ShuffleOptions{.shuffles = 20};
    job.options.max_target_seqs = most;
    expect_whole(job, {5, 23});
    job.options.evalue = 0.1;
    expect_whole(job, {5, 23});
  }
}

// The regression needs all scores of a query, so that parts have whole queries. Some queries have too few
// scores for it, and the summary counts these.
TEST_F(ApiPartsOfASearch, RegressionOfAllScoresOfAQuery) {
  SearchJob job;
  job.queries = joined(queries_, set_of({"ACDEFGH", "", "MKTAYIAKQRQISFVKSHFSRQ"}));
  job.database =
      joined(relatives_set(1, 40, 60), random_set({.seed = 2, .count = 560, .shortest = 12, .longest = 90}));
  job.with_format("0");
  job.options.statistics.method = StatisticsMethod::regression;
  job.options.max_target_seqs = 5;
  expect_whole(job);
  job.with_format("7 std zscore score");
  job.score_plot = true;
  expect_whole(job, {1, 3, 23});
}

// The picture's last score is the highest that sequences of these lengths may have.
TEST_F(ApiPartsOfASearch, ThePictureOfTheHighestScoresThatThereAre) {
  SearchJob job = proteins();
  job.score_plot = true;
  job.options.statistics.method = StatisticsMethod::none;
  job.queries = set_of({"WWWWWWWWWW", "MKTAYIAK"});
  job.database = set_of({"WWWWWWWWWW", "MKTAYIAK", "WWWWW", "ACDEFGHIK"});
  expect_whole(job, {1, 3});
}

TEST_F(ApiPartsOfASearch, ThePictureOfTheScores) {
  SearchJob job = proteins();
  job.score_plot = true;
  for (const StatisticsMethod method : {StatisticsMethod::spouge, StatisticsMethod::none}) {
    job.options.statistics.method = method;
    job.queries = queries_;
    expect_whole(job);
    job.queries = queries_.part(2, 3);  // one query, so that the last parts have no work
    expect_whole(job);
  }
}

TEST_F(ApiPartsOfASearch, FiltersAndIdentityRanges) {
  SearchJob job = proteins();
  job.with_format("6 std score pident_min pident_max pident_longer_min");
  for (const std::uint32_t most : {2U, 500U}) {
    job.options = {.max_target_seqs = most, .evalue = 1e-3, .identity_ranges = job.format.identity_ranges()};
    expect_whole(job, {2, 23});
    job.options.evalue = 1e-300;
    expect_whole(job, {2, 23});
    job.options.evalue = 1e9;
    job.options.min_score = 35;
    expect_whole(job, {2, 23});
    job.options.evalue.reset();
    job.options.statistics = no_statistics();
    expect_whole(job, {2, 23});
    job.options.min_score = 1e6;
    expect_whole(job, {2, 23});
  }
}

TEST_F(ApiPartsOfASearch, ADatabaseFileSortedByLength) {
  SearchJob job = proteins();
  job.database = as_file(subjects_);
  for (const char* format : {"0", "sam", "6 std score full_sseq stitle"}) {
    SCOPED_TRACE(format);
    job.with_format(format);
    expect_whole(job);
  }
}

TEST_F(ApiPartsOfASearch, MaskedSequences) {
  SearchJob job = proteins();
  job.database = two_threads_.masked(Database(subjects_), Masking{.seg = true});
  job.with_format("6 std score full_sseq qseq sseq");
  expect_whole(job, {2, 23});
}

TEST_F(ApiPartsOfASearch, QualitiesInSam) {
  std::string text;
  const SequenceSet reads = joined(relatives_set(1, 4, 60, AlphabetKind::dna), strands_set({.count = 3}));
  for (Index k = 0; k < reads.size(); ++k) {
    std::string quality;
    for (std::size_t i = 0; i < reads.length(k); ++i) quality += static_cast<char>('#' + (i * 7 + k) % 60);
    text += "@r" + std::to_string(k) + "\n" + decode(reads.residues(k), AlphabetKind::dna) + "\n+\n" +
            quality + "\n";
  }
  SearchJob job;
  job.queries = two_threads_.open(directory_.write_file("reads.fq", text),
                                  {.alphabet = AlphabetChoice::dna, .qualities = true});
  job.database = relatives_set(1, 15, 60, AlphabetKind::dna);
  job.scoring = default_scoring("local", AlphabetKind::dna);
  job.with_format("sam");
  job.options.max_target_seqs = 3;
  expect_whole(job);
  EXPECT_THAT(read("merged", "rows"), testing::HasSubstr("#*18"));
}

TEST_F(ApiPartsOfASearch, OneQueryAndManyParts) {
  for (const Database& database : {Database(subjects_), as_file(subjects_)}) {
    SearchJob job;
    job.queries = queries_.part(7, 8);
    job.database = database;
    job.options.evalue = 1e9;
    for (const char* format : {"0", "5", "7", "sam", "jsonl"}) {
      SCOPED_TRACE(format);
      job.with_format(format);
      job.options.max_target_seqs = 10;
      expect_whole(job, full_tests() || format == std::string_view("7") ? std::vector<std::size_t>{2, 23, 100}
                                                                        : std::vector<std::size_t>{23});
    }
  }
}

TEST_F(ApiPartsOfASearch, WithoutSequencesOrResidues) {
  const SequenceSet none = random_set({.count = 0}), empty = set_of({"", "", ""}),
                    some = set_of({"", "MKTAYIAKQR", "", "MKTAYI", ""});
  for (const SequenceSet& queries : {none, empty, some})
    for (const SequenceSet& database : {none, empty, some})
      for (const char* mode : {"local", "global"})
        for (const char* format : {"0", "5", "7", "sam", "6 std score"}) {
          SCOPED_TRACE(std::to_string(queries.total_residues()) + " of " + std::to_string(queries.size()) +
                       " in " + std::to_string(database.total_residues()) + " of " +
                       std::to_string(database.size()) + ", " + mode + ", " + format);
          SearchJob job;
          job.queries = queries;
          job.database = database;
          job.scoring = default_scoring(mode);
          job.with_format(format);
          EXPECT_NO_THROW(expect_whole(job, {1, 3}));
        }
}

TEST_F(ApiPartsOfASearch, SummariesOfPartsCountWhatTheyComputed) {
  const SearchJob job = proteins();
  const Plan plan = plan_search(job.queries, job.database, 5);
  for (std::size_t number = 1; number <= 5; ++number) {
    const SearchSummary summary = compute(job, {number, 5}, new_part());
    EXPECT_EQ(summary.pairs, plan.parts[number - 1].pairs);
    EXPECT_EQ(summary.cells, plan.parts[number - 1].cells);
  }
}

// ---- Several parts at once, and several in one file ----

TEST_F(ApiPartsOfASearch, SomePartsAtOnce) {
  for (const std::uint32_t most : {2U, 500U}) {
    SearchJob job = proteins();
    job.with_format("7 std score");
    job.options.max_target_seqs = most;
    expect_whole(job, {});
    std::vector<std::string> paths;
    for (const PartOfJob& part : {PartOfJob{1, 31, 4}, {6, 31}, {7, 31, 11}, {19, 31, 0}, {20, 31, 11}}) {
      paths.push_back(new_part());
      compute(job, part, paths.back());
    }
    clear("merged");
    const MergeSummary merged = merging_.merge(shuffled(paths), job_files_of(job, "merged"));
    EXPECT_EQ(merged.parts, 31u);
    EXPECT_TRUE(same_files("merged", "whole"));
  }
}

TEST_F(ApiPartsOfASearch, PartsInOneFile) {
  SearchJob job = proteins();
  job.with_format("0");
  expect_whole(job, {});
  const std::string one = new_part(), other = new_part();
  std::vector<PartPlace> places;
  for (const std::size_t number : {4U, 1U, 5U, 2U, 3U}) {
    const std::string& path = number % 2 == 0 ? one : other;
    const bool is_there = std::filesystem::exists(path);
    places.push_back({path, is_there ? std::filesystem::file_size(path) : 0});
    compute(job, {number, 5}, {path, true});
    EXPECT_NO_THROW(verify_part(places.back()));
  }
  clear("merged");
  merging_.merge(std::vector<std::string>{one, other}, job_files_of(job, "merged"));
  EXPECT_TRUE(same_files("merged", "whole"));
  clear("merged");
  merging_.merge(places, job_files_of(job, "merged"));
  EXPECT_TRUE(same_files("merged", "whole"));
}

}  // namespace
}  // namespace alnus::test
