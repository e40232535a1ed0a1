// The definition of a correct result: the recurrence of Gotoh (1982), written as the formula has it, over the
// whole dynamic programming matrix. Every kernel is tested for equality with this file.
//
//   E(i,j) = max(H(i,j-1) - open - extend, E(i,j-1) - extend)   ends in a gap in the query
//   F(i,j) = max(H(i-1,j) - open - extend, F(i-1,j) - extend)   ends in a gap in the subject
//   H(i,j) = max(H(i-1,j-1) + s(q_i, s_j), E(i,j), F(i,j))      and at least 0 when local
//
// i counts residues of the query, j residues of the subject, and s is the substitution score. A gap in one
// sequence may directly follow a gap in the other. docs/ties.md says how ties are broken. For further
// alignments of a pair (Waterman and Eggert 1987), the diagonal step is missing where residues q_i and s_j
// are aligned in an earlier one.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "alnus/alignment.h"
#include "core/aligned_pairs.h"
#include "core/cigar.h"

namespace alnus {
namespace {

constexpr std::int32_t kMinusInfinity = std::numeric_limits<std::int32_t>::min() / 2;

// The dynamic programming matrices H, E and F, column-major. All columns are kept for a traceback, else the
// last two.
class Matrices {
 public:
  Matrices(std::size_t m, std::size_t kept_columns)
      : height_(m + 1), kept_(kept_columns), h_(height_ * kept_), e_(h_.size()), f_(h_.size()) {}
  std::int32_t& H(std::size_t i, std::size_t j) { return h_[j % kept_ * height_ + i]; }
  std::int32_t& E(std::size_t i, std::size_t j) { return e_[j % kept_ * height_ + i]; }
  std::int32_t& F(std::size_t i, std::size_t j) { return f_[j % kept_ * height_ + i]; }

 private:
  std::size_t height_, kept_;
  std::vector<std::int32_t> h_, e_, f_;
};

struct Cell {
  std::int32_t score;
  std::size_t i, j;
};

// Cells (i, j) that no alignment may enter by the diagonal: residues q_i and s_j must not be aligned.
using Barred = std::set<std::pair<std::size_t, std::size_t>>;

// Fills the matrices and returns the best end cell: of equal scores the cell with the smallest j, then the
// smallest i.
Cell fill(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
          const Barred& barred, Matrices& x) {
  const std::size_t m = query.size(), n = subject.size();
  const bool local = scoring.mode == Mode::local;
  const FreeEnds& free = scoring.free_ends;
  const std::int32_t first = scoring.open + scoring.extend, extend = scoring.extend;

  Cell best{local ? 0 : std::numeric_limits<std::int32_t>::min(), 0, 0};
  for (std::size_t j = 0; j <= n; ++j) {
    for (std::size_t i = 0; i <= m; ++i) {
      if (i == 0 || j == 0) {
        const bool at_no_cost = local || (j == 0 ? free.query_begin : free.subject_begin);
        x.H(i, j) = at_no_cost ? 0 : -scoring.gap(static_cast<std::int64_t>(i + j));
        x.E(i, j) = x.F(i, j) = kMinusInfinity;
      } else {
        x.E(i, j) = std::max(x.H(i, j - 1) - first, x.E(i, j - 1) - extend);
        x.F(i, j) = std::max(x.H(i - 1, j) - first, x.F(i - 1, j) - extend);
        const std::int32_t diagonal =
            barred.contains({i, j}) ? kMinusInfinity
                                    : x.H(i - 1, j - 1) + scoring.matrix.value(query[i - 1], subject[j - 1]);
        x.H(i, j) = std::max({diagonal, x.E(i, j), x.F(i, j), local ? 0 : kMinusInfinity});
      }
      const bool may_end =
          local || (i == m && j == n) || (i == m && free.subject_end) || (j == n && free.query_end);
      if (may_end && x.H(i, j) > best.score) best = {x.H(i, j), i, j};
    }
  }
  return best;
}

// Walks back from the end cell. In H, the diagonal is preferred to a gap in the query, and this gap to a gap
// in the subject. Inside a gap, the shortest gap is preferred.
void trace_back(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
                const Barred& barred, Matrices& x, std::size_t i, std::size_t j, Alignment& result) {
  const bool local = scoring.mode == Mode::local;
  const std::int32_t first = scoring.open + scoring.extend;
  CigarBuilder cigar;
  enum { in_H, in_E, in_F } state = in_H;
  for (;;) {
    if (state == in_H) {
      if (local && x.H(i, j) == 0) break;
      if (i == 0 || j == 0) {
        if (i > 0 && !scoring.free_ends.query_begin) cigar.prepend(CigarOp::insertion, std::exchange(i, 0));
        if (j > 0 && !scoring.free_ends.subject_begin) cigar.prepend(CigarOp::deletion, std::exchange(j, 0));
        break;
      }
      if (!barred.contains({i, j}) &&
          x.H(i, j) == x.H(i - 1, j - 1) + scoring.matrix.value(query[i - 1], subject[j - 1])) {
        cigar.prepend_pair(query[i - 1], subject[j - 1]);
        --i, --j;
      } else {
        state = x.H(i, j) == x.E(i, j) ? in_E : in_F;
      }
    } else if (state == in_E) {
      cigar.prepend(CigarOp::deletion, 1);
      if (x.E(i, j) == x.H(i, j - 1) - first) state = in_H;
      --j;
    } else {
      cigar.prepend(CigarOp::insertion, 1);
      if (x.F(i, j) == x.H(i - 1, j) - first) state = in_H;
      --i;
    }
  }
  result.query_begin = static_cast<std::int32_t>(i);
  result.subject_begin = static_cast<std::int32_t>(j);
  result.cigar = cigar.finish();
}

Alignment align(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
                Detail detail, const Barred& barred) {
  const bool trace = detail == Detail::alignment;
  Matrices matrices(query.size(), trace ? subject.size() + 1 : 2);
  const Cell end = fill(query, subject, scoring, barred, matrices);

  Alignment result;
  result.score = end.score;
  if (detail == Detail::score) return result;
  result.query_end = static_cast<std::int32_t>(end.i);
  result.subject_end = static_cast<std::int32_t>(end.j);
  if (trace) trace_back(query, subject, scoring, barred, matrices, end.i, end.j, result);
  return result;
}

}  // namespace

Alignment align_reference(std::span<const Residue> query, std::span<const Residue> subject,
                          const Scoring& scoring, Detail detail) {
  return align(query, subject, scoring, detail, {});
}

std::vector<Alignment> several_alignments_reference(std::span<const Residue> query,
                                                    std::span<const Residue> subject, const Scoring& scoring,
                                                    std::size_t most) {
  std::vector<Alignment> result;
  Barred barred;
  while (result.size() < most) {
    const Alignment next = align(query, subject, scoring, Detail::alignment, barred);
    if (!result.empty() && next.score <= score_of_nothing(scoring, query.size())) break;
    for_each_aligned_pair(next, [&](std::size_t i, std::size_t j) { barred.insert({i + 1, j + 1}); });
    result.push_back(next);
  }
  return result;
}

}  // namespace alnus
