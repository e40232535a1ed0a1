#include "jobs/merge_hits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "alnus/row_check.h"
#include "alnus/row_columns.h"
#include "core/refuse_input.h"
#include "core/strands.h"
#include "engine/search_counts.h"
#include "io/writer.h"
#include "jobs/part_calls.h"

namespace alnus::jobs {
namespace {

using Index = SequenceSet::Index;

Strand strand_of(const Columns& rows, std::size_t row) {
  return rows.strand.empty() ? Strand::plus : rows.strand[row];
}

}  // namespace

HitMerger::HitMerger(const Job& job, const SequenceSet& queries, const SequenceSet& database,
                     std::function<bool(Index subject)> has_all, SearchSummary& summary,
                     std::function<void(const SearchBatch&)> take)
    : job_(job),
      queries_(queries),
      database_(database),
      has_all_(std::move(has_all)),
      summary_(summary),
      take_(std::move(take)) {}

void HitMerger::begin(std::span<const Block> blocks) {
  all_blocks_ = blocks_ = blocks;
  hits_ = 0;
}

void HitMerger::require_next(const PartHits& hits) {
  const SearchBatch& batch = hits.batch;
  const bool in_order =
      !blocks_.empty() && hits.block == blocks_.front() && batch.queries.begin == next_query_ &&
      batch.queries.end <= hits.block.rows.end &&
      (is_whole(hits.block) ? next_subject_ == 0 : hits.block.columns.begin == next_subject_);
  if (!in_order) refuse_input("its hits are not those that come next");
  if (!is_whole(hits.block) && (batch.queries.size() != 1 || hits.block.rows.size() != 1))
    refuse_input("some subjects alone are for one query at a time");
  require_rows(hits);
  if (is_whole(hits.block) && !hits.candidates.empty()) refuse_input("it has candidates of a whole query");
  if (!is_whole(hits.block)) require_candidates(hits);
}

void HitMerger::require_rows(const PartHits& hits) const {
  const SearchBatch& batch = hits.batch;
  const Columns& rows = batch.rows;
  const engine::RowFields& fields = job_.fields;
  const bool whole = is_whole(hits.block);
  check_rows(rows,
             {.detail = fields.detail,
              .strands = fields.strands != Strands::plus,
              .cigars = fields.cigars,
              .significance = fields.significance || !whole,
              .hsps = fields.hsps,
              .identity_ranges = fields.identity_ranges},
             job_.scoring, queries_, database_);
  for (Index q = 0; q < batch.queries.size(); ++q) {
    const std::size_t begin = batch.first_row[q], end = batch.first_row[q + 1];
    for (std::size_t row = begin; row < end; ++row) {
      const Index subject = rows.subject[row];
      if (rows.query[row] != batch.queries.begin + q) refuse_input("its hits are of other queries");
      if (subject < hits.block.columns.begin || subject >= hits.block.columns.end)
        refuse_input("its hits are of other subjects");
      if (!has_all_(subject)) refuse_input("it has a hit of a subject whose name or letters no part has");
      if (fields.hsps && std::cmp_greater(rows.hsp[row], job_.max_hsps))
        refuse_input("a hit has more alignments than were asked for");
    }
    if (whole) require_hits(rows, hits_in(rows, begin, end));
  }
}

void HitMerger::require_hits(const Columns& rows, std::span<const HitRows> hits) const {
  if (hits.size() > job_.max_target_seqs) refuse_input("a query has too many hits");
  if (job_.fields.significance) {  // else the rows lack the E-values that order them
    const auto out_of_order = [](const HitRows& a, const HitRows& b) { return !(a.key < b.key); };
    if (std::ranges::adjacent_find(hits, out_of_order) != hits.end())
      refuse_input("its hits are not in their order");
  }
  std::vector<Index> subjects;
  subjects.reserve(hits.size());
  for (const HitRows& hit : hits) subjects.push_back(rows.subject[hit.begin]);
  std::ranges::sort(subjects);
  if (std::ranges::adjacent_find(subjects) != subjects.end()) refuse_input("a query has a subject twice");
}

void HitMerger::require_candidates(const PartHits& hits) {
  const auto ordinal_of = [&](Index subject) { return database_.file_ordinal(subject); };
  if (by_ordinal_.empty()) {
    by_ordinal_ = numbers_of({0, database_.size()});
    std::ranges::sort(by_ordinal_, {}, ordinal_of);
  }
  const IndexRange columns = hits.block.columns;
  const std::size_t length = queries_.length(next_query_);
  std::vector<Chosen> all;
  for (const PartHits::Candidates& candidates : hits.candidates)
    for (const engine::CandidateKey& key : candidates.keys) {
      const auto found = std::ranges::lower_bound(by_ordinal_, key.ordinal, {}, ordinal_of);
      const bool fits = found != by_ordinal_.end() && ordinal_of(*found) == key.ordinal &&
                        *found >= columns.begin && *found < columns.end &&
                        possible_scores(job_.scoring, length, database_.length(*found)).has(key.score);
      if (!fits) refuse_input("its candidates are none of its subjects");
      all.push_back({key.score, key.ordinal, candidates.strand});
    }
  const auto key_of = [](const Chosen& chosen) { return std::pair(chosen.ordinal, chosen.strand); };
  std::ranges::sort(all, {}, key_of);
  if (std::ranges::adjacent_find(all, {}, key_of) != all.end()) refuse_input("it has a candidate twice");
  const Columns& rows = hits.batch.rows;
  std::vector<std::pair<FileOrdinal, Strand>> found;
  for (const HitRows& hit : hits_in(rows, 0, rows.size())) {
    found.emplace_back(ordinal_of(rows.subject[hit.begin]), strand_of(rows, hit.begin));
    const auto candidate = std::ranges::lower_bound(all, found.back(), {}, key_of);
    if (candidate == all.end() || key_of(*candidate) != found.back() ||
        candidate->score != rows.score[hit.begin])
      refuse_input("it has a hit that is no candidate");
  }
  std::ranges::sort(found);
  if (std::ranges::adjacent_find(found) != found.end()) refuse_input("a query has a subject twice");
}

void HitMerger::end(const SearchSummary& of_part) const {
  std::uint64_t queries = 0, pairs = 0, cells = 0;
  for (const Block& block : all_blocks_) {
    const auto residues = [](const SequenceSet& set, IndexRange range) {
      return set.arrays().offsets[range.end] - set.arrays().offsets[range.begin];
    };
    queries += block.rows.size();
    pairs += std::uint64_t{block.rows.size()} * block.columns.size();
    cells += residues(queries_, block.rows) * residues(database_, block.columns) *
             strands_of_each(job_.fields.strands);
  }
  if (!blocks_.empty()) refuse_input("the hits of its last queries are missing");
  if (of_part.queries != queries || of_part.pairs != pairs || of_part.cells != cells || of_part.hits != hits_)
    refuse_input("its counts are not those of its hits and sequences");
  require_histogram(of_part);
}

void HitMerger::require_histogram(const SearchSummary& of_part) const {
  const ScoreHistogram& histogram = of_part.histogram;
  if (histogram.pairs.empty()) return;
  const ScoreRange range = possible_scores(job_.scoring, queries_.longest(), database_.longest());
  const double first = histogram.lowest, last = first + static_cast<double>(histogram.pairs.size()) - 1;
  unsigned __int128 sum = 0;
  for (const std::uint64_t count : histogram.pairs) sum += count;
  if (first < std::min(0.0, range.lowest) || last > range.highest ||
      sum > static_cast<unsigned __int128>(of_part.pairs) * strands_of_each(job_.fields.strands))
    refuse_input("its scores are not those of its sequences");
}

void HitMerger::add(PartHits hits) {
  const SearchBatch& batch = hits.batch;
  const IndexRange columns = hits.block.columns;
  SearchSummary counted;
  engine::count_hits(batch, queries_, 0, counted);
  hits_ += counted.hits;
  if (!is_whole(hits.block) || batch.queries.end == hits.block.rows.end) blocks_ = blocks_.subspan(1);
  if (is_whole(hits.block)) {
    next_query_ = batch.queries.end;
    return hand_over(batch);
  }
  pieces_.push_back(std::move(hits));
  next_subject_ = columns.end;
  if (columns.end < job_.columns) return;
  choose();
  pieces_.clear();
  next_subject_ = 0;
  ++next_query_;
}

void HitMerger::hand_over(const SearchBatch& batch) {
  engine::count_hits(batch, queries_, 0, summary_);
  take_(batch);
}

void HitMerger::require_end() const {
  if (next_query_ != job_.rows || next_subject_ != 0)
    refuse_input("the hits of the last queries are missing");
}

std::vector<HitMerger::HitRows> HitMerger::hits_in(const Columns& rows, std::size_t begin,
                                                   std::size_t end) const {
  std::vector<HitRows> hits;
  const io::Rows of_query(rows, begin, end);
  for (std::size_t row = 0; row < of_query.size(); row = of_query.hit_end(row)) {
    HitRows hit{begin + row, begin + of_query.hit_end(row), key_of(rows, begin + row)};
    for (std::size_t other = hit.begin + 1; other < hit.end; ++other)
      hit.key = std::min(hit.key, key_of(rows, other));
    hits.push_back(hit);
  }
  return hits;
}

std::vector<HitMerger::Chosen> HitMerger::candidates() const {
  std::vector<Chosen> all;
  for (const Strand strand : {Strand::plus, Strand::minus}) {
    std::vector<Chosen> of_strand;
    for (const PartHits& piece : pieces_)
      for (const PartHits::Candidates& candidates : piece.candidates)
        if (candidates.strand == strand)
          for (const engine::CandidateKey& key : candidates.keys)
            of_strand.push_back({key.score, key.ordinal, strand});
    const std::size_t count = std::min<std::size_t>(of_strand.size(), job_.most_candidates);
    std::ranges::partial_sort(of_strand, of_strand.begin() + static_cast<std::ptrdiff_t>(count),
                              [](const Chosen& a, const Chosen& b) { return a.before(b); });
    all.insert(all.end(), of_strand.begin(), of_strand.begin() + static_cast<std::ptrdiff_t>(count));
  }
  // A pair that is a candidate on both strands keeps the strand with the higher score; plus if both scores
  // are equal. A candidate on one strand stays there, whatever the pair scores on the other one.
  std::ranges::sort(all, [](const Chosen& a, const Chosen& b) {
    if (a.ordinal != b.ordinal) return a.ordinal < b.ordinal;
    return a.score != b.score ? a.score > b.score : a.strand < b.strand;
  });
  const auto same_pair = [](const Chosen& a, const Chosen& b) { return a.ordinal == b.ordinal; };
  all.erase(std::unique(all.begin(), all.end(), same_pair), all.end());
  return all;
}

engine::HitKey HitMerger::key_of(const Columns& rows, std::size_t row) const {
  return engine::HitKey::of(rows.row(row).significance, rows.score[row], job_.scoring.scale,
                            database_.file_ordinal(rows.subject[row]));
}

bool HitMerger::keep_candidates(const Columns& rows, std::vector<HitRows>& hits) const {
  std::vector<Chosen> chosen = candidates();
  bool cut_tie = false;
  const std::size_t most = job_.max_target_seqs;
  if (job_.chosen_by_score && chosen.size() > most) {
    std::ranges::sort(chosen, [](const Chosen& a, const Chosen& b) { return a.before(b); });
    cut_tie = chosen[most - 1].score == chosen[most].score;
    chosen.resize(most);
    std::ranges::sort(chosen, {}, &Chosen::ordinal);
  }
  std::erase_if(hits, [&](const HitRows& hit) {
    const FileOrdinal ordinal = database_.file_ordinal(rows.subject[hit.begin]);
    const auto found = std::ranges::lower_bound(chosen, ordinal, {}, &Chosen::ordinal);
    return found == chosen.end() || found->ordinal != ordinal || found->strand != strand_of(rows, hit.begin);
  });
  return cut_tie;
}

void HitMerger::choose() {
  ColumnCollector collector;
  for (const PartHits& piece : pieces_) collector.add(piece.batch.rows);
  const Columns rows = collector.finish();
  std::vector<HitRows> hits = hits_in(rows, 0, rows.size());
  bool cut_tie = keep_candidates(rows, hits);
  const std::size_t most = job_.max_target_seqs;
  std::ranges::sort(hits, {}, &HitRows::key);
  if (hits.size() > most) {
    cut_tie = hits[most - 1].key.ties(hits[most].key);
    hits.resize(most);
  }
  std::vector<std::size_t> numbers;
  for (const HitRows& hit : hits)
    for (std::size_t row = hit.begin; row < hit.end; ++row) numbers.push_back(row);
  SearchBatch batch = pieces_.front().batch;
  batch.queries = {next_query_, next_query_ + 1};
  OwnedColumns selected;
  selected.append(rows, std::span<const std::size_t>(numbers));
  engine::set_rows(selected.finish(), {0, numbers.size()}, batch);
  if (!job_.significance)  // significance was computed only to order the hits
    for (auto* column : {&batch.rows.adjusted_score, &batch.rows.bits, &batch.rows.evalue, &batch.rows.zscore,
                         &batch.rows.zscore_se, &batch.rows.zfit})
      *column = {};
  if (cut_tie) engine::count_cut_tie(queries_[next_query_].id(), summary_);
  hand_over(batch);
}

}  // namespace alnus::jobs
