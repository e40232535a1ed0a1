#include "engine/hit_aligner.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "engine/identity_range.h"
#include "engine/significance.h"

namespace alnus::engine {

std::uint64_t batch_bytes(const SearchOptions& options) {
  return std::min(kBatchBytes, options.memory_bytes / 16);
}

HitAligner::HitAligner(Scheduler& scheduler, TopHits& top, const Problem& problem,
                       const SearchOptions& options, const QueryJudges& statistics,
                       const StrandedSet& strands, SequenceSet::Index first_query)
    : scheduler_(scheduler),
      top_(top),
      problem_(problem),
      positions_(positions_of(scheduler.rows(), scheduler.stop_flag())),
      options_(options),
      statistics_(statistics),
      strands_(strands),
      first_query_(first_query),
      batch_bytes_(batch_bytes(options)) {}

HitBatch HitAligner::next() {
  const SequenceSet& queries = strands_.given();
  const SequenceSet::Index first = next_query_;
  std::vector<Candidates> rows;
  std::uint64_t bytes = 0;
  for (; next_query_ < queries.size() && (bytes == 0 || bytes < batch_bytes_); ++next_query_) {
    Candidates& row = rows.emplace_back();
    for (const Position strand : strands_of(next_query_)) {
      const std::vector<TopHit> hits = top_.candidates(strand);
      row.hits.insert(row.hits.end(), hits.begin(), hits.end());
    }
    const std::uint64_t before = bytes;
    bytes += sizeof(Candidates);
    for (const TopHit& hit : row.hits)
      bytes += result_bytes(queries.length(next_query_), scheduler_.columns().length(hit.column),
                            problem_.detail) +
               range_bytes(options_.identity_ranges);
    if (bytes - before > options_.memory_bytes / 2) warn_of_memory(row.hits.size(), bytes - before);
  }
  // Where far more are left than can be hits, their scores alone decide first.
  const bool aligned = problem_.detail != Detail::score;
  const std::size_t each = strands_of_each(strands_.strands());
  const auto too_many = [&](const Candidates& row) {
    return !aligned || row.hits.size() / 2 / each > options_.max_target_seqs;
  };
  score(rows, too_many);
  const auto undecided = [](const TopHit& hit) { return hit.slack > 0; };
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (std::ranges::none_of(rows[i].hits, undecided)) choose(first + i, rows[i]);
  const AlignedList alignments = align(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) choose(first + i, rows[i]);
  const std::vector<std::vector<Significance>> significance = judge(rows);
  return batch_of(first, rows, alignments, significance);
}

std::span<const Position> HitAligner::strands_of(SequenceSet::Index query) const {
  return std::span(positions_).subspan(strands_.first(query), strands_of_each(strands_.strands()));
}

const stats::ScoreJudge* HitAligner::judge_of(const TopHit& hit) const {
  return statistics_[scheduler_.rows().index(hit.row)].get();
}

void HitAligner::warn_of_memory(std::size_t hits, std::uint64_t bytes) const {
  Progress& progress = scheduler_.call().progress;
  if (!progress.warn || std::exchange(progress.told_of_memory, true)) return;
  progress.warn(
      fmt::format("The alignments of one query, {} here, may take {}, and {} is {}: it is "
                  "exceeded. A lower {} needs less.",
                  format_count(hits), format_bytes(static_cast<double>(bytes)), option("memory"),
                  format_bytes(static_cast<double>(options_.memory_bytes)), option("max_target_seqs")));
}

void HitAligner::choose(SequenceSet::Index query, Candidates& candidates) const {
  std::vector<TopHit> hits;
  for (const Position strand : strands_of(query)) {
    std::vector<TopHit> of_strand;
    std::ranges::copy_if(candidates.hits, std::back_inserter(of_strand),
                         [&](const TopHit& hit) { return hit.row == strand; });
    const TopHitsOfRow found = top_.choose(strand, std::move(of_strand));
    hits.insert(hits.end(), found.hits.begin(), found.hits.end());
    candidates.best_left_out = std::max(candidates.best_left_out, found.best_left_out);
  }
  if (strands_.strands() == Strands::both) merge_strands(hits, candidates.best_left_out);
  const auto too_large = [&](const TopHit& hit) {
    const stats::ScoreJudge* statistics = judge_of(hit);
    return statistics != nullptr &&
           statistics->of(hit.score, scheduler_.columns().length(hit.column)).evalue > options_.evalue;
  };
  candidates.cut_tie =
      !hits.empty() && candidates.best_left_out == hits.back().score && !too_large(hits.back());
  std::erase_if(hits, too_large);
  candidates.hits = std::move(hits);
}

void HitAligner::merge_strands(std::vector<TopHit>& hits, std::int64_t& best_left_out) const {
  const auto strand = [&](const TopHit& hit) { return strands_.strand(scheduler_.rows().index(hit.row)); };
  std::ranges::sort(hits, [&](const TopHit& a, const TopHit& b) {
    if (a.column != b.column) return a.column < b.column;
    return a.score != b.score ? a.score > b.score : strand(a) < strand(b);
  });
  const auto same_pair = [](const TopHit& a, const TopHit& b) { return a.column == b.column; };
  hits.erase(std::unique(hits.begin(), hits.end(), same_pair), hits.end());
  std::ranges::sort(hits, std::less<>{});
  if (hits.size() <= options_.max_target_seqs) return;
  best_left_out = std::max<std::int64_t>(best_left_out, hits[options_.max_target_seqs].score);
  hits.resize(options_.max_target_seqs);
}

template <class Chosen>
void HitAligner::score(std::vector<Candidates>& rows, Chosen chosen) {
  std::vector<PositionPair> pairs;
  for (const Candidates& row : rows)
    for (const TopHit& hit : row.hits)
      if (chosen(row) && hit.slack > 0) pairs.push_back({hit.row, hit.column});
  const AlignedList scores = align_list(scheduler_, pairs, {problem_.scoring, Detail::score});
  auto next = scores.pairs.begin();
  for (Candidates& row : rows)
    for (TopHit& hit : row.hits)
      if (chosen(row) && hit.slack > 0) settle(hit, (next++)->score);
}

AlignedList HitAligner::align(std::vector<Candidates>& rows) {
  const bool aligned = problem_.detail != Detail::score;
  std::vector<PositionPair> pairs;
  for (const Candidates& row : rows)
    for (const TopHit& hit : row.hits) pairs.push_back({hit.row, hit.column});
  AlignedList all;
  if (aligned)
    all = align_list(scheduler_, pairs, problem_);
  else
    all.pairs.resize(pairs.size());
  std::uint32_t number = 0;
  for (Candidates& row : rows)
    for (TopHit& hit : row.hits) {
      if (aligned) settle(hit, all.pairs[number].score);
      all.pairs[number].score = hit.score;
      hit.number = number++;
    }
  return all;
}

std::vector<std::vector<Significance>> HitAligner::judge(std::vector<Candidates>& rows) {
  std::vector<std::vector<Significance>> result(rows.size());
  const SortedSequences& columns = scheduler_.columns();
  if (options_.statistics.method != StatisticsMethod::zvalue) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const TopHit& hit : rows[i].hits) {
        const stats::ScoreJudge* statistics = judge_of(hit);
        result[i].push_back(statistics ? statistics->of(hit.score, columns.length(hit.column))
                                       : Significance{});
      }
    }
    return result;
  }
  std::vector<IndexPair> pairs;
  std::vector<std::int32_t> scores;
  for (const Candidates& row : rows)
    for (const TopHit& hit : row.hits) {
      pairs.push_back({scheduler_.rows().index(hit.row), columns.index(hit.column)});
      scores.push_back(hit.score);
    }
  const std::vector<Significance> all =
      shuffled_significance(scheduler_.rows().set(), columns.set(), pairs, scores, problem_.scoring,
                            options_.statistics, scheduler_.call());
  auto next = all.begin();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<TopHit> kept;
    for (const TopHit& hit : rows[i].hits) {
      const Significance& found = *next++;
      if (found.evalue > options_.evalue) continue;
      kept.push_back(hit);
      result[i].push_back(found);
    }
    rows[i].hits = std::move(kept);
  }
  return result;
}

HitBatch HitAligner::batch_of(SequenceSet::Index first, const std::vector<Candidates>& rows,
                              const AlignedList& alignments,
                              const std::vector<std::vector<Significance>>& significance) {
  const SortedSequences& columns = scheduler_.columns();
  ColumnsBuilder builder(
      {problem_.detail, problem_.cigars, options_.significance, options_.identity_ranges, options_.strands});
  HitBatch batch;
  batch.hits.queries = {first_query_ + first, first_query_ + next_query_};
  const auto first_row = std::make_shared<std::vector<std::uint64_t>>(1, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto query = static_cast<SequenceSet::Index>(first + i);
    for (std::size_t k = 0; k < rows[i].hits.size(); ++k) {
      const TopHit& hit = rows[i].hits[k];
      const Strand strand = strands_.strand(scheduler_.rows().index(hit.row));
      const AlignedPair& aligned = alignments.pairs[hit.number];
      builder.add({first_query_ + query, columns.index(hit.column)},
                  strand == Strand::plus ? aligned : on_minus_strand(aligned, strands_.given().length(query)),
                  strand);
      builder.add(significance[i][k]);
    }
    first_row->push_back(builder.size());
    batch.cut_ties += rows[i].cut_tie;
    if (!options_.query_statistics) continue;
    const stats::ScoreJudge* judge = statistics_[strands_.first(query)].get();
    batch.hits.query_statistics.push_back(judge ? stats::query_statistics(*judge) : QueryStatistics{});
  }
  add_identity(rows, builder);
  // The columns and the rows' beginnings are one possession.
  Columns all = builder.finish();
  struct Owner {
    std::shared_ptr<const void> columns, first_row;
  };
  all.owner = std::make_shared<const Owner>(Owner{all.owner, first_row});
  batch.hits.rows = std::move(all);
  batch.hits.first_row = *first_row;
  return batch;
}

void HitAligner::add_identity(const std::vector<Candidates>& rows, ColumnsBuilder& builder) {
  if (options_.identity_ranges.empty()) return;
  std::vector<PositionPair> pairs;
  std::vector<std::int32_t> scores;
  for (const Candidates& row : rows)
    for (const TopHit& hit : row.hits) {
      pairs.push_back({hit.row, hit.column});
      scores.push_back(hit.score);
    }
  for (const Denominator denominator : options_.identity_ranges)
    for (const IdentityRange& range :
         identity_ranges(scheduler_, pairs, scores, problem_.scoring, denominator))
      builder.add(denominator, range);
}

void HitAligner::settle(TopHit& hit, std::int32_t score) {
  if (score < hit.score || score > hit.at_most())
    throw Error(
        ErrorKind::other,
        fmt::format("Internal error: a pair scored {} to {} in the search and {} when it was aligned.",
                    hit.score, hit.at_most(), score));
  hit.score = score;
  hit.slack = 0;
}
}  // namespace alnus::engine
