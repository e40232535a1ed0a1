#include "engine/search.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/scheduler.h"
#include "engine/top_hits.h"

namespace alnus::engine {
namespace {

using OptionalStatistics = std::optional<stats::QueryStatistics>;

// Per query; empty where the scoring has no published parameters, or there is nothing to align.
std::vector<OptionalStatistics> statistics_of(const SequenceSet& queries, const SequenceSet& database,
                                              const Scoring& scoring,
                                              const std::optional<stats::KarlinParameters>& parameters) {
  std::vector<OptionalStatistics> result(queries.size());
  if (!parameters || database.total_residues() == 0) return result;
  for (SequenceSet::Index query = 0; query < queries.size(); ++query)
    if (queries.length(query) > 0)
      result[query] = stats::query_statistics(*parameters, scoring, queries.length(query),
                                              database.total_residues(), database.size());
  return result;
}

// The lowest score of a hit. A local alignment of score 0 is none.
std::int32_t lowest_score(const Scoring& scoring, const SearchOptions& options,
                          const OptionalStatistics& statistics) {
  std::int32_t lowest = options.min_score.value_or(std::numeric_limits<std::int32_t>::min());
  if (scoring.mode == Mode::local) lowest = std::max(lowest, 1);
  if (statistics) lowest = std::max(lowest, statistics->lowest_score(options.evalue));
  return lowest;
}

// Consecutive queries with their hits, and the hits' alignments one after the other.
struct Batch {
  SequenceSet::Index first_query = 0;
  std::vector<TopHitsOfRow> queries;
  std::vector<Alignment> alignments;
};

// Takes the hits of query after query, and aligns them if the ends or the alignments are wanted.
class HitAligner {
 public:
  HitAligner(Scheduler& scheduler, TopHits& top, const Problem& problem, std::uint64_t memory_bytes)
      : scheduler_(scheduler),
        top_(top),
        problem_(problem),
        positions_(positions(scheduler.rows())),
        batch_bytes_(std::min(kBatchBytes, memory_bytes / 16)) {}

  std::optional<Batch> next() {
    const SequenceSet& queries = scheduler_.rows().sequences();
    if (next_query_ == queries.size()) return std::nullopt;
    Batch batch;
    batch.first_query = next_query_;
    std::vector<PairIndex> pairs;
    std::uint64_t bytes = 0;
    for (; next_query_ < queries.size() && (bytes == 0 || bytes < batch_bytes_); ++next_query_) {
      const std::uint32_t row = positions_[next_query_];
      const TopHitsOfRow& taken = batch.queries.emplace_back(top_.take(row));
      bytes += sizeof(TopHitsOfRow);
      for (const TopHit& hit : taken.hits) {
        pairs.push_back({row, hit.column});
        bytes += result_bytes(queries.length(next_query_), scheduler_.columns().length(hit.column),
                              problem_.detail);
      }
    }
    align(batch, pairs);
    return batch;
  }

 private:
  void align(Batch& batch, std::span<const PairIndex> pairs) {
    const bool aligned = problem_.detail != Detail::score;
    batch.alignments =
        aligned ? align_list(scheduler_, pairs, problem_) : std::vector<Alignment>(pairs.size());
    auto alignment = batch.alignments.begin();
    for (const TopHitsOfRow& query : batch.queries) {
      for (const TopHit& hit : query.hits) {
        if (aligned && alignment->score != hit.score)
          throw Error(
              ErrorKind::other,
              fmt::format("Internal error: a pair scored {} in the search and {} when it was aligned.",
                          hit.score, alignment->score));
        (alignment++)->score = hit.score;
      }
    }
  }

  Scheduler& scheduler_;
  TopHits& top_;
  const Problem problem_;
  const std::vector<std::uint32_t> positions_;
  const std::uint64_t batch_bytes_;
  SequenceSet::Index next_query_ = 0;
};

}  // namespace

SearchSummary search(const SequenceSet& queries, const SequenceSet& database, const Scoring& scoring,
                     const SearchOptions& options, std::span<Device* const> devices, Progress& progress,
                     const EmitQuery& emit) {
  const auto start = std::chrono::steady_clock::now();
  if (options.max_target_seqs == 0)
    throw Error(ErrorKind::input, "--max-target-seqs is 0; the number of hits to keep must be 1 or more.");

  const auto parameters = stats::published_parameters(scoring);
  const std::vector<OptionalStatistics> statistics = statistics_of(queries, database, scoring, parameters);
  Scheduler scheduler(devices, queries, database, {scoring, options.detail}, progress);
  const Resident& rows = scheduler.rows();
  const Resident& columns = scheduler.columns();
  std::vector<std::int32_t> lowest(rows.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row)
    lowest[row] = lowest_score(scoring, options, statistics[rows.index(row)]);
  TopHits top(columns, std::move(lowest), options.max_target_seqs);
  scheduler.run(TileShape::rectangle, {}, {scoring, Detail::score}, top);

  SearchSummary summary;
  summary.cells = queries.total_residues() * database.total_residues();
  summary.pairs = std::uint64_t{queries.size()} * database.size();
  summary.no_statistics = !parameters;
  HitAligner aligner(scheduler, top, {scoring, options.detail}, options.memory_bytes);
  std::vector<io::Hit> hits;
  make_and_use(
      scheduler, [&] { return aligner.next(); },
      [&](Batch batch) {
        auto alignment = batch.alignments.begin();
        for (std::size_t i = 0; i < batch.queries.size(); ++i) {
          const auto query = static_cast<SequenceSet::Index>(batch.first_query + i);
          const OptionalStatistics& of_query = statistics[query];
          hits.clear();
          for (const TopHit& hit : batch.queries[i].hits) {
            io::Hit& filled = hits.emplace_back();
            filled.subject_index = columns.index(hit.column);
            filled.subject = database[filled.subject_index];
            filled.alignment = std::move(*alignment++);
            if (of_query) {
              filled.bits = of_query->bits(hit.score);
              filled.evalue = of_query->evalue(hit.score);
            }
          }
          summary.hits += hits.size();
          summary.cut_ties += batch.queries[i].cut_tie;
          emit(query, hits, of_query ? &*of_query : nullptr);
        }
      });
  summary.filtered = summary.pairs - summary.hits;
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

}  // namespace alnus::engine
