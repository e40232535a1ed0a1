#include "engine/z_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <utility>

#include "alnus/error.h"
#include "core/refuse_input.h"
#include "core/split_mix.h"
#include "engine/mirrored.h"
#include "engine/overlap.h"
#include "engine/scheduler.h"
#include "stats/evalue.h"

namespace alnus::engine {
namespace {

using Index = SequenceSet::Index;
using Side = ShuffledSide;

// Some sequences of a set, each once, the longest first: SortedSequences keeps this order. A position is a
// place in this order.
class Selection {
  // Returns a function that maps a sequence to what decides its place.
  auto key() const {
    return [this](Index index) { return std::pair(-static_cast<std::int64_t>(set_.length(index)), index); };
  }

 public:
  Selection(const SequenceSet& set, std::vector<Index> chosen) : set_(set), chosen_(std::move(chosen)) {
    std::ranges::sort(chosen_, {}, key());
    chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
  }
  Position position(Index index) const {
    const auto place = std::ranges::lower_bound(chosen_, key()(index), {}, key());
    return Position(static_cast<std::uint32_t>(place - chosen_.begin()));
  }
  SequenceSet sequences() const {
    SequenceSetBuilder builder(set_.alphabet());
    for (const Index index : chosen_) builder.add_from(set_, index);
    return builder.finish();
  }

  // Returns the permutations with these numbers of each sequence; those of one sequence follow each other.
  SequenceSet permutations(RangeOf<std::uint32_t> numbers, std::uint64_t seed, CallState& call) const {
    struct Storage {
      std::unique_ptr<Residue[]> residues;
      std::vector<std::uint64_t> offsets, header_offsets;
    };
    const std::size_t count = chosen_.size() * numbers.size();
    auto storage = std::make_shared<Storage>();
    storage->header_offsets.resize(count + 1);
    storage->offsets.reserve(count + 1);
    storage->offsets.push_back(0);
    std::vector<Shuffler> shufflers;
    for (const Index index : chosen_) {
      shufflers.emplace_back(set_.residues(index), seed);
      for (std::uint32_t k = 0; k < numbers.size(); ++k)
        storage->offsets.push_back(storage->offsets.back() + set_.length(index));
    }
    const std::uint64_t all_residues = storage->offsets.back();
    storage->residues = std::make_unique_for_overwrite<Residue[]>(all_residues);
    constexpr std::size_t kPiece = 64;
    call.for_each(count, kPiece, [&](std::size_t k) {
      shufflers[k / numbers.size()].shuffle(numbers.begin + static_cast<std::uint32_t>(k % numbers.size()),
                                            &storage->residues[storage->offsets[k]]);
    });
    return SequenceSet(
        set_.alphabet(),
        {{storage->residues.get(), all_residues}, storage->offsets, {}, storage->header_offsets, {}}, storage,
        "shuffled sequences");
  }

 private:
  const SequenceSet& set_;
  std::vector<Index> chosen_;
};

// Consecutive pairs whose shuffles are aligned together.
struct Batch {
  std::span<const IndexPair> pairs;
  Selection queries, subjects;
  // Scores of the shuffled queries and of the shuffled subjects: pairs x shuffles, row by row. Empty: the
  // side is not shuffled.
  std::vector<std::int32_t> query_scores, subject_scores;
};

// A pair: the positions of the sequence that is not shuffled (row) and of the one that is (column) in their
// selections, and the pair's number in the batch.
struct PlacedPair {
  PositionPair position;
  std::size_t number;
};

// Some of a batch's alignments, done in one run. Rows are the sequences that are not shuffled; columns are
// the permutations `numbers` of each of the other sequences.
struct Load {
  std::shared_ptr<Batch> batch;
  Side side = Side::subject;
  RangeOf<std::uint32_t> numbers;
  SequenceSet rows, columns;
  std::vector<PlacedPair> pairs;  // sorted by position
  bool last = false;              // the batch's last load
};

// Bytes of a load: enough to occupy a GPU, and few enough that the next permutations are made while it works.
std::uint64_t load_bytes(std::uint64_t memory_bytes) {
  constexpr std::uint64_t kMost = 64 << 20;
  return std::min(kMost, memory_bytes / 16);
}

class LoadMaker {
 public:
  LoadMaker(const SequenceSet& queries, const SequenceSet& subjects, std::span<const IndexPair> pairs,
            const ShuffleOptions& options, std::uint64_t memory_bytes, CallState& call)
      : queries_(queries),
        subjects_(subjects),
        pairs_(pairs),
        options_(options),
        call_(call),
        most_bytes_(load_bytes(memory_bytes)) {}

  bool done() const { return next_pair_ == pairs_.size() && parts_.empty(); }
  Load next() {
    if (parts_.empty()) begin_batch();
    const auto [side, numbers] = parts_.back();
    parts_.pop_back();
    Load load{batch_, side, numbers, {}, {}, {}, parts_.empty()};
    const bool subject = side == Side::subject;
    const Selection &fixed = subject ? batch_->queries : batch_->subjects,
                    &shuffled = subject ? batch_->subjects : batch_->queries;
    load.rows = fixed.sequences();
    load.columns = shuffled.permutations(numbers, options_.seed, call_);
    for (std::size_t k = 0; k < batch_->pairs.size(); ++k) {
      const auto [query, of_subject] = batch_->pairs[k];
      load.pairs.push_back({subject ? PositionPair{fixed.position(query), shuffled.position(of_subject)}
                                    : PositionPair{fixed.position(of_subject), shuffled.position(query)},
                            k});
    }
    std::ranges::sort(load.pairs, {}, &PlacedPair::position);
    return load;
  }

 private:
  static std::uint64_t bytes(std::size_t length) {
    return length + 2 * sizeof(std::uint64_t) + sizeof(PairResult);
  }

  // Begins a batch, of as many pairs as memory allows. A batch that is a quarter full ends before the next
  // query: if a query has many pairs, the devices then have a rectangle to compute.
  void begin_batch() {
    const std::size_t begin = next_pair_;
    std::uint64_t query_bytes = 0, subject_bytes = 0;
    for (; next_pair_ < pairs_.size(); ++next_pair_) {
      const auto [query, subject] = pairs_[next_pair_];
      const bool begins = next_pair_ == begin || pairs_[next_pair_ - 1].query != query;
      const std::uint64_t of_queries = query_bytes + (begins ? bytes(queries_.length(query)) : 0),
                          of_subjects = subject_bytes + bytes(subjects_.length(subject));
      if (next_pair_ > begin && (std::max(of_queries, of_subjects) * options_.shuffles > most_bytes_ ||
                                 (begins && subject_bytes * options_.shuffles > most_bytes_ / 4)))
        break;
      query_bytes = of_queries;
      subject_bytes = of_subjects;
    }
    std::vector<Index> queries, subjects;
    const std::span<const IndexPair> pairs = pairs_.subspan(begin, next_pair_ - begin);
    for (const auto& [query, subject] : pairs) {
      queries.push_back(query);
      subjects.push_back(subject);
    }
    batch_ = std::make_shared<Batch>(Batch{
        pairs, Selection(queries_, std::move(queries)), Selection(subjects_, std::move(subjects)), {}, {}});
    if (options_.sides != ShuffleOptions::Sides::subject)
      add_parts(Side::query, query_bytes, batch_->query_scores);
    if (options_.sides != ShuffleOptions::Sides::query)
      add_parts(Side::subject, subject_bytes, batch_->subject_scores);
  }

  void add_parts(Side side, std::uint64_t bytes_of_number, std::vector<std::int32_t>& scores) {
    scores.resize(batch_->pairs.size() * options_.shuffles);
    const auto most = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(most_bytes_ / bytes_of_number, 1, options_.shuffles));
    for (std::uint32_t begin = 0; begin < options_.shuffles; begin += most)
      parts_.push_back({side, {begin, std::min(begin + most, options_.shuffles)}});
  }

  const SequenceSet &queries_, &subjects_;
  const std::span<const IndexPair> pairs_;
  const ShuffleOptions& options_;
  CallState& call_;
  const std::uint64_t most_bytes_;
  std::size_t next_pair_ = 0;
  std::shared_ptr<Batch> batch_;
  std::vector<std::pair<Side, RangeOf<std::uint32_t>>> parts_;  // loads of batch_ that next() has yet to make
};

// Writes each score to the place of its pair and permutation.
class ScoreSink : public Sink {
  // Returns a function that finds the places of scores. It remembers the last pair, since the permutations of
  // a sequence follow each other.
  auto places() {
    return [this, last = PositionPair{}, scores = static_cast<std::int32_t*>(nullptr)](
               Position row, Position column) mutable -> std::int32_t& {
      const std::uint32_t permutations = load_.numbers.size();
      const PositionPair wanted{row, Position(column.value() / permutations)};
      if (!scores || wanted != last) {
        const auto found = std::ranges::lower_bound(load_.pairs, wanted, {}, &PlacedPair::position);
        scores = &scores_[found->number * shuffles_ + load_.numbers.begin];
        last = wanted;
      }
      return scores[column.value() % permutations];
    };
  }

 public:
  ScoreSink(const Load& load, std::uint32_t shuffles)
      : load_(load),
        shuffles_(shuffles),
        scores_(load.side == Side::query ? load.batch->query_scores : load.batch->subject_scores) {}

  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    auto place = places();
    for (const PairResult& result : results) place(result.row, result.column) = result.score;
  }
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    auto place = places();
    for (Position row = tile.row_range.begin; row < tile.row_range.end; ++row) {
      Position column = tile.columns_of(row).begin;
      for (const std::int32_t score : scores.of_row(tile, row)) place(row, column++) = score;
    }
  }

 private:
  const Load& load_;
  const std::uint32_t shuffles_;
  std::vector<std::int32_t>& scores_;
};

void align(const Load& load, const Scoring& scoring, std::uint32_t shuffles, CallState& call) {
  const Problem problem{scoring};
  Scheduler scheduler(call, std::make_shared<const SortedSequences>(load.rows, call.progress.stop),
                      std::make_shared<const SortedSequences>(load.columns, call.progress.stop), problem);
  ScoreSink sink(load, shuffles);
  const std::uint32_t permutations = load.numbers.size();
  if (load.pairs.size() * permutations == std::uint64_t{load.rows.size()} * load.columns.size())
    return scheduler.run({}, problem, sink);
  std::vector<PositionPair> list;
  list.reserve(load.pairs.size() * permutations);
  for (const auto& [position, number] : load.pairs)
    for (std::uint32_t k = 0; k < permutations; ++k)
      list.push_back({position.row, Position(position.column.value() * permutations + k)});
  scheduler.run({.shape = TileShape::list, .pairs = list}, problem, sink);
}

void check(const SequenceSet& queries, const SequenceSet& subjects, std::span<const IndexPair> pairs,
           const ShuffleOptions& options) {
  constexpr std::uint32_t kFewest = 10;
  if (options.shuffles < kFewest)
    refuse_input(
        fmt::format("{} is {}; Z-values take {} or more.", option("shuffles"), options.shuffles, kFewest));
  for (const IndexPair& pair : pairs)
    if (pair.query >= queries.size() || pair.subject >= subjects.size())
      refuse_input(fmt::format("There is no pair ({}, {}) of {} queries and {} subjects.", pair.query,
                               pair.subject, queries.size(), subjects.size()));
}

// Adds the alignments of all shuffles to the totals of the progress.
void expect(const SequenceSet& queries, const SequenceSet& subjects, std::span<const IndexPair> pairs,
            const ShuffleOptions& options, Progress& progress) {
  const std::uint64_t alignments =
      std::uint64_t{options.shuffles} * (options.sides == ShuffleOptions::Sides::both ? 2 : 1);
  for (const auto& [query, subject] : pairs)
    progress.expect(alignments * queries.length(query) * subjects.length(subject), alignments);
}

}  // namespace

std::uint64_t shuffle_bytes(std::uint64_t memory_bytes) {
  constexpr std::uint64_t kLoads = 3;  // being made, being aligned, and scores of a batch
  return kLoads * load_bytes(memory_bytes);
}

std::vector<ZValue> z_values(const SequenceSet& queries, const SequenceSet& subjects,
                             std::span<const IndexPair> pairs, std::span<const std::int32_t> scores,
                             const Scoring& scoring, const ShuffleOptions& options,
                             std::uint64_t memory_bytes, CallState& call) {
  check(queries, subjects, pairs, options);
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return pairs[k]; });
  std::vector<IndexPair> distinct;
  std::vector<std::size_t> first_of;  // by distinct pair: its number in `pairs`
  for (const std::size_t k : order) {
    if (!distinct.empty() && distinct.back() == pairs[k]) continue;
    distinct.push_back(pairs[k]);
    first_of.push_back(k);
  }
  const PlannedProgress planned(call.progress);
  expect(queries, subjects, distinct, options, call.progress);

  stats::PairModel model{.mode = scoring.mode, .free_ends = scoring.free_ends};
  if (const auto parameters = stats::published_parameters(scoring)) {
    model.alpha = parameters->alpha / scoring.scale;
    model.beta = parameters->beta;
  }
  const Scoring mirrored_scoring = mirrored(scoring);
  std::vector<ZValue> result(pairs.size());
  const auto fit = [&](const Batch& batch) {
    const auto first = static_cast<std::size_t>(batch.pairs.data() - distinct.data());
    call.for_each(batch.pairs.size(), [&](std::size_t k) {
      const auto of_pair = [&](const std::vector<std::int32_t>& all) {
        return all.empty() ? std::span<const std::int32_t>{}
                           : std::span(all).subspan(k * options.shuffles, options.shuffles);
      };
      stats::PairModel of_lengths = model;
      of_lengths.query_length = queries.length(batch.pairs[k].query);
      of_lengths.subject_length = subjects.length(batch.pairs[k].subject);
      const std::size_t wanted = first_of[first + k];
      result[wanted] = stats::z_value(
          scores[wanted], {of_pair(batch.query_scores), of_pair(batch.subject_scores)}, of_lengths);
    });
  };

  LoadMaker maker(queries, subjects, distinct, options, memory_bytes, call);
  make_and_use(
      call, [&] { return maker.done(); }, [&] { return maker.next(); },
      [&](const Load& load) {
        align(load, load.side == Side::subject ? scoring : mirrored_scoring, options.shuffles, call);
        if (load.last) fit(*load.batch);
      });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (pairs[order[k]] == pairs[order[k - 1]]) result[order[k]] = result[order[k - 1]];
  return result;
}

std::vector<Significance> shuffled_significance(const SequenceSet& queries, const SequenceSet& subjects,
                                                std::span<const IndexPair> pairs,
                                                std::span<const std::int32_t> scores, const Scoring& scoring,
                                                const ResolvedStatistics& options, CallState& call) {
  std::vector<Significance> result;
  result.reserve(pairs.size());
  for (const ZValue& value :
       z_values(queries, subjects, pairs, scores, scoring, options.shuffles, options.memory_bytes, call)) {
    Significance& found = result.emplace_back();
    found.zscore = value.z;
    found.zscore_se = value.standard_error;
    found.zfit = value.goodness;
    if (value.log_p && options.space.sequences > 0)
      found.evalue = options.space.strands * options.space.sequences * std::exp(*value.log_p);
  }
  return result;
}

std::uint64_t significance_bytes(const ResolvedStatistics& options, std::uint64_t memory_bytes) {
  return options.method == StatisticsMethod::zvalue ? shuffle_bytes(memory_bytes) : 0;
}

}  // namespace alnus::engine
