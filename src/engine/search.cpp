#include "engine/search.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "engine/all_scores.h"
#include "engine/identity_range.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/scheduler.h"
#include "engine/significance.h"
#include "engine/top_hits.h"
#include "stats/regression.h"

namespace alnus::engine {
namespace {

// By what the scores of each query are judged, by index; null: by nothing.
using Statistics = std::vector<stats::QueryStatisticsPtr>;

// The lowest score of a hit, by row. A local alignment of score 0 is none.
std::vector<std::int32_t> lowest_scores(const Resident& rows, const Resident& columns, const Scoring& scoring,
                                        const SearchOptions& options, const Statistics& statistics) {
  std::int32_t lowest = options.min_score.value_or(std::numeric_limits<std::int32_t>::min());
  if (scoring.mode == Mode::local) lowest = std::max(lowest, 1);
  std::vector<std::int32_t> result(rows.size(), lowest);
  if (columns.size() == 0) return result;
  const std::uint64_t longest = columns.length(0), shortest = columns.length(columns.size() - 1);
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    const stats::QueryStatistics* of_row = statistics[rows.index(row)].get();
    if (of_row == nullptr) continue;
    // Rows of one length follow each other, and only their composition tells them apart.
    const bool as_before =
        row > 0 && !options.statistics.composition && rows.length(row) == rows.length(row - 1);
    result[row] = as_before ? result[row - 1]
                            : std::max(lowest, of_row->lowest_score(options.evalue, shortest, longest));
  }
  return result;
}

// Consecutive queries with their hits, and the hits' alignments.
struct AlignedQuery {
  TopHitsOfRow found;
  // Of each hit:
  std::vector<Alignment> alignments;
  std::vector<std::vector<IdentityRange>> identity;
  std::vector<stats::Significance> significance;
};
struct Batch {
  SequenceSet::Index first_query = 0;
  std::vector<AlignedQuery> queries;
};

// Takes the candidates of query after query, and aligns them: for their exact scores, if the search told
// bounds, and for ends and alignments, if those are wanted.
class HitAligner {
 public:
  HitAligner(Scheduler& scheduler, TopHits& top, const Problem& problem, const SearchOptions& options,
             const Statistics& statistics, std::span<Device* const> devices, Progress& progress)
      : scheduler_(scheduler),
        devices_(devices),
        progress_(progress),
        top_(top),
        problem_(problem),
        positions_(positions(scheduler.rows())),
        limit_(options.max_target_seqs),
        evalue_(options.evalue),
        options_(options.statistics),
        statistics_(statistics),
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
    const auto undecided = [](const TopHit& hit) { return hit.slack > 0; };
    for (Candidates& row : rows)
      if (std::ranges::none_of(row.hits, undecided)) choose(row);
    std::vector<std::vector<Alignment>> alignments = align(rows);
    for (Candidates& row : rows) choose(row);
    std::vector<std::vector<stats::Significance>> significance = judge(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      AlignedQuery& query = batch.queries.emplace_back();
      query.significance = std::move(significance[i]);
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
    const stats::QueryStatistics* statistics = statistics_[scheduler_.rows().index(row.row)].get();
    if (statistics == nullptr) return;
    const auto too_large = [&](const TopHit& hit) {
      return statistics->of(hit.score, scheduler_.columns().length(hit.column)).evalue > evalue_;
    };
    if (!row.hits.empty()) row.cut_tie &= !too_large(row.hits.back());
    std::erase_if(row.hits, too_large);
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

  // The significance of all hits. By Z-values, it comes last, and those with too large E-values go.
  std::vector<std::vector<stats::Significance>> judge(std::vector<Candidates>& rows) {
    std::vector<std::vector<stats::Significance>> result(rows.size());
    const Resident& columns = scheduler_.columns();
    if (options_.method != stats::Method::zvalue) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto* statistics = statistics_[scheduler_.rows().index(rows[i].row)].get();
        for (const TopHit& hit : rows[i].hits)
          result[i].push_back(statistics ? statistics->of(hit.score, columns.length(hit.column))
                                         : stats::Significance{});
      }
      return result;
    }
    std::vector<PairIndex> pairs;
    std::vector<std::int32_t> scores;
    for (const Candidates& row : rows)
      for (const TopHit& hit : row.hits) {
        pairs.push_back({scheduler_.rows().index(row.row), columns.index(hit.column)});
        scores.push_back(hit.score);
      }
    const std::vector<stats::Significance> all =
        shuffled_significance(scheduler_.rows().sequences(), columns.sequences(), pairs, scores,
                              problem_.scoring, options_, devices_, progress_);
    auto next = all.begin();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<TopHit> kept;
      for (const TopHit& hit : rows[i].hits) {
        const stats::Significance& found = *next++;
        if (found.evalue > evalue_) continue;
        kept.push_back(hit);
        result[i].push_back(found);
      }
      rows[i].hits = std::move(kept);
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
  const std::span<Device* const> devices_;
  Progress& progress_;
  TopHits& top_;
  const Problem problem_;
  const std::vector<std::uint32_t> positions_;
  const std::size_t limit_;
  const double evalue_;
  const StatisticsOptions& options_;
  const Statistics& statistics_;
  const std::vector<Denominator> wanted_;
  const std::uint64_t batch_bytes_;
  SequenceSet::Index next_query_ = 0;
};

// After all scores are known: each query's from them, or else by the parameters.
Statistics regress(const AllScores& scores, const Resident& rows, const Scoring& scoring,
                   const StatisticsOptions& options, SearchSummary& summary) {
  const std::optional<stats::UngappedParameters> ungapped = stats::ungapped_parameters(scoring);
  Statistics result(rows.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    stats::QueryStatisticsPtr& of_query = result[rows.index(row)];
    const std::size_t length = rows.length(row);
    std::optional<stats::RegressionFit> fit;
    if (ungapped) fit = stats::fit_regression(scores.of_row(row, 1.0 / scoring.scale), length, *ungapped);
    if (fit) {
      of_query = stats::regression_statistics(*fit, scoring, length, options.space);
    } else {
      ++summary.fallbacks;
      if (options.parameters)
        of_query = stats::statistics_of(rows.residues(row), options.model(options.by_parameters()), scoring);
    }
  }
  return result;
}

bool wants_all_scores(const SearchOptions& options) {
  return options.histogram || options.statistics.method == stats::Method::regression;
}

// Some of the queries, all of whose scores there is memory for.
class SearchPart {
 public:
  SearchPart(const SequenceSet& queries, const SequenceSet& database, const Scoring& scoring,
             const SearchOptions& options, std::span<Device* const> devices, Progress& progress,
             SearchSummary& summary)
      : scoring_(scoring),
        options_(options),
        devices_(devices),
        progress_(progress),
        summary_(summary),
        scheduler_(devices, queries, database, {scoring, options.detail}, progress) {
    const StatisticsOptions& statistics = options.statistics;
    if (statistics.by_parameters_now())
      statistics_ = stats::statistics_of(queries, statistics.model(statistics.method), scoring);
    else
      statistics_.resize(queries.size());
  }

  void score() {
    const Resident& rows = scheduler_.rows();
    const Resident& columns = scheduler_.columns();
    top_.emplace(columns, lowest_scores(rows, columns, scoring_, options_, statistics_),
                 options_.max_target_seqs);
    if (!wants_all_scores(options_)) return scheduler_.run({}, {scoring_, Detail::score, true}, *top_);
    AllScores all(rows, columns, *top_);
    scheduler_.run({}, {scoring_, Detail::score}, all);
    if (options_.statistics.method == stats::Method::regression)
      statistics_ = regress(all, rows, scoring_, options_.statistics, summary_);
    if (options_.histogram) summary_.histogram.add(all, rows, statistics_);
  }

  void emit_hits(SequenceSet::Index first_query, const EmitQuery& emit) {
    HitAligner aligner(scheduler_, *top_, {scoring_, options_.detail}, options_, statistics_, devices_,
                       progress_);
    make_and_use([&] { scheduler_.stop(); }, [&] { return aligner.done(); }, [&] { return aligner.next(); },
                 [&](Batch batch) {
                   for (std::size_t i = 0; i < batch.queries.size(); ++i)
                     emit_query(first_query, static_cast<SequenceSet::Index>(batch.first_query + i),
                                batch.queries[i], emit);
                 });
  }

 private:
  void emit_query(SequenceSet::Index first_query, SequenceSet::Index query, AlignedQuery& aligned,
                  const EmitQuery& emit) {
    const Resident& columns = scheduler_.columns();
    const stats::QueryStatistics* statistics = statistics_[query].get();
    hits_.clear();
    auto alignment = aligned.alignments.begin();
    auto identity = aligned.identity.begin();
    auto significance = aligned.significance.begin();
    for (const TopHit& hit : aligned.found.hits) {
      io::Hit& filled = hits_.emplace_back();
      filled.subject_index = columns.index(hit.column);
      filled.subject = columns.sequences()[filled.subject_index];
      filled.alignment = std::move(*alignment++);
      filled.identity = std::move(*identity++);
      filled.significance = *significance++;
    }
    summary_.hits += hits_.size();
    summary_.cut_ties += aligned.found.cut_tie;
    emit(first_query + query, hits_, statistics);
  }

  const Scoring& scoring_;
  const SearchOptions& options_;
  const std::span<Device* const> devices_;
  Progress& progress_;
  SearchSummary& summary_;
  Scheduler scheduler_;
  Statistics statistics_;
  std::optional<TopHits> top_;
  std::vector<io::Hit> hits_;
};

}  // namespace

SearchSummary& SearchSummary::operator+=(const SearchSummary& other) {
  cells += other.cells;
  pairs += other.pairs;
  hits += other.hits;
  cut_ties += other.cut_ties;
  filtered += other.filtered;
  fallbacks += other.fallbacks;
  seconds += other.seconds;
  return *this;
}

SearchSummary search(const SequenceSet& queries, const SequenceSet& database, const Scoring& scoring,
                     const SearchOptions& options, std::span<Device* const> devices, Progress& progress,
                     const EmitQuery& emit) {
  const auto start = std::chrono::steady_clock::now();
  if (options.max_target_seqs == 0)
    throw Error(ErrorKind::input, "--max-target-seqs is 0; the number of hits to keep must be 1 or more.");

  SearchSummary summary;
  summary.cells = queries.total_residues() * database.total_residues();
  summary.pairs = std::uint64_t{queries.size()} * database.size();
  std::uint64_t part_size = queries.size();
  if (wants_all_scores(options) && !database.empty())
    part_size =
        std::max<std::uint64_t>(1, options.memory_bytes / 4 / AllScores::bytes_of_row(database.size()));
  std::vector<SequenceSet::Index> order(queries.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::uint64_t begin = 0; begin < queries.size(); begin += part_size) {
    const auto first = static_cast<SequenceSet::Index>(begin);
    const auto end =
        static_cast<SequenceSet::Index>(std::min<std::uint64_t>(begin + part_size, queries.size()));
    const bool whole = part_size >= queries.size();
    const SequenceSet part = whole ? queries : queries.part(first, end, order, nullptr);
    SearchPart one(part, database, scoring, options, devices, progress, summary);
    one.score();
    one.emit_hits(first, emit);
  }
  summary.filtered = summary.pairs - summary.hits;
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

}  // namespace alnus::engine
