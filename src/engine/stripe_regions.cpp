#include "engine/stripe_regions.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/common_subsequence.h"
#include "core/pair_value.h"
#include "core/strands.h"
#include "engine/align_list.h"
#include "engine/mirrored.h"
#include "engine/ranks.h"

namespace alnus::engine {
namespace {

// When sequences have at most so many residues on average, their scores and identities are computed faster
// than values can be written to places all over a stripe.
constexpr double kShort = 64;
// If writing is slower than scoring, so many columns are computed at a time: kColumns, or kPairsOfThread
// pairs for each thread if that is more. The values of a tile are then written to few places, which stay in a
// cache.
constexpr std::uint64_t kColumns = 2048, kPairsOfThread = 1 << 22;
// The largest share of pairs that are aligned as a list: on the CPU in general, and where all pairs are
// aligned several times as fast as a list of them, on GPUs and of short sequences.
constexpr double kMostListed = 0.75, kMostListedWhereSlow = 0.125;
// A sample tells this share: one of so many pairs is in it, and it has at most and at least so many pairs.
constexpr std::uint64_t kPairsOfSample = 64, kMostSampled = 256, kFewestSampled = 16;
// So many subjects fill the lanes well: the rows may then be the queries even if there are fewer columns than
// rows.
constexpr std::uint32_t kEnoughSubjects = 1024;

bool are_short(const SequenceSet& set) {
  return static_cast<double>(set.total_residues()) <= kShort * set.size();
}

// Writes each score of a sequence with itself to the place of the sequence. No two results share a place, so
// that no lock is needed.
class SelfScoreSink : public Sink {
 public:
  SelfScoreSink(const RankedSequences& part, std::span<std::int32_t> scores) : part_(part), scores_(scores) {}
  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    for (const PairResult& result : results)
      scores_[part_.first + part_.sorted->index(result.row)] = result.score;
  }

 private:
  const RankedSequences& part_;
  const std::span<std::int32_t> scores_;
};

// Returns, for each row, the first column whose rank is above the row's; with `self`, the first whose rank is
// not below it.
std::vector<Position> steps_between(const RankedSequences& rows, const RankedSequences& columns, bool self) {
  std::vector<Position> steps;
  steps.reserve(rows.sorted->size());
  Position column = columns.sorted->begin();
  for (Position row = rows.sorted->begin(); row < rows.sorted->end(); ++row) {
    rows.stop().throw_if_requested();
    const Rank of_row = rows.rank(row);
    while (column < columns.sorted->end() &&
           (self ? columns.rank(column) < of_row : columns.rank(column) <= of_row)) {
      rows.stop().throw_if_requested();
      ++column;
    }
    steps.push_back(column);
  }
  return steps;
}

}  // namespace

RankedSequences::RankedSequences(const SequenceSet& set, IndexRange part, std::span<const Rank> all_ranks,
                                 const CallState& call)
    : ranks(all_ranks.subspan(part.begin, part.size())), first(part.begin), call_(call) {
  sorted = std::make_shared<const SortedSequences>(set.part(part.begin, part.end), ranks, stop());
}

RankedSequences::~RankedSequences() {
  for (const auto& sequences : {sorted, minus_})
    for (Device* device : call_.devices)
      if (sequences) device->unload(*sequences);
}

const std::shared_ptr<const SortedSequences>& RankedSequences::on(Strand strand) const {
  if (strand == Strand::plus) return sorted;
  const std::lock_guard lock(mutex_);
  if (!minus_)
    minus_ =
        std::make_shared<const SortedSequences>(reverse_complement(sorted->set(), stop()), ranks, stop());
  return minus_;
}

IndexPair PairRegion::indices(Position of_query, Position of_subject) const {
  const SequenceSet::Index i = queries.first + queries.sorted->index(of_query),
                           j = subjects.first + subjects.sorted->index(of_subject);
  return origin(Strand::plus).mirrors(i, j) ? IndexPair{j, i} : IndexPair{i, j};
}

StripeRegions::StripeRegions(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
                             CallState& call, double longest_tile_seconds)
    : pairs_(pairs),
      scoring_(scoring),
      mirrored_(mirrored(scoring)),
      options_(options),
      bound_(options, scoring),
      call_(call),
      longest_tile_seconds_(longest_tile_seconds),
      writing_is_slower_(!options.values.empty() && (scores_alone() || identities_alone()) &&
                         are_short(pairs.rows()) && are_short(pairs.columns()) && call.on_host()),
      ranks_(ranks_of(pairs.rows(), pairs.is_half() ? nullptr : &pairs.columns(), stop())) {
  if (!pairs.is_half())
    against_.emplace(pairs.columns(), pairs.block().columns, std::span(ranks_).subspan(pairs.rows().size()),
                     call);
}

void StripeRegions::fill(IndexRange rows, StripeBuilder& builder) {
  for_each_region(rows, [&](const PairRegion& region, const Scoring& scoring) {
    std::optional<ExtraWork> again;
    if (region.only_mirrored.value_or(false)) again.emplace(call_.progress);
    run(region, scoring, builder);
  });
}

void StripeRegions::for_each_region(IndexRange rows, const Visit& visit) const {
  const RankedSequences part(pairs_.rows(), rows, ranks_, call_);
  if (!pairs_.is_half()) return between(part, *against_, visit);
  // The rows with the columns before them and with each other; in a block, only with the block's columns.
  const IndexRange columns = pairs_.block().columns;
  const IndexRange before{columns.begin, std::clamp(rows.begin, columns.begin, columns.end)};
  const IndexRange both{std::clamp(columns.begin, rows.begin, rows.end),
                        std::clamp(columns.end, rows.begin, rows.end)};
  if (both == rows) {
    inner(part, visit);
  } else if (both.size() > 0) {
    inner(RankedSequences(pairs_.rows(), both, ranks_, call_), visit);
    with_columns_before(both, RankedSequences(pairs_.rows(), {both.end, rows.end}, ranks_, call_), visit);
  }
  with_columns_before(before, part, visit);
}

// Scores the sequences of the rows and those of the columns. With is_half() only the columns before the first
// row are scored besides: the others are rows.
SelfScores StripeRegions::self_scores(SequenceSet::Index first_row, const BlankSequences& blanks) {
  SelfScores scores;
  const Block& block = pairs_.block();
  scores.rows.resize(pairs_.rows().size());
  if (first_row == block.rows.end) return scores;
  const ExtraWork besides(call_.progress);
  const auto score = [&](const RankedSequences& part, std::vector<std::int32_t>& of_side) {
    if (part.ranks.empty()) return;
    std::vector<PositionPair> themselves;
    themselves.reserve(part.sorted->size());
    for (Position position = part.sorted->begin(); position < part.sorted->end(); ++position)
      themselves.push_back({position, position});
    const Problem problem{scoring_, Detail::score};
    Scheduler scheduler(call_, part.sorted, part.sorted, problem);
    SelfScoreSink sink(part, of_side);
    scheduler.run({.shape = TileShape::list, .pairs = themselves}, problem, sink);
  };
  score(RankedSequences(pairs_.rows(), {first_row, block.rows.end}, ranks_, call_), scores.rows);
  if (!pairs_.is_half()) {
    scores.columns.resize(pairs_.columns().size());
    score(*against_, scores.columns);
  } else if (block.columns.begin < first_row) {
    const IndexRange before{block.columns.begin, std::min(block.columns.end, first_row)};
    score(RankedSequences(pairs_.rows(), before, ranks_, call_), scores.rows);
  }
  for (SequenceSet::Index i = 0; i < scores.rows.size(); ++i)
    if (blanks.row(i)) scores.rows[i] = kNoSelfScore;
  for (SequenceSet::Index j = 0; j < scores.columns.size(); ++j)
    if (blanks.column(j)) scores.columns[j] = kNoSelfScore;
  return scores;
}

bool StripeRegions::scores_alone() const {
  return options_.fields.detail == Detail::score && options_.fields.strands == Strands::plus;
}

bool StripeRegions::identities_alone() const {
  const bool lists = options_.collects() && !options_.nearest;  // rows of the nearest are made later
  return options_.fields.detail == Detail::alignment && !lists && !options_.filter.min_coverage;
}

std::uint32_t StripeRegions::most_columns(std::uint32_t rows) const {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint32_t>::max();
  if (!writing_is_slower_) return kAll;
  const std::uint64_t pairs = kPairsOfThread * static_cast<std::uint64_t>(call_.threads.threads());
  return static_cast<std::uint32_t>(std::clamp(pairs / std::max(rows, 1U), kColumns, kAll));
}

double StripeRegions::most_listed() const {
  const bool slowly = !call_.on_host() || (are_short(pairs_.rows()) && are_short(pairs_.columns()));
  return slowly ? kMostListedWhereSlow : kMostListed;
}

void StripeRegions::align(IndexRange rows, std::span<const ListedPair> pairs, const RowFields& fields,
                          StripeBuilder& builder) {
  if (pairs.empty()) return;
  const RankedSequences part(pairs_.rows(), rows, ranks_, call_);
  std::optional<RankedSequences> before;  // of one set: the columns of these rows
  if (pairs_.is_half()) {
    const IndexRange columns = pairs_.block().columns;
    before.emplace(pairs_.rows(), IndexRange{columns.begin, std::min(columns.end, rows.end)}, ranks_, call_);
  }
  const RankedSequences &is = before ? *before : part, &js = before ? part : *against_;
  const std::vector<Position> of_is = positions_of(*is.sorted, stop()),
                              of_js = positions_of(*js.sorted, stop());
  for (const bool mirror : {false, true})
    for (const Strand strand : {Strand::plus, Strand::minus}) {
      const RankedSequences& queries = mirror ? js : is;
      const RankedSequences& subjects = mirror ? is : js;
      const PairRegion region{queries, subjects, mirror ? Origin::Query::j : Origin::Query::i};
      std::vector<PositionPair> list;
      for (const ListedPair& pair : pairs) {
        const Position i = of_is[pair.i - is.first], j = of_js[pair.j - js.first];
        if (pair.strand != strand || mirror != (js.rank(j) < is.rank(i))) continue;
        list.push_back(mirror ? PositionPair{j, i} : PositionPair{i, j});
      }
      if (list.empty()) continue;
      std::ranges::sort(list);
      const Problem problem{mirror ? mirrored_ : scoring_, fields.detail, false, fields.cigars};
      StripeSink sink = sink_of(region, strand, builder);
      Scheduler scheduler(call_, queries.on(strand), subjects.sorted, problem);
      scheduler.run({.shape = TileShape::list, .pairs = list}, problem, sink);
    }
}

void StripeRegions::with_columns_before(IndexRange columns, const RankedSequences& rows,
                                        const Visit& visit) const {
  const std::uint32_t most = most_columns(rows.sorted->size());
  for (IndexRange some{columns.begin, {}}; some.begin < columns.end; some.begin = some.end) {
    some.end = some.begin + std::min(most, columns.end - some.begin);
    between(RankedSequences(pairs_.rows(), some, ranks_, call_), rows, visit);
  }
}

// Visits the pairs within a part. If the part has too many columns it is cut in half: the pairs within each
// half, then those between the halves.
void StripeRegions::inner(const RankedSequences& part, const Visit& visit) const {
  const std::uint32_t size = part.sorted->size();
  if (size > most_columns(size)) {
    const SequenceSet::Index begin = part.first, middle = begin + size / 2;
    const RankedSequences rows(pairs_.rows(), {middle, begin + size}, ranks_, call_);
    inner(RankedSequences(pairs_.rows(), {begin, middle}, ranks_, call_), visit);
    inner(rows, visit);
    return with_columns_before({begin, middle}, rows, visit);
  }
  PairRegion region{part, part, Origin::Query::either, steps_between(part, part, pairs_.self())};
  if (symmetric(scoring_)) return visit(region, scoring_);
  region.only_mirrored = false;
  visit(region, scoring_);
  region.only_mirrored = true;
  visit(region, mirrored_);
}

// Visits all pairs of a sequence i of `is` and a sequence j of `js`. The longer sequence of a pair is its
// query. If only scores are wanted, either may be the query, and the side with more sequences are the
// subjects: few subjects would leave lanes empty. If writing is slower than scoring, the rows of the values
// are the queries, unless there are very few subjects.
void StripeRegions::between(const RankedSequences& is, const RankedSequences& js, const Visit& visit) const {
  if (is.ranks.empty() || js.ranks.empty()) return;
  if (scores_alone()) {
    const bool half = pairs_.is_half();
    const std::size_t rows = (half ? js : is).ranks.size(), columns = (half ? is : js).ranks.size();
    const bool rows_first = columns >= rows || options_.nearest ||  // devices keep the best of a query
                            (writing_is_slower_ && columns >= kEnoughSubjects);
    const bool is_first = rows_first != half;
    const std::vector<Position> all((is_first ? is : js).ranks.size());
    if (is_first) return visit({is, js, Origin::Query::i, all}, scoring_);
    return visit({js, is, Origin::Query::j, all}, mirrored_);
  }
  visit({is, js, Origin::Query::i, steps_between(is, js, false)}, scoring_);
  visit({js, is, Origin::Query::j, steps_between(js, is, false)}, mirrored_);
}

StripeSink StripeRegions::sink_of(const PairRegion& region, Strand strand, StripeBuilder& builder) const {
  return {builder, *region.queries.on(strand), *region.subjects.sorted, region.origin(strand), call_.threads};
}

void StripeRegions::run(const PairRegion& region, const Scoring& scoring, StripeBuilder& builder) {
  Problem problem{scoring, options_.fields.detail, false, options_.fields.cigars};
  problem.identities = identities_alone();
  if (options_.fields.strands == Strands::both) return run_both_strands(region, problem, builder);
  const Strand strand = options_.fields.strands == Strands::plus ? Strand::plus : Strand::minus;
  if (bound_.rules_out() && align_possible(region, strand, problem, builder)) return;
  Scheduler scheduler(call_, region.queries.on(strand), region.subjects.sorted, problem);
  StripeSink sink = sink_of(region, strand, builder);
  scheduler.run(matrix_of(region), problem, sink);
}

double StripeRegions::possible_share(const PairRegion& region, Strand strand) {
  const std::shared_ptr<const SortedSequences>& queries = region.queries.on(strand);
  const Position end = region.subjects.sorted->end();
  std::uint64_t all = 0;
  for (const Position first : region.steps) all += end - first;
  const std::uint64_t count = std::min(kMostSampled, all / kPairsOfSample);
  if (count < kFewestSampled) return 0;
  std::vector<PositionPair> sample;  // at equal distances
  std::uint64_t before = 0;          // pairs of the rows before
  for (Position row = queries->begin(); row < queries->end(); ++row) {
    const Position first = region.steps[row.value()];
    for (; sample.size() < count && sample.size() * all / count < before + (end - first);)
      sample.push_back({row, first + static_cast<std::uint32_t>(sample.size() * all / count - before)});
    before += end - first;
  }
  const ExtraWork besides(call_.progress);
  const Problem common{subsequence_scoring(scoring_.matrix.alphabet()), Detail::score};
  ChosenPairs possible = bound_.possible_pairs(*queries, *region.subjects.sorted,
                                               std::numeric_limits<std::uint64_t>::max(), call_);
  Scheduler(call_, queries, region.subjects.sorted, common)
      .run({.shape = TileShape::list, .pairs = sample}, common, possible);
  return static_cast<double>(possible.count()) / static_cast<double>(sample.size());
}

bool StripeRegions::align_possible(const PairRegion& region, Strand strand, const Problem& problem,
                                   StripeBuilder& builder) {
  const std::shared_ptr<const SortedSequences>& queries = region.queries.on(strand);
  ChosenPairs possible =
      bound_.possible_pairs(*queries, *region.subjects.sorted, builder.most_bytes(), call_);
  // Without floors a GPU hands over the scores of all pairs, which takes longer than to align them.
  if (!call_.on_host() && !has_floors(possible, {queries->begin(), queries->end()})) return false;
  if (possible_share(region, strand) > most_listed()) return false;
  {
    const Problem common{subsequence_scoring(scoring_.matrix.alphabet()), Detail::score};
    Scheduler scheduler(call_, queries, region.subjects.sorted, common);
    scheduler.run(matrix_of(region), common, possible);
  }
  const std::vector<PositionPair> pairs = possible.pairs();
  const ExtraWork again(call_.progress);
  Scheduler scheduler(call_, queries, region.subjects.sorted, problem);
  StripeSink sink = sink_of(region, strand, builder);
  if (possible.too_many())
    scheduler.run(matrix_of(region), problem, sink);
  else if (!pairs.empty())
    scheduler.run({.shape = TileShape::list, .pairs = pairs}, problem, sink);
  return true;
}

// Scores all pairs on both strands, and then hands over or aligns each pair on its better strand.
void StripeRegions::run_both_strands(const PairRegion& region, const Problem& problem,
                                     StripeBuilder& builder) {
  StrandScores scores(*region.queries.sorted, *region.subjects.sorted, region.steps);
  for (const Strand strand : {Strand::plus, Strand::minus}) {
    const Problem of_scores{problem.scoring, Detail::score};
    Scheduler scheduler(call_, region.queries.on(strand), region.subjects.sorted, of_scores);
    const StripeSink sink = sink_of(region, strand, builder);
    StrandScores::Pass pass(scores, strand, [&](Position row) { return sink.floor(row); });
    scheduler.run(matrix_of(region), of_scores, pass);
  }
  const ExtraWork again(call_.progress);
  for (const Strand strand : {Strand::plus, Strand::minus}) {
    StripeSink sink = sink_of(region, strand, builder);
    if (problem.detail == Detail::score)
      hand_over(region, scores, strand, sink);
    else
      align_on(region, scores, strand, problem, sink);
  }
}

// Hands over the scores of the pairs that are better on this strand, some rows at a time.
void StripeRegions::hand_over(const PairRegion& region, const StrandScores& scores, Strand strand,
                              StripeSink& sink) const {
  constexpr std::size_t kMany = 1 << 16;
  const ThreadPool::Permit permit(call_.threads, stop());
  Tile tile;
  tile.rows = region.queries.sorted.get();
  tile.columns = region.subjects.sorted.get();
  std::vector<PairResult> results;
  for (Position row = tile.rows->begin(); row < tile.rows->end(); ++row) {
    stop().throw_if_requested();
    scores.of_row(row, [&](Position column, std::int32_t score, Strand better) {
      if (better == strand) results.push_back({row, column, score});
    });
    if (results.size() < kMany && row + 1 < tile.rows->end()) continue;
    sink.accept(tile, results);
    results.clear();
  }
}

// Aligns the pairs that are better on this strand and reach the lowest score of interest.
void StripeRegions::align_on(const PairRegion& region, const StrandScores& scores, Strand strand,
                             const Problem& problem, StripeSink& sink) {
  const SortedSequences& rows = *region.queries.on(strand);
  std::vector<PositionPair> pairs;
  for (Position row = rows.begin(); row < rows.end(); ++row) {
    stop().throw_if_requested();
    const std::int32_t floor = sink.floor(row);
    scores.of_row(row, [&](Position column, std::int32_t score, Strand better) {
      if (better == strand && score >= floor) pairs.push_back({row, column});
    });
  }
  Scheduler scheduler(call_, region.queries.on(strand), region.subjects.sorted, problem);
  scheduler.run({.shape = TileShape::list, .pairs = pairs}, problem, sink);
}

}  // namespace alnus::engine
