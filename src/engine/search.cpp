#include "engine/search.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "engine/identity_range.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/scheduler.h"
#include "engine/top_hits.h"

namespace alnus::engine {
namespace {

using OptionalStatistics = std::optional<stats::QueryStatistics>;

// The lowest score of a hit. A local alignment of score 0 is none.
std::int32_t lowest_score(const Scoring& scoring, const SearchOptions& options,
                          const OptionalStatistics& statistics) {
  std::int32_t lowest = options.min_score.value_or(std::numeric_limits<std::int32_t>::min());
  if (scoring.mode == Mode::local) lowest = std::max(lowest, 1);
  if (statistics) lowest = std::max(lowest, statistics->lowest_score(options.evalue));
  return lowest;
}

// Consecutive queries with their hits, and the hits' alignments.
struct AlignedQuery {
  TopHitsOfRow found;
  std::vector<Alignment> alignments;                 // of each hit
  std::vector<std::vector<IdentityRange>> identity;  // of each hit
};
struct Batch {
  SequenceSet::Index first_query = 0;
  std::vector<AlignedQuery> queries;
};

// Takes the candidates of query after query, and aligns them: for their exact scores, if the search told
// bounds, and for ends and alignments, if those are wanted.
class HitAligner {
 public:
  HitAligner(Scheduler& scheduler, TopHits& top, const Problem& problem, const SearchOptions& options)
      : scheduler_(scheduler),
        top_(top),
        problem_(problem),
        positions_(positions(scheduler.rows())),
        limit_(options.max_target_seqs),
        wanted_(options.identity_ranges),
        batch_bytes_(std::min(kBatchBytes, options.memory_bytes / 16)) {}

  bool done() const { return next_query_ == scheduler_.rows().size(); }
  Batch next() {
    const SequenceSet& queries = scheduler_.rows().sequences();
    Batch batch;
    batch.first_query = next_query_;
    std::vector<Candidates> rows;
    std::uint64_t bytes = 0;
    for (; next_query_ < queries.size() && (bytes == 0 || bytes < batch_bytes_); ++next_query_) {
      Candidates& row = rows.emplace_back();
      row.row = positions_[next_query_];
      row.hits = top_.candidates(row.row);
      bytes += sizeof(AlignedQuery);
      for (const TopHit& hit : row.hits)
        bytes += result_bytes(queries.length(next_query_), scheduler_.columns().length(hit.column),
                              problem_.detail);
    }
    // Where far more are left than can be hits, their scores alone decide first.
    const bool aligned = problem_.detail != Detail::score;
    const auto too_many = [&](const Candidates& row) { return !aligned || row.hits.size() / 2 > limit_; };
    score(rows, too_many);
    for (Candidates& row : rows)
      if (too_many(row)) choose(row);
    std::vector<std::vector<Alignment>> alignments = align(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      choose(rows[i]);
      AlignedQuery& query = batch.queries.emplace_back();
      query.found = {std::move(rows[i].hits), rows[i].cut_tie};
      for (const TopHit& hit : query.found.hits)
        query.alignments.push_back(std::move(alignments[i][hit.number]));
    }
    add_identity(rows, batch);
    return batch;
  }

 private:
  struct Candidates {
    std::uint32_t row = 0;
    std::vector<TopHit> hits;
    bool cut_tie = false;
  };

  // Cuts candidates of known scores to the hits.
  void choose(Candidates& row) const {
    TopHitsOfRow found = top_.choose(row.row, std::move(row.hits));
    row.hits = std::move(found.hits);
    row.cut_tie |= found.cut_tie;
  }

  // Exact scores for the candidates of some rows.
  template <class Chosen>
  void score(std::vector<Candidates>& rows, Chosen chosen) {
    std::vector<PairIndex> pairs;
    for (const Candidates& row : rows)
      for (const TopHit& hit : row.hits)
        if (chosen(row) && hit.slack > 0) pairs.push_back({row.row, hit.column});
    const std::vector<Alignment> scores = align_list(scheduler_, pairs, {problem_.scoring, Detail::score});
    auto next = scores.begin();
    for (Candidates& row : rows)
      for (TopHit& hit : row.hits)
        if (chosen(row) && hit.slack > 0) settle(hit, *next++);
  }

  // The alignments of all candidates that are left, which get their exact scores and numbers.
  std::vector<std::vector<Alignment>> align(std::vector<Candidates>& rows) {
    const bool aligned = problem_.detail != Detail::score;
    std::vector<PairIndex> pairs;
    for (const Candidates& row : rows)
      for (const TopHit& hit : row.hits) pairs.push_back({row.row, hit.column});
    std::vector<Alignment> all =
        aligned ? align_list(scheduler_, pairs, problem_) : std::vector<Alignment>(pairs.size());
    auto next = all.begin();
    std::vector<std::vector<Alignment>> result;
    for (Candidates& row : rows) {
      std::vector<Alignment>& alignments = result.emplace_back();
      for (TopHit& hit : row.hits) {
        hit.number = static_cast<std::uint32_t>(alignments.size());
        if (aligned) settle(hit, *next);
        next->score = hit.score;
        alignments.push_back(std::move(*next++));
      }
    }
    return result;
  }

  void add_identity(const std::vector<Candidates>& rows, Batch& batch) {
    std::vector<PairIndex> pairs;
    std::vector<std::int32_t> scores;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const TopHit& hit : batch.queries[i].found.hits) {
        pairs.push_back({rows[i].row, hit.column});
        scores.push_back(hit.score);
      }
    std::vector<std::vector<IdentityRange>> all =
        identity_ranges(scheduler_, pairs, scores, problem_.scoring, wanted_);
    auto next = all.begin();
    for (AlignedQuery& query : batch.queries)
      for (std::size_t k = 0; k < query.found.hits.size(); ++k) query.identity.push_back(std::move(*next++));
  }

  static void settle(TopHit& hit, const Alignment& alignment) {
    if (alignment.score < hit.score || alignment.score > hit.at_most())
      throw Error(
          ErrorKind::other,
          fmt::format("Internal error: a pair scored {} to {} in the search and {} when it was aligned.",
                      hit.score, hit.at_most(), alignment.score));
    hit.score = alignment.score;
    hit.slack = 0;
  }

  Scheduler& scheduler_;
  TopHits& top_;
  const Problem problem_;
  const std::vector<std::uint32_t> positions_;
  const std::size_t limit_;
  const std::vector<Denominator> wanted_;
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

  const std::vector<OptionalStatistics> statistics = stats::statistics_of(queries, database, scoring);
  Scheduler scheduler(devices, queries, database, {scoring, options.detail}, progress);
  const Resident& rows = scheduler.rows();
  const Resident& columns = scheduler.columns();
  std::vector<std::int32_t> lowest(rows.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row)
    lowest[row] = lowest_score(scoring, options, statistics[rows.index(row)]);
  TopHits top(columns, std::move(lowest), options.max_target_seqs);
  scheduler.run({}, {scoring, Detail::score, true}, top);

  SearchSummary summary;
  summary.cells = queries.total_residues() * database.total_residues();
  summary.pairs = std::uint64_t{queries.size()} * database.size();
  summary.no_statistics = !stats::published_parameters(scoring);
  HitAligner aligner(scheduler, top, {scoring, options.detail}, options);
  std::vector<io::Hit> hits;
  make_and_use([&] { scheduler.stop(); }, [&] { return aligner.done(); }, [&] { return aligner.next(); },
               [&](Batch batch) {
                 for (std::size_t i = 0; i < batch.queries.size(); ++i) {
                   const auto query = static_cast<SequenceSet::Index>(batch.first_query + i);
                   const OptionalStatistics& of_query = statistics[query];
                   hits.clear();
                   AlignedQuery& aligned = batch.queries[i];
                   auto alignment = aligned.alignments.begin();
                   auto identity = aligned.identity.begin();
                   for (const TopHit& hit : aligned.found.hits) {
                     io::Hit& filled = hits.emplace_back();
                     filled.subject_index = columns.index(hit.column);
                     filled.subject = database[filled.subject_index];
                     filled.alignment = std::move(*alignment++);
                     filled.identity = std::move(*identity++);
                     if (of_query) {
                       filled.bits = of_query->bits(hit.score);
                       filled.evalue = of_query->evalue(hit.score);
                     }
                   }
                   summary.hits += hits.size();
                   summary.cut_ties += aligned.found.cut_tie;
                   emit(query, hits, of_query ? &*of_query : nullptr);
                 }
               });
  summary.filtered = summary.pairs - summary.hits;
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

}  // namespace alnus::engine
