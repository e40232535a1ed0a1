#include "alnus/row_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>

#include "alnus/error.h"
#include "alnus/row_columns.h"

namespace alnus {
namespace {

// Checks rows one by one, after require_sizes() has checked that their columns have the right sizes.
class RowCheck {
 public:
  RowCheck(const Columns& rows, const RowShape& shape, const Scoring& scoring, const SequenceSet& queries,
           const SequenceSet& subjects)
      : rows_(rows), shape_(shape), scoring_(scoring), queries_(queries), subjects_(subjects) {}

  void check(std::size_t row) {
    row_ = row;
    require(rows_.query[row] < queries_.size(), "its query is none of the queries");
    require(rows_.subject[row] < subjects_.size(), "its subject is none of the subjects");
    query_length_ = static_cast<std::int64_t>(queries_.length(rows_.query[row]));
    subject_length_ = static_cast<std::int64_t>(subjects_.length(rows_.subject[row]));
    if (!rows_.strand.empty()) require(rows_.strand[row] <= Strand::minus, "its strand is unknown");
    if (!rows_.hsp.empty())
      require(rows_.hsp[row] >= 1, "its number among the alignments of its pair is impossible");
    check_score();
    if (shape_.detail == Detail::ends) check_ends();
    if (shape_.detail == Detail::alignment) check_alignment();
    check_significance();
    for (const auto& ranges : rows_.identity_range)
      if (!ranges.empty()) check_identity(ranges[row]);
  }

 private:
  void require(bool fits, const char* what) const {
    if (!fits) throw Error(ErrorKind::input, fmt::format("row {}: {}", row_ + 1, what));
  }

  void check_score() const {
    const auto range = possible_scores(scoring_, static_cast<std::size_t>(query_length_),
                                       static_cast<std::size_t>(subject_length_));
    require(range.has(rows_.score[row_]), "its sequences cannot have this score");
  }

  // Rows of Detail::ends have no begins.
  void check_ends() const {
    const auto check = [&](std::int64_t end, std::int64_t length) {
      require(end >= -1 && end <= length, "its coordinates do not lie in its sequences");
    };
    check(rows_.query_end[row_], query_length_);
    check(rows_.subject_end[row_], subject_length_);
  }

  void check_alignment() const {
    const std::int64_t query_begin = rows_.query_begin[row_], query_end = rows_.query_end[row_],
                       subject_begin = rows_.subject_begin[row_], subject_end = rows_.subject_end[row_];
    require(query_begin >= 0 && query_begin <= query_end && query_end <= query_length_ &&
                subject_begin >= 0 && subject_begin <= subject_end && subject_end <= subject_length_,
            "its coordinates do not lie in its sequences");
    if (scoring_.mode == Mode::global)
      require(query_begin == 0 && query_end == query_length_ && subject_begin == 0 &&
                  subject_end == subject_length_,
              "its coordinates are not the ends of its sequences");
    const std::int64_t columns = rows_.length[row_], identical = rows_.identical[row_],
                       positive = rows_.positive[row_], mismatches = rows_.mismatches[row_],
                       gap_residues = rows_.gap_residues[row_], gap_opens = rows_.gap_opens[row_];
    require(std::min({identical, positive, mismatches, gap_residues, gap_opens}) >= 0 &&
                identical + mismatches + gap_residues == columns && positive <= identical + mismatches &&
                gap_opens <= gap_residues && (gap_opens > 0) == (gap_residues > 0) &&
                (query_end - query_begin) + (subject_end - subject_begin) == 2 * columns - gap_residues,
            "its counts do not fit its coordinates");
    if (!rows_.cigar_offsets.empty()) check_cigar();
  }

  void check_cigar() const {
    std::int64_t insertions = 0, deletions = 0, equal = 0, mismatches = 0;
    for (std::uint64_t k = rows_.cigar_offsets[row_]; k < rows_.cigar_offsets[row_ + 1]; ++k) {
      const CigarRun run = rows_.cigar_runs[k];
      const std::int64_t length = run.length();
      require(length > 0, "its CIGAR has an empty run");
      switch (run.op()) {
        case CigarOp::insertion:
          insertions += length;
          break;
        case CigarOp::deletion:
          deletions += length;
          break;
        case CigarOp::equal:
          equal += length;
          break;
        case CigarOp::mismatch:
          mismatches += length;
          break;
        default:
          require(false, "its CIGAR has an unknown operation");
      }
    }
    require(equal + mismatches + insertions == rows_.query_end[row_] - rows_.query_begin[row_] &&
                equal + mismatches + deletions == rows_.subject_end[row_] - rows_.subject_begin[row_],
            "its CIGAR does not fit its coordinates");
    // The number of gap residues follows from these two numbers and the coordinates.
    require(equal == rows_.identical[row_] && mismatches == rows_.mismatches[row_],
            "its CIGAR does not fit its counts");
  }

  // NaN means that there is no such value.
  void check_significance() const {
    const auto check = [&](std::span<const double> column, double lowest, double highest) {
      if (column.empty() || std::isnan(column[row_])) return;
      require(column[row_] >= lowest && column[row_] <= highest, "its significance is impossible");
    };
    constexpr double kAny = std::numeric_limits<double>::max();
    check(rows_.adjusted_score, -kAny, kAny);
    check(rows_.bits, -kAny, kAny);
    check(rows_.evalue, 0, std::numeric_limits<double>::infinity());
    check(rows_.zscore, -kAny, kAny);
    check(rows_.zscore_se, 0, kAny);
    check(rows_.zfit, 0, 1);
  }

  void check_identity(const IdentityRange& range) const {
    const auto fits = [](const Fraction& fraction) {
      return fraction.denominator > 0 && fraction.numerator >= 0 &&
             fraction.numerator <= fraction.denominator;
    };
    const bool has_none = range.highest.denominator == 0 && !rows_.hsp.empty() && rows_.hsp[row_] > 1;
    require(has_none || (fits(range.lowest) && fits(range.highest)), "its range of identities is impossible");
  }

  const Columns& rows_;
  const RowShape& shape_;
  const Scoring& scoring_;
  const SequenceSet &queries_, &subjects_;
  std::size_t row_ = 0;
  std::int64_t query_length_ = 0, subject_length_ = 0;
};

void require_sizes(const Columns& rows, const RowShape& shape) {
  const std::size_t size = rows.size();
  const auto require = [](bool fits) {
    if (!fits) throw Error(ErrorKind::input, "its columns have other sizes than they should");
  };
  const auto has = [&](const auto& column, bool wanted) {
    require(column.size() == (wanted ? size : std::size_t{0}));
  };
  const auto groups =
      ColumnGroups::of(shape.detail, shape.strands, shape.significance.value_or(!rows.evalue.empty()),
                       shape.hsps.value_or(!rows.hsp.empty()));
  for_each_row_column([&](const auto& column) { has(rows.*(column.in_columns), groups.has(column.group)); });
  const bool cigars = shape.detail == Detail::alignment && shape.cigars.value_or(!rows.cigar_offsets.empty());
  // A result without rows may lack the one offset that it should have: it was joined from no batches.
  require(rows.cigar_offsets.size() == (cigars ? size + 1 : std::size_t{0}) ||
          (size == 0 && rows.cigar_offsets.empty()));
  require(std::ranges::is_sorted(rows.cigar_offsets) &&
          (rows.cigar_offsets.empty()
               ? rows.cigar_runs.empty()
               : rows.cigar_offsets.front() == 0 && rows.cigar_offsets.back() == rows.cigar_runs.size()));
  for (std::size_t k = 0; k < kDenominators; ++k) {
    const auto denominator = static_cast<Denominator>(k);
    const auto& ranges = shape.identity_ranges;
    const bool wanted =
        ranges ? std::ranges::find(*ranges, denominator) != ranges->end() : !rows.identity_range[k].empty();
    has(rows.identity_range[k], wanted);
  }
}

}  // namespace

void check_rows(const Columns& rows, const RowShape& shape, const Scoring& scoring,
                const SequenceSet& queries, const SequenceSet& subjects) {
  require_sizes(rows, shape);
  RowCheck check(rows, shape, scoring, queries, subjects);
  for (std::size_t row = 0; row < rows.size(); ++row) check.check(row);
}

ScoreRange possible_scores(const Scoring& scoring, std::size_t query_length, std::size_t subject_length) {
  const auto shorter = static_cast<double>(std::min(query_length, subject_length)),
             longer = static_cast<double>(std::max(query_length, subject_length));
  const double highest = shorter * std::max(0, scoring.matrix.highest());
  if (scoring.mode == Mode::local) return {0, highest};
  // The best alignment scores no less than the one that pairs no residues, and no less than one that pairs
  // all residues of the shorter sequence.
  const double lowest = -2.0 * scoring.open - (shorter + longer) * scoring.extend;
  return {std::min(lowest,
                   shorter * scoring.matrix.lowest() - scoring.open - (longer - shorter) * scoring.extend),
          highest};
}

}  // namespace alnus
