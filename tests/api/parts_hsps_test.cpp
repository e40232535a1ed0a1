// Searches in parts where pairs have several alignments, or where filters look at alignments: merged outputs
// have the bytes of one process.
#include <algorithm>
#include <cstdint>
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

  // Expects that the job has pairs with several rows, and that its summary counts pairs. `filtered`: some
  // pairs may lack their first row.
  void expect_several(const SearchJob& job, bool filtered = false) {
    const SearchResult result = merging_.search(job.queries, job.database, job.scoring, job.options);
    const auto first = static_cast<std::uint64_t>(std::ranges::count(result.hits.rows.hsp, 1));
    EXPECT_EQ(result.summary.hits == first, !filtered);
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

// Both the query and its subjects have many A, so that a score on the plus strand is worth less than the same
// score on the minus strand. The first alignment of a subject "both" is on the plus strand. Its second one is
// on the minus strand, scores a little less, and has a lower E-value. Some subjects "plus", which have a
// first alignment alone, come before "both" by the E-values of the first alignments, and after by those of
// the best.
TEST_F(ApiPartsWithSeveralAlignments, OfWhichTheSecondOneIsBetter) {
  Random random(23);
  const auto with_many_a = [&](std::size_t length, std::size_t of_six) {
    Residues residues;
    while (residues.size() < length)
      residues.push_back(below(random, 6) < of_six ? Residue{0} : static_cast<Residue>(below(random, 4)));
    return residues;
  };
  const auto first_of = [](const Residues& residues, std::size_t length) {
    return Residues(residues.begin(), residues.begin() + static_cast<std::ptrdiff_t>(length));
  };
  SequenceSetBuilder queries(AlphabetKind::dna, "queries"), subjects(AlphabetKind::dna, "subjects");
  const Residues left = with_many_a(60, 1), right = with_many_a(60, 1);
  for (std::size_t k = 0; k < 12; ++k) {
    const Residues between = with_many_a(60, 3), behind = with_many_a(100, 1);
    subjects.add("both" + std::to_string(k),
                 concatenate({first_of(left, 50), between, reverse_complement(first_of(right, 48))}));
    subjects.add("plus" + std::to_string(k), concatenate({first_of(left, 48 + k), behind}));
  }
  for (const char* name : {"a", "b", "c"}) queries.add(name, concatenate({left, right}));
  SearchJob job;
  job.queries = queries.finish();
  job.database = subjects.finish();
  job.scoring = default_scoring("local", AlphabetKind::dna);
  job.options.statistics.low_complexity = LowComplexity::none;
  job.options.max_hsps = 2;
  job.with_format("6 std score sstrand hsp");
  expect_several(job);
  for (const Index of_them : {3U, 1U})
    for (const std::uint32_t most : {500U, 8U}) {
      SCOPED_TRACE(std::to_string(of_them) + " queries, hits: " + std::to_string(most));
      job.queries = job.queries.part(0, of_them);
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

// ---- Filters that look at alignments ----

class ApiPartsWithFilters : public ApiPartsWithSeveralAlignments {
 protected:
  static bool is_dna(const SearchJob& job) { return job.database.alphabet() == AlphabetKind::dna; }

  // The job with a filter that leaves out the first alignments of some pairs, but not the others.
  static SearchJob filtered(SearchJob job, std::uint32_t max_hsps) {
    job.options.max_hsps = max_hsps;
    job.options.filter.min_identity = is_dna(job) ? 95 : 80;
    return job;
  }
  static SearchJob of_first_query(SearchJob job) {
    job.queries = job.queries.part(0, 1);
    return job;
  }

  // Expects that the filter leaves out some rows of the job, but not all.
  void expect_some_left_out(const SearchJob& job) {
    SearchJob without = job;
    without.options.filter = {};
    const auto rows_of = [&](const SearchJob& one) {
      return merging_.search(one.queries, one.database, one.scoring, one.options).hits.rows.size();
    };
    const std::size_t rows = rows_of(job);
    EXPECT_GT(rows, 0U);
    EXPECT_LT(rows, rows_of(without));
  }
};

TEST_F(ApiPartsWithFilters, EveryFormat) {
  for (const std::uint32_t max_hsps : {1U, 4U}) {
    SearchJob job = filtered(proteins(), max_hsps);
    expect_some_left_out(job);
    for (const char* format :
         {"0", "5", "7", "sam", "jsonl", "6 std hsp cigar qcovs pident_min pident_longer_max"}) {
      SCOPED_TRACE(std::string(format) + ", alignments: " + std::to_string(max_hsps));
      job.with_format(format);
      expect_whole(job, {7});
    }
  }
}

// The subjects of one query lie in several parts, and no part knows how many of its hits are among the best.
TEST_F(ApiPartsWithFilters, OneQueryAndManyParts) {
  for (const SearchJob& of_kind : {proteins(), nucleotides()})
    for (const std::uint32_t max_hsps : {1U, 4U})
      for (const bool judged : {true, false}) {
        SearchJob job = filtered(of_first_query(of_kind), max_hsps);
        if (!judged) job.options.statistics.method = StatisticsMethod::none;
        if (!judged) job.options.min_score = 60;
        expect_some_left_out(job);
        for (const std::uint32_t most : {1U, 3U, 500U}) {
          SCOPED_TRACE(std::string(judged ? "judged" : "by score") + ", hits: " + std::to_string(most) +
                       ", alignments: " + std::to_string(max_hsps));
          job.options.max_target_seqs = most;
          expect_whole(job, {2, 11});
        }
      }
}

TEST_F(ApiPartsWithFilters, OfEachStrand) {
  for (const Strands strands : {Strands::plus, Strands::minus, Strands::both})
    for (const std::uint32_t max_hsps : {1U, 4U}) {
      SCOPED_TRACE(static_cast<int>(strands));
      SearchJob job = filtered(nucleotides(), max_hsps);
      job.options.strands = strands;
      expect_some_left_out(job);
      expect_whole(job, {5});
      expect_whole(of_first_query(job), {5});
    }
}

TEST_F(ApiPartsWithFilters, EachLimit) {
  const RowFilter filters[] = {
      {.min_coverage = 50, .coverage_of = CoverageOf::query},
      {.min_coverage = 40, .coverage_of = CoverageOf::subject},
      {.min_coverage = 40, .coverage_of = CoverageOf::shorter},
      {.min_coverage = 40, .coverage_of = CoverageOf::longer},
      {.min_length = 40},
      {.min_identity = 25, .denominator = Denominator::longer},
      {.min_identity = 70, .min_coverage = 20, .min_length = 30},
  };
  for (const SearchJob& of_kind : {proteins(), nucleotides()})
    for (const RowFilter& filter : filters) {
      SCOPED_TRACE(&filter - filters);
      SearchJob job = of_first_query(of_kind);
      job.options.max_hsps = 4;
      job.options.filter = filter;
      expect_some_left_out(job);
      expect_whole(job, {6});
    }
}

TEST_F(ApiPartsWithFilters, WithAllAlignmentsThatScoreEnough) {
  for (const SearchJob& of_kind : {proteins(), nucleotides()})
    for (const Index queries : {3U, 1U})
      for (const bool has_filter : {false, true}) {
        SCOPED_TRACE(std::to_string(queries) + " queries" + (has_filter ? ", filtered" : ""));
        SearchJob job = has_filter ? filtered(of_kind, kAllHsps) : of_kind;
        job.options.max_hsps = kAllHsps;
        job.options.min_score = 90;
        job.queries = job.queries.part(0, queries);
        expect_several(job, has_filter);
        expect_whole(job, {2, 7});
      }
}

// In mode semiglobal no E-value limits the alignments. The queries are about as long as one unit.
TEST_F(ApiPartsWithFilters, WithAllAlignmentsInModeSemiglobal) {
  SearchJob job = nucleotides();
  const SequenceSet copies = with_copies(1, 3, AlphabetKind::dna);
  SequenceSetBuilder queries(AlphabetKind::dna, "queries");
  for (Index k = 0; k < copies.size(); ++k)
    queries.add("q" + std::to_string(k), copies.residues(k).subspan(0, 25));
  job.queries = queries.finish();
  job.scoring = default_scoring("semiglobal", AlphabetKind::dna);
  job.options.max_hsps = kAllHsps;
  job.options.min_score = 50;
  expect_several(job);
  for (const Index of_them : {3U, 1U})
    for (const bool has_filter : {false, true}) {
      SCOPED_TRACE(std::to_string(of_them) + " queries" + (has_filter ? ", filtered" : ""));
      job.queries = job.queries.part(0, of_them);
      job.options.filter = {};
      if (has_filter) job.options.filter.min_identity = 90;
      expect_whole(job, {2, 7});
    }
}

TEST_F(ApiPartsWithFilters, TiesAtTheCut) {
  const SequenceSet copies = repeated(with_copies(2, 5, AlphabetKind::dna), 4);
  const Database in_memory(copies), in_a_file = as_file(copies);
  for (const std::uint32_t max_hsps : {1U, 4U})
    for (const Database& database : {in_memory, in_a_file})
      for (const std::uint32_t most : {1U, 3U, 6U}) {
        SCOPED_TRACE(std::to_string(most) + ", alignments: " + std::to_string(max_hsps));
        SearchJob job = filtered(of_first_query(nucleotides()), max_hsps);
        job.database = database;
        job.options.max_target_seqs = most;
        expect_whole(job, {2, 7});
      }
}

TEST_F(ApiPartsWithFilters, WhereNothingPasses) {
  for (SearchJob job : {proteins(), of_first_query(nucleotides())}) {
    job.options.filter.min_length = 100'000;
    expect_whole(job, {2, 7});
  }
}

// By Z-values the score chooses the hits, and the shuffles judge only these.
TEST_F(ApiPartsWithFilters, ShufflesJudgeTheHits) {
  SearchJob job = filtered(of_first_query(proteins()), 4);
  job.with_format("6 std hsp zscore zscore_se zfit");
  job.options.statistics.method = StatisticsMethod::zvalue;
  job.options.statistics.shuffles = ShuffleOptions{.shuffles = 20};
  expect_whole(job, {2, 7});
}
TEST_F(ApiPartsWithFilters, ShufflesJudgeNoMoreThanTheHits) {
  SearchJob job = of_first_query(proteins());
  job.options.filter.min_length = 30;
  job.with_format("6 std hsp zscore zscore_se zfit");
  job.options.statistics.method = StatisticsMethod::zvalue;
  job.options.statistics.shuffles = ShuffleOptions{.shuffles = 20};
  for (const std::uint32_t max_hsps : {1U, 4U})
    for (const std::uint32_t most : {1U, 3U}) {
      SCOPED_TRACE(std::to_string(most) + ", alignments: " + std::to_string(max_hsps));
      job.options.max_hsps = max_hsps;
      job.options.max_target_seqs = most;
      expect_whole(job, {2, 7});
    }
}

}  // namespace
}  // namespace alnus::test
