// What a score is worth: bit scores, E-values and Z-scores. The methods, with references: docs/statistics.md.
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

// Parameters of local alignments with one scoring, as in data/stats/gapped_karlin.tsv (or
// gapped_karlin_nt.tsv), per score unit of the user (unscaled). alpha_v 0: how alignments' lengths vary is
// not known.
struct KarlinParameters : GumbelParameters {
  bool round_down = false;  // blastn: an odd score has the E-value (not the bits) of the even one below
  std::string source = "published";  // or how else they came about, for people

  bool finite_size() const { return alpha_v > 0; }
};

// The published parameters of this scoring; empty when there are none, or the mode is not local.
std::optional<KarlinParameters> published_parameters(const Scoring& scoring);

// All of a database.
SearchSpace search_space_of(const SequenceSet& database);

// Judges the scores of one query's pairs.
class ScoreJudge {
 public:
  virtual ~ScoreJudge() = default;
  // Neither sequence of the pair is empty. `score` is in the units of Alignment::score; adjusted scores may
  // lie between two of them.
  virtual Significance of(double score, std::uint64_t subject_length) const = 0;
  // The probability that two unrelated sequences of these lengths score as high.
  virtual double pvalue(std::int32_t score, std::uint64_t subject_length) const = 0;
  // Every pair with a lower score has a larger E-value than this, whatever its subject: `shortest` to
  // `longest` residues. (There may be subjects that need a higher one.) 0 where that is not known. It is
  // found sooner if it is not far from `near`.
  virtual std::int32_t lowest_score(double /*evalue*/, std::uint64_t /*shortest*/, std::uint64_t /*longest*/,
                                    std::int32_t /*near*/ = 0) const {
    return 0;
  }

  // For reports.
  virtual StatisticsMethod method() const = 0;
  virtual std::string description() const = 0;  // "lambda 0.267, K 0.041 (published), ..."
  virtual std::optional<QueryStatistics::Karlin> karlin() const { return std::nullopt; }
};
using ScoreJudgePtr = std::unique_ptr<const ScoreJudge>;

// How letters and low complexity count, in words for reports and logs.
std::string describe_adjustments(Composition composition, LowComplexity low_complexity);
// What reports say of a judge, whose scores count letters and low complexity like this.
QueryStatistics query_statistics(const ScoreJudge& judge, Composition composition,
                                 LowComplexity low_complexity);

// `worth`: of a score unit of this query in the units that the parameters are of (stats/composition.h).
//
// BLAST's length adjustment (Altschul & Gish 1996): the same lengths are taken off the query and off every
// subject. query_length >= 1.
ScoreJudgePtr karlin_judge(const KarlinParameters& parameters, const Scoring& scoring,
                           std::uint64_t query_length, const SearchSpace& space, double worth = 1);

// The finite-size correction of each pair (Park, Sheetlin, Ma, Madden & Spouge 2012), as blastp has it. Needs
// parameters.finite_size().
ScoreJudgePtr spouge_judge(const KarlinParameters& parameters, const Scoring& scoring,
                           std::uint64_t query_length, const SearchSpace& space, double worth = 1);

// How parameters judge.
struct ParameterModel {
  StatisticsMethod method = StatisticsMethod::spouge;  // or karlin
  KarlinParameters parameters;
  SearchSpace space;
  bool scale = false;  // by each query's own letters (Composition::scale)
};
// Null where there is nothing to align.
ScoreJudgePtr judge_of(std::span<const Residue> query, const ParameterModel& model, const Scoring& scoring);
// By index. Throws Interrupted when `stop` is requested.
std::vector<ScoreJudgePtr> judges_of(const SequenceSet& queries, const ParameterModel& model,
                                     const Scoring& scoring, const StopFlag& stop = StopFlag::never());

}  // namespace alnus::stats
