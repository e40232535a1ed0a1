// What a score is worth: bit scores, E-values, Z-scores, and the parameters behind them. docs/statistics.md
// describes the methods and names their references.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/alphabet.h"
#include "alnus/export.h"
#include "alnus/option_table.h"
#include "alnus/words.h"

namespace alnus {

// How scores are judged. spouge and karlin judge a score by parameters of the scoring, regression by the
// scores of the query's whole search, zvalue by the scores of shuffled sequences. none does not judge scores.
enum class StatisticsMethod : std::uint8_t { spouge, karlin, regression, zvalue, none };
template <>
inline constexpr std::array kWords<StatisticsMethod> = {
    Word{"spouge", StatisticsMethod::spouge}, Word{"karlin", StatisticsMethod::karlin},
    Word{"regression", StatisticsMethod::regression}, Word{"zvalue", StatisticsMethod::zvalue},
    Word{"none", StatisticsMethod::none}};
ALNUS_API std::string_view to_string(StatisticsMethod method);

// StatisticsMethod::regression needs a query of more than kShortestForRegression residues, and at least
// kFewestForRegression subjects of kShortestForRegression residues or more, of different lengths. Other
// queries are judged by SearchSummary::fallback.
inline constexpr std::uint64_t kShortestForRegression = 10, kFewestForRegression = 500;

// The size of a search that E-values are about: that of the database, or what the user says. If a part of a
// database is searched with the search space of the whole, its hits have the E-values of the whole.
struct SearchSpace {
  double residues = 0, sequences = 0;
  // Search space of all strands, in cells. It replaces (query - A) * (residues - A * sequences), where
  // `query` is the query's length and A is BLAST's length adjustment.
  std::optional<double> cells{};
  double strands = 1;  // how many strands of a query count as searched
};

// How the letters that two sequences are made of count when the score of the pair is judged
// (docs/statistics.md).
enum class Composition : std::uint8_t {
  // Proteins: the pair is scored again, by a matrix that is adjusted to both sequences; the stated matrix
  // must be symmetric. Nucleotides: the score is scaled by the letters of both sequences.
  adjust,
  scale,  // the score of a query with unusual letters is worth less; nucleotides: as none
  none    // every sequence is taken to have the background's letters
};
template <>
inline constexpr std::array kWords<Composition> = {
    Word{"adjust", Composition::adjust}, Word{"scale", Composition::scale}, Word{"none", Composition::none}};
ALNUS_API std::string_view to_string(Composition composition);

// How regions of low complexity count when a score is judged: regions of subjects (proteins) or of queries
// (nucleotides).
enum class LowComplexity : std::uint8_t {
  statistics,  // the pair is scored again with these regions masked
  none         // the regions count as much as all other residues
};
template <>
inline constexpr std::array kWords<LowComplexity> = {Word{"statistics", LowComplexity::statistics},
                                                     Word{"none", LowComplexity::none}};
ALNUS_API std::string_view to_string(LowComplexity low_complexity);

// Which strands of a query count as searched. A search of both strands has twice the chances of a search of
// one.
enum class CountedStrands : std::uint8_t {
  aligned,  // all strands that are aligned: E-values on both strands are twice those on one
  one       // one strand, as if each strand were a query of its own: blastn's E-values
};
template <>
inline constexpr std::array kWords<CountedStrands> = {Word{"aligned", CountedStrands::aligned},
                                                      Word{"one", CountedStrands::one}};
ALNUS_API std::string_view to_string(CountedStrands strands);

struct ShuffleOptions {
  enum class Sides : std::uint8_t { query, subject, both };
  std::uint32_t shuffles = 1000;  // shuffles of each side; at least 10
  Sides sides = Sides::both;      // both: the lower of the two Z-scores counts
  std::uint64_t seed = 1;         // equal seeds give equal shuffles, on every machine
};
template <>
inline constexpr std::array kWords<ShuffleOptions::Sides> = {Word{"query", ShuffleOptions::Sides::query},
                                                             Word{"subject", ShuffleOptions::Sides::subject},
                                                             Word{"both", ShuffleOptions::Sides::both}};
template <>
inline constexpr std::tuple kOptions<ShuffleOptions> = {
    CallOption{"shuffles", &ShuffleOptions::shuffles, Counts{10}, "N",
               "For zvalue: how often each sequence is shuffled; more is more exact", "1000"},
    CallOption{"shuffle", &ShuffleOptions::sides, "SIDE",
               "For zvalue: the sequence of a pair that is shuffled: query, subject, or both (the lower "
               "Z-score counts)",
               "both"},
};

// Statistics in the user's words; errors name these fields. An empty field means the preset's choice or,
// without a preset, the default.
struct StatisticsOptions {
  std::string preset{};  // as ScoringOptions::preset; only blastn has statistics of its own
  // Empty: spouge, or karlin where the scoring's parameters do not suffice for spouge; none in other modes
  // than local, and where there are no parameters.
  std::optional<StatisticsMethod> method{};
  // Both fields are for spouge and karlin. An empty `composition` means Composition::adjust where the matrix
  // can be adjusted, else Composition::scale for proteins and none for nucleotides. An empty `low_complexity`
  // means LowComplexity::statistics. A value that the matrix or the method does not allow is Error(input).
  std::optional<Composition> composition{};
  std::optional<LowComplexity> low_complexity{};
  // The residues and sequences that E-values count, in place of the database's. `sequences` without
  // `residues` is Error(input), and so is `residues` without `sequences` for a method other than spouge.
  std::optional<double> residues{}, sequences{};
  std::optional<double> cells{};                    // SearchSpace::cells; for spouge and karlin
  std::optional<CountedStrands> counted_strands{};  // empty: CountedStrands::aligned
  std::optional<ShuffleOptions> shuffles{};         // for zvalue; empty: the defaults
};
template <>
inline constexpr std::tuple kOptions<StatisticsOptions> = {
    CallOption{"statistics", &StatisticsOptions::method, "METHOD",
               "How E-values or Z-scores are computed: spouge (as in blastp) or karlin (as in blastn), by "
               "parameters of the scoring; regression (as in ssearch36), by all scores of the query; zvalue, "
               "by shuffled sequences; none",
               "spouge where it applies"},
    CallOption{
        "composition", &StatisticsOptions::composition, "HOW",
        "For E-values of spouge and karlin: adjust (each pair is scored again by a matrix adjusted to "
        "the residues that both sequences consist of; DNA: its score is scaled by them), scale (scores "
        "of queries of unusual residues count less), none",
        "adjust; scale for a matrix that is not symmetric"},
    CallOption{"low_complexity", &StatisticsOptions::low_complexity, "HOW",
               "For E-values of spouge and karlin: statistics (regions of low complexity do not count, those "
               "of the subjects, or of DNA queries; alignments stay whole), none (they count)",
               "statistics"},
    CallOption{
        "count_strands", &StatisticsOptions::counted_strands, "WORD",
        "DNA: the strands that E-values count: aligned (all that are aligned), or one (as blastn does)",
        "aligned"},
    CallOption{
        "searchsp", &StatisticsOptions::cells, Numbers::size, "X",
        "For spouge and karlin: the effective search space in cells (1 or more), as BLAST prints it, in "
        "place of that of the database; of all strands"},
};

// The significance of one row. A value is empty if the method does not give it, or not for this pair.
struct Significance {
  // The score that `bits` and `evalue` are computed from, in the substitution matrix' units, where it is not
  // the row's score: the score by the pair's adjusted matrix, with low-complexity regions masked
  // (StatisticsOptions).
  std::optional<double> adjusted_score;
  std::optional<double> bits, evalue;
  std::optional<double> zscore, zscore_se;  // in standard deviations from the mean, and its standard error
  // The P-value of a test whether the scores of shuffles follow the distribution that the E-value assumes.
  std::optional<double> zfit;
};
inline bool StatisticsLimit::passes(const Significance& significance, double limit) const {
  const std::optional<double>& found = significance.*number;
  return !found || (is_highest ? *found <= limit : *found >= limit);
}
// True if rows that are judged by the method can have this number, such as &Significance::bits.
constexpr bool gives(StatisticsMethod method, std::optional<double> Significance::*number) {
  const bool by_parameters = method == StatisticsMethod::spouge || method == StatisticsMethod::karlin;
  const bool by_regression = method == StatisticsMethod::regression;
  if (number == &Significance::evalue) return method != StatisticsMethod::none;
  if (number == &Significance::bits) return by_parameters || by_regression;
  if (number == &Significance::adjusted_score) return by_parameters;
  const bool by_shuffles = method == StatisticsMethod::zvalue;
  return number == &Significance::zscore ? by_regression || by_shuffles : by_shuffles;
}

enum class ShuffledSide : std::uint8_t { query, subject };

// The Z-value of one pair by shuffling its sequences (docs/z-values.md).
struct ZValue {
  // All values are empty if shuffling a sequence does not change the score.
  // (score - mean) / standard deviation of the shuffles' scores; of both sides the lower value.
  std::optional<double> z;
  std::optional<double> standard_error;  // standard error of the estimate z
  // ln of the P-value: by the subject's shuffles if there are any, else by the query's.
  std::optional<double> log_p;
  std::optional<double> goodness;             // P-value of a chi-square test of the distribution behind log_p
  ShuffledSide side = ShuffledSide::subject;  // the side whose shuffles gave z
};

struct ParameterEstimate {
  double value = 0, error = 0;  // error: the standard error
  bool operator==(const ParameterEstimate&) const = default;
};

// Parameters of ungapped local alignments (Karlin & Altschul 1990, doi:10.1073/pnas.87.6.2264).
struct UngappedParameters {
  double lambda = 0, K = 0, H = 0;  // lambda in nats per score unit, H in nats per pair of letters
  // How the mean (alpha) and the variance (alpha_v) of an alignment's length grow with its score.
  double alpha = 0, alpha_v = 0;
  bool operator==(const UngappedParameters&) const = default;
};

// Parameters of gapped local alignments: P(S >= y) = 1 - exp(-K * area(y) * exp(-lambda * y)). The lengths of
// query and subject that an alignment of score y covers have the mean alpha * y + beta; their variance and
// covariance grow by alpha_v and sigma with y (Park, Sheetlin, Ma, Madden & Spouge 2012,
// doi:10.1186/1756-0500-5-286). Scores are in the user's units, lengths in residues.
struct GumbelParameters {
  double lambda = 0, K = 0, H = 0, alpha = 0, beta = 0, alpha_v = 0, sigma = 0;
  double alpha_ungapped = 0, alpha_v_ungapped = 0;
};

// The statistics' parameters of a scoring, found by simulation. Scores are in the user's units.
struct ALNUS_API Calibration {
  ParameterEstimate lambda{}, K{}, alpha{}, alpha_v{}, sigma{};
  double beta = 0;
  UngappedParameters ungapped{};
  // Simulated pairs, and residues of each of their sequences. Both are 0 if alignments have no gaps: the
  // parameters are then those of ungapped alignments.
  std::uint64_t pairs = 0, length = 0;
  double precision = 0;  // CalibrationOptions::precision of the simulation
  double seconds = 0;    // the time that the simulation took
  std::string digest{};  // identifies the scoring and the background
  bool operator==(const Calibration&) const = default;

  // These values as GumbelParameters. H is lambda / alpha, an estimate that is exact without gaps.
  GumbelParameters parameters() const;

  // A JSON text that holds every digit, for a file or another process. from_json throws Error(input) for a
  // text that to_json did not make.
  std::string to_json() const;
  static Calibration from_json(std::string_view text);
};

// The frequencies of letters in the random sequences that statistics assume, by residue code: of the twenty
// amino acids, or of ACGT. They sum to 1.
using Background = std::vector<double>;

// The default frequencies. Proteins: Robinson & Robinson (1991), doi:10.1073/pnas.88.20.8880; nucleotides:
// all equally frequent.
ALNUS_API Background default_background(AlphabetKind alphabet);
// Reads lines of a letter and its frequency, in any unit. '#' begins a comment, and a line "residue
// frequency" is a header. A letter that no line names has the frequency 0. Throws Error(input) naming
// `origin` and the line.
ALNUS_API Background parse_background(std::string_view text, const std::string& origin,
                                      AlphabetKind alphabet);

// The same as parse_background(), from a file. Also throws Error(input) if the file cannot be read.
ALNUS_API Background read_background(const std::string& path, AlphabetKind alphabet);

struct CalibrationOptions {
  // The wanted relative error of lambda, a fraction from 0.003 to 0.1. The relative standard error of the
  // result is a fifth of this value or less.
  double precision = 0.01;
  // Residues of each random sequence, 100 to 100,000. Scorings with long alignments get sequences of twice
  // this length. Calibrations with another length than the default are kept apart, and searches do not use
  // them.
  std::uint32_t length = 2000;
  Background background{};  // empty: the alphabet's default
  bool anew = false;        // simulate, even if the session keeps a result, and do not keep the new one
};

// Where a session keeps calibrations, which take seconds to minutes and depend on the scoring alone.
struct CalibrationCache {
  enum class Place : std::uint8_t { memory, directory, none } place = Place::memory;
  std::string directory{};  // for Place::directory; made if it is not there
};

}  // namespace alnus
