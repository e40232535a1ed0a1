// What an alignment's score is: matrix, gap costs, and which ends are free.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/export.h"
#include "alnus/matrix.h"
#include "alnus/words.h"

namespace alnus {

// local: Smith-Waterman. global: Needleman-Wunsch. semiglobal: global, with the ends free that FreeEnds says.
enum class Mode : std::uint8_t { local, global, semiglobal };
template <>
inline constexpr std::array kWords<Mode> = {Word{"local", Mode::local}, Word{"global", Mode::global},
                                            Word{"semiglobal", Mode::semiglobal}};

// Ends of the sequences that may stay unaligned at no cost: query_begin frees leading residues of the query,
// subject_end trailing residues of the subject, and so on. Mode local ignores them, and mode global has none.
struct FreeEnds {
  bool query_begin = false, query_end = false, subject_begin = false, subject_end = false;
  bool operator==(const FreeEnds&) const = default;
  static constexpr FreeEnds all() { return {true, true, true, true}; }
};
template <>
inline constexpr std::array kWords<bool FreeEnds::*> = {
    Word{"qbegin", &FreeEnds::query_begin}, Word{"qend", &FreeEnds::query_end},
    Word{"sbegin", &FreeEnds::subject_begin}, Word{"send", &FreeEnds::subject_end}};

// What the gap open cost is. ncbi: a cost in addition to the extend cost of every residue of the gap. emboss:
// the cost of the gap's first residue.
enum class GapConvention { ncbi, emboss };
template <>
inline constexpr std::array kWords<GapConvention> = {Word{"ncbi", GapConvention::ncbi},
                                                     Word{"emboss", GapConvention::emboss}};

// How an alignment is scored. Scores and costs are integers in units of 1/scale. A gap of k residues costs
// open + k * extend (NCBI's convention, the only one inside alnus), with open >= 0 and extend >= 0; linear
// gap costs have open = 0.
struct ALNUS_API Scoring {
  SubstitutionMatrix matrix;
  std::int32_t open = 11, extend = 1;
  int scale = 1;  // equals matrix.scale(); a score of 1 in the user's units is `scale` here
  Mode mode = Mode::local;
  FreeEnds free_ends = {};  // all() for Mode::semiglobal unless chosen otherwise

  std::int32_t gap(std::int64_t length) const {
    return length == 0 ? 0 : static_cast<std::int32_t>(open + length * extend);
  }
  bool operator==(const Scoring&) const = default;
  // The score in the user's units: "41" or, if it has decimals, "41.5".
  std::string format_score(std::int32_t score) const;
  // The gap costs in NCBI's convention, as exact decimals: "11/1".
  std::string format_gaps() const;
};

// A scoring in the user's words, before anything is looked up or scaled. An empty field means the preset's
// choice or, without a preset, the default of docs/scoring.md: proteins BLOSUM62, nucleotides NUC44, match 2,
// mismatch -3, mode local, and the gap costs published for the matrix (BLOSUM62 11/1, NUC44 10/6,
// match/mismatch 5/2).
struct ScoringOptions {
  std::string preset{};                  // "", blastp, blastn, ssearch, emboss-needle, emboss-water
  std::string mode{};                    // "", local, global, semiglobal
  std::string matrix{};                  // name, or path of a file in NCBI's format
  std::string matrix_text{};             // contents of the file that `matrix` names; read_scoring() reads it
  std::string match{}, mismatch{};       // decimals, for DNA
  std::string gap_open{}, gap_extend{};  // decimals
  std::string gap_convention{};          // "", ncbi, emboss
  // Any of qbegin, qend, sbegin, send; for the modes global and semiglobal. The resulting mode is semiglobal
  // when any end is free, and global when none is.
  std::optional<std::vector<std::string>> free_ends{};
  AlphabetKind alphabet = AlphabetKind::protein;
};

// Checks and scales the options. Throws Error(input) for unknown words (naming the nearest valid one), gap
// costs that are negative or no decimals, an extend cost above the open cost in EMBOSS' convention, free ends
// in mode local, a matrix of the other alphabet, and matrix scores or gap costs above 32767 after scaling (in
// the text of a matrix, 32767 or above).
ALNUS_API Scoring make_scoring(const ScoringOptions& options);

// The same as make_scoring(), but reads the matrix from its file where `matrix` is a path.
ALNUS_API Scoring read_scoring(ScoringOptions options);

ALNUS_API std::string_view to_string(Mode mode);
ALNUS_API std::vector<std::string_view> preset_names();  // of ScoringOptions::preset

}  // namespace alnus
