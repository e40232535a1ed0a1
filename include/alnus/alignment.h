// The result of aligning one query with one subject.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alnus/export.h"
#include "alnus/scoring.h"

namespace alnus {

enum class Detail : std::uint8_t { score, ends, alignment };

// Numbered as in SAM's binary form. An insertion is a residue extra in the query.
enum class CigarOp : std::uint8_t { insertion = 1, deletion = 2, equal = 7, mismatch = 8 };

struct CigarRun {
  static constexpr std::uint32_t kLongest = (1U << 28) - 1;  // longer runs follow each other
  std::uint32_t packed = 0;                                  // length << 4 | op, as BAM has it
  CigarRun() = default;
  constexpr CigarRun(CigarOp op, std::uint32_t length)
      : packed(length << 4 | static_cast<std::uint32_t>(op)) {}
  CigarOp op() const { return static_cast<CigarOp>(packed & 15); }
  std::uint32_t length() const { return packed >> 4; }
  char letter() const { return "MIDNSHP=X"[packed & 15]; }
  bool operator==(const CigarRun&) const = default;
};

// Coordinates are 0-based, half-open. Detail::score fills `score`; Detail::ends also query_end and
// subject_end; Detail::alignment everything. What is not known is -1. A local alignment of score 0
// is empty: all coordinates 0 and no cigar.
struct Alignment {
  std::int32_t score = 0;  // in units of 1/scoring.scale
  std::int32_t query_begin = -1, query_end = -1;
  std::int32_t subject_begin = -1, subject_end = -1;
  std::vector<CigarRun> cigar;
  bool operator==(const Alignment&) const = default;
};

// Counted from the alignment itself in one pass.
struct AlignmentCounts {
  std::int32_t columns = 0;     // alignment length with gaps
  std::int32_t identical = 0;   // columns with equal letters (case ignored)
  std::int32_t positive = 0;    // columns with a score above 0
  std::int32_t mismatches = 0;  // aligned, letters differ
  std::int32_t gap_residues = 0;
  std::int32_t gap_opens = 0;
  bool operator==(const AlignmentCounts&) const = default;
};

ALNUS_API AlignmentCounts count(const Alignment& alignment, std::span<const Residue> query,
                                std::span<const Residue> subject, const SubstitutionMatrix& matrix);
// The same from a CIGAR and sequences that begin where the alignment does.
ALNUS_API AlignmentCounts count(std::span<const CigarRun> cigar, std::span<const Residue> query,
                                std::span<const Residue> subject, const SubstitutionMatrix& matrix);

// The score recomputed from the CIGAR (free ends cost nothing by not being in it).
ALNUS_API std::int64_t rescore(const Alignment& alignment, std::span<const Residue> query,
                               std::span<const Residue> subject, const Scoring& scoring);

ALNUS_API std::string to_string(std::span<const CigarRun> cigar);  // "12=1X3I", "*" when empty

// The definition of correct: plain dynamic programming over the whole matrix, O(m*n) time, and
// O(m*n) memory for Detail::alignment. The tie rule is in docs/ties.md.
ALNUS_API Alignment align_reference(std::span<const Residue> query, std::span<const Residue> subject,
                                    const Scoring& scoring, Detail detail);

}  // namespace alnus
