#include "engine/hit_aligner.h"

#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "engine/identity_range.h"
#include "engine/significance.h"

namespace alnus::engine {

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
      batch_bytes_(batch_bytes(options.memory_bytes)) {
  if (options.statistics.adjusts())
    adjusted_.emplace(scheduler.rows().set(), scheduler.columns().set(), problem.scoring, options.statistics);
}

void HitAligner::read_ahead() {
  std::vector<Candidates> rows;
  for (std::uint64_t bytes = 0;
       next_read_ < strands_.given().size() && (rows.empty() || bytes < batch_bytes_); ++next_read_) {
    rows.emplace_back().query = next_read_;
    bytes += sizeof(Candidates);
    for (const Position strand : strands_of(next_read_)) bytes += top_.most_candidates(strand) * sizeof(Hit);
  }
  for_each(rows, [&](Candidates& row) { read(row); });
  score(rows);
  for_each(rows, [&](Candidates& row) {
    row.chosen = !row.is_open();
    if (row.chosen) choose(row);
  });
  if (adjusted_) adjust(rows);
  for_each(rows, [&](Candidates& row) {
    if (row.chosen) rank(row);
  });
  for (Candidates& row : rows) ahead_.push_back(std::move(row));
}

void HitAligner::read(Candidates& candidates) const {
  for (const Position strand : strands_of(candidates.query))
    for (const TopHit& hit : top_.candidates(strand)) candidates.hits.push_back({hit});
  const std::size_t of_strand = candidates.hits.size() / strands_of_each(strands_.strands());
  // Exact scores replace bounds before alignments if only scores are wanted, if adjusted scores choose the
  // hits, or if a strand has more than twice as many candidates as there may be hits.
  candidates.scores_first = candidates.is_open() && (problem_.detail == Detail::score || adjusted_ ||
                                                     of_strand / 2 > options_.asked.max_target_seqs);
}

HitBatch HitAligner::next() {
  const SequenceSet& queries = strands_.given();
  const SequenceSet::Index first = next_query_;
  if (reading_.valid()) reading_.wait();
  if (ahead_.empty()) read_ahead();
  std::vector<Candidates> rows;
  std::uint64_t bytes = 0;
  for (; !ahead_.empty() && (bytes == 0 || bytes < batch_bytes_); ++next_query_) {
    const Candidates& row = rows.emplace_back(std::move(ahead_.front()));
    ahead_.pop_front();
    std::uint64_t of_row = 0;
    for (const Hit& hit : row.hits)
      of_row += expected_rows(options_.asked.max_hsps) * result_bytes(queries.length(row.query),
                                                                      scheduler_.columns().length(hit.column),
                                                                      problem_.detail) +
                range_bytes(options_.asked.identity_ranges);
    bytes += sizeof(Candidates) + row.hits.size() * sizeof(Hit) + of_row;
    if (of_row > options_.memory_bytes / 2) warn_of_memory(row.hits.size(), of_row);
  }
  // Adjusted scores need no tiles of the devices: the next queries are read while the devices align this
  // batch.
  if (adjusted_ && ahead_.empty() && next_read_ < queries.size())
    reading_ = scheduler_.call().threads.start([this] { read_ahead(); });
  try {
    const AlignedList alignments = align(rows);
    for_each(rows, [&](Candidates& row) {
      if (row.chosen) return;
      choose(row);
      rank(row);
    });
    if (options_.statistics.method == StatisticsMethod::zvalue) judge_by_shuffles(rows);
    return batch_of(first, rows, alignments);
  } catch (...) {
    if (reading_.valid()) scheduler_.call().progress.stop.request();  // ends reading ahead
    throw;
  }
}

template <class Body>
void HitAligner::for_each(std::vector<Candidates>& rows, const Body& body) const {
  scheduler_.call().for_each(rows.size(), [&](std::size_t k) { body(rows[k]); });
}

std::span<const Position> HitAligner::strands_of(SequenceSet::Index query) const {
  return std::span(positions_).subspan(strands_.first(query), strands_of_each(strands_.strands()));
}

void HitAligner::warn_of_memory(std::size_t hits, std::uint64_t bytes) const {
  Progress& progress = scheduler_.call().progress;
  if (!progress.warn || std::exchange(progress.told_of_memory, true)) return;
  progress.warn(
      fmt::format("The alignments of one query, {} here, may take {}, and {} is {}: it is "
                  "exceeded. A lower {} needs less.",
                  format_count(hits), format_bytes(static_cast<double>(bytes)), option("memory"),
                  format_bytes(static_cast<double>(options_.memory_bytes)),
                  option(options_.asked.max_hsps > 1 ? "max_hsps" : "max_target_seqs")));
}

void HitAligner::choose(Candidates& candidates) const {
  std::vector<TopHit> chosen;
  for (const Position strand : strands_of(candidates.query)) {
    std::vector<TopHit> of_strand;
    std::ranges::copy_if(candidates.hits, std::back_inserter(of_strand),
                         [&](const Hit& hit) { return hit.row == strand; });
    const std::vector<TopHit> found = top_.choose(strand, std::move(of_strand));
    chosen.insert(chosen.end(), found.begin(), found.end());
    if (!options_.piece) continue;
    std::vector<CandidateKey> keys;
    keys.reserve(found.size());
    for (const TopHit& hit : found) keys.push_back({hit.score, hit.ordinal});
    options_.piece->on_candidates(strands_.strand(scheduler_.rows().index(strand)), std::move(keys));
  }
  // In a piece of a database both strands of a pair stay: the candidates of the whole database decide between
  // them.
  if (strands_.strands() == Strands::both && !options_.piece) merge_strands(chosen);
  candidates.hits.clear();
  for (const TopHit& hit : chosen) candidates.hits.push_back({hit});
}

void HitAligner::merge_strands(std::vector<TopHit>& hits) const {
  const auto strand = [&](const TopHit& hit) { return strands_.strand(scheduler_.rows().index(hit.row)); };
  std::ranges::sort(hits, [&](const TopHit& a, const TopHit& b) {
    if (a.column != b.column) return a.column < b.column;
    return a.score != b.score ? a.score > b.score : strand(a) < strand(b);
  });
  const auto same_pair = [](const TopHit& a, const TopHit& b) { return a.column == b.column; };
  hits.erase(std::unique(hits.begin(), hits.end(), same_pair), hits.end());
}

const stats::ScoreJudge* HitAligner::judge_of(const Hit& hit) const {
  return statistics_[scheduler_.rows().index(hit.row)].get();
}

void HitAligner::adjust(std::vector<Candidates>& rows) const {
  std::size_t all = 0;
  for (Candidates& row : rows) row.first = std::exchange(all, all + row.hits.size());
  std::vector<AdjustedScores::Candidate> candidates(all);
  for_each(rows, [&](const Candidates& row) {
    for (std::size_t k = 0; k < row.hits.size(); ++k) {
      const Hit& hit = row.hits[k];
      candidates[row.first + k] = {{scheduler_.rows().index(hit.row), scheduler_.columns().index(hit.column)},
                                   hit.score,
                                   judge_of(hit)};
    }
  });
  const std::vector<std::optional<double>> scores =
      adjusted_->of(candidates, options_.evalue(), scheduler_.call());
  for_each(rows, [&](Candidates& row) {
    for (std::size_t k = 0; k < row.hits.size(); ++k) row.hits[k].adjusted = scores[row.first + k];
    std::erase_if(row.hits, [](const Hit& hit) { return !hit.adjusted; });
  });
}

bool HitAligner::passes(const Significance& significance) const {
  bool all = !(significance.evalue > options_.evalue());
  for_each_statistics_limit(options_.asked,
                            [&](std::string_view, const StatisticsLimit& limit, double value) {
                              all = all && limit.passes(significance, value);
                            });
  return all;
}

void HitAligner::erase_insignificant(std::vector<Hit>& hits) const {
  std::erase_if(hits, [&](const Hit& hit) { return !passes(hit.significance); });
}

bool HitAligner::is_before(const Hit& a, const Hit& b) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const double of_a = a.significance.evalue.value_or(kNone), of_b = b.significance.evalue.value_or(kNone);
  if (of_a != of_b) return of_a < of_b;
  // E-values too small for a double are 0, but their scores still differ.
  if (a.judged() != b.judged()) return a.judged() > b.judged();
  return a < static_cast<const TopHit&>(b);
}

void HitAligner::rank(Candidates& candidates) const {
  std::vector<Hit>& hits = candidates.hits;
  for (Hit& hit : hits)
    hit.significance = significance_of(judge_of(hit), hit.score, hit.adjusted,
                                       scheduler_.columns().length(hit.column), problem_.scoring);
  erase_insignificant(hits);
  std::ranges::sort(hits, is_before);
  if (options_.piece || hits.size() <= options_.asked.max_target_seqs) return;
  const Hit &last = hits[options_.asked.max_target_seqs - 1],
            &left_out = hits[options_.asked.max_target_seqs];
  candidates.cut_tie = last.score == left_out.score && last.judged() == left_out.judged() &&
                       last.significance.evalue == left_out.significance.evalue;
  hits.resize(options_.asked.max_target_seqs);
}

void HitAligner::judge_by_shuffles(std::vector<Candidates>& rows) const {
  const SortedSequences& columns = scheduler_.columns();
  std::vector<IndexPair> pairs;
  std::vector<std::int32_t> scores;
  for (const Candidates& row : rows)
    for (const Hit& hit : row.hits) {
      pairs.push_back({scheduler_.rows().index(hit.row), columns.index(hit.column)});
      scores.push_back(hit.score);
    }
  const std::vector<Significance> all =
      shuffled_significance(scheduler_.rows().set(), columns.set(), pairs, scores, problem_.scoring,
                            options_.statistics, scheduler_.call());
  auto next = all.begin();
  for (Candidates& row : rows) {
    for (Hit& hit : row.hits) hit.significance = *next++;
    erase_insignificant(row.hits);
    std::ranges::sort(row.hits, is_before);
  }
}

void HitAligner::score(std::vector<Candidates>& rows) {
  std::vector<PositionPair> pairs;
  for (const Candidates& row : rows) {
    if (!row.scores_first) continue;
    for (const Hit& hit : row.hits)
      if (hit.slack > 0) pairs.push_back({hit.row, hit.column});
  }
  if (pairs.empty()) return;
  const AlignedList scores = align_list(scheduler_, pairs, {problem_.scoring, Detail::score});
  auto next = scores.pairs.begin();
  for (Candidates& row : rows) {
    if (!row.scores_first) continue;
    for (Hit& hit : row.hits)
      if (hit.slack > 0) settle(hit, (next++)->score);
  }
}

AlignedList HitAligner::align(std::vector<Candidates>& rows) {
  const bool aligned = problem_.detail != Detail::score;
  std::vector<PositionPair> pairs;
  for (const Candidates& row : rows)
    for (const Hit& hit : row.hits) pairs.push_back({hit.row, hit.column});
  AlignedList all;
  if (aligned)
    all = align_list(scheduler_, pairs, problem_);
  else
    all.pairs.resize(pairs.size());
  std::uint32_t number = 0;
  for (Candidates& row : rows)
    for (Hit& hit : row.hits) {
      if (aligned) settle(hit, all.pairs[number].score);
      all.pairs[number].score = hit.score;
      hit.number = number++;
    }
  return all;
}

HitBatch HitAligner::batch_of(SequenceSet::Index first, const std::vector<Candidates>& rows,
                              const AlignedList& alignments) {
  const SortedSequences& columns = scheduler_.columns();
  const FurtherRows further = further_alignments(rows, alignments);
  std::size_t pairs = 0;  // whose rows are in the builder
  ColumnsBuilder builder(options_.fields());
  HitBatch batch;
  batch.hits.queries = {first_query_ + first, first_query_ + next_query_};
  std::vector<std::uint64_t> first_row{0};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto query = static_cast<SequenceSet::Index>(first + i);
    for (const Hit& hit : rows[i].hits) {
      const auto add = [&](SequenceSet::Index of_strand, const AlignedPair& row, const Significance& found) {
        const Strand strand = strands_.strand(of_strand);
        builder.add({first_query_ + query, columns.index(hit.column)},
                    strand == Strand::plus ? row : on_minus_strand(row, strands_.given().length(query)),
                    strand);
        builder.add(found);
      };
      add(scheduler_.rows().index(hit.row), alignments.pairs[hit.number], hit.significance);
      ++pairs;
      if (further.of_pair.empty()) continue;
      for (const FurtherRow& row : further.of_pair[pairs - 1]) add(row.query, row.aligned, row.significance);
    }
    first_row.push_back(builder.size());
    if (rows[i].cut_tie) batch.cut_ties.push_back(first_query_ + query);
    if (!options_.asked.query_statistics) continue;
    const stats::ScoreJudge* judge = statistics_[strands_.first(query)].get();
    const ResolvedStatistics& statistics = options_.statistics;
    batch.hits.query_statistics.push_back(
        judge ? stats::query_statistics(*judge, statistics.composition, statistics.low_complexity)
              : QueryStatistics{});
  }
  add_identity(rows, further, builder);
  set_rows(builder.finish(), std::move(first_row), batch.hits);
  return batch;
}

FurtherRows HitAligner::further_alignments(const std::vector<Candidates>& rows,
                                           const AlignedList& alignments) {
  if (options_.asked.max_hsps == 1) return {};
  const SortedSequences& columns = scheduler_.columns();
  const double most = candidate_evalue(options_.statistics, problem_.scoring, options_.evalue());
  std::vector<FirstRow> first;
  for (const Candidates& row : rows)
    for (const Hit& hit : row.hits) {
      std::int32_t lowest = options_.min_score.value_or(std::numeric_limits<std::int32_t>::min());
      if (const stats::ScoreJudge* judge = judge_of(hit)) {
        const std::uint64_t length = columns.length(hit.column);
        lowest = std::max(lowest, judge->lowest_score(most, length, length, lowest));
      }
      first.push_back({scheduler_.rows().index(hit.row), columns.index(hit.column),
                       &alignments.pairs[hit.number], lowest});
    }
  FurtherRows further = further_rows(strands_, columns.set(), problem_.scoring, first,
                                     options_.asked.max_hsps, batch_bytes_, scheduler_.call());
  if (options_.statistics.method == StatisticsMethod::zvalue) return further;
  judge(further, first, columns.set(), problem_.scoring, statistics_, adjusted_ ? &*adjusted_ : nullptr,
        scheduler_.call());
  for (std::vector<FurtherRow>& of_pair : further.of_pair)
    std::erase_if(of_pair, [&](const FurtherRow& row) { return !passes(row.significance); });
  return further;
}

void HitAligner::add_identity(const std::vector<Candidates>& rows, const FurtherRows& further,
                              ColumnsBuilder& builder) {
  if (options_.asked.identity_ranges.empty()) return;
  std::vector<PositionPair> pairs;
  std::vector<std::int32_t> scores;
  for (const Candidates& row : rows)
    for (const Hit& hit : row.hits) {
      pairs.push_back({hit.row, hit.column});
      scores.push_back(hit.score);
    }
  for (const Denominator denominator : options_.asked.identity_ranges) {
    const std::vector<IdentityRange> ranges =
        identity_ranges(scheduler_, pairs, scores, problem_.scoring, denominator);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      builder.add(denominator, ranges[k]);
      if (!further.of_pair.empty())
        for (std::size_t row = 0; row < further.of_pair[k].size(); ++row)
          builder.add(denominator, kNoIdentityRange);
    }
  }
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
