// Walks back through the four bits that the kernels keep of every cell, by the tie rule of docs/ties.md.
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

// Whether one lane of a stored cell has that bit.
inline bool trace_has(TraceBit bit, const LaneKernel& kernel, const std::uint8_t* cell, std::int32_t lane) {
  if (kernel.trace_bytes == kernel.lanes) return (cell[lane] & bit) != 0;
  const std::int32_t mask_bytes = kernel.trace_bytes / 4, number = std::countr_zero(unsigned{bit});
  return (cell[number * mask_bytes + lane / 8] >> lane % 8 & 1) != 0;
}

// The cells that a traceback has at hand: below a row, right of a column, on a diagonal i - j or below it.
struct Window {
  std::int32_t row_begin = 0, column_begin = 0;
  std::int32_t lowest_diagonal = std::numeric_limits<std::int32_t>::min();
};

class Traceback {
 public:
  // Of an alignment of which score and ends are known: starts at its end cell, i residues of the query and j
  // of the subject.
  Traceback(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
            const Alignment& ends)
      : query_(query),
        subject_(subject),
        scoring_(&scoring),
        alignment_(ends),
        remaining_(ends.score),
        i_(ends.query_end),
        j_(ends.subject_end) {
    // Where the end is on the matrix' border, no cells are needed.
    walk({.row_begin = i_}, [](TraceBit, std::int32_t, std::int32_t) { return false; });
  }

  // Goes on within the window; has(bit, i, j) tells a cell's TraceBits. To be called again for the cells
  // beyond, until done().
  template <class Has>
  void walk(const Window& window, Has has);
  bool done() const { return done_; }
  std::int32_t row() const { return i_; }
  std::int32_t column() const { return j_; }

  // The whole alignment, once done.
  Alignment finish() {
    alignment_.query_begin = i_;
    alignment_.subject_begin = j_;
    alignment_.cigar = cigar_.finish();
    return std::move(alignment_);
  }

 private:
  enum class State { in_h, in_e, in_f };  // in a gap: its last residue seen is in the cigar already

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
  std::int64_t remaining_;  // score of what is not yet walked
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

// Residues of a gap from here on, up to the cell in which it opens or out of the window.
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

// Of residues aligned one after the other, from here up. In mode local it ends where the score is used up.
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
