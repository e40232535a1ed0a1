// Bit scores, E-values and Z-scores of alignment scores. docs/statistics.md explains the methods, with
// references.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alnus/results.h"
#include "alnus/scoring.h"
#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "stats/gumbel.h"

namespace alnus::stats {

// Parameters of local alignments with one scoring, as in data/stats/gapped_karlin.tsv and
// gapped_karlin_nt.tsv, for scores in the matrix' units (not in the integers of 1/scale). alpha_v is 0 if the
// variance of alignment lengths is not known.
struct KarlinParameters : GumbelParameters {
  bool round_down = false;  // blastn: an odd score has the E-value (not the bits) of the even one below
  std::string source = "published";  // how the parameters were found; for reports

  bool finite_size() const { return alpha_v > 0; }
};

// Returns the published parameters of a scoring; empty if there are none, or if the mode is not local.
std::optional<KarlinParameters> published_parameters(const Scoring& scoring);

// Returns the search space of a whole database: its residues and its sequences, without a number of cells.
SearchSpace search_space_of(const SequenceSet& database);

// Judges the scores of one query's pairs.
class ScoreJudge {
 public:
  virtual ~ScoreJudge() = default;
  // Returns the significance of a pair's score. Neither sequence of the pair is empty. `score` is in units of
  // Alignment::score; adjusted scores may have fractions of a unit.
  virtual Significance of(double score, std::uint64_t subject_length) const = 0;
  // Returns the probability that two unrelated sequences of these lengths score `score` or higher.
  virtual double pvalue(std::int32_t score, std::uint64_t subject_length) const = 0;
  // Returns a score in units of Alignment::score such that every pair with a lower score has an E-value above
  // `evalue`, for subjects of `shortest` to `longest` residues. (Some subjects may need a higher score to
  // reach `evalue`.) Returns 0 if no such score is known. The search for the score takes less time if `near`
  // is close to it.
  virtual std::int32_t lowest_score(double /*evalue*/, std::uint64_t /*shortest*/, std::uint64_t /*longest*/,
                                    std::int32_t /*near*/ = 0) const {
    return 0;
  }

  // These three say in reports how scores are judged. karlin() is empty if the method has no lambda and K.
  virtual StatisticsMethod method() const = 0;
  virtual std::string description() const = 0;  // "lambda 0.267, K 0.041 (published), ..."
  virtual std::optional<QueryStatistics::Karlin> karlin() const { return std::nullopt; }
};
using ScoreJudgePtr = std::unique_ptr<const ScoreJudge>;

// Returns in words, for reports and logs, how compositions and low complexity count.
std::string describe_adjustments(Composition composition, LowComplexity low_complexity);
// Returns what reports say of a judge. `composition` and `low_complexity` tell how its scores are adjusted.
QueryStatistics query_statistics(const ScoreJudge& judge, Composition composition,
                                 LowComplexity low_complexity);

// The next two functions make the judges of the methods karlin and spouge. `worth`: the factor by which this
// query's scores count (stats/composition.h). query_length >= 1.
//
// karlin: BLAST's length adjustment (Altschul & Gish 1996), which takes the same length off the query and off
// every subject.
ScoreJudgePtr karlin_judge(const KarlinParameters& parameters, const Scoring& scoring,
                           std::uint64_t query_length, const SearchSpace& space, double worth = 1);

// spouge: the finite-size correction of each pair (Park, Sheetlin, Ma, Madden & Spouge 2012), as in blastp.
// Needs parameters.finite_size().
ScoreJudgePtr spouge_judge(const KarlinParameters& parameters, const Scoring& scoring,
                           std::uint64_t query_length, const SearchSpace& space, double worth = 1);

// All that the judges of the methods spouge and karlin need, except the query.
struct ParameterModel {
  StatisticsMethod method = StatisticsMethod::spouge;  // or karlin
  KarlinParameters parameters;
  SearchSpace space;
  bool scale = false;  // scale scores by each query's composition (Composition::scale)
};
// Returns the judge of a query; null if the query or the database is empty.
ScoreJudgePtr judge_of(std::span<const Residue> query, const ParameterModel& model, const Scoring& scoring);
// Returns the judges of all queries, by index. Throws Interrupted when `stop` is requested.
std::vector<ScoreJudgePtr> judges_of(const SequenceSet& queries, const ParameterModel& model,
                                     const Scoring& scoring, const StopFlag& stop = StopFlag::never());

}  // namespace alnus::stats
