#include "engine/search_driver.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "alnus/error.h"
#include "core/refuse_input.h"
#include "engine/align_list.h"
#include "engine/all_scores.h"
#include "engine/hit_aligner.h"
#include "engine/lowest_scores.h"
#include "engine/overlap.h"
#include "engine/scheduler.h"
#include "engine/search_counts.h"
#include "engine/stranded_rows.h"
#include "engine/top_hits.h"
#include "stats/regression.h"

namespace alnus::engine {
namespace {

// Cuts the columns of a piece into the ranges that they belong to in the whole database. `of_whole`: the
// ranges of the whole. `lowest`: the score in all of them.
LowestScores of_piece(const LowestScores& of_whole, const SortedSequences& rows,
                      const SortedSequences& columns, const PieceOfDatabase& piece, std::int32_t lowest,
                      const StopFlag& stop) {
  const std::vector<Position> places = positions_of(*piece.whole, stop);
  std::vector<Position> begins;
  Position column = columns.begin();
  for (std::uint32_t range = 0; range < of_whole.ranges(); ++range) {
    begins.push_back(column);
    const Position end = of_whole.range(range).end;
    while (column < columns.end() && places[piece.begin + columns.index(column)] < end) ++column;
  }
  return {rows.size(), columns.size(), lowest, std::move(begins)};
}

// Returns the lowest score of a hit for each row and range of columns. A local alignment of score 0 is no
// hit.
LowestScores lowest_scores(const SortedSequences& rows, const SortedSequences& columns,
                           const Scoring& scoring, const SearchOptions& options,
                           const QueryJudges& statistics, CallState& call) {
  std::int32_t lowest = options.min_score.value_or(std::numeric_limits<std::int32_t>::min());
  if (scoring.mode == Mode::local) lowest = std::max(lowest, 1);
  const SortedSequences& whole = options.piece ? *options.piece->whole : columns;
  const LowestScores of_whole(0, whole.size(), lowest);
  LowestScores result = options.piece
                            ? of_piece(of_whole, rows, columns, *options.piece, lowest, call.progress.stop)
                            : LowestScores(rows.size(), columns.size(), lowest);
  if (columns.size() == 0) return result;
  const double most = candidate_evalue(options.statistics, scoring, options.evalue());
  // Rows of equal length follow each other, and have the same lowest scores unless compositions scale them.
  const bool by_length = options.statistics.composition != Composition::scale;
  const auto as_before = [&](Position row) {
    return by_length && row > rows.begin() && rows.length(row) == rows.length(row - 1);
  };
  std::vector<Position> judged;
  for (Position row = rows.begin(); row < rows.end(); ++row)
    if (statistics[rows.index(row)] != nullptr && !as_before(row)) judged.push_back(row);
  call.for_each(judged.size(), [&](std::size_t number) {
    const Position row = judged[number];
    std::int32_t score = 0;
    for (std::uint32_t range = 0; range < result.ranges(); ++range) {
      const PositionRange in = of_whole.range(range);
      score = statistics[rows.index(row)]->lowest_score(most, whole.length(in.end - 1),
                                                        whole.length(in.begin), score);
      result.at(row, range) = std::max(lowest, score);
    }
  });
  for (Position row = rows.begin(); row < rows.end(); ++row)
    if (statistics[rows.index(row)] != nullptr && as_before(row))
      for (std::uint32_t range = 0; range < result.ranges(); ++range)
        result.at(row, range) = result.at(row - 1, range);
  return result;
}

// Gives both strands of a query the lower of their lowest scores. If a query is judged by its composition,
// its strands may have different lowest scores, and a pair that fails on its better strand must not be a hit
// on the other strand.
void share_between_strands(const StrandedSet& strands, const SortedSequences& rows, LowestScores& lowest) {
  if (strands.strands() != Strands::both) return;
  LowestScores of_query(strands.given().size(), lowest.ranges(), std::numeric_limits<std::int32_t>::max());
  const auto query = [&](Position row) { return Position(strands.given(rows.index(row))); };
  for (std::uint32_t range = 0; range < lowest.ranges(); ++range) {
    for (Position row = rows.begin(); row < rows.end(); ++row) {
      std::int32_t& shared = of_query.at(query(row), range);
      shared = std::min(shared, lowest.at(row, range));
    }
    for (Position row = rows.begin(); row < rows.end(); ++row)
      lowest.at(row, range) = of_query.at(query(row), range);
  }
}

// Returns the judge of each row, by index, once all scores are known: a regression of the row's scores or, if
// they do not suffice, the parameters. Adds the number of queries without a regression to
// summary.fallbacks.
QueryJudges regress(const AllScores& scores, const SortedSequences& rows, const StrandedSet& strands,
                    const Scoring& scoring, const ResolvedStatistics& options, CallState& call,
                    SearchSummary& summary) {
  const std::optional<UngappedParameters> ungapped = stats::ungapped_parameters(scoring);
  QueryJudges result(rows.size());
  std::vector<std::atomic<bool>> fell_back(strands.given().size());
  call.for_each(rows.size(), [&](std::size_t number) {
    const Position row(static_cast<std::uint32_t>(number));
    stats::ScoreJudgePtr& of_query = result[rows.index(row)];
    const std::size_t length = rows.length(row);
    std::optional<stats::RegressionFit> fit;
    if (ungapped) fit = stats::fit_regression(scores.of_row(row, 1.0 / scoring.scale), length, *ungapped);
    if (fit) {
      of_query = stats::regression_judge(*fit, scoring, length, options.space);
    } else {
      fell_back[strands.given(rows.index(row))] = true;
      if (options.parameters)
        of_query = stats::judge_of(rows.residues(row), options.model(options.by_parameters()), scoring);
    }
  });
  summary.fallbacks += static_cast<std::uint64_t>(
      std::ranges::count_if(fell_back, [](const auto& fell) { return fell.load(); }));
  return result;
}

bool wants_all_scores(const SearchOptions& options) {
  return options.asked.score_histogram || options.statistics.method == StatisticsMethod::regression;
}

// Searches some of the queries, so few that there is memory for all their candidates and, if they are wanted,
// for all scores. `first_query`: the number of the first of them among all queries.
void search_part(const SequenceSet& queries, SequenceSet::Index first_query, const SortedPtr& database,
                 const Scoring& scoring, const SearchOptions& options, CallState& call, const EmitHits& emit,
                 SearchSummary& summary) {
  const StopFlag& stop = call.progress.stop;
  const ResolvedStatistics& statistics = options.statistics;
  const StrandedRows strands(std::make_shared<const SortedSequences>(queries, stop), options.strands(), call);
  const SortedSequences &rows = *strands.sorted(), &columns = *database;
  Scheduler scheduler(call, strands.sorted(), database, {scoring, options.asked.detail});
  QueryJudges judges = judges_of(rows.set(), statistics, scoring, stop);
  LowestScores lowest = lowest_scores(rows, columns, scoring, options, judges, call);
  share_between_strands(strands.set(), rows, lowest);
  TopHits top(columns, std::move(lowest), options.most_candidates());
  if (wants_all_scores(options)) {
    AllScores all(rows, columns, top);
    scheduler.run({}, {scoring, Detail::score}, all);
    if (statistics.method == StatisticsMethod::regression)
      judges = regress(all, rows, strands.set(), scoring, statistics, call, summary);
    if (options.asked.score_histogram) add(all, rows, judges, stop, summary.histogram);
  } else {
    const bool bounds = !statistics.adjusts();
    scheduler.run({}, {scoring, Detail::score, bounds}, top);
  }
  HitAligner aligner(scheduler, top, scoring, options, judges, strands.set(), first_query);
  const ExtraWork again(call.progress);
  make_and_use(
      call, [&] { return aligner.done(); }, [&] { return aligner.next(); },
      [&](HitBatch batch) {
        count_hits(batch.hits, queries, first_query, summary);
        for (const SequenceSet::Index query : batch.cut_ties)
          count_cut_tie(queries[query - first_query].id(), summary);
        emit(batch.hits);
      });
}

// Bytes that a query may take while all queries of its part are scored.
std::uint64_t bytes_of_query(SequenceSet::Index subjects, const SearchOptions& options) {
  const std::uint64_t hits = std::min<std::uint64_t>(options.most_candidates(), subjects);
  constexpr std::uint64_t kOther = 256;  // bytes of a strand besides its hits
  return strands_of_each(options.strands()) *
         (kOther + LowestScores::kBytesOfRow + TopHits::bytes_of_row(hits) +
          (wants_all_scores(options) ? AllScores::bytes_of_row(subjects) : 0));
}

// Bytes of all batches at a time: read ahead, aligned ahead, being made, waiting, with the caller.
std::uint64_t bytes_of_batches(const SearchOptions& options) {
  return options.rows().bytes_of_batches(options.aligns_ahead() ? 5 : 4);
}

// Returns the number of queries that are scored together. Half of the memory is for tiles.
std::uint64_t queries_of_part(const SequenceSet& queries, SequenceSet::Index subjects,
                              const SearchOptions& options) {
  const std::uint64_t bytes =
      std::min(options.memory_bytes / 4, options.memory_bytes / 2 - bytes_of_batches(options));
  const std::uint64_t most = bytes / bytes_of_query(subjects, options);
  return std::clamp<std::uint64_t>(most, 1, std::max<std::uint64_t>(queries.size(), 1));
}

}  // namespace

RowOptions SearchOptions::rows() const {
  return {.fields = {asked.detail, asked.cigars, asked.significance, asked.identity_ranges, strands(),
                     asked.max_hsps > 1},
          .statistics = statistics,
          .memory_bytes = memory_bytes,
          .max_hsps = asked.max_hsps,
          .min_score = min_score,
          .evalue = evalue(),
          .limits = given_limits(asked),
          .filter = asked.filter};
}

// If E-values choose the hits, these need not have the highest scores, so that more pairs are kept. If scores
// choose them, one pair more tells whether a tie was cut. If alignments choose them, any pair may be a hit.
std::uint32_t SearchOptions::most_candidates() const {
  constexpr std::uint64_t kSelected = 1024;  // GPUs choose up to so many pairs of a row themselves
  constexpr std::uint64_t kMore = 500, kMoreAdjusted = 3000;
  const std::uint64_t hits = asked.max_target_seqs;
  if (asked.filter.needs_alignments()) return std::numeric_limits<std::uint32_t>::max();
  std::uint64_t most = 2 * hits + kMoreAdjusted;
  if (statistics.method == StatisticsMethod::none || statistics.method == StatisticsMethod::zvalue)
    most = hits + 1;
  else if (!statistics.adjusts() && hits < kSelected)
    most = std::min(hits + kMore, kSelected);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, std::numeric_limits<std::uint32_t>::max()));
}

std::uint64_t search_bytes(const SequenceSet& queries, const SequenceSet& database,
                           const SearchOptions& options) {
  return queries_of_part(queries, database.size(), options) * bytes_of_query(database.size(), options) +
         StrandedSet::bytes(queries, options.strands()) + bytes_of_batches(options);
}

SearchSummary search(const SequenceSet& queries, const SortedPtr& database, const Scoring& scoring,
                     const SearchOptions& options, CallState& call, const EmitHits& emit) {
  if (options.asked.max_target_seqs == 0)
    refuse_input(
        fmt::format("{} is 0; the number of hits to keep must be 1 or more.", option("max_target_seqs")));
  SearchSummary summary;
  const SequenceSet& subjects = database->set();
  summary.limit = limit_of(options.asked.max_target_seqs, subjects.size());
  summary.queries = queries.size();
  summary.cells = queries.total_residues() * subjects.total_residues() * strands_of_each(options.strands());
  summary.pairs = std::uint64_t{queries.size()} * subjects.size();
  const std::uint64_t part_size = queries_of_part(queries, subjects.size(), options);
  for (std::uint64_t begin = 0; begin < queries.size(); begin += part_size) {
    const auto first = static_cast<SequenceSet::Index>(begin);
    const auto end =
        static_cast<SequenceSet::Index>(std::min<std::uint64_t>(begin + part_size, queries.size()));
    search_part(first == 0 && end == queries.size() ? queries : queries.part(first, end), first, database,
                scoring, options, call, emit, summary);
  }
  summary.left_out = summary.pairs - summary.hits;
  return summary;
}

}  // namespace alnus::engine
