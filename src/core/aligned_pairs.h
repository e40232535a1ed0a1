// What several alignments of one pair must not share: aligned residues.
#pragma once

#include <cstddef>
#include <cstdint>

#include "alnus/alignment.h"

namespace alnus {

// Calls visit(i, j) for each two residues that the alignment aligns, whether they are equal or not: residue i
// of the query and residue j of the subject, from 0 on, in the order of the alignment. `alignment`: an
// Alignment, or a struct that has members of the same names.
template <class Aligned, class Visit>
void for_each_aligned_pair(const Aligned& alignment, const Visit& visit) {
  auto i = static_cast<std::size_t>(alignment.query_begin),
       j = static_cast<std::size_t>(alignment.subject_begin);
  for (const CigarRun run : alignment.cigar) {
    const std::size_t length = run.length();
    if (run.op() == CigarOp::insertion) {
      i += length;
    } else if (run.op() == CigarOp::deletion) {
      j += length;
    } else {
      for (const std::size_t end = i + length; i < end; ++i, ++j) visit(i, j);
    }
  }
}

// The score of an alignment that aligns no two residues, if both ends of the subject are free: 0, or the gap
// of the whole query (of `residues` residues) if neither of its ends is free.
inline std::int64_t score_of_nothing(const Scoring& scoring, std::size_t residues) {
  const bool free =
      scoring.mode == Mode::local || scoring.free_ends.query_begin || scoring.free_ends.query_end;
  return free || residues == 0
             ? 0
             : -scoring.open - std::int64_t{scoring.extend} * static_cast<std::int64_t>(residues);
}

// True if alignments beyond the first are defined: in mode local, and in semiglobal mode if both ends of the
// subject are free.
inline bool has_further_alignments(const Scoring& scoring) {
  return scoring.mode == Mode::local || (scoring.free_ends.subject_begin && scoring.free_ends.subject_end);
}

}  // namespace alnus
