#include "bench/work.h"

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <limits>
#include <memory>
#include <vector>

#include "alnus/error.h"
#include "bench/measure.h"
#include "engine/all_pairs_driver.h"
#include "engine/planner.h"
#include "engine/scheduler.h"

namespace alnus::bench {
namespace {

// Counts the pairs that devices hand over. If `sums` is set, sums up the results of pairs that reach the
// floor. Keeps no result.
class CountingSink : public Sink {
 public:
  CountingSink(bool sums, std::optional<std::int32_t> floor, ThreadPool& threads)
      : sums_(sums), floor_(floor.value_or(std::numeric_limits<std::int32_t>::min())), threads_(threads) {}
  std::int32_t floor(Position /*row*/) const override { return floor_; }
  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    pairs_ += results.size();
    if (!sums_) return;
    std::uint64_t passing = 0, runs = 0, sum = 0;
    for (const PairResult& result : results) {
      if (result.score < floor_) continue;
      ++passing;
      Checksum checksum;
      for (const auto value :
           {static_cast<std::int32_t>(result.row.value()), static_cast<std::int32_t>(result.column.value()),
            result.score, result.query_begin, result.query_end, result.subject_begin, result.subject_end,
            static_cast<std::int32_t>(result.cigar.size())})
        checksum.add(static_cast<std::uint32_t>(value));
      sum += checksum.sum();
      runs += result.cigar.size();
    }
    passing_ += passing;
    runs_ += runs;
    sum_ += sum;
  }
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    if (sums_) return Sink::accept_scores(tile, scores);
    pairs_ += engine::count_pairs(tile);
  }
  // Unpacks the results, some at a time on all threads, as sinks do that use them.
  void accept_packed(const Tile& tile, const PackedResults& packed) override {
    constexpr std::uint64_t kPiece = 1 << 10, kWorthAThread = 1 << 15;
    std::atomic<std::uint64_t> next{0};
    threads_.for_each(packed.size() / kWorthAThread + 1, [&](std::size_t) {
      std::vector<PairResult> results;
      std::vector<CigarRun> runs;
      for (std::uint64_t begin = next.fetch_add(kPiece); begin < packed.size();
           begin = next.fetch_add(kPiece)) {
        packed.unpack(begin, std::min(begin + kPiece, packed.size()), results, runs);
        accept(tile, results);
      }
    });
  }
  std::uint64_t pairs() const { return pairs_; }
  PairSums sums() const { return {passing_, runs_, sum_}; }

 private:
  const bool sums_;
  const std::int32_t floor_;
  ThreadPool& threads_;
  std::atomic<std::uint64_t> pairs_{0};  // pairs that devices handed over
  std::atomic<std::uint64_t> passing_{0}, runs_{0}, sum_{0};
};

// The same sequences as a new set, which no device holds yet: it has offsets of its own.
SequenceSet not_yet_loaded(const SequenceSet& set) {
  struct Owner {
    SequenceSet set;
    std::vector<std::uint64_t> offsets;
  };
  SequenceSet::Arrays arrays = set.arrays();
  const auto owner =
      std::make_shared<const Owner>(Owner{set, {arrays.offsets.begin(), arrays.offsets.end()}});
  arrays.offsets = owner->offsets;
  return SequenceSet(set.alphabet(), arrays, owner, set.origin());
}

}  // namespace

std::uint64_t search_hits(const SequenceSet& queries, const std::shared_ptr<const SortedSequences>& subjects,
                          const Scoring& scoring, const engine::SearchOptions& options,
                          engine::CallState& call) {
  Checksum checksum;
  engine::search(queries, subjects, scoring, options, call, [&](const SearchBatch& batch) {
    const Columns& hits = batch.rows;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      checksum.add(hits.query[i]);
      checksum.add(static_cast<std::uint32_t>(subjects->set().file_ordinal(hits.subject[i])));
      checksum.add(static_cast<std::uint32_t>(hits.score[i]));
    }
  });
  return checksum.sum();
}

SequenceSet one_of(const SequenceSet& queries, SequenceSet::Index query) {
  SequenceSetBuilder builder(queries.alphabet(), queries.origin());
  builder.add(queries[query].header, queries.residues(query));
  return builder.finish();
}

std::uint64_t pairs_of(const SequenceSet& set) {
  return std::uint64_t{set.size()} * (std::max(set.size(), 1U) - 1) / 2;
}

std::uint64_t cells_of_pairs(const SequenceSet& set) {
  std::uint64_t squares = 0;
  for (SequenceSet::Index i = 0; i < set.size(); ++i) squares += set.length(i) * set.length(i);
  return (set.total_residues() * set.total_residues() - squares) / 2;
}

PairSums align_set(const SequenceSet& sequences, const Problem& problem, bool sums, engine::CallState& call,
                   std::optional<std::int32_t> min_score) {
  const auto set = std::make_shared<const SortedSequences>(not_yet_loaded(sequences));
  engine::Scheduler scheduler(call, set, set, problem);
  const std::vector<Position> steps = triangle_steps(set->size());
  CountingSink sink(sums, min_score, call.threads);
  scheduler.run({.shape = TileShape::staircase, .first_columns = steps}, problem, sink);
  if (!min_score && sink.pairs() != pairs_of(sequences))
    throw Error(ErrorKind::other, "Internal error: not every pair was taken once.");
  return sink.sums();
}

PairSums nearest_of_set(const SequenceSet& sequences, const Scoring& scoring, std::uint32_t top_k,
                        engine::CallState& call) {
  engine::AllPairsOptions options;
  options.fields = {.detail = Detail::score, .cigars = false};
  options.nearest = {{PairValue::score}, top_k};
  PairSums sums;
  engine::all_pairs({not_yet_loaded(sequences), nullptr, false, {}, engine::AllPairs::Rows::whole}, scoring,
                    options, {}, call, [&](const engine::Stripe& stripe, const engine::StripeState&) {
                      const Columns& rows = stripe.listed;
                      sums.pairs += rows.size();
                      for (std::size_t k = 0; k < rows.size(); ++k) {
                        Checksum checksum;
                        for (const std::uint32_t value :
                             {rows.query[k], rows.subject[k], static_cast<std::uint32_t>(rows.score[k])})
                          checksum.add(value);
                        sums.checksum += checksum.sum();
                      }
                    });
  return sums;
}

}  // namespace alnus::bench
