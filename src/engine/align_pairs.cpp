#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "engine/identity_range.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/scheduler.h"
#include "engine/search.h"
#include "engine/significance.h"

namespace alnus::engine {
namespace {

struct Batch {
  std::vector<PairIndex> pairs;  // indices in the sets
  std::vector<Alignment> alignments;
  // Of each pair:
  std::vector<std::vector<IdentityRange>> identity;
  std::vector<stats::Significance> significance;
};

// Bit scores do not depend on what was searched.
std::vector<stats::QueryStatisticsPtr> stats_of(const SequenceSet& queries, const SequenceSet& subjects,
                                                const Scoring& scoring, const StatisticsOptions& options) {
  if (!options.by_parameters_now()) return std::vector<stats::QueryStatisticsPtr>(queries.size());
  stats::ParameterModel model = options.model(options.method);
  if (model.space.residues == 0) model.space = stats::search_space_of(subjects);
  return stats::statistics_of(queries, model, scoring);
}

stats::Significance significance(const stats::QueryStatistics* statistics, std::int32_t score,
                                 std::size_t subject_length, const StatisticsOptions& options) {
  if (statistics == nullptr || subject_length == 0) return {};
  stats::Significance result = statistics->of(score, subject_length);
  if (options.space.residues == 0) result.evalue.reset();
  return result;
}

// `pair(ordinal)` gives the pairs, in batches that bound the memory of their results.
template <typename PairOf>
void align_in_order(const SequenceSet& queries, const SequenceSet& subjects, std::uint64_t count, PairOf pair,
                    const Scoring& scoring, const AlignOptions& options, std::span<Device* const> devices,
                    Progress& progress, const EmitPair& emit) {
  const Problem problem{scoring, options.detail};
  Scheduler scheduler(devices, queries, subjects, problem, progress);
  const std::vector<std::uint32_t> rows = positions(scheduler.rows()),
                                   columns = positions(scheduler.columns());
  const std::vector<stats::QueryStatisticsPtr> statistics =
      stats_of(queries, subjects, scoring, options.statistics);

  std::uint64_t next = 0;
  const auto make = [&] {
    Batch batch;
    std::vector<PairIndex> placed;
    for (std::uint64_t bytes = 0; next < count && bytes < kBatchBytes; ++next) {
      const PairIndex& added = batch.pairs.emplace_back(pair(next));
      placed.push_back({rows[added.row], columns[added.column]});
      bytes += result_bytes(queries.length(added.row), subjects.length(added.column), problem.detail);
    }
    batch.alignments = align_list(scheduler, placed, problem);
    std::vector<std::int32_t> scores;
    for (const Alignment& alignment : batch.alignments) scores.push_back(alignment.score);
    batch.identity = identity_ranges(scheduler, placed, scores, scoring, options.identity_ranges);
    if (options.statistics.method == stats::Method::zvalue)
      batch.significance = shuffled_significance(queries, subjects, batch.pairs, scores, scoring,
                                                 options.statistics, devices, progress);
    else
      for (std::size_t i = 0; i < scores.size(); ++i)
        batch.significance.push_back(significance(statistics[batch.pairs[i].row].get(), scores[i],
                                                  subjects.length(batch.pairs[i].column),
                                                  options.statistics));
    return batch;
  };

  std::size_t ordinal = 0;
  make_and_use([&] { scheduler.stop(); }, [&] { return next == count; }, make,
               [&](Batch batch) {
                 for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
                   io::Hit hit;
                   hit.subject_index = batch.pairs[i].column;
                   hit.subject = subjects[hit.subject_index];
                   hit.alignment = std::move(batch.alignments[i]);
                   hit.significance = batch.significance[i];
                   hit.identity = std::move(batch.identity[i]);
                   emit(ordinal++, hit);
                 }
               });
}

}  // namespace

void align_pairs(const SequenceSet& queries, const SequenceSet& subjects, std::span<const PairIndex> pairs,
                 const Scoring& scoring, const AlignOptions& options, std::span<Device* const> devices,
                 Progress& progress, const EmitPair& emit) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].row >= queries.size() || pairs[i].column >= subjects.size())
      throw Error(ErrorKind::input,
                  fmt::format("Pair {} is ({}, {}), but there are {} queries and {} subjects.", i + 1,
                              pairs[i].row, pairs[i].column, queries.size(), subjects.size()));
  }
  align_in_order(
      queries, subjects, pairs.size(), [&](std::uint64_t ordinal) { return pairs[ordinal]; }, scoring,
      options, devices, progress, emit);
}

void align_all(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
               const AlignOptions& options, std::span<Device* const> devices, Progress& progress,
               const EmitPair& emit) {
  const std::uint64_t columns = subjects.size();
  align_in_order(
      queries, subjects, queries.size() * columns,
      [&](std::uint64_t ordinal) {
        return PairIndex{static_cast<std::uint32_t>(ordinal / columns),
                         static_cast<std::uint32_t>(ordinal % columns)};
      },
      scoring, options, devices, progress, emit);
}

}  // namespace alnus::engine
