#include "engine/row_maker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/identity_range.h"
#include "engine/row_filter.h"
#include "engine/z_values.h"

namespace alnus::engine {

std::uint64_t RowOptions::bytes_of_batches(std::uint64_t batches) const {
  const std::uint64_t further = max_hsps > 1 ? 1 : 0;  // rows_of_pairs() works in as much as a batch
  return (batches + further) * batch_bytes() + significance_bytes(statistics, memory_bytes);
}

bool RowOptions::passes(const Significance& significance) const {
  return !(evalue && significance.evalue > *evalue) &&
         std::ranges::all_of(
             limits, [&](const GivenLimit& one) { return one.limit.passes(significance, one.value); });
}

RowMaker::RowMaker(Scheduler& scheduler, const StrandedSet& strands, const Scoring& scoring,
                   const RowOptions& options, const QueryJudges& judges)
    : scheduler_(scheduler), strands_(strands), scoring_(scoring), options_(options), judges_(judges) {
  if (options.statistics.adjusts()) adjusted_.emplace(strands.set(), subjects(), scoring, options.statistics);
}

Problem RowMaker::problem() const {
  Problem problem{scoring_, options_.fields.detail};
  problem.cigars = options_.fields.cigars || options_.max_hsps > 1;  // further alignments need the first ones
  return problem;
}

std::uint64_t RowMaker::bytes_of(std::size_t query_length, std::size_t subject_length) const {
  return expected_rows(options_.max_hsps) *
             result_bytes(query_length, subject_length, options_.fields.detail) +
         range_bytes(options_.fields.identity_ranges);
}

Significance RowMaker::significance(SequenceSet::Index query, SequenceSet::Index subject, std::int32_t score,
                                    const std::optional<double>& adjusted) const {
  return significance_of(judges_[query].get(), score, adjusted, subjects().length(subject), scoring_);
}

std::vector<Significance> RowMaker::shuffled(std::span<const IndexPair> pairs,
                                             std::span<const std::int32_t> scores) const {
  return shuffled_significance(strands_.set(), subjects(), pairs, scores, scoring_, options_.statistics,
                               call());
}

std::vector<FirstRow> RowMaker::first_rows(std::span<const PositionPair> placed,
                                           std::span<const AlignedPair> aligned) const {
  std::vector<IndexPair> pairs;
  std::vector<std::int32_t> scores;
  std::vector<AdjustedScores::Candidate> candidates;
  for (std::size_t k = 0; k < placed.size(); ++k) {
    pairs.push_back({scheduler_.rows().index(placed[k].row), scheduler_.columns().index(placed[k].column)});
    scores.push_back(aligned[k].score);
    if (adjusted_) candidates.push_back({pairs[k], scores[k]});
  }
  const bool shuffles = options_.statistics.method == StatisticsMethod::zvalue;
  const std::vector<Significance> by_shuffles =
      shuffles ? shuffled(pairs, scores) : std::vector<Significance>{};
  std::vector<std::optional<double>> adjusted(placed.size());
  if (adjusted_) adjusted = adjusted_->of(candidates, std::numeric_limits<double>::infinity(), call());
  std::vector<FirstRow> rows;
  for (std::size_t k = 0; k < placed.size(); ++k) {
    const auto [query, subject] = pairs[k];
    rows.push_back({query, subject, &aligned[k],
                    shuffles ? by_shuffles[k] : significance(query, subject, scores[k], adjusted[k]),
                    placed[k]});
  }
  return rows;
}

void RowMaker::limit_further(std::vector<FirstRow>& pairs) const {
  const std::int32_t least = options_.min_score.value_or(std::numeric_limits<std::int32_t>::min());
  std::vector<AdjustedScores::Candidate> candidates;
  for (FirstRow& pair : pairs) {
    pair.lowest = least;
    candidates.push_back({{pair.query, pair.subject}, pair.first->score});
  }
  if (!options_.evalue) return;
  std::vector<double> scales;  // of the second test, if there is one
  if (adjusted_) scales = adjusted_->predicted_scales(candidates, call());
  constexpr std::size_t kPiece = 100;
  call().for_each(pairs.size(), kPiece, [&](std::size_t k) {
    const SequenceSet::Index begin = strands_.first(strands_.given(pairs[k].query)),
                             count = strands_of_each(strands_.strands());
    const std::uint64_t length = subjects().length(pairs[k].subject);
    // Lower scores, times `scale`, have an E-value above `most` on every strand.
    const auto lowest = [&](double most, double scale) {
      double result = std::numeric_limits<std::int32_t>::max();
      for (const stats::ScoreJudgePtr& judge : std::span(judges_).subspan(begin, count)) {
        if (!judge) return least;
        const std::int32_t judged = judge->lowest_score(most, length, length);
        result = std::min(result, std::floor((judged - 1) / scale) + 1);
      }
      return std::max(least, static_cast<std::int32_t>(result));
    };
    pairs[k].lowest = lowest(candidate_evalue(options_.statistics, scoring_, *options_.evalue), 1);
    if (!scales.empty())
      pairs[k].lowest = std::max(pairs[k].lowest, lowest(predicted_evalue(*options_.evalue), scales[k]));
  });
}

PairRows RowMaker::rows_of(std::vector<FirstRow> pairs) const {
  if (options_.max_hsps > 1) limit_further(pairs);
  PairRows found =
      rows_of_pairs(strands_, subjects(), scoring_, pairs, options_.max_hsps, options_.memory_bytes, call());
  const bool shuffles = options_.statistics.method == StatisticsMethod::zvalue;
  if (!shuffles) judge_further(found, subjects(), scoring_, judges_, adjusted(), call());
  if (!shuffles && options_.statistics.space.residues == 0)
    for (PairRow& row : found.rows) row.significance.evalue.reset();
  std::erase_if(found.rows, [&](const PairRow& row) {
    const AlignedPair& aligned = row.aligned;
    return (options_.min_score && aligned.score < *options_.min_score) ||
           !passes(options_.filter, aligned.counts,
                   {aligned.query_end - aligned.query_begin, strands_.set().length(row.query)},
                   {aligned.subject_end - aligned.subject_begin, subjects().length(row.subject)});
  });
  // Shuffles judge the first row of a pair alone: if it fails, the others go with it.
  std::optional<std::size_t> failed;  // a pair
  std::erase_if(found.rows, [&](const PairRow& row) {
    const bool fails = !options_.passes(row.significance);
    if (fails && shuffles) failed = row.pair;
    return fails || failed == row.pair;
  });
  return found;
}

Columns RowMaker::columns_of(std::span<const PairRow> rows, std::span<const FirstRow> pairs,
                             SequenceSet::Index first_query) const {
  ColumnsBuilder builder(options_.fields);
  builder.reserve(rows.size());
  for (const PairRow& row : rows) {
    const Strand strand = strands_.strand(row.query);
    const SequenceSet::Index query = strands_.given(row.query);
    const AlignedPair& aligned = row.aligned;
    const bool empty = scoring_.mode == Mode::local && aligned.score == 0;  // all coordinates are 0
    builder.add(
        {first_query + query, row.subject},
        strand == Strand::plus || empty ? aligned : on_minus_strand(aligned, strands_.given().length(query)),
        strand);
    builder.add(row.significance);
  }
  add_identity_ranges(rows, pairs, builder);
  return builder.finish();
}

void RowMaker::add_identity_ranges(std::span<const PairRow> rows, std::span<const FirstRow> pairs,
                                   ColumnsBuilder& builder) const {
  std::vector<PositionPair> placed;
  std::vector<std::int32_t> scores;
  for (const PairRow& row : rows)
    if (!options_.fields.identity_ranges.empty() && row.aligned.hsp == 1) {
      placed.push_back(pairs[row.pair].placed);
      scores.push_back(row.aligned.score);
    }
  for (const Denominator denominator : options_.fields.identity_ranges) {
    const std::vector<IdentityRange> ranges =
        identity_ranges(scheduler_, placed, scores, scoring_, denominator);
    auto next = ranges.begin();
    for (const PairRow& row : rows)
      builder.add(denominator, row.aligned.hsp == 1 ? *next++ : kNoIdentityRange);
  }
}

}  // namespace alnus::engine
