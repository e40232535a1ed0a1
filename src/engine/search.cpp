#include "engine/search.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/text.h"
#include "engine/all_scores.h"
#include "engine/columns_builder.h"
#include "engine/identity_range.h"
#include "engine/overlap.h"
#include "engine/pair_list.h"
#include "engine/scheduler.h"
#include "engine/score_histogram.h"
#include "engine/significance.h"
#include "engine/stranded_rows.h"
#include "engine/top_hits.h"
#include "stats/regression.h"

namespace alnus::engine {
namespace {

// Bytes of hits that are handed over at a time.
std::uint64_t batch_bytes(const SearchOptions& options) {
  return std::min(kBatchBytes, options.memory_bytes / 16);
}

// By what the scores of each query are judged, by index; null: by nothing.
using Statistics = std::vector<stats::ScoreJudgePtr>;

// The lowest score of a hit, by row. A local alignment of score 0 is none.
std::vector<std::int32_t> lowest_scores(const SortedSequences& rows, const SortedSequences& columns,
                                        const Scoring& scoring, const SearchOptions& options,
                                        const Statistics& statistics) {
  std::int32_t lowest = options.min_score.value_or(std::numeric_limits<std::int32_t>::min());
  if (scoring.mode == Mode::local) lowest = std::max(lowest, 1);
  std::vector<std::int32_t> result(rows.size(), lowest);
  if (columns.size() == 0) return result;
  const std::uint64_t longest = columns.length(columns.begin()), shortest = columns.length(columns.end() - 1);
  for (Position row = rows.begin(); row < rows.end(); ++row) {
    const stats::ScoreJudge* of_row = statistics[rows.index(row)].get();
    if (of_row == nullptr) continue;
    // Rows of one length follow each other, and only their composition tells them apart.
    const bool as_before =
        row > rows.begin() && !options.statistics.composition && rows.length(row) == rows.length(row - 1);
    result[row.value()] = as_before
                              ? result[row.value() - 1]
                              : std::max(lowest, of_row->lowest_score(options.evalue, shortest, longest));
  }
  return result;
}

// Both strands of a query get the lower of their scores. A query's composition may judge them differently,
// and a pair that is too bad on its better strand must not be a hit on the other.
void share_between_strands(const StrandedSet& strands, const SortedSequences& rows,
                           std::vector<std::int32_t>& lowest) {
  if (strands.strands() != Strands::both) return;
  std::vector<std::int32_t> of_query(strands.given().size(), std::numeric_limits<std::int32_t>::max());
  for (Position row = rows.begin(); row < rows.end(); ++row) {
    std::int32_t& shared = of_query[strands.given(rows.index(row))];
    shared = std::min(shared, lowest[row.value()]);
  }
  for (Position row = rows.begin(); row < rows.end(); ++row)
    lowest[row.value()] = of_query[strands.given(rows.index(row))];
}

struct Batch {
  SearchBatch hits;
  std::uint64_t cut_ties = 0;
};

// Takes the candidates of query after query, and aligns them: for their exact scores, if the search told
// bounds, and for ends and alignments, if those are wanted. The scheduler's rows are the strands of queries.
class HitAligner {
 public:
  // `first_query`: the index of the first of the strands' queries among all of the search.
  HitAligner(Scheduler& scheduler, TopHits& top, const Problem& problem, const SearchOptions& options,
             const Statistics& statistics, const StrandedSet& strands, SequenceSet::Index first_query)
      : scheduler_(scheduler),
        top_(top),
        problem_(problem),
        positions_(positions_of(scheduler.rows(), scheduler.stop_flag())),
        options_(options),
        statistics_(statistics),
        strands_(strands),
        first_query_(first_query),
        batch_bytes_(batch_bytes(options)) {}

  bool done() const { return next_query_ == strands_.given().size(); }
  Batch next() {
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

 private:
  // Those of a query, on all its strands.
  struct Candidates {
    std::vector<TopHit> hits;
    std::int64_t best_left_out = INT64_MIN;  // as in TopHitsOfRow
    bool cut_tie = false;                    // a subject that scores as the last hit does was left out
  };

  std::span<const Position> strands_of(SequenceSet::Index query) const {
    return std::span(positions_).subspan(strands_.first(query), strands_of_each(strands_.strands()));
  }

  const stats::ScoreJudge* judge_of(const TopHit& hit) const {
    return statistics_[scheduler_.rows().index(hit.row)].get();
  }

  // What is aligned of one query is kept together, whatever the memory.
  void warn_of_memory(std::size_t hits, std::uint64_t bytes) const {
    Progress& progress = scheduler_.call().progress;
    if (!progress.warn || std::exchange(progress.told_of_memory, true)) return;
    progress.warn(
        fmt::format("The alignments of one query, {} here, may take {}, and {} is {}: it is "
                    "exceeded. A lower {} needs less.",
                    format_count(hits), format_bytes(static_cast<double>(bytes)), option("memory"),
                    format_bytes(static_cast<double>(options_.memory_bytes)), option("max_target_seqs")));
  }

  // Cuts candidates of known scores to the hits.
  void choose(SequenceSet::Index query, Candidates& candidates) const {
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

  // Keeps one hit of each pair: the strand of higher score, or the plus strand if both score the same. A pair
  // that a strand's limit left out is behind `limit` others on that strand, so that it is no hit by that
  // strand.
  void merge_strands(std::vector<TopHit>& hits, std::int64_t& best_left_out) const {
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

  // Exact scores for the candidates of some rows.
  template <class Chosen>
  void score(std::vector<Candidates>& rows, Chosen chosen) {
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

  // The alignments of all candidates that are left, which get their exact scores and their numbers in the
  // list.
  AlignedList align(std::vector<Candidates>& rows) {
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

  // The significance of all hits. By Z-values, it comes last, and those with too large E-values go.
  std::vector<std::vector<Significance>> judge(std::vector<Candidates>& rows) {
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

  // The rows of the hits that are left.
  Batch batch_of(SequenceSet::Index first, const std::vector<Candidates>& rows, const AlignedList& alignments,
                 const std::vector<std::vector<Significance>>& significance) {
    const SortedSequences& columns = scheduler_.columns();
    ColumnsBuilder builder({problem_.detail, problem_.cigars, options_.significance, options_.identity_ranges,
                            options_.strands});
    Batch batch;
    batch.hits.queries = {first_query_ + first, first_query_ + next_query_};
    const auto first_row = std::make_shared<std::vector<std::uint64_t>>(1, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto query = static_cast<SequenceSet::Index>(first + i);
      for (std::size_t k = 0; k < rows[i].hits.size(); ++k) {
        const TopHit& hit = rows[i].hits[k];
        const Strand strand = strands_.strand(scheduler_.rows().index(hit.row));
        const AlignedPair& aligned = alignments.pairs[hit.number];
        builder.add(
            {first_query_ + query, columns.index(hit.column)},
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

  void add_identity(const std::vector<Candidates>& rows, ColumnsBuilder& builder) {
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

  static void settle(TopHit& hit, std::int32_t score) {
    if (score < hit.score || score > hit.at_most())
      throw Error(
          ErrorKind::other,
          fmt::format("Internal error: a pair scored {} to {} in the search and {} when it was aligned.",
                      hit.score, hit.at_most(), score));
    hit.score = score;
    hit.slack = 0;
  }

  Scheduler& scheduler_;
  TopHits& top_;
  const Problem problem_;
  const std::vector<Position> positions_;
  const SearchOptions& options_;
  const Statistics& statistics_;
  const StrandedSet& strands_;
  const SequenceSet::Index first_query_;
  const std::uint64_t batch_bytes_;
  SequenceSet::Index next_query_ = 0;
};

// After all scores are known: each query's from them, or else by the parameters.
Statistics regress(const AllScores& scores, const SortedSequences& rows, const StrandedSet& strands,
                   const Scoring& scoring, const StatisticsOptions& options, Call& call,
                   SearchSummary& summary) {
  const std::optional<UngappedParameters> ungapped = stats::ungapped_parameters(scoring);
  Statistics result(rows.size());
  std::vector<std::atomic<bool>> fell_back(strands.given().size());
  const ThreadPool::Permit permit(call.threads, call.progress.stop);
  call.threads.for_each(rows.size(), [&](std::size_t number) {
    if (call.progress.stop.requested()) throw Interrupted{};
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
  return options.histogram || options.statistics.method == StatisticsMethod::regression;
}

// Some of the queries, for all of whose hits, and scores if those are wanted, there is memory.
class SearchPart {
 public:
  SearchPart(const SequenceSet& queries, SequenceSet::Index first_query,
             const std::shared_ptr<const SortedSequences>& database, const Scoring& scoring,
             const SearchOptions& options, Call& call, SearchSummary& summary)
      : first_query_(first_query),
        scoring_(scoring),
        options_(options),
        call_(call),
        summary_(summary),
        rows_(std::make_shared<const SortedSequences>(queries, call.progress.stop), options.strands, call),
        scheduler_(call, rows_.sorted(), database, {scoring, options.detail}) {
    const StatisticsOptions& statistics = options.statistics;
    if (statistics.by_parameters_now())
      statistics_ = stats::judges_of(scheduler_.rows().set(), statistics.model(statistics.method), scoring,
                                     call.progress.stop);
    else
      statistics_.resize(scheduler_.rows().size());
  }

  void score() {
    const SortedSequences& rows = scheduler_.rows();
    const SortedSequences& columns = scheduler_.columns();
    std::vector<std::int32_t> lowest = lowest_scores(rows, columns, scoring_, options_, statistics_);
    share_between_strands(rows_.set(), rows, lowest);
    top_.emplace(columns, std::move(lowest), options_.max_target_seqs);
    if (!wants_all_scores(options_)) return scheduler_.run({}, {scoring_, Detail::score, true}, *top_);
    AllScores all(rows, columns, *top_);
    scheduler_.run({}, {scoring_, Detail::score}, all);
    if (options_.statistics.method == StatisticsMethod::regression)
      statistics_ = regress(all, rows, rows_.set(), scoring_, options_.statistics, call_, summary_);
    if (options_.histogram) add(all, rows, statistics_, call_.progress.stop, summary_.histogram);
  }

  void emit_hits(const EmitHits& emit) {
    Problem problem{scoring_, options_.detail};
    problem.cigars = options_.cigars;
    HitAligner aligner(scheduler_, *top_, problem, options_, statistics_, rows_.set(), first_query_);
    const ExtraWork again(call_.progress);
    make_and_use(
        call_, [&] { return aligner.done(); }, [&] { return aligner.next(); },
        [&](Batch batch) {
          summary_.hits += batch.hits.rows.size();
          summary_.cut_ties += batch.cut_ties;
          emit(batch.hits);
        });
  }

 private:
  const SequenceSet::Index first_query_;
  const Scoring& scoring_;
  const SearchOptions& options_;
  Call& call_;
  SearchSummary& summary_;
  const StrandedRows rows_;
  Scheduler scheduler_;
  Statistics statistics_;
  std::optional<TopHits> top_;
};

// Bytes that a query may take while all queries of its part are scored.
std::uint64_t bytes_of_query(SequenceSet::Index subjects, const SearchOptions& options) {
  const std::uint64_t hits = std::min<std::uint64_t>(options.max_target_seqs, subjects);
  constexpr std::uint64_t kOther = 256;  // beside its hits
  return strands_of_each(options.strands) *
         (kOther + TopHits::bytes_of_row(hits) +
          (wants_all_scores(options) ? AllScores::bytes_of_row(subjects) : 0));
}

// What batches take, with their identity ranges, and the shuffles for one.
std::uint64_t bytes_of_batches(const SearchOptions& options) {
  constexpr std::uint64_t kBatches = 3;  // being made, waiting, with the caller
  return kBatches * batch_bytes(options) + significance_bytes(options.statistics, options.memory_bytes);
}

// How many queries are scored together. Half of the memory is for tiles.
std::uint64_t queries_of_part(const SequenceSet& queries, SequenceSet::Index subjects,
                              const SearchOptions& options) {
  const std::uint64_t bytes =
      std::min(options.memory_bytes / 4, options.memory_bytes / 2 - bytes_of_batches(options));
  const std::uint64_t most = bytes / bytes_of_query(subjects, options);
  return std::clamp<std::uint64_t>(most, 1, std::max<std::uint64_t>(queries.size(), 1));
}

}  // namespace

std::uint64_t search_bytes(const SequenceSet& queries, const SequenceSet& database,
                           const SearchOptions& options) {
  return queries_of_part(queries, database.size(), options) * bytes_of_query(database.size(), options) +
         StrandedSet::bytes(queries, options.strands) + bytes_of_batches(options);
}

SearchSummary search(const SequenceSet& queries, const std::shared_ptr<const SortedSequences>& database,
                     const Scoring& scoring, const SearchOptions& options, Call& call, const EmitHits& emit) {
  if (options.max_target_seqs == 0)
    throw Error(ErrorKind::input, fmt::format("{} is 0; the number of hits to keep must be 1 or more.",
                                              option("max_target_seqs")));
  SearchSummary summary;
  const SequenceSet& subjects = database->set();
  summary.queries = queries.size();
  summary.cells = queries.total_residues() * subjects.total_residues() * strands_of_each(options.strands);
  summary.pairs = std::uint64_t{queries.size()} * subjects.size();
  const std::uint64_t part_size = queries_of_part(queries, subjects.size(), options);
  for (std::uint64_t begin = 0; begin < queries.size(); begin += part_size) {
    const auto first = static_cast<SequenceSet::Index>(begin);
    const auto end =
        static_cast<SequenceSet::Index>(std::min<std::uint64_t>(begin + part_size, queries.size()));
    SearchPart part(first == 0 && end == queries.size() ? queries : queries.part(first, end), first, database,
                    scoring, options, call, summary);
    part.score();
    part.emit_hits(emit);
  }
  summary.left_out = summary.pairs - summary.hits;
  return summary;
}

}  // namespace alnus::engine
