#include "api/support/strands.h"

#include <algorithm>

#include "support/device_check.h"
#include "support/scorings.h"

namespace alnus::test {
namespace {

Residues related(Random& random, const Residues& ancestor) {
  Residues residues = relative(random, ancestor, 8, 4);
  for (Residue& residue : residues) residue = static_cast<Residue>(residue % 4);
  return residues;
}

Residues sequence_of_kind(Random& random, std::uint32_t kind, const Residues& ancestor, std::size_t longest) {
  const std::size_t length = 1 + below(random, longest);
  switch (kind) {
    case 0:
      return related(random, ancestor);
    case 1:
      return other_strand(related(random, ancestor));
    case 2:
      return with_random_case(random, random_sequence(random, length, 15));
    case 3:
      return random_sequence(random, length, 4);
    case 4: {  // A and T only, 1 to 7 residues
      Residues residues = random_sequence(random, 1 + length % 7, 2);
      for (Residue& residue : residues) residue = residue == 0 ? 0 : 3;
      return residues;
    }
    default: {  // a palindrome
      const Residues half = random_sequence(random, 1 + length / 2, 4);
      return concatenate({half, other_strand(half)});
    }
  }
}

testing::AssertionResult same_alignment(const Row& row, const StrandRow& expected, AskedOfStrands asked) {
  Alignment wanted = asked.detail == Detail::alignment ? expected.result.alignment : expected.result.ends;
  if (asked.strands == Strands::plus && asked.detail == Detail::ends)
    wanted.query_begin = wanted.subject_begin = -1;
  if (asked.detail == Detail::score)
    wanted.query_begin = wanted.query_end = wanted.subject_begin = wanted.subject_end = -1;
  if (!asked.cigars) wanted.cigar.clear();
  const Alignment actual = row.alignment();
  if (actual == wanted && row.strand == expected.result.strand) return testing::AssertionSuccess();
  return testing::AssertionFailure() << to_string(row.strand) << ", " << describe(actual) << " instead of "
                                     << to_string(expected.result.strand) << ", " << describe(wanted);
}

template <class Value>
void expect_size(std::string& wrong, const char* name, std::span<const Value> column, bool asked,
                 std::size_t rows) {
  if (column.size() != (asked ? rows : 0))
    wrong += std::string(name) + " has " + std::to_string(column.size()) + " values; ";
}

std::string wrong_sizes(const Columns& c, AskedOfStrands asked, std::size_t rows) {
  const bool ends = asked.detail != Detail::score, all = asked.detail == Detail::alignment,
             stranded = asked.strands != Strands::plus;
  std::string wrong;
  expect_size(wrong, "query", c.query, true, rows);
  expect_size(wrong, "subject", c.subject, true, rows);
  expect_size(wrong, "strand", c.strand, stranded, rows);
  expect_size(wrong, "query_end", c.query_end, ends, rows);
  expect_size(wrong, "subject_end", c.subject_end, ends, rows);
  expect_size(wrong, "query_begin", c.query_begin, all || (ends && stranded), rows);
  expect_size(wrong, "subject_begin", c.subject_begin, all || (ends && stranded), rows);
  for (const auto& column : {c.length, c.identical, c.positive, c.mismatches, c.gap_residues, c.gap_opens})
    expect_size(wrong, "a count", column, all, rows);
  if (rows > 0) expect_size(wrong, "cigar_offsets", c.cigar_offsets, all && asked.cigars, rows + 1);
  return wrong;
}

}  // namespace

SequenceSet strands_set(const StrandsSet& of) {
  Random random_ancestor(1000 + of.ancestor), random(of.seed);
  const Residues ancestor = random_sequence(random_ancestor, of.longest, 4);
  SequenceSetBuilder builder(AlphabetKind::dna, "strands");
  for (std::uint32_t k = 0; k < of.count; ++k) {
    const std::string name = "s" + std::to_string(k);
    if (k == 3)
      builder.add(name, {});
    else if (k == 7)
      builder.add(name, random_sequence(random, 1, 4));
    else
      builder.add(name, sequence_of_kind(random, k % 6, ancestor, of.longest));
  }
  return builder.finish();
}

std::vector<NamedScoring> strand_scorings() {
  // A with A scores more than T with T, though a pair of A is a pair of T on the other strands.
  const SubstitutionMatrix uneven = matrix_of(
      [](int query, int subject) { return query == subject ? 6 - query : -3 - (query + subject) % 2; },
      AlphabetKind::dna);
  const SubstitutionMatrix asymmetric = matrix_of(
      [](int query, int subject) { return query == subject ? 4 + query % 3 : (query < subject) - 3; },
      AlphabetKind::dna);
  std::vector<NamedScoring> named;
  for (const ModeAndEnds& mode : all_modes()) {
    Scoring scoring = dna("2", "-3", "5", "2");
    scoring.mode = mode.mode;
    scoring.free_ends = mode.free_ends;
    named.push_back({"dna_" + name_of(mode), scoring});
  }
  const ModeAndEnds local{Mode::local}, global{Mode::global},
      some{Mode::semiglobal, {.query_begin = true, .subject_end = true}};
  named.push_back({"decimals", dna("1.5", "-2.25", "3.5", "1")});
  named.push_back({"few_scores", dna("1", "-1", "1", "1")});
  named.push_back({"uneven_local", scoring_of(local, {4, 1}, uneven)});
  named.push_back({"uneven_some_free_ends", scoring_of(some, {4, 1}, uneven)});
  named.push_back({"asymmetric_local", scoring_of(local, {3, 2}, asymmetric)});
  named.push_back({"asymmetric_global", scoring_of(global, {3, 2}, asymmetric)});
  named.push_back({"asymmetric_some_free_ends", scoring_of(some, {3, 2}, asymmetric)});
  return named;
}

std::vector<StrandRow> strand_rows(const SequenceSet& queries, const SequenceSet& subjects,
                                   std::span<const IndexPair> pairs, const Scoring& scoring,
                                   Strands strands) {
  std::vector<StrandRow> rows;
  for (const auto& [query, subject] : pairs)
    rows.push_back(
        {query, subject,
         reference_on_strands(queries.residues(query), subjects.residues(subject), scoring, strands)});
  return rows;
}

StrandHits strand_hits(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                       Strands strands, std::uint32_t max_target_seqs, std::int32_t lowest) {
  if (scoring.mode == Mode::local) lowest = std::max(lowest, 1);
  StrandHits expected;
  const auto score = [](const StrandRow& row) { return row.result.alignment.score; };
  for (Index query = 0; query < queries.size(); ++query) {
    std::vector<IndexPair> pairs;
    for (Index subject = 0; subject < subjects.size(); ++subject) pairs.push_back({query, subject});
    std::vector<StrandRow> rows = strand_rows(queries, subjects, pairs, scoring, strands);
    std::erase_if(rows, [&](const StrandRow& row) { return score(row) < lowest; });
    std::ranges::sort(rows, [&](const StrandRow& a, const StrandRow& b) {
      if (score(a) != score(b)) return score(a) > score(b);
      return subjects.file_ordinal(a.subject) < subjects.file_ordinal(b.subject);
    });
    if (rows.size() > max_target_seqs) {
      expected.cut_ties += score(rows[max_target_seqs - 1]) == score(rows[max_target_seqs]);
      rows.resize(max_target_seqs);
    }
    expected.hits.push_back(rows.size());
    expected.rows.insert(expected.rows.end(), rows.begin(), rows.end());
  }
  return expected;
}

std::vector<StrandRow> strand_pairs(const SequenceSet& set, const Scoring& scoring, Strands strands,
                                    bool self) {
  std::vector<StrandRow> rows;
  for (Index later = 0; later < set.size(); ++later)
    for (Index earlier = 0; earlier < later + (self ? 1 : 0); ++earlier)
      rows.push_back(
          {earlier, later,
           all_pairs_reference_on_strands(set.residues(earlier), set.residues(later), scoring, strands)});
  return rows;
}

std::vector<StrandRow> strand_pairs(const SequenceSet& set, const SequenceSet& against,
                                    const Scoring& scoring, Strands strands) {
  std::vector<StrandRow> rows;
  for (const auto& [first, second] : every_pair(set, against))
    rows.push_back(
        {first, second,
         all_pairs_reference_on_strands(set.residues(first), against.residues(second), scoring, strands)});
  return rows;
}

std::vector<StrandRow> without_empty(std::vector<StrandRow> rows, const Scoring& scoring) {
  if (scoring.mode == Mode::local)
    std::erase_if(rows, [](const StrandRow& row) { return row.result.alignment.score == 0; });
  return rows;
}

testing::AssertionResult equal(const Columns& rows, std::span<const StrandRow> expected,
                               AskedOfStrands asked) {
  if (rows.size() != expected.size())
    return testing::AssertionFailure() << rows.size() << " rows instead of " << expected.size();
  if (const std::string wrong = wrong_sizes(rows, asked, expected.size()); !wrong.empty())
    return testing::AssertionFailure() << wrong << expected.size() << " rows";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const StrandRow& wanted = expected[i];
    const Row row = rows.row(i);
    const auto fail = [&] {
      return testing::AssertionFailure()
             << "row " << i << " of " << row.query << " and " << row.subject << ": ";
    };
    if (row.query != wanted.query || row.subject != wanted.subject)
      return fail() << "instead of " << wanted.query << " and " << wanted.subject;
    if (const auto same = same_alignment(row, wanted, asked); !same) return fail() << same.message();
    if (row.counts.has_value() != (asked.detail == Detail::alignment))
      return fail() << "counts where none belong";
    if (row.counts && *row.counts != wanted.result.counts) return fail() << "the counts are wrong";
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult equal(const std::vector<Columns>& batches, std::span<const StrandRow> expected,
                               AskedOfStrands asked) {
  std::size_t at = 0;
  for (const Columns& batch : batches) {
    if (at + batch.size() > expected.size()) break;
    if (const auto same = equal(batch, expected.subspan(at, batch.size()), asked); !same)
      return testing::AssertionFailure() << "of a batch from row " << at << ", " << same.message();
    at += batch.size();
  }
  if (at == expected.size()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << at << " rows or more instead of " << expected.size();
}

}  // namespace alnus::test
