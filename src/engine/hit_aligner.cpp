#include "engine/hit_aligner.h"

#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "engine/overlap.h"

namespace alnus::engine {

HitAligner::HitAligner(Scheduler& scheduler, TopHits& top, const Scoring& scoring,
                       const SearchOptions& options, const QueryJudges& statistics,
                       const StrandedSet& strands, SequenceSet::Index first_query)
    : scheduler_(scheduler),
      top_(top),
      scoring_(scoring),
      positions_(positions_of(scheduler.rows(), scheduler.stop_flag())),
      options_(options),
      row_options_(options.rows()),
      statistics_(statistics),
      strands_(strands),
      first_query_(first_query),
      maker_(scheduler, strands, scoring, row_options_, statistics) {}

void HitAligner::read_ahead() {
  const std::uint64_t most = batch_bytes(options_.memory_bytes);
  std::vector<Candidates> rows;
  for (std::uint64_t bytes = 0; next_read_ < strands_.given().size() && (rows.empty() || bytes < most);
       ++next_read_) {
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
  if (maker_.adjusted() != nullptr) adjust(rows);
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
  candidates.scores_first =
      candidates.is_open() && (options_.asked.detail == Detail::score || maker_.adjusted() != nullptr ||
                               of_strand / 2 > options_.asked.max_target_seqs);
}

HitBatch HitAligner::next() {
  if (aligning_.valid())
    aligning_.wait();
  else
    align_next();
  Aligned batch = std::move(aligned_);
  next_query_ = batch.queries.end;
  CallState& call = scheduler_.call();
  if (options_.aligns_ahead() && !done()) aligning_ = call.start([this] { align_next(); });
  return while_making(call, aligning_, [&] { return batch_of(batch); });
}

void HitAligner::align_next() {
  const SequenceSet& queries = strands_.given();
  if (reading_.valid()) reading_.wait();
  if (ahead_.empty()) read_ahead();
  aligned_ = {};
  std::vector<Candidates>& rows = aligned_.rows;
  std::uint64_t bytes = 0;
  for (; !ahead_.empty() && (bytes == 0 || bytes < row_options_.batch_bytes()); ahead_.pop_front()) {
    const Candidates& row = rows.emplace_back(std::move(ahead_.front()));
    std::uint64_t of_row = 0;
    for (const Hit& hit : row.hits)
      of_row += maker_.bytes_of(queries.length(row.query), scheduler_.columns().length(hit.column));
    bytes += sizeof(Candidates) + row.hits.size() * sizeof(Hit) + of_row;
    if (of_row > options_.memory_bytes / 2) warn_of_memory(row.hits.size(), of_row);
  }
  aligned_.queries = {rows.front().query, rows.back().query + 1};
  // Adjusted scores need no tiles of the devices: the next queries are read while the devices align this
  // batch.
  if (maker_.adjusted() != nullptr && ahead_.empty() && next_read_ < queries.size())
    reading_ = scheduler_.call().start([this] { read_ahead(); });
  try {
    aligned_.alignments = align(rows);
    for_each(rows, [&](Candidates& row) {
      if (row.chosen) return;
      choose(row);
      rank(row);
    });
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
  if (!progress.warn || progress.told_of_memory.exchange(true)) return;
  progress.warn(
      fmt::format("The alignments of one query, {} here, may take {}, and {} is {}: it is "
                  "exceeded. A lower {} needs less.",
                  format_count(hits), format_bytes(static_cast<double>(bytes)), option("memory"),
                  format_bytes(static_cast<double>(options_.memory_bytes)),
                  option(options_.asked.max_hsps > 1                ? "max_hsps"
                         : options_.asked.filter.needs_alignments() ? "evalue"
                                                                    : "max_target_seqs")));
}

void HitAligner::choose(Candidates& candidates) const {
  std::vector<TopHit> chosen;
  for (const Position strand : strands_of(candidates.query)) {
    std::vector<TopHit> of_strand;
    std::ranges::copy_if(candidates.hits, std::back_inserter(of_strand),
                         [&](const Hit& hit) { return hit.row == strand; });
    const std::vector<TopHit> found = top_.choose(strand, std::move(of_strand));
    chosen.insert(chosen.end(), found.begin(), found.end());
    if (!decides_later()) continue;
    std::vector<CandidateKey> keys;
    keys.reserve(found.size());
    for (const TopHit& hit : found) keys.push_back({hit.score, hit.ordinal});
    options_.piece->on_candidates(strands_.strand(scheduler_.rows().index(strand)), std::move(keys));
  }
  // Where the candidates of the whole database decide about hits, both strands of a pair stay.
  if (strands_.strands() == Strands::both && !decides_later()) merge_strands(chosen);
  candidates.hits.clear();
  for (const TopHit& hit : chosen) candidates.hits.push_back({hit});
}

void HitAligner::merge_strands(std::vector<TopHit>& hits) const {
  std::ranges::sort(hits, {}, [&](const TopHit& hit) {
    return std::pair(hit.column, strands_.strand(scheduler_.rows().index(hit.row)));
  });
  std::size_t kept = 0;
  for (const TopHit& hit : hits) {
    if (kept == 0 || hits[kept - 1].column != hit.column)
      hits[kept++] = hit;
    else if (prefers_minus(hits[kept - 1].score, hit.score))
      hits[kept - 1] = hit;
  }
  hits.resize(kept);
}

void HitAligner::adjust(std::vector<Candidates>& rows) const {
  std::size_t all = 0;
  for (Candidates& row : rows) row.first = std::exchange(all, all + row.hits.size());
  std::vector<AdjustedScores::Candidate> candidates(all);
  for_each(rows, [&](const Candidates& row) {
    for (std::size_t k = 0; k < row.hits.size(); ++k) {
      const Hit& hit = row.hits[k];
      const SequenceSet::Index query = scheduler_.rows().index(hit.row);
      candidates[row.first + k] = {
          {query, scheduler_.columns().index(hit.column)}, hit.score, statistics_[query].get()};
    }
  });
  const std::vector<std::optional<double>> scores =
      maker_.adjusted()->of(candidates, options_.evalue(), scheduler_.call());
  for_each(rows, [&](Candidates& row) {
    for (std::size_t k = 0; k < row.hits.size(); ++k) row.hits[k].adjusted = scores[row.first + k];
    std::erase_if(row.hits, [](const Hit& hit) { return !hit.adjusted; });
  });
}

HitKey HitAligner::key_of(const Significance& significance, std::int32_t score, FileOrdinal ordinal) const {
  return HitKey::of(significance, score, scoring_.scale, ordinal);
}

void HitAligner::rank(Candidates& candidates) const {
  std::vector<Hit>& hits = candidates.hits;
  for (Hit& hit : hits)
    hit.significance = maker_.significance(scheduler_.rows().index(hit.row),
                                           scheduler_.columns().index(hit.column), hit.score, hit.adjusted);
  std::erase_if(hits, [&](const Hit& hit) { return !row_options_.passes(hit.significance); });
  const auto key = [&](const Hit& hit) { return key_of(hit.significance, hit.score, hit.ordinal); };
  std::ranges::sort(hits, {}, key);
  if (!rows_decide()) candidates.cut_tie = cut(hits, key);
}

template <class Hits, class KeyOf>
bool HitAligner::cut(Hits& hits, const KeyOf& key) const {
  const std::size_t most = options_.asked.max_target_seqs;
  if (options_.piece || hits.size() <= most) return false;
  const bool cut_tie = key(hits[most - 1]).ties(key(hits[most]));
  hits.resize(most);
  return cut_tie;
}

void HitAligner::score(std::vector<Candidates>& rows) {
  std::vector<PositionPair> pairs;
  for (const Candidates& row : rows) {
    if (!row.scores_first) continue;
    for (const Hit& hit : row.hits)
      if (hit.slack > 0) pairs.push_back({hit.row, hit.column});
  }
  if (pairs.empty()) return;
  const AlignedList scores = align_list(scheduler_, pairs, {scoring_, Detail::score});
  auto next = scores.pairs.begin();
  for (Candidates& row : rows) {
    if (!row.scores_first) continue;
    for (Hit& hit : row.hits)
      if (hit.slack > 0) settle(hit, (next++)->score);
  }
}

AlignedList HitAligner::align(std::vector<Candidates>& rows) {
  const bool aligned = options_.asked.detail != Detail::score;
  std::vector<PositionPair> pairs;
  for (const Candidates& row : rows)
    for (const Hit& hit : row.hits) pairs.push_back({hit.row, hit.column});
  AlignedList all;
  if (aligned)
    all = align_list(scheduler_, pairs, maker_.problem());
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

HitBatch HitAligner::batch_of(Aligned& aligned) {
  std::vector<Candidates>& rows = aligned.rows;
  const std::vector<FirstRow> first = first_rows(rows, aligned.alignments);
  PairRows found = maker_.rows_of(first);
  std::vector<std::vector<ListedHit>> hits = listed(rows, found);
  if (options_.piece && !decides_later())
    for (std::size_t i = 0; i < rows.size(); ++i) hand_over(hits[i], rows[i].query);
  if (options_.statistics.method == StatisticsMethod::zvalue) judge_by_shuffles(hits);

  HitBatch batch;
  batch.hits.queries = {first_query_ + aligned.queries.begin, first_query_ + aligned.queries.end};
  std::vector<std::uint64_t> first_row{0};
  std::vector<PairRow> in_order;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SequenceSet::Index query = rows[i].query;
    for (const ListedHit& hit : hits[i]) in_order.insert(in_order.end(), hit.rows.begin(), hit.rows.end());
    first_row.push_back(in_order.size());
    if (rows[i].cut_tie) batch.cut_ties.push_back(first_query_ + query);
    if (!options_.asked.query_statistics) continue;
    const stats::ScoreJudge* judge = statistics_[strands_.first(query)].get();
    const ResolvedStatistics& statistics = options_.statistics;
    batch.hits.query_statistics.push_back(
        judge ? stats::query_statistics(*judge, statistics.composition, statistics.low_complexity)
              : QueryStatistics{});
  }
  set_rows(maker_.columns_of(in_order, first, first_query_), std::move(first_row), batch.hits);
  return batch;
}

std::vector<FirstRow> HitAligner::first_rows(const std::vector<Candidates>& rows,
                                             const AlignedList& alignments) const {
  std::vector<FirstRow> first;
  for (const Candidates& row : rows)
    for (const Hit& hit : row.hits)
      first.push_back({scheduler_.rows().index(hit.row),
                       scheduler_.columns().index(hit.column),
                       &alignments.pairs[hit.number],
                       hit.significance,
                       {hit.row, hit.column}});
  return first;
}

std::vector<std::vector<HitAligner::ListedHit>> HitAligner::listed(std::vector<Candidates>& rows,
                                                                   PairRows& found) const {
  const auto key_of_row = [&](const PairRow& row) {
    return key_of(row.significance, row.aligned.score, scheduler_.columns().set().file_ordinal(row.subject));
  };
  std::vector<std::vector<ListedHit>> listed(rows.size());
  auto row = found.rows.begin();
  std::size_t pair = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::size_t end = pair + rows[i].hits.size(); pair < end; ++pair) {
      const auto begin = row;
      while (row != found.rows.end() && row->pair == pair) ++row;
      if (row == begin) continue;
      const std::span<PairRow> of_hit(begin, row);
      listed[i].push_back({of_hit, key_of_row(*std::ranges::min_element(of_hit, {}, key_of_row))});
    }
    if (!rows_decide()) continue;
    std::ranges::sort(listed[i], {}, &ListedHit::key);
    rows[i].cut_tie = cut(listed[i], [](const ListedHit& hit) { return hit.key; });
  }
  return listed;
}

void HitAligner::hand_over(const std::vector<ListedHit>& hits, SequenceSet::Index query) const {
  for (const Position strand : strands_of(query)) {
    const SequenceSet::Index index = scheduler_.rows().index(strand);
    std::vector<CandidateKey> keys;
    for (const ListedHit& hit : hits)
      if (const PairRow& first = hit.rows.front(); first.query == index)
        keys.push_back({first.aligned.score, hit.key.ordinal});
    options_.piece->on_candidates(strands_.strand(index), std::move(keys));
  }
}

void HitAligner::judge_by_shuffles(std::vector<std::vector<ListedHit>>& hits) const {
  std::vector<IndexPair> pairs;
  std::vector<std::int32_t> scores;
  std::vector<PairRow*> first;
  for (const std::vector<ListedHit>& of_query : hits)
    for (const ListedHit& hit : of_query) {
      PairRow& row = hit.rows.front();
      if (row.aligned.hsp > 1) continue;  // the first alignment is no row
      pairs.push_back({row.query, row.subject});
      scores.push_back(row.aligned.score);
      first.push_back(&row);
    }
  const std::vector<Significance> all = maker_.shuffled(pairs, scores);
  for (std::size_t k = 0; k < first.size(); ++k) first[k]->significance = all[k];
  for (std::vector<ListedHit>& of_query : hits) {
    std::erase_if(of_query,
                  [&](const ListedHit& hit) { return !row_options_.passes(hit.rows.front().significance); });
    for (ListedHit& hit : of_query)
      hit.key = key_of(hit.rows.front().significance, hit.rows.front().aligned.score, hit.key.ordinal);
    std::ranges::sort(of_query, {}, &ListedHit::key);
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
