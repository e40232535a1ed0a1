#include "api/merge_hits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "engine/search_counts.h"
#include "io/packed.h"

namespace alnus::api {
namespace {

using Index = SequenceSet::Index;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::input, what); }

double or_infinite(std::span<const double> column, std::size_t row) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  return column.empty() || std::isnan(column[row]) ? kNone : column[row];
}

Strand strand_of(const Columns& rows, std::size_t row) {
  return rows.strand.empty() ? Strand::plus : rows.strand[row];
}

}  // namespace

HitMerger::HitMerger(const Job& job, const SequenceSet& queries, const SequenceSet& database,
                     SearchSummary& summary, std::function<void(const SearchBatch&)> take)
    : job_(job), queries_(queries), database_(database), summary_(summary), take_(std::move(take)) {}

void HitMerger::require_next(const PartHits& hits) const {
  const SearchBatch& batch = hits.batch;
  const IndexRange columns = hits.block.columns;
  const bool in_order = batch.queries.begin == next_query_ && columns.begin == next_subject_ &&
                        batch.queries.end <= job_.rows && columns.end <= job_.columns;
  const auto fits = [&](Index subject) { return columns.begin <= subject && subject < columns.end; };
  if (!in_order || !std::ranges::all_of(batch.rows.subject, fits))
    refuse("its hits are not those that come next");
  if (columns.size() < job_.columns && batch.queries.size() != 1)
    refuse("some subjects alone are for one query at a time");
}

void HitMerger::add(PartHits hits) {
  const SearchBatch& batch = hits.batch;
  const IndexRange columns = hits.block.columns;
  if (columns.size() == job_.columns) {
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
  if (next_query_ != job_.rows || next_subject_ != 0) refuse("the hits of the last queries are missing");
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
  // A pair keeps the strand with the higher score; plus if both scores are equal.
  std::ranges::sort(all, [](const Chosen& a, const Chosen& b) {
    if (a.ordinal != b.ordinal) return a.ordinal < b.ordinal;
    return a.score != b.score ? a.score > b.score : a.strand < b.strand;
  });
  const auto same_pair = [](const Chosen& a, const Chosen& b) { return a.ordinal == b.ordinal; };
  all.erase(std::unique(all.begin(), all.end(), same_pair), all.end());
  return all;
}

bool HitMerger::is_before(const Columns& rows, std::size_t a, std::size_t b) const {
  const double of_a = or_infinite(rows.evalue, a), of_b = or_infinite(rows.evalue, b);
  if (of_a != of_b) return of_a < of_b;
  const auto judged = [&](std::size_t row) {
    const bool adjusted = !rows.adjusted_score.empty() && !std::isnan(rows.adjusted_score[row]);
    return adjusted ? rows.adjusted_score[row] : static_cast<double>(rows.score[row]) / job_.scoring.scale;
  };
  if (judged(a) != judged(b)) return judged(a) > judged(b);
  if (rows.score[a] != rows.score[b]) return rows.score[a] > rows.score[b];
  return database_.file_ordinal(rows.subject[a]) < database_.file_ordinal(rows.subject[b]);
}

bool HitMerger::ties(const Columns& rows, std::size_t a, std::size_t b) const {
  const auto same = [&](std::span<const double> column) {
    return or_infinite(column, a) == or_infinite(column, b);
  };
  return rows.score[a] == rows.score[b] && same(rows.adjusted_score) && same(rows.evalue);
}

void HitMerger::choose() {
  ColumnCollector collector;
  for (const PartHits& piece : pieces_) collector.add(piece.batch.rows);
  const Columns rows = collector.finish();
  std::vector<Chosen> chosen = candidates();
  bool cut_tie = false;
  const std::size_t most = job_.max_target_seqs;
  if (job_.chosen_by_score && chosen.size() > most) {
    std::ranges::sort(chosen, [](const Chosen& a, const Chosen& b) { return a.before(b); });
    cut_tie = chosen[most - 1].score == chosen[most].score;
    chosen.resize(most);
    std::ranges::sort(chosen, {}, &Chosen::ordinal);
  }
  const auto is_chosen = [&](std::size_t row) {
    const FileOrdinal ordinal = database_.file_ordinal(rows.subject[row]);
    const auto found = std::ranges::lower_bound(chosen, ordinal, {}, &Chosen::ordinal);
    return found != chosen.end() && found->ordinal == ordinal && found->strand == strand_of(rows, row);
  };
  std::vector<std::size_t> numbers;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (is_chosen(row)) numbers.push_back(row);
  std::ranges::sort(numbers, [&](std::size_t a, std::size_t b) { return is_before(rows, a, b); });
  if (numbers.size() > most) {
    cut_tie = ties(rows, numbers[most - 1], numbers[most]);
    numbers.resize(most);
  }
  SearchBatch batch = pieces_.front().batch;
  batch.queries = {next_query_, next_query_ + 1};
  struct Both {
    std::shared_ptr<const void> rows;
    std::vector<std::uint64_t> first_row;
  };
  batch.rows = selected(rows, numbers);
  if (!job_.significance)  // significance was computed only to order the hits
    for (auto* column : {&batch.rows.adjusted_score, &batch.rows.bits, &batch.rows.evalue, &batch.rows.zscore,
                         &batch.rows.zscore_se, &batch.rows.zfit})
      *column = {};
  const auto both = std::make_shared<Both>(Both{batch.rows.owner, {0, numbers.size()}});
  batch.first_row = both->first_row;
  batch.rows.owner = both;
  if (cut_tie) engine::count_cut_tie(queries_[next_query_].id(), summary_);
  hand_over(batch);
}

}  // namespace alnus::api
