#include "engine/align_driver.h"

#include <fmt/format.h>
#include <optional>
#include <vector>

#include "core/refuse_input.h"
#include "engine/align_list.h"
#include "engine/overlap.h"
#include "engine/scheduler.h"
#include "engine/stranded_rows.h"

namespace alnus::engine {
namespace {

// Each pair is placed on both strands of its query, one after the other. Keeps the strand that is aligned.
void keep_better_strands(std::vector<PositionPair>& placed, const Scoring& scoring, Scheduler& scheduler) {
  const AlignedList scores = align_list(scheduler, placed, {scoring, Detail::score});
  const std::size_t pairs = placed.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    const bool minus = prefers_minus(scores.pairs[2 * i].score, scores.pairs[2 * i + 1].score);
    placed[i] = placed[2 * i + (minus ? 1 : 0)];
  }
  placed.resize(pairs);
}

// Aligns pair(0) to pair(count - 1), in batches that bound the memory of their results. Returns the number of
// pairs without a row.
template <typename PairOf>
std::uint64_t align_in_order(const SortedPtr& queries, const SortedPtr& subjects, std::uint64_t count,
                             PairOf pair, const Scoring& scoring, const RowOptions& options, CallState& call,
                             const EmitRows& emit) {
  const StrandedRows rows(queries, options.fields.strands, call);
  const StrandedSet& strands = rows.set();
  // Without a search space the subjects are the space: bit scores do not depend on it, and RowMaker drops the
  // E-values.
  ResolvedStatistics of_judges = options.statistics;
  if (of_judges.space.residues == 0) of_judges.space = stats::search_space_of(subjects->set());
  const QueryJudges judges = judges_of(strands.set(), of_judges, scoring, call.progress.stop);
  Scheduler scheduler(call, rows.sorted(), subjects, {scoring, options.fields.detail});
  const RowMaker maker(scheduler, strands, scoring, options, judges);
  const std::vector<Position> row_positions = positions_of(scheduler.rows(), scheduler.stop_flag()),
                              column_positions = positions_of(scheduler.columns(), scheduler.stop_flag());

  std::uint64_t next = 0, left_out = 0;
  const auto make = [&] {
    std::vector<PositionPair> placed;  // among the rows and columns of the scheduler
    for (std::uint64_t bytes = 0; next < count && (bytes == 0 || bytes < options.batch_bytes()); ++next) {
      const auto [query, subject] = pair(next);
      bytes += maker.bytes_of(queries->set().length(query), subjects->set().length(subject));
      for (SequenceSet::Index k = 0; k < strands_of_each(strands.strands()); ++k)
        placed.push_back({row_positions[strands.first(query) + k], column_positions[subject]});
    }
    // Work counts as extra once every pair has been computed: after the scores of both strands, or else after
    // the alignments.
    std::optional<ExtraWork> besides;
    if (strands.strands() == Strands::both) {
      keep_better_strands(placed, scoring, scheduler);
      besides.emplace(call.progress);
    }
    const AlignedList aligned = align_list(scheduler, placed, maker.problem());
    if (!besides) besides.emplace(call.progress);
    const std::vector<FirstRow> first = maker.first_rows(placed, aligned.pairs);
    const PairRows found = maker.rows_of(first);
    left_out += placed.size();
    for (std::size_t k = 0; k < found.rows.size(); ++k)
      if (k == 0 || found.rows[k].pair != found.rows[k - 1].pair) --left_out;
    return maker.columns_of(found.rows, first, 0);
  };
  make_and_use(
      call, [&] { return next == count; }, make, std::ref(emit));
  return left_out;
}

}  // namespace

std::uint64_t align_bytes(const RowOptions& options) {
  return options.bytes_of_batches(3);  // being made, waiting, with the caller
}

std::uint64_t align_pairs(const SortedPtr& queries, const SortedPtr& subjects,
                          std::span<const IndexPair> pairs, const Scoring& scoring, const RowOptions& options,
                          CallState& call, const EmitRows& emit) {
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
                        const RowOptions& options, CallState& call, const EmitRows& emit) {
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
