#include "api/support/expected.h"

#include <algorithm>

#include "support/all_pairs_reference.h"
#include "support/device_check.h"

namespace alnus::test {
namespace {

// Returns an error text unless the column has a value for each row or, if it was not asked for, no value.
template <class Value>
std::string wrong_size(const char* name, std::span<const Value> column, bool asked, std::size_t rows) {
  if (column.size() == (asked ? rows : 0)) return {};
  return std::string(name) + " has " + std::to_string(column.size()) + " values; ";
}

std::string wrong_sizes(const Columns& c, Asked asked, std::size_t rows) {
  const bool ends = asked.detail != Detail::score, all = asked.detail == Detail::alignment;
  std::string wrong;
  wrong += wrong_size("query", c.query, true, rows);
  wrong += wrong_size("subject", c.subject, true, rows);
  wrong += wrong_size("score", c.score, true, rows);
  wrong += wrong_size("query_end", c.query_end, ends, rows);
  wrong += wrong_size("subject_end", c.subject_end, ends, rows);
  wrong += wrong_size("query_begin", c.query_begin, all, rows);
  wrong += wrong_size("subject_begin", c.subject_begin, all, rows);
  wrong += wrong_size("length", c.length, all, rows);
  wrong += wrong_size("identical", c.identical, all, rows);
  wrong += wrong_size("positive", c.positive, all, rows);
  wrong += wrong_size("mismatches", c.mismatches, all, rows);
  wrong += wrong_size("gap_residues", c.gap_residues, all, rows);
  wrong += wrong_size("gap_opens", c.gap_opens, all, rows);
  if (rows > 0) wrong += wrong_size("cigar_offsets", c.cigar_offsets, all && asked.cigars, rows + 1);
  if (!all || !asked.cigars) wrong += wrong_size("cigar_runs", c.cigar_runs, false, rows);
  return wrong;
}

AlignmentCounts counts_of(const Columns& c, std::size_t i) {
  return {c.length[i], c.identical[i], c.positive[i], c.mismatches[i], c.gap_residues[i], c.gap_opens[i]};
}

}  // namespace

ExpectedHits expected_hits(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                           std::uint32_t max_target_seqs, std::int32_t lowest) {
  if (scoring.mode == Mode::local) lowest = std::max(lowest, 1);
  ExpectedHits expected;
  for (Index query = 0; query < queries.size(); ++query) {
    std::vector<ExpectedRow> rows;
    for (Index subject = 0; subject < subjects.size(); ++subject) {
      ExpectedRow row{
          query, subject,
          align_reference(queries.residues(query), subjects.residues(subject), scoring, Detail::alignment)};
      if (row.alignment.score >= lowest) rows.push_back(std::move(row));
    }
    std::ranges::sort(rows, [&](const ExpectedRow& a, const ExpectedRow& b) {
      if (a.alignment.score != b.alignment.score) return a.alignment.score > b.alignment.score;
      return subjects.file_ordinal(a.subject) < subjects.file_ordinal(b.subject);
    });
    if (rows.size() > max_target_seqs) {
      expected.cut_ties += rows[max_target_seqs - 1].alignment.score == rows[max_target_seqs].alignment.score;
      rows.resize(max_target_seqs);
    }
    expected.hits.push_back(rows.size());
    expected.rows.insert(expected.rows.end(), rows.begin(), rows.end());
  }
  return expected;
}

std::vector<ExpectedRow> expected_rows(const SequenceSet& queries, const SequenceSet& subjects,
                                       std::span<const IndexPair> pairs, const Scoring& scoring) {
  std::vector<ExpectedRow> rows;
  for (const auto& [query, subject] : pairs)
    rows.push_back(
        {query, subject,
         align_reference(queries.residues(query), subjects.residues(subject), scoring, Detail::alignment)});
  return rows;
}

std::vector<ExpectedRow> expected_all_pairs(const SequenceSet& set, const Scoring& scoring, bool self) {
  std::vector<ExpectedRow> rows;
  for (Index later = 0; later < set.size(); ++later)
    for (Index earlier = 0; earlier < later + (self ? 1 : 0); ++earlier)
      rows.push_back(
          {earlier, later, reference_of_all_pairs(set.residues(earlier), set.residues(later), scoring)});
  return rows;
}

std::vector<ExpectedRow> expected_all_pairs(const SequenceSet& set, const SequenceSet& against,
                                            const Scoring& scoring) {
  std::vector<ExpectedRow> rows;
  for (Index first = 0; first < set.size(); ++first)
    for (Index second = 0; second < against.size(); ++second)
      rows.push_back(
          {first, second, reference_of_all_pairs(set.residues(first), against.residues(second), scoring)});
  return rows;
}

bool is_empty(const ExpectedRow& row, const Scoring& scoring) {
  return scoring.mode == Mode::local && row.alignment.score == 0;
}

testing::AssertionResult equal(const Columns& rows, const std::vector<ExpectedRow>& expected, Asked asked,
                               const SequenceSet& queries, const SequenceSet& subjects,
                               const Scoring& scoring) {
  if (rows.size() != expected.size())
    return testing::AssertionFailure() << rows.size() << " rows instead of " << expected.size();
  if (const std::string wrong = wrong_sizes(rows, asked, expected.size()); !wrong.empty())
    return testing::AssertionFailure() << wrong << expected.size() << " rows";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ExpectedRow& row = expected[i];
    const auto fail = [&] { return testing::AssertionFailure() << "row " << i << ": "; };
    if (rows.query[i] != row.query || rows.subject[i] != row.subject)
      return fail() << "pair " << rows.query[i] << ", " << rows.subject[i] << " instead of " << row.query
                    << ", " << row.subject;
    const auto query = queries.residues(row.query), subject = subjects.residues(row.subject);
    Alignment wanted = at_detail(row.alignment, asked.detail);
    if (!asked.cigars) wanted.cigar.clear();
    const Alignment actual = rows.row(i).alignment();
    if (actual != wanted) return fail() << describe(actual) << " instead of " << describe(wanted);
    const std::optional<AlignmentCounts> counts = rows.row(i).counts;
    if (counts.has_value() != (asked.detail == Detail::alignment))
      return fail() << "counts where none belong";
    if (asked.detail != Detail::alignment) continue;
    const AlignmentCounts right = count(row.alignment, query, subject, scoring.matrix);
    if (counts != right || counts_of(rows, i) != right) return fail() << "the counts are wrong";
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult equal(const std::vector<Columns>& batches, const std::vector<ExpectedRow>& expected,
                               Asked asked, const SequenceSet& queries, const SequenceSet& subjects,
                               const Scoring& scoring) {
  std::size_t at = 0;
  for (const Columns& batch : batches) {
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(at);
    at += batch.size();
    if (at > expected.size()) break;
    const auto result = equal(batch, {begin, begin + static_cast<std::ptrdiff_t>(batch.size())}, asked,
                              queries, subjects, scoring);
    if (!result) return result;
  }
  if (at == expected.size()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << at << " rows or more instead of " << expected.size();
}

}  // namespace alnus::test
