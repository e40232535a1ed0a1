// What a score is worth: bit scores, E-values, Z-scores, and the parameters behind them. The methods with
// their references: docs/statistics.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/alphabet.h"
#include "alnus/export.h"

namespace alnus {

// spouge and karlin judge a score by parameters of the scoring, regression by the scores of the query's whole
// search, zvalue by the scores of shuffled sequences.
enum class StatisticsMethod : std::uint8_t { spouge, karlin, regression, zvalue, none };
ALNUS_API std::string_view to_string(StatisticsMethod method);

// StatisticsMethod::regression needs a query of more than kShortestForRegression residues, and at least
// kFewestForRegression subjects of kShortestForRegression residues or more, of different lengths. Other
// queries are judged by SearchSummary::fallback.
inline constexpr std::uint64_t kShortestForRegression = 10, kFewestForRegression = 500;

// The size of a search that E-values are about: that of the database, or what the user says. A part of a
// database that is searched with the search space of the whole has the E-values of the whole.
struct SearchSpace {
  double residues = 0, sequences = 0;
  // Replaces (query - A) * (residues - A * sequences), the lengths less BLAST's adjustment A, of all strands.
  std::optional<double> cells{};
  double strands = 1;  // a query's pairs count once for each
};

// How the letters that two sequences are made of count when their score is judged (docs/statistics.md).
enum class Composition : std::uint8_t {
  adjust,  // proteins: the pair is scored again, by a matrix that is adjusted to both sequences; the stated
           // one must be symmetric. nucleotides: the score is scaled by both
  scale,   // the score of a query with unusual letters is worth less
  none     // every sequence is taken to have the background's letters
};
ALNUS_API std::string_view to_string(Composition composition);

// What regions of low complexity count when a score is judged: of subjects (proteins), of queries
// (nucleotides).
enum class LowComplexity : std::uint8_t {
  statistics,  // the pair is scored again with these regions masked
  none         // as much as all other residues
};
ALNUS_API std::string_view to_string(LowComplexity low_complexity);

// Which strands of a query count as searched. (A search of both strands has twice the chances of one.)
enum class CountedStrands : std::uint8_t {
  aligned,  // all that are aligned: E-values on both strands are twice those on one
  one       // one, as if each strand were a query of its own: blastn's E-values
};
ALNUS_API std::string_view to_string(CountedStrands strands);

struct ShuffleOptions {
  enum class Sides : std::uint8_t { query, subject, both };
  std::uint32_t shuffles = 1000;  // of each side; at least 10
  Sides sides = Sides::both;      // of both, the lower Z-score counts
  std::uint64_t seed = 1;         // equal seeds give equal shuffles, on every machine
};

// The user's words. Errors name these fields. What is empty is the preset's, or else the default.
struct StatisticsOptions {
  std::string preset{};  // as ScoringOptions::preset; of them blastn has statistics of its own
  std::optional<StatisticsMethod> method{};  // empty: spouge where it applies, else what there is
  // Both are for spouge and karlin; each has a default of its own. Empty: Composition::adjust where the
  // matrix can be adjusted, else Composition::scale for proteins and none for nucleotides;
  // LowComplexity::statistics. Error(input) if a value is given that the matrix or the method does not allow.
  std::optional<Composition> composition{};
  std::optional<LowComplexity> low_complexity{};
  // These replace the database's; `sequences` alone means nothing.
  std::optional<double> residues{}, sequences{};
  std::optional<double> cells{};                    // SearchSpace::cells; spouge and karlin
  std::optional<CountedStrands> counted_strands{};  // empty: CountedStrands::aligned
  std::optional<ShuffleOptions> shuffles{};         // zvalue; empty: the defaults
};

// The significance of one row. A value is empty if the method does not give it, or not for this pair.
struct Significance {
  // What `bits` and `evalue` are of, in the units of the matrix, where it is not the score itself: the score
  // of the pair's adjusted matrix, with low-complexity regions masked (StatisticsOptions).
  std::optional<double> adjusted_score;
  std::optional<double> bits, evalue;
  std::optional<double> zscore, zscore_se;  // in standard deviations from the mean; its standard error
  std::optional<double> zfit;  // P-value of a test whether shuffles follow what the E-value takes them to
};

enum class ShuffledSide : std::uint8_t { query, subject };

struct ZValue {
  // Empty where shuffling a sequence does not change the score.
  std::optional<double> z;               // (score - mean) / sd of the shuffles; of both sides the smaller
  std::optional<double> standard_error;  // of z, as an estimate from that many shuffles
  std::optional<double> log_p;           // ln of the P-value: of the subject's shuffles, if there are any
  std::optional<double> goodness;        // P-value of a chi-square test of the distribution behind log_p
  ShuffledSide side = ShuffledSide::subject;  // whose shuffles z is of
};

struct ParameterEstimate {
  double value = 0, error = 0;  // error: the standard error
  bool operator==(const ParameterEstimate&) const = default;
};

// Parameters of ungapped local alignments (Karlin & Altschul 1990, doi:10.1073/pnas.87.6.2264).
struct UngappedParameters {
  double lambda = 0, K = 0, H = 0;  // H in nats per aligned pair
  // How mean and variance of an alignment's length grow with its score.
  double alpha = 0, alpha_v = 0;
  bool operator==(const UngappedParameters&) const = default;
};

// Parameters of gapped local alignments: P(S >= y) = 1 - exp(-K * area(y) * exp(-lambda * y)). The lengths
// that an alignment of score y takes of the sequences have mean alpha * y + beta, and variance and covariance
// that grow by alpha_v and sigma with y (Park, Sheetlin, Ma, Madden & Spouge 2012,
// doi:10.1186/1756-0500-5-286). Per score unit of the user; lengths in residues.
struct GumbelParameters {
  double lambda = 0, K = 0, H = 0, alpha = 0, beta = 0, alpha_v = 0, sigma = 0;
  double alpha_ungapped = 0, alpha_v_ungapped = 0;
};

// The statistics' parameters of a scoring, found by simulation, per score unit of the user.
struct ALNUS_API Calibration {
  ParameterEstimate lambda{}, K{}, alpha{}, alpha_v{}, sigma{};
  double beta = 0;
  UngappedParameters ungapped{};
  std::uint64_t pairs = 0, length = 0;  // pairs of sequences of this length that were simulated; 0: none
  double precision = 0;                 // the precision that was asked for
  double seconds = 0;                   // the time that the simulation took
  std::string digest{};                 // identifies the scoring and the background
  bool operator==(const Calibration&) const = default;

  // H is lambda / alpha, an estimate: it is exact without gaps.
  GumbelParameters parameters() const;

  // A text that holds every digit, for a file or another process. from_json throws Error(input) for a text
  // that to_json did not make.
  std::string to_json() const;
  static Calibration from_json(std::string_view text);
};

// The frequencies of letters in the random sequences that statistics are about, by residue code, of the
// twenty amino acids or ACGT; the sum is 1.
using Background = std::vector<double>;

// Proteins: Robinson & Robinson (1991), doi:10.1073/pnas.88.20.8880; nucleotides: all equally frequent.
ALNUS_API Background default_background(AlphabetKind alphabet);
// Lines of a letter and its frequency, in any unit; '#' begins a comment, "residue frequency" is a header.
// A letter that is not named does not occur. Throws Error(input) naming `origin` and the line.
ALNUS_API Background parse_background(std::string_view text, const std::string& origin,
                                      AlphabetKind alphabet);

// The same from a file. Throws Error(input) also for a file that cannot be read.
ALNUS_API Background read_background(const std::string& path, AlphabetKind alphabet);

struct CalibrationOptions {
  // The wanted relative error of lambda, 0.003 to 0.1; the result's standard error is a fifth of it or less.
  double precision = 0.01;
  // Residues of each random sequence, 100 to 100,000; twice that where alignments are long. Results of
  // another length than the default are kept apart, and searches do not use them.
  std::uint32_t length = 2000;
  Background background{};  // empty: the alphabet's default
  bool anew = false;        // simulate, even if the session keeps a result, and keep this one nowhere
};

// The place where a session keeps calibrations, which take seconds to minutes and depend on the scoring
// alone.
struct CalibrationCache {
  enum class Place : std::uint8_t { memory, directory, none } place = Place::memory;
  std::string directory{};  // for Place::directory; made if it is not there
};

}  // namespace alnus
