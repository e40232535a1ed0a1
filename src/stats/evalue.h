// What a score is worth: bit scores, E-values and Z-scores. The methods, with references: docs/statistics.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "stats/gumbel.h"

namespace alnus::stats {

// Of local alignments with one scoring, as in data/stats/gapped_karlin.tsv (or gapped_karlin_nt.tsv), per
// score unit of the user (unscaled). alpha_v 0: how alignments' lengths vary is not known.
struct KarlinParameters : GumbelParameters {
  bool round_down = false;  // blastn: an odd score has the E-value (not the bits) of the even one below
  std::string source = "published";  // or how else they came about, for people

  bool finite_size() const { return alpha_v > 0; }
};

// The published parameters of this scoring; empty when there are none, or the mode is not local.
std::optional<KarlinParameters> published_parameters(const Scoring& scoring);

enum class Method : std::uint8_t { spouge, karlin, regression, zvalue, none };
std::string_view to_string(Method method);

// What is searched: a database, or as much of one as the user says.
struct SearchSpace {
  double residues = 0, sequences = 0;
  // In place of (query - A) * (residues - A * sequences), the lengths less BLAST's adjustment A.
  std::optional<double> cells{};
};
SearchSpace search_space_of(const SequenceSet& database);

// Of one pair of sequences that are not empty. Without a value: the method has no such thing.
struct Significance {
  std::optional<double> bits, evalue;
  std::optional<double> zscore, zscore_se;  // in standard deviations from the mean; its standard error
  std::optional<double> fit;  // P-value of a test whether shuffles follow what the E-value takes them to
};

// Everything that the scores of one query's pairs are judged by.
class QueryStatistics {
 public:
  virtual ~QueryStatistics() = default;
  // `score` in scaled integers, as in Alignment.
  virtual Significance of(std::int32_t score, std::uint64_t subject_length) const = 0;
  // The probability that two unrelated sequences of these lengths score as high.
  virtual double pvalue(std::int32_t score, std::uint64_t subject_length) const = 0;
  // Every pair with a lower score has a larger E-value than this, whatever its subject: `shortest` to
  // `longest` residues. (There may be subjects that need a higher one.) 0 where that is not known.
  virtual std::int32_t lowest_score(double /*evalue*/, std::uint64_t /*shortest*/,
                                    std::uint64_t /*longest*/) const {
    return 0;
  }

  // For reports.
  virtual Method method() const = 0;
  virtual std::string description() const = 0;  // "lambda 0.267, K 0.041 (published), ..."
  struct Karlin {
    const KarlinParameters& parameters;
    double search_space;  // effective, as BLAST prints it
  };
  virtual std::optional<Karlin> karlin() const { return std::nullopt; }
};
// "karlin: lambda 0.267, ..."
std::string describe(const QueryStatistics& statistics);
using QueryStatisticsPtr = std::unique_ptr<const QueryStatistics>;

// `worth`: of a score unit of this query in the units that the parameters are of (stats/composition.h).
//
// BLAST's length adjustment (Altschul & Gish 1996): the same lengths are taken off the query and off every
// subject. query_length >= 1.
QueryStatisticsPtr karlin_statistics(const KarlinParameters& parameters, const Scoring& scoring,
                                     std::uint64_t query_length, const SearchSpace& space, double worth = 1);

// The finite-size correction of each pair (Park, Sheetlin, Ma, Madden & Spouge 2012), as blastp has it. Needs
// parameters.finite_size().
QueryStatisticsPtr spouge_statistics(const KarlinParameters& parameters, const Scoring& scoring,
                                     std::uint64_t query_length, const SearchSpace& space, double worth = 1);

// What the statistics by parameters are of.
struct ParameterModel {
  Method method = Method::spouge;  // or karlin
  KarlinParameters parameters;
  SearchSpace space;
  bool composition = false;  // each query's own letters, too
};
// Null where there is nothing to align.
QueryStatisticsPtr statistics_of(std::span<const Residue> query, const ParameterModel& model,
                                 const Scoring& scoring);
std::vector<QueryStatisticsPtr> statistics_of(const SequenceSet& queries, const ParameterModel& model,
                                              const Scoring& scoring);

}  // namespace alnus::stats
