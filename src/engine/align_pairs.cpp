#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/scheduler.h"
#include "engine/search.h"

namespace alnus::engine {
namespace {

struct Batch {
  std::vector<PairIndex> pairs;  // indices in the sets
  std::vector<Alignment> alignments;
};

// `pair(ordinal)` gives the pairs, in batches that bound the memory of their results.
template <typename PairOf>
void align_in_order(const SequenceSet& queries, const SequenceSet& subjects, std::uint64_t count, PairOf pair,
                    const Problem& problem, std::span<Device* const> devices, Progress& progress,
                    const EmitPair& emit) {
  Scheduler scheduler(devices, queries, subjects, problem, progress);
  const std::vector<std::uint32_t> rows = positions(scheduler.rows()),
                                   columns = positions(scheduler.columns());
  std::optional<stats::QueryStatistics> statistics;
  if (const auto parameters = stats::published_parameters(problem.scoring))
    statistics = stats::QueryStatistics{.parameters = *parameters, .score_unit = 1.0 / problem.scoring.scale};

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
                   if (statistics) hit.bits = statistics->bits(hit.alignment.score);
                   emit(ordinal++, hit);
                 }
               });
}

}  // namespace

void align_pairs(const SequenceSet& queries, const SequenceSet& subjects, std::span<const PairIndex> pairs,
                 const Scoring& scoring, Detail detail, std::span<Device* const> devices, Progress& progress,
                 const EmitPair& emit) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].row >= queries.size() || pairs[i].column >= subjects.size())
      throw Error(ErrorKind::input,
                  fmt::format("Pair {} is ({}, {}), but there are {} queries and {} subjects.", i + 1,
                              pairs[i].row, pairs[i].column, queries.size(), subjects.size()));
  }
  align_in_order(
      queries, subjects, pairs.size(), [&](std::uint64_t ordinal) { return pairs[ordinal]; },
      {scoring, detail}, devices, progress, emit);
}

void align_all(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring, Detail detail,
               std::span<Device* const> devices, Progress& progress, const EmitPair& emit) {
  const std::uint64_t columns = subjects.size();
  align_in_order(
      queries, subjects, queries.size() * columns,
      [&](std::uint64_t ordinal) {
        return PairIndex{static_cast<std::uint32_t>(ordinal / columns),
                         static_cast<std::uint32_t>(ordinal % columns)};
      },
      {scoring, detail}, devices, progress, emit);
}

}  // namespace alnus::engine
