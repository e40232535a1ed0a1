// Searches in parts where pairs have several alignments: merged outputs have the bytes of one process.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "api/support/parts_fixture.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

class ApiPartsWithSeveralAlignments : public PartsTest {
 protected:
  // Sequences with six copies of some units, of which a part is changed. In DNA every other copy is on the
  // minus strand.
  static SequenceSet with_copies(unsigned seed, std::uint32_t count, AlphabetKind alphabet) {
    const bool is_dna = alphabet == AlphabetKind::dna;
    const std::size_t letters = is_dna ? 4 : 20;
    Random of_units(7), random(seed);
    std::vector<Residues> units;
    for (const std::size_t length : {18U, 25U, 31U})
      units.push_back(random_sequence(of_units, length, letters));
    SequenceSetBuilder builder(alphabet, "copies");
    for (std::uint32_t k = 0; k < count; ++k) {
      Residues all;
      for (std::size_t copy = 0; copy < 6; ++copy) {
        Residues one = units[below(random, units.size())];
        if (below(random, 2) == 0)
          one[below(random, one.size())] = static_cast<Residue>(below(random, letters));
        if (is_dna && copy % 2 == 1) one = reverse_complement(one);
        all = concatenate({all, one, random_sequence(random, below(random, 12), letters)});
      }
      builder.add("s" + std::to_string(seed) + "_" + std::to_string(k) + " copies", all);
    }
    return builder.finish();
  }

  static SearchJob proteins() {
    SearchJob job;
    job.queries = with_copies(1, 3, AlphabetKind::protein);
    job.database = joined(with_copies(2, 10, AlphabetKind::protein), random_set({.seed = 3, .count = 6}));
    job.options.max_hsps = 4;
    return job.with_format("6 std score hsp cigar");
  }
  static SearchJob nucleotides() {
    SearchJob job;
    job.queries = with_copies(1, 3, AlphabetKind::dna);
    job.database = joined(with_copies(2, 10, AlphabetKind::dna),
                          random_set({.seed = 3, .count = 6, .alphabet = AlphabetKind::dna}));
    job.scoring = default_scoring("local", AlphabetKind::dna);
    job.options.max_hsps = 5;
    return job.with_format("6 std score sstrand hsp cigar");
  }

  // Expects that the job has pairs with several rows, and that its summary counts pairs.
  void expect_several(const SearchJob& job) {
    const SearchResult result = merging_.search(job.queries, job.database, job.scoring, job.options);
    const auto first = std::ranges::count(result.hits.rows.hsp, 1);
    EXPECT_EQ(result.summary.hits, static_cast<std::uint64_t>(first));
    EXPECT_GT(result.hits.rows.size(), result.summary.hits);
  }
};

TEST_F(ApiPartsWithSeveralAlignments, EveryFormat) {
  SearchJob job = proteins();
  expect_several(job);
  for (const char* format : {"0", "5", "7", "10 std hsp", "srspair", "sam", "jsonl",
                             "6 std hsp qcovs qcovhsp zscore pident_min pident_longer_max btop"}) {
    SCOPED_TRACE(format);
    job.with_format(format);
    expect_whole(job, {2, 23});
  }
}

TEST_F(ApiPartsWithSeveralAlignments, OfBothStrands) {
  SearchJob job = nucleotides();
  expect_several(job);
  for (const char* format : {"6 std score sstrand hsp cigar", "0", "5", "sam"}) {
    SCOPED_TRACE(format);
    job.with_format(format);
    expect_whole(job, {2, 23});
  }
  for (const Strands strands : {Strands::plus, Strands::minus}) {
    job.options.strands = strands;
    expect_whole(job, {5});
  }
}

// The subjects of one query lie in several parts.
TEST_F(ApiPartsWithSeveralAlignments, OneQueryAndManyParts) {
  for (SearchJob job : {proteins(), nucleotides()})
    for (const bool judged : {true, false})
      for (const std::uint32_t most : {1U, 4U, 500U}) {
        SCOPED_TRACE(std::string(judged ? "judged" : "by score") + ", hits: " + std::to_string(most));
        job.queries = job.queries.part(0, 1);
        if (!judged) job.options.statistics.method = StatisticsMethod::none;
        job.options.max_target_seqs = most;
        expect_several(job);
        expect_whole(job, {2, 7, 40});
      }
}

TEST_F(ApiPartsWithSeveralAlignments, TiesAtTheCut) {
  SearchJob job = nucleotides();
  job.queries = job.queries.part(0, 1);
  const SequenceSet copies = repeated(with_copies(2, 3, AlphabetKind::dna), 4);
  for (const Database& database : {Database(copies), as_file(copies)})
    for (const std::uint32_t most : {1U, 3U, 6U}) {
      SCOPED_TRACE(most);
      job.database = database;
      job.options.max_target_seqs = most;
      expect_whole(job, {2, 7});
    }
}

// Limits leave out some alignments of a pair.
TEST_F(ApiPartsWithSeveralAlignments, LimitsOfScoresAndEvalues) {
  for (SearchJob job : {proteins(), nucleotides()})
    for (const Index queries : {3U, 1U}) {
      job.queries = job.queries.part(0, queries);
      job.options.evalue = 1e-3;
      expect_whole(job, {2, 7});
      job.options.evalue = 1e9;
      job.options.min_score = 30;
      expect_whole(job, {2, 7});
    }
}

TEST_F(ApiPartsWithSeveralAlignments, SignificanceThatIsNotAskedForIsInNoOutput) {
  SearchJob job = proteins();
  job.queries = job.queries.part(0, 1);
  for (const char* format : {"6 std score hsp", "0"}) {
    job.with_format(format);
    job.options.significance = false;
    expect_whole(job, {7});
  }
}

TEST_F(ApiPartsWithSeveralAlignments, ShufflesJudgeTheFirstOnes) {
  SearchJob job = proteins();
  job.queries = job.queries.part(0, 1);
  job.with_format("6 std hsp zscore zscore_se zfit");
  job.options.statistics.method = StatisticsMethod::zvalue;
  job.options.statistics.shuffles = ShuffleOptions{.shuffles = 20};
  job.options.max_target_seqs = 5;
  expect_whole(job, {2, 7});
}

// As ApiCandidatesOfParts.OfBothStrandsOfOnePair: in one process a pair may be a candidate on its worse
// strand alone, and its first alignment is then on that strand. In a part the pair is a hit on both strands.
TEST_F(ApiPartsWithSeveralAlignments, ThatAreListedFromTheWorseStrand) {
  constexpr Residue kA = 0, kG = 2, kT = 3;
  Random random(19);
  const Residues query = concatenate({random_sequence(random, 100, 4), Residues(60, kA)}),
                 other = reverse_complement(query);
  const auto piece_of = [](const Residues& residues, std::size_t begin, std::size_t length) {
    const auto from = residues.begin() + static_cast<std::ptrdiff_t>(begin);
    return Residues(from, from + static_cast<std::ptrdiff_t>(length));
  };
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
  job.options.evalue = 1e9;
  job.options.max_hsps = 3;
  job.with_format("6 std score sstrand hsp");
  for (const std::uint32_t most : {1U, 60U}) {
    SCOPED_TRACE(most);
    job.options.max_target_seqs = most;
    expect_whole(job, {2, 7});
  }
}

// The picture shows each hit once, by its first alignment.
TEST_F(ApiPartsWithSeveralAlignments, ThePictureIsThatOfTheFirstOnes) {
  SearchJob job = proteins();
  job.score_plot = true;
  expect_whole(job, {5});
  const std::string picture = read("merged", "plot.svg");
  job.options.max_hsps = 1;
  expect_whole(job, {5});
  EXPECT_EQ(read("merged", "plot.svg"), picture);
}

}  // namespace
}  // namespace alnus::test
