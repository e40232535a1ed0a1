// Walks back through the trace, the four bits that the kernels keep of every cell, by the rule of
// docs/ties.md.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "alnus/alignment.h"
#include "core/cigar.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// True if the bit is set in one lane of a stored cell.
inline bool trace_has(TraceBit bit, const LaneKernel& kernel, const std::uint8_t* cell, std::int32_t lane) {
  if (kernel.trace_bytes == kernel.lanes) return (cell[lane] & bit) != 0;
  const std::int32_t mask_bytes = kernel.trace_bytes / 4, number = std::countr_zero(unsigned{bit});
  return (cell[number * mask_bytes + lane / 8] >> lane % 8 & 1) != 0;
}

// The cells whose trace is at hand: those with i > row_begin, j > column_begin and i - j >= lowest_diagonal.
struct Window {
  std::int32_t row_begin = 0, column_begin = 0;
  std::int32_t lowest_diagonal = std::numeric_limits<std::int32_t>::min();
};

class Traceback {
 public:
  // Starts at the end cell of an alignment whose score and ends are known. The cell (i, j) is behind i
  // residues of the query and j residues of the subject.
  Traceback(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
            const Alignment& ends)
      : query_(query),
        subject_(subject),
        scoring_(&scoring),
        alignment_(ends),
        remaining_(ends.score),
        i_(ends.query_end),
        j_(ends.subject_end) {
    // An alignment that ends in row 0 or column 0 needs no trace.
    walk({.row_begin = i_}, [](TraceBit, std::int32_t, std::int32_t) { return false; });
  }

  // Walks on within the window. has(bit, i, j) returns true if cell (i, j) has the bit. Until done(), walk()
  // must be called again with a window that holds the cell (row(), column()).
  template <class Has>
  void walk(const Window& window, Has has);
  bool done() const { return done_; }
  std::int32_t row() const { return i_; }
  std::int32_t column() const { return j_; }

  // Returns the whole alignment, once done.
  Alignment finish() {
    alignment_.query_begin = i_;
    alignment_.subject_begin = j_;
    alignment_.cigar = cigar_.finish();
    return std::move(alignment_);
  }

 private:
  enum class State { in_h, in_e, in_f };  // in_e, in_f: in a gap of which cigar_ already has a residue

  bool within(const Window& window) const {
    return i_ > window.row_begin && j_ > window.column_begin && i_ - j_ >= window.lowest_diagonal;
  }
  template <class Has>
  std::int32_t diagonal_run(const Window& window, Has has);
  template <class Has>
  std::int32_t gap_run(const Window& window, Has has) const;
  void diagonal(std::int32_t length) {
    i_ -= length;
    j_ -= length;
    cigar_.prepend_pairs(query_.subspan(static_cast<std::size_t>(i_)),
                         subject_.subspan(static_cast<std::size_t>(j_)), static_cast<std::size_t>(length));
  }
  void gap(std::int32_t length) {
    if (length == 0) return;
    remaining_ += std::int64_t{scoring_->extend} * length;
    cigar_.prepend(state_ == State::in_e ? CigarOp::deletion : CigarOp::insertion,
                   static_cast<std::size_t>(length));
    (state_ == State::in_e ? j_ : i_) -= length;
  }

  std::span<const Residue> query_, subject_;
  const Scoring* scoring_;
  Alignment alignment_;
  std::int64_t remaining_;  // score of the part that is not walked yet
  std::int32_t i_, j_;
  State state_ = State::in_h;
  bool done_ = false;
  CigarBuilder cigar_;
};

template <class Has>
void Traceback::walk(const Window& window, Has has) {
  const bool local = scoring_->mode == Mode::local;
  while (!done_) {
    if (state_ == State::in_h && local && remaining_ == 0) {
      done_ = true;
    } else if (state_ == State::in_h && (i_ == 0 || j_ == 0)) {
      if (i_ > 0 && !scoring_->free_ends.query_begin) {
        cigar_.prepend(CigarOp::insertion, static_cast<std::size_t>(i_));
        i_ = 0;
      }
      if (j_ > 0 && !scoring_->free_ends.subject_begin) {
        cigar_.prepend(CigarOp::deletion, static_cast<std::size_t>(j_));
        j_ = 0;
      }
      done_ = true;
    } else if (i_ == 0 || j_ == 0) {  // a gap that reaches the border opened there
      remaining_ += scoring_->open;
      state_ = State::in_h;
    } else if (!within(window)) {
      return;
    } else if (state_ != State::in_h) {
      gap(gap_run(window, has));
      if (!within(window)) continue;
      remaining_ += scoring_->open;
      state_ = State::in_h;
    } else if (const std::int32_t run = diagonal_run(window, has); run > 0) {
      diagonal(run);
    } else {
      state_ = has(kFromE, i_, j_) ? State::in_e : State::in_f;
      gap(1);
    }
  }
}

// Returns how many more residues the current gap has, up to the cell in which it opens or to the window's
// edge.
template <class Has>
std::int32_t Traceback::gap_run(const Window& window, Has has) const {
  std::int32_t run = 0;
  if (state_ == State::in_e) {
    while (run < j_ - window.column_begin && !has(kOpenE, i_, j_ - run)) ++run;
  } else {
    const std::int64_t most =
        std::min(std::int64_t{i_} - window.row_begin, std::int64_t{i_} - j_ - window.lowest_diagonal + 1);
    while (run < most && !has(kOpenF, i_ - run, j_)) ++run;
  }
  return run;
}

// Returns how many aligned pairs follow each other on the diagonal from the current cell up. In mode local
// the run also ends where the remaining score is 0.
template <class Has>
std::int32_t Traceback::diagonal_run(const Window& window, Has has) {
  const std::int32_t most = std::min(i_ - window.row_begin, j_ - window.column_begin);
  std::int32_t run = 0;
  if (scoring_->mode != Mode::local) {
    while (run < most && has(kDiagonal, i_ - run, j_ - run)) ++run;
    return run;
  }
  while (run < most && remaining_ != 0 && has(kDiagonal, i_ - run, j_ - run)) {
    remaining_ -= scoring_->matrix.value(query_[static_cast<std::size_t>(i_ - run) - 1],
                                         subject_[static_cast<std::size_t>(j_ - run) - 1]);
    ++run;
  }
  return run;
}

}  // namespace alnus::cpu
