// Walks back through the four bits that the kernels keep of every cell, by the tie rule of docs/ties.md.
#pragma once

#include <cstdint>
#include <span>

#include "alnus/alignment.h"
#include "core/cigar.h"
#include "cpu/kernel_set.h"

namespace alnus::cpu {

// The TraceBits of one lane in a stored cell.
inline unsigned trace_at(const LaneKernel& kernel, const std::uint8_t* cell, std::int32_t lane) {
  if (kernel.trace_bytes == kernel.lanes) return cell[lane];
  const std::int32_t mask_bytes = kernel.trace_bytes / 4, shift = lane % 8;
  cell += lane / 8;
  return (cell[0] >> shift & 1U) | (cell[mask_bytes] >> shift & 1U) << 1 |
         (cell[2 * mask_bytes] >> shift & 1U) << 2 | (cell[3 * mask_bytes] >> shift & 1U) << 3;
}

class Traceback {
 public:
  // Starts at the end cell: i residues of the query and j of the subject.
  Traceback(std::span<const Residue> query, std::span<const Residue> subject, const Scoring& scoring,
            std::int32_t score, std::int32_t i, std::int32_t j)
      : query_(query), subject_(subject), scoring_(scoring), remaining_(score), i_(i), j_(j) {}

  // Goes on while j > column_begin and i - j >= lowest_diagonal; bits(i, j) gives a cell's TraceBits. To be
  // called again for the cells beyond, until done().
  template <class Bits>
  void walk(std::int32_t column_begin, std::int32_t lowest_diagonal, Bits bits);
  bool done() const { return done_; }
  std::int32_t row() const { return i_; }
  std::int32_t column() const { return j_; }

  // Fills in the begin coordinates and the cigar.
  void finish(Alignment& alignment) {
    alignment.query_begin = i_;
    alignment.subject_begin = j_;
    alignment.cigar = cigar_.finish();
  }

 private:
  enum class State { in_h, in_e, in_f };  // in a gap: its last residue seen is in the cigar already

  std::span<const Residue> query_, subject_;
  const Scoring& scoring_;
  std::int64_t remaining_;  // score of what is not yet walked
  std::int32_t i_, j_;
  State state_ = State::in_h;
  bool done_ = false;
  CigarBuilder cigar_;
};

template <class Bits>
void Traceback::walk(std::int32_t column_begin, std::int32_t lowest_diagonal, Bits bits) {
  const bool local = scoring_.mode == Mode::local;
  while (!done_) {
    if (state_ == State::in_h && local && remaining_ == 0) {
      done_ = true;
    } else if (state_ == State::in_h && (i_ == 0 || j_ == 0)) {
      if (i_ > 0 && !scoring_.free_ends.query_begin) {
        cigar_.prepend(CigarOp::insertion, static_cast<std::size_t>(i_));
        i_ = 0;
      }
      if (j_ > 0 && !scoring_.free_ends.subject_begin) {
        cigar_.prepend(CigarOp::deletion, static_cast<std::size_t>(j_));
        j_ = 0;
      }
      done_ = true;
    } else if (i_ == 0 || j_ == 0) {  // a gap that reaches the border opened there
      remaining_ += scoring_.open;
      state_ = State::in_h;
    } else if (j_ <= column_begin || i_ - j_ < lowest_diagonal) {
      return;
    } else {
      const unsigned cell = bits(i_, j_);
      const bool opened =
          (state_ == State::in_e && (cell & kOpenE)) || (state_ == State::in_f && (cell & kOpenF));
      if (opened) {
        remaining_ += scoring_.open;
        state_ = State::in_h;
        continue;
      }
      if (state_ == State::in_h && (cell & kDiagonal)) {
        const Residue q = query_[i_ - 1], s = subject_[j_ - 1];
        remaining_ -= scoring_.matrix.value(q, s);
        cigar_.prepend_pair(q, s);
        --i_, --j_;
        continue;
      }
      if (state_ == State::in_h) state_ = cell & kFromE ? State::in_e : State::in_f;
      remaining_ += scoring_.extend;
      cigar_.prepend(state_ == State::in_e ? CigarOp::deletion : CigarOp::insertion, 1);
      --(state_ == State::in_e ? j_ : i_);
    }
  }
}

}  // namespace alnus::cpu
