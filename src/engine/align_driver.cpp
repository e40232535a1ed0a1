#include "engine/align_driver.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <vector>

#include "core/refuse_input.h"
#include "engine/adjusted_scores.h"
#include "engine/align_list.h"
#include "engine/identity_range.h"
#include "engine/overlap.h"
#include "engine/pair_rows.h"
#include "engine/scheduler.h"
#include "engine/significance.h"
#include "engine/stranded_rows.h"

namespace alnus::engine {
namespace {

// Replaces the query of each given pair by the strand that is aligned (its index in StrandedSet::set()). Of
// both strands that is the one with the higher score, and plus if they score the same. `place(pair)`: the
// pair among the scheduler's rows and columns.
template <typename Place>
std::vector<IndexPair> on_strands(std::span<const IndexPair> given, const StrandedSet& strands,
                                  const Scoring& scoring, Scheduler& scheduler, const Place& place) {
  std::vector<IndexPair> chosen;
  chosen.reserve(given.size());
  for (const auto& [query, subject] : given) chosen.push_back({strands.first(query), subject});
  if (strands.strands() != Strands::both) return chosen;
  std::vector<PositionPair> placed;
  placed.reserve(2 * given.size());
  for (const auto& [plus, subject] : chosen) {
    placed.push_back(place({plus, subject}));
    placed.push_back(place({plus + 1, subject}));
  }
  const AlignedList scores = align_list(scheduler, placed, {scoring, Detail::score});
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (scores.pairs[2 * i + 1].score > scores.pairs[2 * i].score) ++chosen[i].query;
  return chosen;
}

// True if a row is listed.
bool passes(const PairRow& row, const StrandedSet& strands, const SequenceSet& subjects,
            const AlignOptions& options) {
  return !(options.min_score && row.aligned.score < *options.min_score) &&
         !(options.evalue && row.significance.evalue > *options.evalue) &&
         passes(options.filter, row, strands.set(), subjects);
}

// Aligns pair(0) to pair(count - 1), in batches that bound the memory of their results. Returns the number of
// pairs without a row.
template <typename PairOf>
std::uint64_t align_in_order(const SortedPtr& queries, const SortedPtr& subjects, std::uint64_t count,
                             PairOf pair, const Scoring& scoring, const AlignOptions& options,
                             CallState& call, const EmitRows& emit) {
  Problem problem{scoring, options.fields.detail};
  problem.cigars = options.fields.cigars || options.max_hsps > 1;  // further alignments need the first ones
  const SequenceSet &query_set = queries->set(), &subject_set = subjects->set();
  const StrandedRows rows(queries, options.fields.strands, call);
  const StrandedSet& strands = rows.set();
  Scheduler scheduler(call, rows.sorted(), subjects, problem);
  const std::vector<Position> row_positions = positions_of(scheduler.rows(), scheduler.stop_flag()),
                              column_positions = positions_of(scheduler.columns(), scheduler.stop_flag());
  const auto place = [&](IndexPair chosen) {
    return PositionPair{row_positions[chosen.query], column_positions[chosen.subject]};
  };
  // Without a search space the subjects are the space: bit scores do not depend on it, and significance_of()
  // drops the E-values.
  ResolvedStatistics of_judges = options.statistics;
  if (of_judges.space.residues == 0) of_judges.space = stats::search_space_of(subject_set);
  const std::vector<stats::ScoreJudgePtr> judges =
      judges_of(strands.set(), of_judges, scoring, call.progress.stop);
  std::optional<AdjustedScores> adjusted_scores;
  if (options.statistics.adjusts())
    adjusted_scores.emplace(strands.set(), subject_set, scoring, options.statistics);
  const std::uint64_t of_ranges = range_bytes(options.fields.identity_ranges);
  const bool shuffles = options.statistics.method == StatisticsMethod::zvalue;
  const double most_evalue =
      options.evalue ? candidate_evalue(options.statistics, scoring, *options.evalue) : 0;
  const bool evalues = options.statistics.space.residues > 0;

  std::uint64_t next = 0, left_out = 0;
  const auto make = [&] {
    std::vector<IndexPair> given;
    for (std::uint64_t bytes = 0;
         next < count && (bytes == 0 || bytes < batch_bytes(options.memory_bytes, options.max_hsps));
         ++next) {
      const auto& [query, subject] = given.emplace_back(pair(next));
      bytes += expected_rows(options.max_hsps) *
                   result_bytes(query_set.length(query), subject_set.length(subject), problem.detail) +
               of_ranges;
    }
    const std::vector<IndexPair> pairs = on_strands(given, strands, scoring, scheduler, place);
    std::vector<PositionPair> placed;
    placed.reserve(pairs.size());
    for (const IndexPair& chosen : pairs) placed.push_back(place(chosen));
    // Work counts as extra once every pair has been computed: after the scores of both strands, or else after
    // the alignments.
    std::optional<ExtraWork> besides;
    if (strands.strands() == Strands::both) besides.emplace(call.progress);
    const AlignedList aligned = align_list(scheduler, placed, problem);
    if (!besides) besides.emplace(call.progress);
    std::vector<std::int32_t> scores;
    for (const AlignedPair& one : aligned.pairs) scores.push_back(one.score);
    std::vector<Significance> shuffled;
    if (shuffles)
      shuffled =
          shuffled_significance(strands.set(), subject_set, pairs, scores, scoring, options.statistics, call);

    std::vector<std::optional<double>> adjusted(pairs.size());
    if (adjusted_scores) {
      std::vector<AdjustedScores::Candidate> candidates;
      for (std::size_t i = 0; i < pairs.size(); ++i) candidates.push_back({pairs[i], scores[i]});
      adjusted = adjusted_scores->of(candidates, std::numeric_limits<double>::infinity(), call);
    }

    const std::span<const stats::ScoreJudgePtr> no_judges;
    const auto judges_of_query = [&](SequenceSet::Index strand) {
      return std::span(judges).subspan(strands.first(strands.given(strand)),
                                       strands_of_each(strands.strands()));
    };
    std::vector<FirstRow> first;
    for (std::size_t i = 0; i < pairs.size(); ++i)
      first.push_back({pairs[i].query, pairs[i].subject, &aligned.pairs[i],
                       shuffles ? shuffled[i]
                                : significance_of(judges[pairs[i].query].get(), scores[i], adjusted[i],
                                                  subject_set.length(pairs[i].subject), scoring),
                       lowest_score(options.evalue ? judges_of_query(pairs[i].query) : no_judges, most_evalue,
                                    subject_set.length(pairs[i].subject), options.min_score)});
    PairRows found =
        rows_of_pairs(strands, subject_set, scoring, first, options.max_hsps, options.memory_bytes, call);
    if (!shuffles)
      judge_further(found, subject_set, scoring, judges, adjusted_scores ? &*adjusted_scores : nullptr, call);
    for (PairRow& row : found.rows)
      if (!evalues && !shuffles) row.significance.evalue.reset();
    std::erase_if(found.rows,
                  [&](const PairRow& row) { return !passes(row, strands, subject_set, options); });

    ColumnsBuilder builder(options.fields);
    builder.reserve(found.rows.size());
    left_out += pairs.size();
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
      if (k == 0 || found.rows[k].pair != found.rows[k - 1].pair) --left_out;
      add(found.rows[k], strands, 0, scoring, builder);
    }
    add_identity_ranges(found.rows, placed, scheduler, scoring, options.fields.identity_ranges, builder);
    return builder.finish();
  };
  make_and_use(
      call, [&] { return next == count; }, make, [&](const Columns& batch) { emit(batch); });
  return left_out;
}

}  // namespace

std::uint64_t align_bytes(const AlignOptions& options) {
  constexpr std::uint64_t kBatches = 3;  // being made, waiting, with the caller
  const std::uint64_t batches =
      kBatches + (options.max_hsps > 1 ? 1 : 0);  // rows_of_pairs() works in as much
  return batches * batch_bytes(options.memory_bytes, options.max_hsps) +
         significance_bytes(options.statistics, options.memory_bytes);
}

std::uint64_t align_pairs(const SortedPtr& queries, const SortedPtr& subjects,
                          std::span<const IndexPair> pairs, const Scoring& scoring,
                          const AlignOptions& options, CallState& call, const EmitRows& emit) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].query >= queries->size() || pairs[i].subject >= subjects->size())
      refuse_input(fmt::format("Pair {} is ({}, {}), but there are {} queries and {} subjects.", i + 1,
                               pairs[i].query, pairs[i].subject, queries->size(), subjects->size()));
  }
  return align_in_order(
      queries, subjects, pairs.size(), [&](std::uint64_t ordinal) { return pairs[ordinal]; }, scoring,
      options, call, emit);
}

std::uint64_t align_all(const SortedPtr& queries, const SortedPtr& subjects, const Scoring& scoring,
                        const AlignOptions& options, CallState& call, const EmitRows& emit) {
  const std::uint64_t columns = subjects->size();
  return align_in_order(
      queries, subjects, queries->size() * columns,
      [&](std::uint64_t ordinal) {
        return IndexPair{static_cast<std::uint32_t>(ordinal / columns),
                         static_cast<std::uint32_t>(ordinal % columns)};
      },
      scoring, options, call, emit);
}

}  // namespace alnus::engine
