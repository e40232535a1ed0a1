// The result of aligning one query with one subject.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alnus/export.h"
#include "alnus/scoring.h"
#include "alnus/words.h"

namespace alnus {

// How much of an alignment is computed: its score; score and end coordinates; or everything, with begin
// coordinates and CIGAR. Alignment says which fields each value fills.
enum class Detail : std::uint8_t { score, ends, alignment };
template <>
inline constexpr std::array kWords<Detail> = {Word{"score", Detail::score}, Word{"ends", Detail::ends},
                                              Word{"alignment", Detail::alignment}};

// Operations, with their codes in BAM, SAM's binary form. An insertion is a residue of the query alone, a
// deletion a residue of the subject alone.
enum class CigarOp : std::uint8_t { insertion = 1, deletion = 2, equal = 7, mismatch = 8 };

struct CigarRun {
  static constexpr std::uint32_t kLongest = (1U << 28) - 1;  // the length has 28 bits; a longer run is split
  std::uint32_t packed = 0;                                  // length << 4 | op, as BAM has it
  CigarRun() = default;
  constexpr CigarRun(CigarOp op, std::uint32_t length)
      : packed(length << 4 | static_cast<std::uint32_t>(op)) {}
  CigarOp op() const { return static_cast<CigarOp>(packed & 15); }
  std::uint32_t length() const { return packed >> 4; }
  char letter() const { return "MIDNSHP=X"[packed & 15]; }
  bool operator==(const CigarRun&) const = default;
};

// Coordinates are 0-based and half-open. Detail::score fills `score`, Detail::ends also query_end and
// subject_end, Detail::alignment all fields. Coordinates that were not asked for are -1. A local alignment of
// score 0 is empty: the coordinates that were asked for are 0, and there is no CIGAR.
struct Alignment {
  std::int32_t score = 0;  // in units of 1/scoring.scale
  std::int32_t query_begin = -1, query_end = -1;
  std::int32_t subject_begin = -1, subject_end = -1;
  std::vector<CigarRun> cigar;
  bool operator==(const Alignment&) const = default;
};

// Counts over the columns of an alignment.
struct AlignmentCounts {
  std::int32_t columns = 0;       // alignment length with gaps
  std::int32_t identical = 0;     // columns with equal letters (case ignored)
  std::int32_t positive = 0;      // columns without a gap whose matrix score is above 0
  std::int32_t mismatches = 0;    // columns without a gap whose letters differ
  std::int32_t gap_residues = 0;  // residues of both sequences that are opposite a gap
  std::int32_t gap_opens = 0;     // number of gaps; two adjacent gaps in different sequences count as two
  bool operator==(const AlignmentCounts&) const = default;
};

// Counts the columns of `alignment`, which must have its CIGAR and begin coordinates. `query` and `subject`
// are the whole sequences that were aligned.
ALNUS_API AlignmentCounts count(const Alignment& alignment, std::span<const Residue> query,
                                std::span<const Residue> subject, const SubstitutionMatrix& matrix);
// Counts the columns of the alignment that this CIGAR describes. `query` and `subject` must begin with the
// first residues of the alignment.
ALNUS_API AlignmentCounts count(std::span<const CigarRun> cigar, std::span<const Residue> query,
                                std::span<const Residue> subject, const SubstitutionMatrix& matrix);

// The score of `alignment` recomputed from its CIGAR, in units of 1/scoring.scale. Free ends cost nothing,
// because they are not in the CIGAR. `query` and `subject` are the whole sequences that were aligned.
ALNUS_API std::int64_t rescore(const Alignment& alignment, std::span<const Residue> query,
                               std::span<const Residue> subject, const Scoring& scoring);

ALNUS_API std::string to_string(std::span<const CigarRun> cigar);  // "12=1X3I", "*" when empty

// The definition of a correct result: Gotoh's recurrence (1982) over the whole dynamic programming matrix of
// m * n cells (m, n: lengths of query and subject). Takes O(m*n) time, and O(m) memory or, for
// Detail::alignment, O(m*n). The rule for ties is in docs/ties.md.
ALNUS_API Alignment align_reference(std::span<const Residue> query, std::span<const Residue> subject,
                                    const Scoring& scoring, Detail detail);

// The definition of several alignments of a pair (after Waterman and Eggert, 1987; docs/ties.md): the first
// is that of align_reference(), and each further one is the best of those that align no two residues that are
// aligned in one before it, as long as it scores more than an alignment without aligned residues. Returns at
// most `most` alignments with all details, best first. Takes O(m*n) time for each, and O(m*n) memory.
ALNUS_API std::vector<Alignment> several_alignments_reference(std::span<const Residue> query,
                                                              std::span<const Residue> subject,
                                                              const Scoring& scoring, std::size_t most);

}  // namespace alnus
