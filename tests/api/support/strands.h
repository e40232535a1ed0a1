// DNA for calls on both strands, and rows that are computed by align_reference().
#pragma once

#include <gtest/gtest.h>
#include <vector>

#include "alnus/results.h"
#include "api/support/inputs.h"
#include "support/strands_reference.h"

namespace alnus::test {

// A set of DNA: relatives of both strands of an ancestor (which depends on `ancestor` and `longest` alone);
// palindromes; sequences of few letters, so that many scores are equal; sequences with all of IUPAC's letters
// in both cases; an empty sequence, and one of a single letter.
struct StrandsSet {
  unsigned seed = 1, ancestor = 1;
  std::uint32_t count = 12;
  std::size_t longest = 40;
};
SequenceSet strands_set(const StrandsSet& of);

// Scorings of DNA: every mode, semiglobal with every set of free ends. Some have a matrix that is not
// symmetric, or whose scores change when both letters are complemented.
std::vector<NamedScoring> strand_scorings();

inline constexpr Strands kAllStrands[] = {Strands::plus, Strands::minus, Strands::both};
inline std::string to_string(Strands strands) {
  return strands == Strands::both ? "both" : strands == Strands::minus ? "minus" : "plus";
}
inline std::uint64_t number_of(Strands strands) { return strands == Strands::both ? 2 : 1; }

struct StrandRow {
  Index query = 0, subject = 0;
  StrandedResult result;
};

std::vector<StrandRow> strand_rows(const SequenceSet& queries, const SequenceSet& subjects,
                                   std::span<const IndexPair> pairs, const Scoring& scoring, Strands strands);

// The hits of each query: at most `max_target_seqs` of its pairs, each on its better strand, that score
// `lowest` or more (in mode local also 1 or more), by descending score and then by the subject's ordinal.
struct StrandHits {
  std::vector<StrandRow> rows;
  std::vector<std::uint64_t> hits;  // of each query
  std::uint64_t cut_ties = 0;
};
StrandHits strand_hits(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                       Strands strands, std::uint32_t max_target_seqs, std::int32_t lowest = INT32_MIN);

// All pairs, in the order of docs/allpairs.md. The pairs of one set are ordered by the later sequence, then
// by the earlier one; `self`: also each sequence with itself. The pairs of two sets are ordered by the
// sequence of `set`, then by that of `against`.
std::vector<StrandRow> strand_pairs(const SequenceSet& set, const Scoring& scoring, Strands strands,
                                    bool self);
std::vector<StrandRow> strand_pairs(const SequenceSet& set, const SequenceSet& against,
                                    const Scoring& scoring, Strands strands);

// The rows except local alignments of score 0.
std::vector<StrandRow> without_empty(std::vector<StrandRow> rows, const Scoring& scoring);

struct AskedOfStrands {
  Strands strands = Strands::both;
  Detail detail = Detail::alignment;
  bool cigars = true;
};

// Success if the columns have these rows, and those of strands, scores, coordinates, counts and CIGARs that
// were asked for, but no others.
testing::AssertionResult equal(const Columns& rows, std::span<const StrandRow> expected,
                               AskedOfStrands asked);
testing::AssertionResult equal(const std::vector<Columns>& batches, std::span<const StrandRow> expected,
                               AskedOfStrands asked);

}  // namespace alnus::test
