// Alignments with at most so many differences: their scoring, and searches that list all of them.
#include "alnus/differences.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

#include "alnus/session.h"
#include "api/support/inputs.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Differences kTwo{.most = 2}, kTwoSubstitutions{.most = 2, .substitutions_only = true};

// The nucleotides that each letter of "ACGTRYKMSWBDHVN" stands for: A is bit 0, C bit 1, G bit 2, T bit 3.
constexpr std::array<unsigned, 15> kNucleotides = {1, 2, 4, 8, 5, 10, 12, 3, 6, 9, 14, 13, 11, 7, 15};

// True if the letter of the query does not stand for all that the letter of the subject stands for.
bool differ(Residue query, Residue subject) {
  return (kNucleotides[subject & kCodeMask] & ~kNucleotides[query & kCodeMask]) != 0;
}

// Query, subject, differences, 1 for the minus strand, and where the row begins in the subject.
using Place = std::tuple<Index, Index, std::int32_t, int, std::int32_t>;

std::vector<Place> places_of(const Columns& rows) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < rows.size(); ++i)
    places.emplace_back(rows.query[i], rows.subject[i], -rows.score[i],
                        !rows.strand.empty() && rows.strand[i] == Strand::minus, rows.subject_begin[i]);
  std::ranges::sort(places);
  return places;
}

// All windows of the subjects, on both strands of the queries, with at most so many substitutions.
std::vector<Place> windows(const SequenceSet& queries, const SequenceSet& subjects, std::int32_t most) {
  std::vector<Place> places;
  for (Index q = 0; q < queries.size(); ++q)
    for (Index s = 0; s < subjects.size(); ++s)
      for (const int minus : {0, 1}) {
        const auto given = queries.residues(q), subject = subjects.residues(s);
        std::vector<Residue> query(given.begin(), given.end());
        if (minus == 1) query = reverse_complement(query);
        for (std::size_t begin = 0; begin + query.size() <= subject.size(); ++begin) {
          std::int32_t differences = 0;
          for (std::size_t k = 0; k < query.size(); ++k)
            differences += differ(query[k], subject[begin + k]) ? 1 : 0;
          if (differences <= most)
            places.emplace_back(q, s, differences, minus, static_cast<std::int32_t>(begin));
        }
      }
  std::ranges::sort(places);
  return places;
}

// What the letters score, as the matrix of the scoring has it.
std::int32_t score_of(const Scoring& scoring, char query, char subject) {
  const Alphabet& alphabet = Alphabet::of(scoring.matrix.alphabet());
  return scoring.matrix.value(alphabet.encode(query), alphabet.encode(subject));
}

template <class Options>
Options options_of(const Differences& differences) {
  Options options;
  set(differences, options);
  return options;
}

// ---- Scoring and options ----

TEST(ApiDifferences, CountResiduesInGaps) {
  const Scoring scoring = scoring_of(kTwo, AlphabetKind::dna);
  EXPECT_EQ(scoring.mode, Mode::semiglobal);
  EXPECT_TRUE(scoring.free_ends == (FreeEnds{.subject_begin = true, .subject_end = true}));
  EXPECT_EQ(scoring.scale, 1);
  EXPECT_EQ(scoring.gap(1), 1);
  EXPECT_EQ(scoring.gap(5), 5);
  for (const std::uint32_t most : {0U, 2U, 1000U}) {
    const Scoring without_gaps =
        scoring_of({.most = most, .substitutions_only = true}, AlphabetKind::protein);
    EXPECT_EQ(without_gaps.gap(1), static_cast<std::int32_t>(most) + 1) << "a gap costs more than is allowed";
    EXPECT_EQ(without_gaps.matrix.alphabet(), AlphabetKind::protein);
  }
}

TEST(ApiDifferences, OfNucleotidesAreLettersThatTheQueryDoesNotStandFor) {
  const Scoring scoring = scoring_of(kTwo, AlphabetKind::dna);
  const std::string letters = "ACGTRYKMSWBDHVN";
  for (const char query : letters)
    for (const char subject : letters) {
      const Alphabet& dna = Alphabet::dna();
      EXPECT_EQ(score_of(scoring, query, subject), differ(dna.encode(query), dna.encode(subject)) ? -1 : 0)
          << query << subject;
    }
  EXPECT_EQ(score_of(scoring, 'r', 'a'), 0);
  EXPECT_EQ(score_of(scoring, 'T', 'U'), 0);
  EXPECT_FALSE(scoring.matrix.symmetric());
}

TEST(ApiDifferences, OfAminoAcidsAreLettersThatTheQueryDoesNotStandFor) {
  const Scoring scoring = scoring_of(kTwo, AlphabetKind::protein);
  for (const char* const equal :
       {"AA", "BD", "BN", "BB", "ZE", "ZQ", "JI", "JL", "XA", "XU", "XO", "XB", "XJ", "XX", "UU", "OO", "**"})
    EXPECT_EQ(score_of(scoring, equal[0], equal[1]), 0) << equal;
  for (const char* const different : {"AC", "DB", "EZ", "IJ", "IL", "AX", "BE", "UC", "OK", "JU", "X*", "*X"})
    EXPECT_EQ(score_of(scoring, different[0], different[1]), -1) << different;
}

TEST(ApiDifferences, AskForAllAlignments) {
  SearchOptions search{.max_target_seqs = 7};
  set(kTwo, search);
  EXPECT_EQ(search.min_score, -2.0);
  EXPECT_EQ(search.max_hsps, kAllHsps);
  EXPECT_TRUE(search.statistics.method == StatisticsMethod::none);
  EXPECT_EQ(search.max_target_seqs, 7U);
  const auto align = options_of<AlignOptions>(kTwoSubstitutions);
  EXPECT_EQ(align.min_score, -2.0);
  EXPECT_EQ(align.max_hsps, kAllHsps);
  EXPECT_TRUE(align.statistics.method == StatisticsMethod::none);
}

// ---- Calls ----

class ApiDifferencesCalls : public testing::Test {
 protected:
  Columns search(const Differences& differences, const SequenceSet& queries, const SequenceSet& subjects) {
    return session_
        .search(queries, subjects, scoring_of(differences, queries.alphabet()),
                options_of<SearchOptions>(differences))
        .hits.rows;
  }

  Session session_{session_options()};
};

TEST_F(ApiDifferencesCalls, ASearchListsAllWindows) {
  // GAATTC is its own reverse complement.
  const SequenceSet queries = set_of({"GTGYCAGCMGCCGCGGTAA", "ACNRTTG", "GAATTC"}, AlphabetKind::dna);
  const SequenceSet sites = set_of(
      {"TTGTGTCAGCAGCCGCGGTAATTACGACTGAATTCTT", "CCTTACCGCGGCGGCTGACACAA", "GTGCCAGCMGCCGCNGTTA", "ACG", ""},
      AlphabetKind::dna);
  const SequenceSet subjects = joined(
      sites,
      random_set({.seed = 1, .count = 4, .shortest = 150, .longest = 250, .alphabet = AlphabetKind::dna}));
  for (const std::uint32_t most : {0U, 1U, 2U}) {
    const Columns rows = search({.most = most, .substitutions_only = true}, queries, subjects);
    const std::vector<Place> expected = windows(queries, subjects, static_cast<std::int32_t>(most));
    EXPECT_EQ(places_of(rows), expected);
    for (const std::int32_t gaps : rows.gap_residues) EXPECT_EQ(gaps, 0);
    EXPECT_EQ(std::ranges::count(expected, Place{0, 0, 0, 0, 2}), 1);
    EXPECT_EQ(std::ranges::count(expected, Place{0, 1, 0, 1, 2}), 1);
  }
}

TEST_F(ApiDifferencesCalls, ASearchWithEditsListsAllPlaces) {
  const SequenceSet queries = set_of({"SIINFEKL"}),
                    subjects = set_of({"GSIINFEKLGSINFEKLGSIINFWEKLGSIINYEKL"});
  const Columns rows = search({.most = 1}, queries, subjects);
  const std::vector<Place> expected = {{0, 0, 0, 0, 1}, {0, 0, 1, 0, 10}, {0, 0, 1, 0, 18}, {0, 0, 1, 0, 28}};
  EXPECT_EQ(places_of(rows), expected);
  EXPECT_EQ(std::vector(rows.gap_residues.begin(), rows.gap_residues.end()),
            (std::vector<std::int32_t>{0, 1, 1, 0}));
  EXPECT_EQ(std::vector(rows.hsp.begin(), rows.hsp.end()), (std::vector<std::int32_t>{1, 2, 3, 4}));
  const std::vector<Place> alone = {{0, 0, 0, 0, 1}, {0, 0, 1, 0, 28}};
  EXPECT_EQ(places_of(search({.most = 1, .substitutions_only = true}, queries, subjects)), alone);
}

TEST_F(ApiDifferencesCalls, FewerAlignmentsMayBeAskedFor) {
  const SequenceSet query = set_of({"SIINFEKL"}), subject = set_of({"SIINYEKLSIINFEKLSIINFEKI"});
  const std::vector<IndexPair> pairs = {{0, 0}};
  auto options = options_of<AlignOptions>(kTwoSubstitutions);
  const auto aligned = [&] {
    return places_of(
        session_.align(query, subject, pairs, scoring_of(kTwoSubstitutions, AlphabetKind::protein), options));
  };
  const std::vector<Place> every = {{0, 0, 0, 0, 8}, {0, 0, 1, 0, 0}, {0, 0, 1, 0, 16}};
  EXPECT_EQ(aligned(), every);
  for (const std::uint32_t most : {1U, 2U}) {
    options.max_hsps = most;
    EXPECT_EQ(aligned(), std::vector<Place>(every.begin(), every.begin() + most));
  }
}

// Masking makes such queries.
TEST_F(ApiDifferencesCalls, QueriesOfWhichMostLettersFitEveryLetterAreAWarning) {
  std::vector<std::string> warnings;
  RunControl run;
  run.on_message = [&](const Message& message) {
    if (message.severity == Severity::warning) warnings.push_back(message.text());
  };
  const SequenceSet subject = set_of({"ACGTTGCAGG"}, AlphabetKind::dna);
  const auto warnings_of = [&](const std::vector<std::string>& queries, const Scoring& scoring) {
    const SequenceSet set = set_of(queries, AlphabetKind::dna);
    warnings.clear();
    session_.search(set, subject, scoring, options_of<SearchOptions>(kTwo), run);
    const std::vector<std::string> of_search = warnings;
    warnings.clear();
    session_.align(set, subject, std::vector<IndexPair>{{0, 0}}, scoring, options_of<AlignOptions>(kTwo),
                   run);
    EXPECT_EQ(warnings, of_search);
    return of_search;
  };
  const Scoring differences = scoring_of(kTwo, AlphabetKind::dna);
  EXPECT_THAT(warnings_of({"ACNN", "RYRY", ""}, differences), IsEmpty()) << "half of the letters";
  EXPECT_THAT(warnings_of({"ACNnN"}, differences),
              ElementsAre(AllOf(HasSubstr("More than half of the letters of "),
                                HasSubstr(" are N, which fits every letter"), HasSubstr("If mask made"))));
  EXPECT_THAT(warnings_of({"ACGT", "NNA", "NNN"}, differences),
              ElementsAre(HasSubstr("of the letters of 2 queries, of which the first is ")));
  Scoring other = differences;
  other.matrix = default_scoring("semiglobal", AlphabetKind::dna).matrix;
  EXPECT_THAT(warnings_of({"NNN"}, other), IsEmpty());
}

}  // namespace
}  // namespace alnus::test
